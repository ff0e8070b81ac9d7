"""What passes the gate, and what is held back and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from core.kb.gate.gate import Gate, GateReport, HoldReason, ReviewedStatement, gate_report
from core.kb.gate.proof import EvidenceProof, answer_holds, prove_evidence
from core.model import (
    ENDS,
    Call,
    CallState,
    Category,
    Evidence,
    Literal,
    Node,
    Problem,
    Qualifier,
    RecordGround,
    ReferenceGround,
    Span,
    State,
    Statement,
    Term,
    TextGround,
)

TEXT = "Aspirin eased the pain."
ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
CLAIM = Statement(ASPIRIN, Term("biolink:treats", "treats"), Term("HP:0012531", "Pain"))


@dataclass
class Project:
    """A project in memory: texts, calls, and ids that are wrong."""

    texts: dict[str, str] = field(default_factory=lambda: {"v1": TEXT})
    calls: dict[str, Call] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)

    def text(self, version: str) -> str | None:
        return self.texts.get(version)

    def call(self, identifier: str) -> Call | None:
        return self.calls.get(identifier)

    def problems(self, term: Term, statement: Statement) -> Sequence[Problem]:
        return [Problem("unknown-id", f"{term.id} is not known")] if term.id in self.wrong else []


def quote(statement: Statement = CLAIM, words: str = "Aspirin", start: int = 0) -> Evidence:
    return Evidence(
        statement.id, TextGround("PMID:1", "v1", Span(start, start + len(words)), words)
    )


def approved(statement: Statement = CLAIM, *evidence: Evidence) -> ReviewedStatement:
    return ReviewedStatement(statement, State.APPROVED, evidence or (quote(statement),))


def passage(*reviewed: ReviewedStatement, project: Project | None = None) -> GateReport:
    project = project or Project()
    return gate_report(map(Gate(project, project, {}).examine, reviewed))


def reasons(report: GateReport) -> list[HoldReason]:
    return [held.why for held in report.rejections]


def test_an_approved_and_proven_statement_passes():
    report = passage(approved())
    assert [entry.statement for entry in report.entries] == [CLAIM]
    assert not report.rejections


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (State.PROPOSED, HoldReason.UNDECIDED),
        (State.UNSURE, HoldReason.UNSURE),
        (State.REJECTED, HoldReason.REJECTED),
        (State.SUPERSEDED, HoldReason.SUPERSEDED),
    ],
)
def test_gate_holds_back_statements_that_are_not_approved(state, why):
    report = passage(replace(approved(), state=state))
    assert (report.entries, reasons(report)) == ((), [why])


def test_a_quote_that_is_no_longer_in_its_text_holds_the_statement():
    report = passage(approved(), project=Project(texts={"v1": "Another text."}))
    assert (report.entries, reasons(report)) == ((), [HoldReason.UNPROVEN])


def test_a_statement_without_evidence_is_held():
    assert reasons(passage(ReviewedStatement(CLAIM, State.APPROVED))) == [HoldReason.UNSUPPORTED]


def test_one_proven_piece_suffices_and_the_broken_one_is_left_out():
    report = passage(approved(CLAIM, quote(), quote(words="nowhere")))
    assert report.entries[0].evidence == (quote(),)
    assert reasons(report) == [HoldReason.UNPROVEN]


def test_evidence_awaiting_judgement_is_not_exported():
    new = quote(words="pain", start=18)
    report = passage(replace(approved(), waiting=(new,)))
    assert report.entries[0].evidence == (quote(),)
    assert [(held.why, held.evidence) for held in report.rejections] == [
        (HoldReason.WAITING, new.id)
    ]


def test_an_id_that_no_authority_knows_is_held_with_what_is_wrong():
    report = passage(approved(), project=Project(wrong={"CHEBI:15365"}))
    assert (report.rejections[0].why, report.rejections[0].detail) == (
        HoldReason.ID,
        "CHEBI:15365 is not known",
    )


def test_an_unknown_prefix_is_held():
    claim = replace(CLAIM, subject=Term("NOPE:1", "x"))
    assert reasons(passage(approved(claim))) == [HoldReason.PREFIX]


def test_an_id_of_an_unknown_prefix_is_not_looked_up():
    claim = replace(CLAIM, subject=Term("NOPE:1", "x"))
    report = passage(approved(claim), project=Project(wrong={"NOPE:1"}))
    assert reasons(report) == [HoldReason.PREFIX]


def test_words_without_a_term_are_held():
    claim = replace(CLAIM, subject=Term("", "willow bark"))
    assert reasons(passage(approved(claim))) == [HoldReason.UNGROUNDED]


def test_ids_in_qualifiers_and_datatypes_count_too():
    claim = replace(
        CLAIM,
        qualifiers=(Qualifier("a", Term("NOPE:1", "x")), Qualifier("b", Literal("1", "nope:int"))),
    )
    assert reasons(passage(approved(claim))) == [HoldReason.PREFIX, HoldReason.PREFIX]


def test_a_value_without_a_datatype_is_exported():
    claim = replace(CLAIM, object=Literal("2", ""))
    report = passage(approved(claim))
    assert [entry.statement for entry in report.entries] == [claim]
    assert not report.rejections


SOUP = Term("FOODON:00002257", "soup")
ONION = Node("n1-onion", "Ingredient", "two onions")
HAS = Statement(SOUP, Term("biolink:has_part", "has part"), ONION)
AMOUNT = Statement(ONION, Term("schema:amount", "amount"), Literal("2"))


def test_a_node_passes_with_the_statement_that_leads_to_it():
    assert len(passage(approved(HAS), approved(AMOUNT)).entries) == 2


def test_nodes_are_reached_over_several_steps():
    cut = Node("n1-cut", "Step", "cut them")
    ring = Node("n1-ring", "Piece", "rings")
    uses = Statement(ONION, Term("schema:x", "x"), cut)
    gives = Statement(cut, Term("schema:y", "y"), ring)
    size = Statement(ring, Term("schema:size", "size"), Literal("5 mm"))
    chain = [HAS, uses, gives, size]
    assert len(passage(*map(approved, chain)).entries) == 4
    report = passage(approved(HAS), replace(approved(uses), state=State.REJECTED),
                    approved(gives), approved(size))  # fmt: skip
    assert [entry.statement for entry in report.entries] == [HAS]
    assert {held.detail for held in report.rejections} == {"", "cut them", "rings"}


def test_a_node_that_no_approved_statement_reaches_is_held():
    report = passage(replace(approved(HAS), state=State.REJECTED), approved(AMOUNT))
    assert (report.entries, reasons(report)) == ((), [HoldReason.REJECTED, HoldReason.UNREACHED])


def test_a_node_at_the_root_needs_nothing_above_it():
    assert len(passage(approved(AMOUNT)).entries) == 1


def test_nodes_that_lead_only_to_each_other_are_held():
    other = Node("n1-other", "Step", "boil")
    onion_to_other = Statement(ONION, Term("schema:x", "x"), other)
    back = Statement(other, Term("schema:x", "x"), ONION)
    assert passage(approved(onion_to_other), approved(back)).entries == ()


def test_the_order_of_records_does_not_matter():
    records = [
        approved(),
        approved(HAS),
        approved(AMOUNT),
        ReviewedStatement(replace(CLAIM, negated=True), State.PROPOSED),
    ]
    assert passage(*records) == passage(*reversed(records))


def test_rejections_are_sorted_by_reason_then_evidence_then_detail():
    lost = [quote(words=words) for words in ("nowhere", "never")]
    unknown = replace(CLAIM, subject=Term("", "willow"), object=Term("", "ache"))
    rejections = passage(approved(unknown), approved(CLAIM, quote(), *lost)).rejections
    order = list(HoldReason)
    assert [order.index(held.why) for held in rejections] == sorted(
        order.index(held.why) for held in rejections
    )
    assert [held.evidence for held in rejections if held.evidence] == sorted(
        piece.id for piece in lost
    )
    assert [held.detail for held in rejections if held.detail] == ["ache", "willow"]


def test_every_reason_says_what_to_do():
    report = passage(replace(approved(), state=State.PROPOSED))
    assert report.rejections[0].hint == "Decide it on the Review page."


def record(value: str, pointer: str = "/gene/chromosome") -> Evidence:
    return Evidence(CLAIM.id, RecordGround("c1", "NCBIGene:1", pointer, value))


ANSWER = {"gene": {"chromosome": 9, "names": ["A1", "B/2"]}}


@pytest.mark.parametrize(
    ("value", "pointer", "good"),
    [
        ("9", "/gene/chromosome", True),
        ("10", "/gene/chromosome", False),
        ("B/2", "/gene/names/1", True),
        ("A1", ".//Name", True),
        ("Z", ".//Name", False),
        ("", "/gene", False),
    ],
)
def test_a_value_is_read_again_from_its_answer(value, pointer, good):
    assert answer_holds(ANSWER, pointer, value) is good


BODY = '{"result": {"7": {"name": "A1", "others": "LMP10, B\\/2", "place": 9}, "8": {"name": "Z"}}}'


@pytest.mark.parametrize(
    ("value", "pointer", "good"),
    [
        ("A1", "/result/7/name", True),
        ("Z", "/result/7/name", False),  # it stands elsewhere in the body
        ("LMP10", "/result/7/others", True),
        ("LMP1", "/result/7/others", False),
        ("B/2", "/result/7/others", True),
        ("9", "/result/7/place", True),
        ("A1", "/result/7/symbol", False),
        ("200", "/status", False),
    ],
)
def test_a_pointer_leads_into_the_body_that_was_fetched(value, pointer, good):
    assert answer_holds({"status": 200, "text": BODY}, pointer, value) is good


@pytest.mark.parametrize(
    ("value", "good"), [("Caenorhabditis elegans", True), ("elegan", False), ("a & b", True)]
)
def test_a_report_is_read_through(value, good):
    text = "<p>Caenorhabditis\n  elegans, a &amp; b</p>"
    assert answer_holds({"status": 200, "text": text}, "hit 1", value) is good


@pytest.mark.parametrize("state", [CallState.FAILED, CallState.CUT, CallState.STARTED])
def test_an_unfinished_call_proves_nothing(state):
    call = Call("c1", "r1", "", "ncbi", {}, "", state=state, answer=ANSWER)
    assert prove_evidence(record("9"), Project(calls={"c1": call})) is EvidenceProof.NONE


def test_a_curators_reference_is_their_word():
    assert (
        prove_evidence(Evidence(CLAIM.id, ReferenceGround("PMID:1")), Project())
        is EvidenceProof.TYPED
    )


def test_evidence_that_two_things_exist_carries_no_statement():
    call = Call(
        "c1", "r1", "p", "ncbi", {}, "h", 1, CallState.DONE, {"text": '{"a": "x", "b": "y"}'}
    )
    tie = Evidence(CLAIM.id, RecordGround("c1", "X:1", "/a", "x"))
    end = Evidence(CLAIM.id, RecordGround("c1", "X:1", "/b", "y"), path=ENDS)
    project = Project(calls={"c1": call})
    assert passage(approved(CLAIM, tie, end), project=project).entries
    assert not passage(approved(CLAIM, end), project=project).entries
    lost = replace(tie, ground=RecordGround("c1", "X:1", "/a", "z"))
    assert not passage(approved(CLAIM, lost, end), project=project).entries


def test_a_missing_text_and_a_text_without_the_quote_are_distinguished():
    def elsewhere(document: str) -> Evidence:
        return Evidence(CLAIM.id, TextGround(document, f"text of {document}", Span(0, 1), "A"))

    both = passage(approved(CLAIM, elsewhere("PMID:9"), elsewhere("PMID:2"), elsewhere("")))
    (held,) = both.rejections
    assert (held.why, held.detail) == (HoldReason.ABSENT, "PMID:2, PMID:9")
    wrong = quote(words="Ibuprofen")
    assert reasons(passage(approved(CLAIM, elsewhere("PMID:9"), wrong))) == [HoldReason.UNPROVEN]
