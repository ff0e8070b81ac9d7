"""What one decision approved is read as it is stored, without its log: the gate says the same of it
as of a statement whose log is folded.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model import (
    ENDS,
    Evidence,
    Literal,
    Modality,
    Qualifier,
    Reason,
    RecordGround,
    ReferenceGround,
    Span,
    Term,
    TextGround,
    Verdict,
)
from core.services.graph import gate_memory
from core.services.graph.gate_memory import GateMemory
from core.services.review import decision
from core.store.gate_result import PlainApprovalRepository
from tests import reviewing
from tests.reviewing import ANNA, DOCUMENT, HEADACHE, RELIEVES, SHA, TEXT, TREATS

WORDS = "Aspirin relieves headache"


def ground(**changes) -> TextGround:
    start = TEXT.index(WORDS)
    whole = TextGround(DOCUMENT, SHA, Span(start, start + len(WORDS)), WORDS)
    return replace(whole, **changes)


def piece(of=None, path="", **changes) -> Evidence:
    return Evidence(RELIEVES.id, of or ground(**changes), "r1", path, "dictionary", 0.9)


def about(value) -> tuple[Qualifier, ...]:
    return (Qualifier("dose", value),)


PASSING = {
    "a proven quote": (RELIEVES, [piece()]),
    "a typed reference": (RELIEVES, [piece(ReferenceGround("PMID:1"))]),
    "two grounds": (RELIEVES, [piece(), piece(ReferenceGround("PMID:1", "Fig 2"))]),
    "the ends beside a quote": (RELIEVES, [piece(ReferenceGround("PMID:1"), ENDS), piece()]),
    "a negated hypothesis": (
        replace(RELIEVES, negated=True, modality=Modality.HYPOTHESIS),
        [piece()],
    ),
    "a value": (replace(RELIEVES, object=Literal("3", "xsd:decimal", "mg")), [piece()]),
    "a value as qualifier": (replace(RELIEVES, qualifiers=about(Literal("much"))), [piece()]),
    "a term as qualifier": (replace(RELIEVES, qualifiers=about(HEADACHE)), [piece()]),
}
HELD = {
    "no evidence": (RELIEVES, []),
    "a blank reference": (RELIEVES, [piece(ReferenceGround(" "))]),
    "words that are not there": (RELIEVES, [piece(quote="Aspirin cures headache")]),
    "an absent text": (RELIEVES, [piece(version="cd" * 32)]),
    "only the ends": (RELIEVES, [piece(path=ENDS)]),
    "no such call": (RELIEVES, [piece(RecordGround("c1", "PMID:1", "/a", "b"))]),
    "one ground of two": (RELIEVES, [piece(), piece(version="cd" * 32)]),
    "words without a term": (replace(RELIEVES, object=Term("", "pain")), [piece()]),
    "another label": (replace(RELIEVES, object=replace(HEADACHE, label="Nausea")), [piece()]),
    "an id that is not there": (replace(RELIEVES, object=replace(HEADACHE, id="HP:9")), [piece()]),
    "another case": (replace(RELIEVES, object=replace(HEADACHE, id="hp:0002315")), [piece()]),
    "no such prefix": (replace(RELIEVES, object=replace(HEADACHE, id="nix:1")), [piece()]),
    "no such relation": (replace(RELIEVES, predicate=Term("nix:treats", "treats")), [piece()]),
    "no such datatype": (replace(RELIEVES, object=Literal("3", "nix:number")), [piece()]),
    "an id as qualifier": (replace(RELIEVES, qualifiers=about(Term("HP:9", "no"))), [piece()]),
}


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    yield desk
    desk.close()


def approve(desk, name) -> None:
    version = desk.store.statements.get(name).version
    decision.decide(desk, name, version, decision.Judgement(Verdict.APPROVE), curator=ANNA)


def propose(desk, statement, evidence) -> str:
    """The statement with a predicate of its own, so that it is not one of the project's."""
    own = Term("schema:about", "about") if statement.predicate == TREATS else statement.predicate
    statement = replace(statement, predicate=own)
    desk.store.statements.propose(
        [(statement, [replace(quoted, statement=statement.id) for quoted in evidence])], "r1"
    )
    return statement.id


def both_ways(desk, monkeypatch):
    """The report with plain approvals read as they are stored, and with every log folded."""
    quick = GateMemory().report(desk)
    desk.store.gate_results.clear("")
    monkeypatch.setattr(PlainApprovalRepository, "of_ids", lambda self, ids: [])
    return quick, GateMemory().report(desk)


@pytest.mark.parametrize("claimed", {**PASSING, **HELD}.values(), ids={**PASSING, **HELD}.keys())
def test_both_readings_agree(desk, monkeypatch, claimed):
    approve(desk, propose(desk, *claimed))
    quick, slow = both_ways(desk, monkeypatch)
    assert quick == slow


@pytest.mark.parametrize("claimed", PASSING.values(), ids=PASSING.keys())
def test_a_plain_approval_needs_no_folded_log(desk, monkeypatch, claimed):
    name = propose(desk, *claimed)
    approve(desk, name)
    folded: list[str] = []
    fold = gate_memory.reviewed_record
    monkeypatch.setattr(
        gate_memory,
        "reviewed_record",
        lambda record: folded.append(record.id) or fold(record),
    )
    report = GateMemory().report(desk)
    assert name not in folded
    assert name in {entry.statement.id for entry in report.entries}


@pytest.mark.parametrize("verdict", [Verdict.REJECT, Verdict.UNSURE, Verdict.APPROVE])
def test_a_second_decision_is_folded(desk, monkeypatch, verdict):
    name = propose(desk, *PASSING["a proven quote"])
    approve(desk, name)
    version = desk.store.statements.get(name).version
    reason = Reason.DUPLICATE if verdict is Verdict.REJECT else None
    decision.decide(desk, name, version, decision.Judgement(verdict, reason), curator=ANNA)
    quick, slow = both_ways(desk, monkeypatch)
    assert quick == slow


def test_new_evidence_and_judged_evidence_are_folded(desk, monkeypatch):
    names = [propose(desk, *PASSING[words]) for words in ("a proven quote", "a value")]
    approve(desk, names[0])
    more = Evidence(names[0], ReferenceGround("PMID:2"))
    desk.store.statements.propose([(desk.store.statements.get(names[0]).statement, [more])])
    record = desk.store.statements.get(names[1])
    judged = decision.Judgement(Verdict.APPROVE)
    decision.decide(
        desk, names[1], record.version, judged, curator=ANNA, evidence=record.evidence[0].id
    )
    quick, slow = both_ways(desk, monkeypatch)
    assert quick == slow
    assert [
        str(rejection.why) for rejection in quick.rejections if rejection.statement.id == names[0]
    ]
