"""The verbs on statements, as a user types them."""

from __future__ import annotations

import argparse
import io
import json
import re
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.cli import conflict, decision, marking, statement_list
from core.cli.file_input import stored_bytes
from core.errors import GroundworkError, InputError, NotFound, StaleVersion
from core.model import State, Verdict
from core.services.review import decision_row
from tests import reviewing
from tests.reviewing import ANNA, RELIEVES

WHO = ["--curator", ANNA.orcid]

VERBS = (*conflict.VERBS, *decision.VERBS, *marking.VERBS, *statement_list.VERBS)


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path / "p")
    yield extraction
    extraction.close()


@pytest.fixture
def run(desk, capfdbinary):
    def call(verb: str, *words: str) -> tuple[bytes, str]:
        (command,) = [known_verb for known_verb in VERBS if known_verb.name == verb]
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        assert command.run(desk, parser.parse_args(words)) == 0
        out, err = capfdbinary.readouterr()
        return out, err.decode()

    return call


def lines(out: bytes) -> list[dict]:
    return [json.loads(line) for line in out.decode().splitlines()]


def test_statements_are_json_lines(run):
    rows = lines(run("statements")[0])
    assert len(rows) == 6
    assert rows[0]["subject"] == {"id": "CHEBI:15365", "label": "aspirin", "category": "chemical"}
    assert {
        "id",
        "version",
        "state",
        "subject",
        "predicate",
        "object",
        "negated",
        "qualifiers",
        "derived_from",
    } <= set(rows[0])


def test_nodes_and_values_have_their_own_shapes(run):
    amount = next(row for row in lines(run("statements")[0]) if "value" in row["object"])
    assert amount["object"] == {"value": "300", "datatype": "xsd:decimal", "unit": "mg"}
    assert set(amount["subject"]) >= {"node", "class"}


def test_a_decision_raises_the_version_and_filters_see_it(run):
    (done,) = lines(run("decide", RELIEVES.id, "approve", "--version", "1", *WHO)[0])
    assert (done["state"], done["version"]) == ("approved", 2)
    assert [row["id"] for row in lines(run("statements", "--state", "approved")[0])] == [
        RELIEVES.id
    ]


def test_undo_by_statement_and_by_decision(run):
    (done,) = lines(run("decide", RELIEVES.id, "approve", "--version", "1", *WHO)[0])
    (undone,) = lines(run("decide", "--undo", RELIEVES.id, *WHO)[0])
    assert undone["state"] == "proposed"
    (restored,) = lines(run("decide", "--undo", undone["decision"], *WHO)[0])
    assert restored["state"] == "approved"
    assert done["decision"] != undone["decision"]


@pytest.mark.parametrize(
    ("words", "error", "says"),
    [
        ([RELIEVES.id, "approve", "--version", "7", *WHO], StaleVersion, "no version 7 yet"),
        (["s1-nope", "approve", "--version", "1", *WHO], NotFound, "No statement"),
        (
            [RELIEVES.id, "approve", "--version", "1", "--curator", "0000-0002-1825-0098"],
            InputError,
            "ORCID",
        ),
        ([RELIEVES.id, "approve", "--version", "1"], InputError, "--curator"),
        ([RELIEVES.id, "approve", *WHO], InputError, "--version"),
        ([RELIEVES.id, "reject", "--version", "1", *WHO], InputError, "needs a reason"),
        (
            [RELIEVES.id, "reject", "--version", "1", "--reason", "because", *WHO],
            InputError,
            "wrong species",
        ),
        ([RELIEVES.id, "reject", "--version", "1", "--reason", "other", *WHO], InputError, "note"),
        (
            [RELIEVES.id, "reject", "--version", "1", "--reason", "4", "--evidence", "e1-x", *WHO],
            NotFound,
            "evidence",
        ),
        (["--undo", RELIEVES.id, *WHO], GroundworkError, "nothing to undo"),
        (["--undo", "d-nope", *WHO], NotFound, "No decision"),
        ([RELIEVES.id], InputError, "verdict"),
    ],
)
def test_decide_refuses_impossible_decisions_with_the_reason(run, words, error, says):
    with pytest.raises(error, match=says):
        run("decide", *words)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_verb_has_help(verb, capsys):
    parser = argparse.ArgumentParser(description=verb.help)
    verb.add_arguments(parser)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out


def test_propose_takes_a_fact_that_the_engine_missed(run):
    words = ["--document", reviewing.DOCUMENT, "--quote", "Willow bark was brewed for ages."]
    ids = ["--subject", "CHEBI:1", "--predicate", "biolink:treats", "--object", "HP:0002315"]
    (row,) = lines(run("propose", *words, *ids, "--negated", *WHO)[0])
    assert (row["state"], row["new"], row["agent"]) == ("proposed", True, "manual")
    assert row["evidence"][0]["start"] == 0


def test_propose_may_approve_at_once(run):
    words = ["--document", reviewing.DOCUMENT, "--quote", "Willow bark was brewed for ages."]
    ids = ["--subject", "CHEBI:1", "--predicate", "biolink:treats", "--object", "HP:0002315"]
    assert lines(run("propose", *words, *ids, "--approve", *WHO)[0])[0]["state"] == "approved"


def test_decisions_are_read_from_json_lines_in_order(run, tmp_path):
    known = lines(run("statements")[0])
    rows = [
        {"id": statement["id"], "verdict": "approve", "version": statement["version"]}
        for statement in known[:2]
    ]
    file = tmp_path / "decisions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert [line["id"] for line in lines(run("decide", "--input", str(file), *WHO)[0])] == [
        statement["id"] for statement in known[:2]
    ]


HOSTILE_ROWS = [
    {"id": RELIEVES.id, "verdict": "approve", "version": 10**30},
    {"id": RELIEVES.id, "verdict": "approve", "version": 1, "note": {"a": 1}},
    {"id": RELIEVES.id, "verdict": "approve", "version": 1, "note": "y" * 1_000_000},
    {"id": float("nan"), "verdict": "approve", "version": 1},
    {"id": [RELIEVES.id], "verdict": "approve", "version": 1},
    {"id": RELIEVES.id, "verdict": ["approve"], "version": 1},
    {"id": "s1-\ud800\x00", "verdict": "approve", "version": 1},
]


@pytest.mark.parametrize("row", HOSTILE_ROWS, ids=lambda row: ascii(row)[:80])
def test_a_hostile_line_is_reported_as_json_and_the_next_is_stored(desk, row):
    good = {"id": RELIEVES.id, "verdict": "unsure", "version": 1}
    refused, stored = decision_row.decide_rows(desk, [row, good], ANNA)
    assert "error" in refused
    json.dumps(refused, allow_nan=False)
    assert stored["version"] == 2


def test_standard_input_is_never_cut_without_a_word(run, monkeypatch):
    monkeypatch.setattr("core.cli.decision.stored_bytes", partial(stored_bytes, most=10))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "s1-a"}\n')))
    with pytest.raises(InputError, match="larger than"):
        run("decide", "--input", "-", *WHO)


def test_lines_that_cannot_be_decided_are_reported_and_the_others_are_stored(desk):
    rows = [
        {"id": RELIEVES.id, "verdict": "reject", "version": 1},
        {"id": RELIEVES.id, "verdict": "approve", "version": 1, "evidence": "e1-none"},
        {"id": "s1-none", "verdict": "approve", "version": 1},
        {"id": RELIEVES.id, "verdict": "unsure", "version": 1},
        {"id": RELIEVES.id, "verdict": "approve", "version": 2},
        {"id": RELIEVES.id, "verdict": "approve", "version": 2},
    ]
    results = list(decision_row.decide_rows(desk, [*rows, InputError("no JSON")], ANNA))
    assert ["error" in result for result in results] == [True] * 3 + [False] * 2 + [True] * 2
    assert [result["version"] for result in results[3:5]] == [2, 3]
    record = desk.store.statements.get(RELIEVES.id)
    assert [each_decision.verdict for each_decision in record.decisions] == [
        Verdict.UNSURE,
        Verdict.APPROVE,
    ]
    assert record.state is State.APPROVED
    assert "changed" in results[5]["error"] or "decided" in results[5]["error"]


VERDICTS = st.sampled_from(("approve", "unsure", "reject"))


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(VERDICTS, st.integers(-1, 1), st.booleans()), max_size=12))
def test_many_lines_on_one_statement_are_decided_as_one_by_one(tmp_path_factory, lines):
    """Also lines at a wrong version, and lines on its evidence."""

    def told(at_once):
        desk = reviewing.filled(tmp_path_factory.mktemp("p") / "p")
        record = desk.store.statements.get(RELIEVES.id)
        version, rows = record.version, []
        for verdict, off, on_evidence in lines:
            row = {"id": record.id, "verdict": verdict, "version": version + off}
            row |= {"reason": "1"} if verdict == "reject" else {}
            rows.append(row | ({"evidence": record.evidence[0].id} if on_evidence else {}))
            version += not off
        monkey = pytest.MonkeyPatch()
        monkey.setattr(decision_row, "AT_ONCE", at_once)
        results = [
            {key: value for key, value in result.items() if key != "decision"}
            for result in decision_row.decide_rows(desk, rows, ANNA)
        ]
        monkey.undo()
        record = desk.store.statements.get(RELIEVES.id)
        desk.close()
        return _timeless(results), record.state, record.version, record.new_evidence

    assert told(250) == told(1)


def _timeless(results):
    return [re.sub(r"\d{4}-\d\d-\d\dT\S+", "TIME", json.dumps(result)) for result in results]


def test_decision_of_another_curator_refuses_later_lines_on_the_old_version(desk, monkeypatch):
    statements = desk.store.statements
    stored = statements.decide_many

    def late(outcomes):
        outcomes = list(outcomes)
        desk.store.statements.decide(
            replace(outcomes[0][0], id="other", verdict=Verdict.REJECT), State.REJECTED
        )
        return stored(outcomes)

    monkeypatch.setattr(statements, "decide_many", late)
    rows = [{"id": RELIEVES.id, "verdict": "approve", "version": n} for n in (1, 2)]
    results = list(decision_row.decide_rows(desk, rows, ANNA))
    assert ["error" in result for result in results] == [True, True]
    record = desk.store.statements.get(RELIEVES.id)
    assert (record.state, record.version) == (State.REJECTED, 2)


def test_a_key_that_is_not_read_is_reported(desk):
    row = {"id": RELIEVES.id, "verdict": "unsure", "version": 1, "note": "", "reson": "1"}
    (result,) = decision_row.decide_rows(desk, [row], ANNA)
    assert result["not_read"] == ["reson"]


def test_a_verdict_inside_a_listed_piece_of_evidence_is_reported_as_not_read(desk):
    pieces = [{"id": "e1-0", "standing": "waiting", "verdict": "reject"}]
    row = {"id": RELIEVES.id, "verdict": "unsure", "version": 1, "evidence": pieces}
    (result,) = decision_row.decide_rows(desk, [row], ANNA)
    assert result["not_read"] == ["evidence[0].verdict"]


def test_a_line_of_statements_with_a_verdict_added_is_a_decision(run, tmp_path):
    listed = [
        line
        for line in lines(run("statements")[0])
        if line["evidence"] and line["state"] == "proposed"
    ]
    file = tmp_path / "decisions.jsonl"
    file.write_text("\n".join(json.dumps(line | {"verdict": "unsure"}) for line in listed))
    decided = lines(run("decide", "--input", str(file), *WHO)[0])
    assert {row["state"] for row in decided} == {"unsure"}
    assert not any("not_read" in row for row in decided)


def test_conflicts_are_settled_listed_and_opened_again(run, desk):
    opposite = replace(RELIEVES, negated=True)
    piece = reviewing.quoted(opposite, "did not relieve nausea")
    desk.store.statements.propose([(opposite, [piece])])
    (settled,) = lines(run("conflicts", "--kind", "says the opposite")[0])
    pair = [side["id"] for side in settled["statements"]]
    kind = ["--kind", settled["kind"]]
    run("conflicts", "--settle", *pair, *kind, "--outcome", "different", *WHO)
    (kept,) = lines(run("conflicts", "--settled")[0])
    assert [kept["first"], kept["second"], kept["outcome"]] == [*pair, "different thing"]
    run("conflicts", "--reopen", *pair, *kind, *WHO)
    with pytest.raises(NotFound, match="not settled"):
        run("conflicts", "--reopen", *pair, *kind, *WHO)
    words = ["--outcome", "duplicate", "--wrong", opposite.id, "--version", "1"]
    (done,) = lines(run("conflicts", "--settle", *pair, *kind, *words, *WHO)[0])
    assert done["rejected"] == opposite.id
    assert desk.store.statements.get(opposite.id).state is State.REJECTED


def test_a_wrong_verdict_of_a_line_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="“aprove” is not"):
        decision_row.from_json({"id": RELIEVES.id, "verdict": "aprove", "version": 1})
