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


def test_what_the_head_says_of_every_row_is_kept_and_what_is_not_is_named():
    head = HEAD.replace(
        "subject_id\t",
        "#license: CC0\n#creator_id:\n#- orcid:1\n#- orcid:2\n#foo: x\nsubject_id\t",
        1,
    )
    read = read_sssom((head + ROWS).encode())
    ((_, (evidence,)),) = read.proposals
    assert "license: CC0. creator_id: orcid:1|orcid:2" in evidence.ground.note
    assert any("foo" in problem.message for problem in read.problems)


def test_a_cell_goes_before_what_the_head_says_of_all():
    head = HEAD.replace("subject_id\t", "#confidence: 0.9\nsubject_id\t", 1)
    ((_, (evidence,)),) = read_sssom((head + ROWS).encode()).proposals
    assert "confidence: 0.4" in evidence.ground.note and "0.9" not in evidence.ground.note
