"""How good the engines are, from decisions."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.learning import VERBS
from core.desk import Desk
from core.evaluation.bc5cdr_scores import Bc5cdrTable, DocumentReading
from core.evaluation.corpus import read_corpus
from core.model import Evidence, Reason, Span, Term, TextGround, Verdict
from core.services.learning import quality
from core.services.review.decision import Judgement, correct, decide
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, BEN, DOCUMENT, NAUSEA, NOT_NAUSEA, RELIEVES, TEXT


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = reviewing.filled(tmp_path)
    for statement, verdict in ((RELIEVES, Verdict.APPROVE), (NOT_NAUSEA, Verdict.REJECT)):
        reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
        version = found.store.statements.get(statement.id).version
        decide(found, statement.id, version, Judgement(verdict, reason), ANNA)
    yield found
    found.close()


def test_precision_is_told_by_engine_schema_predicate_and_vocabulary(desk: Desk) -> None:
    found = quality.engine_quality(desk)
    assert (found.decided, found.overall.right) == (2, 1)
    (engine,) = found.groups["engine"]
    assert (engine.name, engine.precision.right, engine.precision.decided) == ("dictionary", 1, 2)
    assert [row.name for row in found.groups["schema"]] == ["disease_treatment"]
    assert {row.name for row in found.groups["vocabulary"]} == {"CHEBI", "HP"}
    assert found.groups["model"] == ()
    assert found.reasons == (("no relation stated", 1),)


def test_what_was_corrected_is_wrong_and_told(desk: Desk) -> None:
    version = desk.store.statements.get(ADULTS.id).version
    correct(desk, ADULTS.id, version, replace(ADULTS, object=NAUSEA), BEN, approve=True)
    found = quality.engine_quality(desk)
    assert (found.decided, found.overall.right) == (3, 1)
    (row,) = found.corrections
    assert (row.part, row.before, row.after, row.count) == (
        "object",
        "Headache (HP:0002315)",
        "Nausea (HP:0002018)",
        1,
    )


def test_time_is_between_two_decisions_of_one_person(desk: Desk) -> None:
    seconds = quality.engine_quality(desk).seconds
    assert seconds is not None and 0 < seconds < 60


def test_decisions_are_a_gold_standard_that_evaluate_reads(desk: Desk, tmp_path: Path) -> None:
    lines = list(quality.gold_lines(desk))
    (line,) = [json.loads(one) for one in lines]
    assert (line["id"], line["text"]) == (DOCUMENT, TEXT)
    assert [one["chemical"] for one in line["relations"]] == ["CHEBI:15365"]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (document,) = read_corpus(tmp_path / "gold.jsonl")
    assert document.text == TEXT
    assert document.relations == frozenset()  # treats is not the relation that it measures


def test_a_cause_is_the_relation_that_evaluate_measures(desk: Desk, tmp_path: Path) -> None:
    causes = replace(RELIEVES, predicate=Term("RO:0003302", "causes"))
    piece = reviewing.quoted(causes, "Aspirin relieves headache")
    desk.store.statements.propose([(causes, [piece])], "r1")
    decide(desk, causes.id, 1, Judgement(Verdict.APPROVE), ANNA)
    (tmp_path / "gold.jsonl").write_text("\n".join(quality.gold_lines(desk)), encoding="utf-8")
    (document,) = read_corpus(tmp_path / "gold.jsonl")
    assert document.relations == {("CHEBI:15365", "HP:0002315")}
    table = Bc5cdrTable()
    table.add(document, DocumentReading(dict.fromkeys(document.relations, 1.0), ()))
    measured = [line.split("\t")[0] for line in table.lines()]
    assert "relations" in measured and "Chemical spans" not in measured  # nobody marked mentions


def test_a_text_that_only_an_import_quotes_is_left_out_of_the_gold_and_counted(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    other = replace(RELIEVES, object=Term("HP:0000822", "Hypertension"))
    ground = TextGround("PMID:9", "ef" * 32, Span(0, 4), "High")
    desk.store.statements.propose([(other, [Evidence(other.id, ground, "r1")])], "r1")
    decide(desk, other.id, 1, Judgement(Verdict.APPROVE), ANNA)
    assert [json.loads(line)["id"] for line in quality.gold_lines(desk)] == [DOCUMENT]
    (verb,) = (verb for verb in VERBS if verb.name == "quality")
    assert verb.run(desk, Namespace(gold=True)) == 0
    assert "1 text with decisions left out" in capsys.readouterr().err


def test_the_command_line_prints_each_precision_and_the_gold(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (verb,) = (verb for verb in VERBS if verb.name == "quality")
    assert verb.run(desk, Namespace(gold=False)) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0] | {"low": 0, "high": 0} == {
        "by": "all", "name": "", "decided": 2, "right": 1, "precision": 0.5, "low": 0, "high": 0,
    }  # fmt: skip
    assert ("engine", "dictionary") in {(row["by"], row["name"]) for row in rows}
    assert verb.run(desk, Namespace(gold=True)) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["text"] == TEXT
