"""Each reason that the gate gives leads to a view of Review that holds what was held for it."""

from __future__ import annotations

from itertools import groupby

from core.kb.gate.gate import HoldReason
from core.model import Reason, Verdict
from core.services.graph import knowledge_base
from core.services.graph.next_problem import first_problem, review_address
from core.services.review import decision
from core.services.review.decision import Judgement
from core.services.review.queue import view_of
from tests import reviewing
from tests.reviewing import ANNA


def judgement(verdict: Verdict) -> Judgement:
    return Judgement(verdict, Reason.DUPLICATE if verdict is Verdict.REJECT else None)


def judged(tmp_path, *verdicts: Verdict):
    """One verdict a statement, in the order of the queue; the rest stay undecided."""
    desk = reviewing.filled(tmp_path)
    for record, verdict in zip(desk.store.queue.records(), verdicts, strict=False):
        decision.decide(desk, record.id, record.version, judgement(verdict), curator=ANNA)
    return desk


def test_every_view_holds_all_that_is_held_for_its_reason(tmp_path):
    verdicts = (Verdict.APPROVE, Verdict.REJECT, Verdict.UNSURE)
    seen = set()
    for shift in range(len(verdicts)):
        order = (*verdicts[shift:], *verdicts[:shift], *verdicts[shift:][:2])  # not all
        desk = judged(tmp_path / str(shift), *order)
        for why, group in groupby(
            knowledge_base.gate_passage(desk).rejections, lambda held: held.why
        ):
            rejections = list(group)
            seen.add(why)
            for rejection in rejections:
                wanted = view_of(review_address(rejection)).filter
                ids = {record.id for record in desk.store.queue.records(wanted)}
                assert rejection.statement.id in ids
                if why is not HoldReason.UNREACHED:
                    assert {held.statement.id for held in rejections} == ids
    assert {
        HoldReason.UNDECIDED,
        HoldReason.UNSURE,
        HoldReason.REJECTED,
        HoldReason.UNGROUNDED,
    } <= seen


def test_a_node_that_nothing_leads_to_is_shown_with_what_would_lead_to_it(tmp_path):
    desk = reviewing.filled(tmp_path)
    amount = desk.store.statements.get(reviewing.AMOUNT.id)
    decision.decide(desk, amount.id, amount.version, Judgement(Verdict.APPROVE), curator=ANNA)
    held = knowledge_base.gate_passage(desk).rejections
    (rejection,) = [held_back for held_back in held if held_back.why is HoldReason.UNREACHED]
    wanted = view_of(review_address(rejection)).filter
    ids = {record.id for record in desk.store.queue.records(wanted)}
    assert ids == {reviewing.AMOUNT.id, reviewing.HAS_DOSE.id}


def test_rejected_statements_are_no_next_problem(tmp_path):
    desk = judged(tmp_path, *[Verdict.REJECT] * 20)
    held = knowledge_base.gate_passage(desk).rejections
    assert held and first_problem(held) is None
