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
from core.evaluation.bc5cdr import Bc5cdrTable, DocumentReading
from core.evaluation.corpus import read_corpus
from core.model import MANUAL, Document, Evidence, Reason, Span, Term, TextGround, Verdict
from core.services.learning import quality
from core.services.review import decision, undo
from core.services.review.decision import Judgement, correct, decide
from core.text.clean import text_version
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, BEN, DOCUMENT, NAUSEA, NOT_NAUSEA, RELIEVES, TEXT


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    extraction = reviewing.filled(tmp_path)
    for statement, verdict in ((RELIEVES, Verdict.APPROVE), (NOT_NAUSEA, Verdict.REJECT)):
        reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
        version = extraction.store.statements.get(statement.id).version
        decide(extraction, statement.id, version, Judgement(verdict, reason), curator=ANNA)
    yield extraction
    extraction.close()


def test_precision_is_listed_by_engine_schema_predicate_and_vocabulary(desk: Desk) -> None:
    quality_report = quality.engine_quality(desk)
    assert (quality_report.decided, quality_report.overall.right) == (2, 1)
    (engine,) = quality_report.groups["engine"]
    assert (engine.name, engine.precision.right, engine.precision.decided) == ("dictionary", 1, 2)
    assert [row.name for row in quality_report.groups["schema"]] == ["disease_treatment"]
    assert {row.name for row in quality_report.groups["vocabulary"]} == {"CHEBI", "HP"}
    assert quality_report.groups["model"] == ()
    assert quality_report.reasons == (("no relation stated", 1),)


def test_corrected_proposal_counts_as_wrong(desk: Desk) -> None:
    version = desk.store.statements.get(ADULTS.id).version
    correct(desk, ADULTS.id, version, replace(ADULTS, object=NAUSEA), curator=BEN, approve=True)
    quality_report = quality.engine_quality(desk)
    assert (quality_report.decided, quality_report.overall.right) == (3, 1)
    (row,) = quality_report.corrections
    assert (row.part, row.before, row.after, row.count) == (
        "object",
        "Headache (HP:0002315)",
        "Nausea (HP:0002018)",
        1,
    )


def test_additions_of_curators_count_for_no_engine(desk: Desk) -> None:
    before = quality.engine_quality(desk)
    by_hand = replace(reviewing.quoted(RELIEVES, "Aspirin"), engine=MANUAL, score=1.0)
    desk.store.statements.propose([(RELIEVES, [by_hand])])
    decision.add_reference(desk, RELIEVES.id, "PMID:7", "Fig 1", note="", curator=BEN)
    after = quality.engine_quality(desk)
    assert (after.groups, after.bins) == (before.groups, before.bins)


def test_marked_statement_stays_its_curators_when_a_reference_is_added(desk: Desk) -> None:
    marked = replace(RELIEVES, object=Term("HP:0001337", "Tremor"))
    by_hand = replace(reviewing.quoted(marked, "Aspirin"), engine=MANUAL)
    desk.store.statements.propose([(marked, [by_hand])])
    decision.add_reference(desk, marked.id, "PMID:7", "Fig 1", note="", curator=BEN)
    version = desk.store.statements.get(marked.id).version
    decide(desk, marked.id, version, Judgement(Verdict.APPROVE), curator=BEN)
    assert quality.engine_quality(desk).decided == 2


def test_a_schemas_predicate_in_capitals_reads_as_words(desk: Desk) -> None:
    loud = replace(RELIEVES, predicate=Term("RO:0003302", "INDUCES"))
    desk.store.statements.propose([(loud, [reviewing.quoted(loud, "Aspirin")])])
    correct(
        desk,
        loud.id,
        version=1,
        corrected=replace(loud, predicate=Term("RO:0002606", "TREATS")),
        curator=ANNA,
    )
    quality_report = quality.engine_quality(desk)
    assert {row.name for row in quality_report.groups["predicate"]} == {"induces", "treats"}
    assert [(row.before, row.after) for row in quality_report.corrections] == [
        ("induces (RO:0003302)", "treats (RO:0002606)")
    ]


def test_a_rejection_counts_with_the_reason_that_stands(desk: Desk) -> None:
    version = desk.store.statements.get(NOT_NAUSEA.id).version
    again = decide(
        desk, NOT_NAUSEA.id, version, Judgement(Verdict.REJECT, Reason.SPECIES), curator=BEN
    ).decisions[0]
    assert quality.engine_quality(desk).reasons == (("wrong species", 1),)
    undo.undo_decision(desk, again.id, BEN)
    assert quality.engine_quality(desk).reasons == (("no relation stated", 1),)


def test_time_is_between_two_decisions_of_one_person(desk: Desk) -> None:
    seconds = quality.engine_quality(desk).seconds
    assert seconds is not None and 0 < seconds < 60


def test_decisions_are_a_gold_standard_that_evaluate_reads(desk: Desk, tmp_path: Path) -> None:
    lines = list(quality.gold_lines(desk))
    (line,) = [json.loads(line) for line in lines]
    assert (line["id"], line["text"]) == (DOCUMENT, TEXT)
    assert [relation["chemical"] for relation in line["relations"]] == ["CHEBI:15365"]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (document,) = read_corpus(tmp_path / "gold.jsonl")
    assert document.text == TEXT
    assert document.relations == frozenset()  # treats is not the relation that it measures


def test_gold_holds_no_sentence_that_was_rejected_or_waits(desk: Desk) -> None:
    text = text_version("PMID:8", "Aspirin relieves headache. Aspirin is a drug for headache.")
    desk.store.documents.add(Document("PMID:8", "Another note"))
    desk.store.documents.add_text(text)
    ground = TextGround("PMID:8", text.sha, Span(0, 25), text.text[:25])
    desk.store.statements.propose([(RELIEVES, [Evidence(RELIEVES.id, ground, engine="x")])])
    assert [json.loads(line)["id"] for line in quality.gold_lines(desk)] == [DOCUMENT]
    record = desk.store.statements.get(RELIEVES.id)
    piece = record.evidence[-1].id
    judgement = Judgement(Verdict.APPROVE)
    record = decide(
        desk, RELIEVES.id, record.version, judgement, curator=ANNA, evidence=piece
    ).record
    assert len(list(quality.gold_lines(desk))) == 2
    wrong = Judgement(Verdict.REJECT, Reason.NO_RELATION)
    decide(desk, RELIEVES.id, record.version, wrong, curator=ANNA, evidence=piece)
    assert [json.loads(line)["id"] for line in quality.gold_lines(desk)] == [DOCUMENT]


def test_figures_of_the_newest_decisions_say_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not quality.engine_quality(desk).cut
    monkeypatch.setattr(quality, "MOST", 1)
    assert quality.engine_quality(desk).cut


def test_a_cause_is_the_relation_that_evaluate_measures(desk: Desk, tmp_path: Path) -> None:
    causes = replace(RELIEVES, predicate=Term("RO:0003302", "causes"))
    piece = reviewing.quoted(causes, "Aspirin relieves headache")
    desk.store.statements.propose([(causes, [piece])], "r1")
    decide(desk, causes.id, version=1, judgement=Judgement(Verdict.APPROVE), curator=ANNA)
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
    decide(desk, other.id, version=1, judgement=Judgement(Verdict.APPROVE), curator=ANNA)
    assert [json.loads(line)["id"] for line in quality.gold_lines(desk)] == [DOCUMENT]
    (verb,) = (verb for verb in VERBS if verb.name == "quality")
    assert verb.run(desk, Namespace(gold=True)) == 0
    assert "1 text with decisions" in capsys.readouterr().err


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
