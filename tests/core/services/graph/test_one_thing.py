"""A thing that papers name by several ids is one thing where the knowledge base is asked."""

from __future__ import annotations

import pytest

from core.cli import main
from core.kb.query.one_iri import rewritten
from core.model import (
    Category,
    Curator,
    Evidence,
    ReferenceGround,
    Statement,
    Term,
    Verdict,
)
from core.services.documents.annotated import term_candidates
from core.services.graph import question
from core.services.graph.explore_memory import ExploreMemory
from core.services.review import decision
from core.services.review.decision import Judgement
from core.services.vocabularies.same_things import judge_pair
from core.store import SameVerdict
from tests import reviewing
from tests.reviewing import ANNA

INDUCES = Term("biolink:causes", "induces", Category.RELATION)
DRUGS = ("bupropion", "tramadol", "theophylline")
SEIZURES = [
    Term("HP:0001250", "Seizure", Category.PHENOTYPE),
    Term("MESH:D012640", "Seizures", Category.DISEASE),
    Term("LAB:7", "Fits", Category.DISEASE),
]
ROWS = {
    "hp": ("HP", [("HP:0001250", "Seizure")]),
    "mesh": (
        "MESH",
        [("MESH:D012640", "Seizures"), *((f"MESH:D0{n}", d) for n, d in enumerate(DRUGS, 91))],
    ),
    "lab": ("LAB", [("LAB:7", "Fits")]),
}


@pytest.fixture
def desk(tmp_path):
    project = reviewing.filled(tmp_path / "p")
    for name, (prefix, rows) in ROWS.items():
        lines = (f"{prefix}\t{id}\t{label}\t{label}\tEXACT\n" for id, label in rows)
        file = project.vocabularies / f"{name}.tsv"
        file.write_text(reviewing.VOCABULARY.format(name=name) + "".join(lines))
    (project.vocabularies / ".prefixes.json").write_text('{"LAB": "https://lab.example/"}')
    for number, (drug, effect) in enumerate(zip(DRUGS, SEIZURES, strict=True), 91):
        made = Statement(Term(f"MESH:D0{number}", drug, Category.CHEMICAL), INDUCES, effect)
        evidence = Evidence(made.id, ReferenceGround(f"PMID:{number}", "Table 1"))
        project.store.statements.propose([(made, [evidence])])
        version = project.store.statements.get(made.id).version
        judged = Judgement(Verdict.APPROVE, None, "")
        decision.decide(project, made.id, version, judged, curator=ANNA)
    judge_pair(project, "HP:0001250", "MESH:D012640", SameVerdict.SAME, ANNA)
    judge_pair(project, "MESH:D012640", "LAB:7", SameVerdict.SAME, ANNA)
    yield project
    project.close()


def found(desk, words: str) -> list[str]:
    graph = ExploreMemory().graph(desk)
    asked = question.fill_question(desk, "subjects", {"relation": "induces", "thing": words}, graph)
    return [row[0] for row in question.readable_rows(desk, question.run_query(desk, asked))]


@pytest.mark.parametrize("words", ["HP:0001250", "MESH:D012640", "LAB:7", "Seizure"])
def test_what_induces_seizures_finds_all_papers_whichever_id_is_asked_for(desk, words):
    assert found(desk, words) == sorted(DRUGS)


@pytest.mark.parametrize(
    "named",
    [
        "HP:0001250",
        "MESH:D012640",
        "<https://lab.example/7>",
        "<http://purl.obolibrary.org/obo/HP_0001250>",
    ],
)
def test_sparql_finds_all_under_any_id_and_says_which_there_are(desk, named):
    answer = question.run_query(
        desk,
        f"SELECT ?s WHERE {{ ?st a biolink:Association ; rdf:subject ?s ; rdf:object {named} }}",
    )
    assert len(answer.rows) == len(DRUGS)
    (words,) = answer.also
    assert words == "Seizure: HP:0001250, also LAB:7 and MESH:D012640."


def test_counting_counts_each_statement_once(desk):
    answer = question.run_query(
        desk, "SELECT (COUNT(?st) AS ?n) { ?st a biolink:Association ; rdf:object MESH:D012640 }"
    )
    assert answer.rows[0][0].text == str(len(DRUGS))


def test_what_a_curator_calls_different_is_two_things_at_once(desk):
    assert len(found(desk, "LAB:7")) == 3
    judge_pair(desk, "MESH:D012640", "LAB:7", SameVerdict.DIFFERENT, Curator(ANNA.orcid, "Anna"))
    assert found(desk, "LAB:7") == ["theophylline"]
    assert found(desk, "HP:0001250") == ["bupropion", "tramadol"]


def test_the_command_line_shows_all_ids(desk, capsys):
    verb = ["--project", str(desk.folder), "query", "--question", "subjects"]
    assert main([*verb, "--set", "relation=induces", "--set", "thing=MESH:D012640"]) == 0
    out = capsys.readouterr()
    assert all(drug in out.out for drug in DRUGS)
    assert "HP:0001250, also LAB:7 and MESH:D012640" in out.err


def test_a_path_is_found_from_any_id(desk, capsys):
    verb = ["--project", str(desk.folder), "graph", "tramadol", "--to", "LAB:7", "--format", "json"]
    assert main(verb) == 0
    assert "HP:0001250" in capsys.readouterr().out


def test_texts_comments_and_variables_of_a_query_stay():
    aliases = {"http://m/1": "http://h/2"}
    query = 'PREFIX m: <http://m/>\nSELECT ?m { ?m ?p "m:1", m:1 ; ?q <http://m/1> } # m:1'
    text, named = rewritten(query, aliases, {})
    assert text == (
        'PREFIX m: <http://m/>\nSELECT ?m { ?m ?p "m:1", <http://h/2> ; ?q <http://h/2> } # m:1'
    )
    assert named == {"http://h/2"}
    for prefixes, expected in (({"m": "http://m/"}, "<http://h/2>."), ({"m": "http://o/"}, "m:1.")):
        assert rewritten("{ ?s ?p m:1. }", aliases, prefixes)[0] == f"{{ ?s ?p {expected} }}"


def test_the_preferred_id_is_offered_before_the_one_whose_name_was_typed(desk):
    offered = [candidate.term.id for candidate in term_candidates(desk, "Fits")]
    assert offered.index("HP:0001250") < offered.index("LAB:7")
