"""SSSOM of others: its own prefixes, rows that say no term fits, columns that are not ours."""

from __future__ import annotations

from core.kb.read.sssom import read_sssom

HEAD = (
    '#curie_map:\n#  MYHP: "http://purl.obolibrary.org/obo/HP_"\n'
    '#  LAB: "https://lab.example/"\n#mapping_set_id: https://lab.example/set\n'
    "subject_id\tsubject_label\tpredicate_id\tobject_id\tobject_label\tmapping_justification\t"
    "confidence\tshelf\n"
)
ROWS = (
    "MYHP:0000118\tabnormality\tskos:exactMatch\thttps://lab.example/7\tseven\t"
    "semapv:LexicalMatching\t0.4\tB\n"
    "UBERON:0000955\tbrain\tskos:exactMatch\tsssom:NoTermFound\t\tsemapv:LexicalMatching\t1\t\n"
)


def test_ids_are_read_by_the_files_own_prefixes_and_no_column_is_lost():
    read = read_sssom((HEAD + ROWS).encode())
    ((statement, (evidence,)),) = read.proposals
    assert (statement.subject.id, statement.object.id) == ("HP:0000118", "LAB:7")
    assert "confidence: 0.4. shelf: B" in evidence.ground.note


def test_that_no_term_fits_is_never_a_mapping():
    read = read_sssom((HEAD + ROWS).encode())
    assert [problem.message for problem in read.problems] == [
        "No term fits brain: this is no mapping."
    ]
