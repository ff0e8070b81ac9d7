"""Asking what is approved: by SPARQL and by questions to fill in, within limits."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.errors import InputError, NotFound, Refused
from core.jobs import isolation
from core.kb.query.answer import QueryAnswer
from core.kb.query.question_pattern import EXAMPLES, PATTERNS
from core.model import Evidence, ReferenceGround
from core.services.graph import knowledge_base, question
from tests import reviewing
from tests.core.services.releases.test_releases import judge
from tests.reviewing import ADULTS, ANNA, HAS_DOSE, HOSTILE, NOT_NAUSEA, RELIEVES

ALL = "SELECT ?statement { ?statement a biolink:Association }"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    desk = reviewing.hostile(tmp_path_factory.mktemp("ask") / "p")
    for statement in (RELIEVES, NOT_NAUSEA, ADULTS, HAS_DOSE):
        judge(desk, statement)
    yield desk
    desk.close()


def asked(desk, name, **values):
    graph = knowledge_base.approved_graph(desk)
    return question.run_query(desk, question.fill_question(desk, name, values, graph))


def test_graph_query_reads_only_approved_statements_that_pass_the_gate(desk):
    ids = set(question.statements_of_answer(question.run_query(desk, ALL)))
    assert ids == {claim.id for claim in (RELIEVES, NOT_NAUSEA, ADULTS, HAS_DOSE)}
    assert HOSTILE.id not in ids


def test_a_question_takes_names_and_ids_and_never_hides_what_narrows_a_claim(desk):
    answer = asked(desk, "objects", thing="Aspirin", relation="treats")
    rows = [
        dict(zip(answer.columns, row, strict=True)) for row in question.readable_rows(desk, answer)
    ]
    answers = {(row["object"], row["negated"], row["but"]) for row in rows}
    assert answers == {
        ("Headache", "false", ""),
        ("Headache", "false", "population context qualifier: adults"),
        ("Nausea", "true", ""),
    }


def test_between_question_finds_the_connecting_thing(desk):
    answer = asked(desk, "between", thing="HP:0002315", other="300 mg with water")
    assert {row[0] for row in question.readable_rows(desk, answer)} == {"aspirin"}
    drawing = question.answer_drawing(desk, answer)
    assert drawing is not None
    assert {point.label for point in drawing.view.points} == {
        "aspirin",
        "Headache",
        "300 mg with water",
    }


def test_a_relation_that_schemas_call_differently_has_one_name_and_repeats_no_row(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    shouted = replace(
        NOT_NAUSEA, object=RELIEVES.object, predicate=replace(NOT_NAUSEA.predicate, label="TREATS")
    )
    evidence = Evidence(shouted.id, ReferenceGround("PMID:1", "Fig 1"))
    desk.store.statements.propose([(shouted, [evidence])], "r1", ANNA.orcid)
    for statement in (RELIEVES, shouted, ADULTS):
        judge(desk, statement)
    assert len(asked(desk, "disputed").rows) == 1
    desk.close()


def test_every_question_and_every_example_is_a_query_that_runs(desk):
    values = {"thing": "aspirin", "other": "Headache", "relation": "treats", "paper": "doc:willow"}
    graph = knowledge_base.approved_graph(desk)
    texts = [text for _, text in EXAMPLES]
    texts += [
        question.fill_question(
            desk, pattern.name, {name: values[name] for name in pattern.fields}, graph
        )
        for pattern in PATTERNS
    ]
    folder = str(question.query_store(desk) / question.STORE)
    for text in texts:
        query_answer = question.answer_query(folder, text, question.known_prefixes(desk), 10)
        assert query_answer.columns, text


def test_a_constructed_graph_is_drawn_with_the_names_of_things(desk):
    query_answer = question.run_query(
        desk, "CONSTRUCT { ?a biolink:treats ?b } WHERE { ?a biolink:treats ?b }"
    )
    drawing = question.answer_drawing(desk, query_answer)
    assert drawing is not None
    assert {point.label for point in drawing.view.points} == {"aspirin", "Headache"}
    assert question.answer_file(query_answer, "nt").count(b" .\n") == 1


def test_an_answer_is_cut_and_says_so(desk):
    query_answer = question.run_query(desk, "SELECT * { ?s ?p ?o }", most=3)
    assert (len(query_answer.rows), query_answer.cut) == (3, True)


def test_a_query_without_end_is_ended(desk, monkeypatch):
    monkeypatch.setattr(question, "SECONDS", 3.0)
    started = time.monotonic()
    with pytest.raises(InputError, match="more than 3 seconds"):
        question.run_query(
            desk,
            "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o"
            " FILTER(STR(?a) != STR(?m)) }",
        )
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("query", ["SELECT", "DELETE WHERE { ?s ?p ?o }", "LOAD <http://x/>"])
def test_malformed_query_is_refused_and_changes_nothing(desk, query):
    with pytest.raises((InputError, Refused), match=r"not SPARQL|would change data"):
        question.run_query(desk, query)
    assert len(question.run_query(desk, ALL).rows) == 4


def test_a_name_that_nothing_has_is_reported(desk):
    with pytest.raises(NotFound, match="called"):
        asked(desk, "about", thing="unobtainium")
    with pytest.raises(InputError, match="needs"):
        asked(desk, "about")
    assert asked(desk, "paper", paper="x> } INSERT").rows == ()


def test_spreadsheets_do_not_run_what_an_answer_holds(desk):
    query_answer = question.run_query(desk, 'SELECT ("=1+1" AS ?x) {}')
    assert question.answer_file(query_answer, "csv") == b"x\n'=1+1\n"
    assert json.loads(question.answer_file(query_answer, "json"))["head"]["vars"] == ["x"]


def test_an_answer_follows_the_next_decision(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    judge(desk, RELIEVES)
    assert len(question.run_query(desk, ALL).rows) == 1
    judge(desk, NOT_NAUSEA)
    assert len(question.run_query(desk, ALL).rows) == 2
    with pytest.raises(Refused):
        question.run_query(desk, "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }")
    desk.close()


def test_columns_stand_as_the_query_names_them(desk):
    every = "SELECT * { ?z biolink:treats ?a . ?z rdfs:label ?m } LIMIT 1"
    assert question.run_query(desk, every).columns == ("z", "a", "m")
    chosen = "SELECT ?m (STR(?a) AS ?b) ?z { ?z biolink:treats ?a . ?z rdfs:label ?m } LIMIT 1"
    assert question.run_query(desk, chosen).columns == ("m", "b", "z")


def test_ten_queries_at_once_are_answered_two_at_a_time(desk, monkeypatch):
    question.query_store(desk)
    at_work, most = [], []

    def answered(*arguments, **limits):
        at_work.append(1)
        most.append(len(at_work))
        threading.Event().wait(0.02)
        at_work.pop()
        return QueryAnswer(truth=True)

    monkeypatch.setattr(isolation, "run_in_child", answered)
    with ThreadPoolExecutor(10) as people:
        answers = list(people.map(lambda _: question.run_query(desk, "ASK {}"), range(10)))
    assert [answer.truth for answer in answers] == [True] * 10
    assert max(most) == question.AT_ONCE


def test_a_query_that_waits_too_long_for_others_says_so(desk, monkeypatch):
    monkeypatch.setattr(question, "_TURNS", threading.BoundedSemaphore(1))
    monkeypatch.setattr(question, "PATIENCE", 0.01)
    with question._in_turn(), pytest.raises(Refused, match="others are still"):
        question.run_query(desk, "ASK {}")
    assert question.run_query(desk, "ASK {}").truth is True
