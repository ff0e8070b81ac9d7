"""Decisions: appended, refused when stale, undone also after a reload, corrected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError, NotFound, Refused, StaleVersion, StoreError
from core.model import (
    Curator,
    Evidence,
    Literal,
    Qualifier,
    Reason,
    ReferenceGround,
    State,
    Verdict,
)
from core.services.review import bulk, decision, undo
from core.services.review.decision import Judgement
from core.store import statement as statements
from tests import reviewing
from tests.reviewing import ANNA, BEN, HEADACHE, NAUSEA, NOT_NAUSEA, RELIEVES, WORDS

YES = Judgement(Verdict.APPROVE)
NO = Judgement(Verdict.REJECT, Reason.NO_RELATION)


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def state(desk, statement=RELIEVES) -> State:
    record = desk.store.statements.get(statement.id)
    assert record.state is decision.folded_state(record).state
    return record.state


def decide(desk, judgement=YES, statement=RELIEVES, curator=ANNA, **options):
    version = desk.store.statements.get(statement.id).version
    return decision.decide(desk, statement.id, version, judgement, curator=curator, **options)


def test_an_approval_is_stored_with_curator_and_time(desk):
    decide(desk)
    (stored_decision,) = desk.store.statements.get(RELIEVES.id).decisions
    assert (stored_decision.verdict, stored_decision.curator, stored_decision.time != "") == (
        Verdict.APPROVE,
        ANNA.orcid,
        True,
    )
    assert state(desk) is State.APPROVED


def test_second_of_two_tabs_gets_a_notice_and_overwrites_nothing(desk):
    seen = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, seen, YES, curator=ANNA)
    with pytest.raises(StaleVersion, match="Anna"):
        decision.decide(desk, RELIEVES.id, seen, NO, curator=BEN)
    assert state(desk) is State.APPROVED


@pytest.mark.parametrize(
    "judgement",
    [
        Judgement(Verdict.REJECT),
        Judgement(Verdict.APPROVE, Reason.DUPLICATE),
        Judgement(Verdict.REJECT, Reason.OTHER),
        Judgement(Verdict.UNDO),
        Judgement(Verdict.SUPERSEDE),
    ],
)
def test_a_judgement_that_says_too_little_or_too_much_is_refused(desk, judgement):
    with pytest.raises(InputError):
        decide(desk, judgement)
    assert state(desk) is State.PROPOSED


def test_an_orcid_with_a_typing_error_is_refused(desk):
    with pytest.raises(InputError, match="ORCID"):
        decide(desk, curator=Curator("0000-0002-1825-0098"))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("1", Reason.BOUNDARY),
        ("wrong species", Reason.SPECIES),
        ("no-relation-stated", Reason.NO_RELATION),
        ("", None),
    ],
)
def test_a_reason_is_given_by_number_or_words(words, reason):
    assert decision.reason_of(words) is reason


@pytest.mark.parametrize("words", ["0", "13", "because"])
def test_a_reason_outside_the_list_is_refused(words):
    with pytest.raises(InputError, match="wrong term"):
        decision.reason_of(words)


def test_new_evidence_on_an_approved_statement_waits_until_judged(desk):
    decide(desk)
    new = Evidence(RELIEVES.id, ReferenceGround("PMID:7"))
    desk.store.statements.propose([(RELIEVES, [new])])
    assert decision.folded_state(desk.store.statements.get(RELIEVES.id)).waiting == (new,)
    decide(desk, evidence=new.id)
    record = desk.store.statements.get(RELIEVES.id)
    assert (decision.folded_state(record).waiting, record.new_evidence) == ((), False)


def test_evidence_of_another_statement_cannot_be_judged(desk):
    with pytest.raises(NotFound):
        decide(desk, evidence="e1-nowhere")


def test_undo_takes_back_the_latest_decision_of_this_curator(desk):
    decide(desk)
    decide(desk, NO, WORDS)
    decide(desk, NO, reviewing.NOT_NAUSEA, BEN)
    assert undo.undo_last(desk, ANNA).record.id == WORDS.id
    assert undo.undo_last(desk, ANNA).record.id == RELIEVES.id
    assert (state(desk), state(desk, WORDS), state(desk, reviewing.NOT_NAUSEA)) == (
        "proposed",
        "proposed",
        "rejected",
    )


def test_undo_works_on_a_desk_opened_again(desk, tmp_path):
    decide(desk)
    again = reviewing.empty(tmp_path)
    again.new_id = lambda: "later"
    undo.undo_last(again, ANNA)
    assert state(again) is State.PROPOSED
    again.close()


def test_with_nothing_decided_there_is_nothing_to_undo(desk):
    with pytest.raises(Refused, match="no decision of"):
        undo.undo_last(desk, ANNA)


def test_an_undo_can_be_undone(desk):
    decide(desk)
    taken = undo.undo_last(desk, ANNA).decisions[0]
    undo.undo_decision(desk, taken.id, ANNA)
    assert state(desk) is State.APPROVED


def test_a_decision_is_not_undone_twice(desk):
    stored_decision = decide(desk).decisions[0]
    undo.undo_decision(desk, stored_decision.id, ANNA)
    with pytest.raises(Refused, match="before"):
        undo.undo_decision(desk, stored_decision.id, ANNA)


def seen(desk, *statements):
    return [
        (statement.id, desk.store.statements.get(statement.id).version) for statement in statements
    ]


def test_a_batch_is_decided_and_undone_in_one_gesture(desk):
    decided = bulk.decide_many(desk, seen(desk, RELIEVES, WORDS), NO, ANNA)
    assert (len(decided.done), decided.left) == (2, ())
    undo.undo_last(desk, ANNA)
    assert (state(desk), state(desk, WORDS)) == (State.PROPOSED, State.PROPOSED)


def test_an_undone_batch_can_be_restored(desk):
    bulk.decide_many(desk, seen(desk, RELIEVES, WORDS), NO, ANNA)
    undone = undo.undo_last(desk, ANNA)
    undo.undo_decision(desk, undone.decisions[0].id, ANNA)
    assert (state(desk), state(desk, WORDS)) == (State.REJECTED, State.REJECTED)


def test_unsupported_statements_are_not_approved_in_bulk(desk):
    bare = replace(RELIEVES, object=NAUSEA)
    desk.store.statements.propose([(bare, [Evidence(bare.id, ReferenceGround("PMID:1"))])])
    decided = bulk.decide_many(desk, seen(desk, RELIEVES, bare), YES, ANNA)
    assert [name for name, _ in decided.left] == [bare.id]
    assert (state(desk), state(desk, bare)) == (State.APPROVED, State.PROPOSED)


def test_misnamed_ids_are_not_approved_in_bulk(desk):
    """HP:0002018 is Nausea, whatever an import calls it."""
    misnamed = replace(RELIEVES, object=replace(NAUSEA, label="Headache"))
    desk.store.statements.propose([(misnamed, [reviewing.quoted(misnamed, "Aspirin")])])
    preview = bulk.preview_many(desk, seen(desk, RELIEVES, misnamed), YES)
    assert [record.id for record, _ in preview.left] == [misnamed.id]
    decided = bulk.decide_many(desk, seen(desk, RELIEVES, misnamed), YES, ANNA)
    ((name, why),) = decided.left
    assert name == misnamed.id
    assert "HP:0002018 is “Nausea”" in why


def test_batch_decision_leaves_out_and_names_stale_statements(desk):
    wanted = seen(desk, RELIEVES, WORDS)
    decide(desk, NO, WORDS, BEN)
    decided = bulk.decide_many(desk, wanted, NO, ANNA)
    assert [name for name, _ in decided.left] == [WORDS.id]
    assert "Ben" in decided.left[0][1]


def test_a_batch_that_breaks_off_decides_nothing(desk, monkeypatch):
    work = statements._decide

    def breaking(connection, applied, *rest):
        if applied.statement == WORDS.id:
            raise OSError("the disk is full")
        work(connection, applied, *rest)

    monkeypatch.setattr(statements, "_decide", breaking)
    with pytest.raises(StoreError):
        bulk.decide_many(desk, seen(desk, RELIEVES, WORDS), NO, ANNA)
    assert (state(desk), state(desk, WORDS)) == (State.PROPOSED, State.PROPOSED)


def many(desk, count):
    claims = [
        replace(RELIEVES, qualifiers=(Qualifier("dose", Literal(str(n))),)) for n in range(count)
    ]
    proposed = [(claim, [reviewing.quoted(claim, "Aspirin relieves headache")]) for claim in claims]
    desk.store.statements.propose(proposed, "r1", ANNA.orcid)
    return seen(desk, *claims)


@pytest.mark.parametrize("verdict", [YES, NO])
def test_more_than_a_handful_is_never_decided_without_its_preview(desk, verdict):
    wanted = many(desk, bulk.MOST_UNSEEN + 1)
    other = bulk.preview_many(desk, wanted[:-1], verdict).id
    for token in ("", other):
        with pytest.raises(Refused, match="after a preview"):
            bulk.decide_many(desk, wanted, verdict, ANNA, preview=token)
    assert desk.store.statements.decisions(curator=ANNA.orcid) == []


def test_a_preview_counts_samples_and_says_what_is_left_out(desk):
    bare = replace(RELIEVES, object=NAUSEA)
    desk.store.statements.propose([(bare, [Evidence(bare.id, ReferenceGround("PMID:1"))])])
    wanted = [*many(desk, 40), *seen(desk, bare)]
    preview = bulk.preview_many(desk, wanted, YES)
    assert (preview.count, len(preview.samples)) == (40, 10)
    assert [record.id for record, _ in preview.left] == [bare.id] and preview.unsure == 0
    done = bulk.decide_many(desk, wanted, YES, ANNA, preview=preview.id)
    assert len(done.done) == preview.count
    undo.undo_last(desk, ANNA)
    assert desk.store.queue.state_counts()[State.APPROVED] == 0


def test_a_preview_says_how_many_were_set_aside(desk):
    wanted = many(desk, 3)
    decision.decide(desk, *wanted[0], Judgement(Verdict.UNSURE), curator=ANNA)
    wanted = [(statement, desk.store.statements.get(statement).version) for statement, _ in wanted]
    assert bulk.preview_many(desk, wanted, YES).unsure == 1


def test_a_preview_of_one_verdict_does_not_serve_another(desk):
    wanted = many(desk, 20)
    token = bulk.preview_many(desk, wanted, NO).id
    with pytest.raises(Refused):
        bulk.decide_many(desk, wanted, YES, ANNA, preview=token)


def test_alike_statements_share_the_named_term(desk):
    record = desk.store.statements.get(RELIEVES.id)
    assert {name for name, _ in bulk.statements_alike(desk, record, "object")} == {
        claim.id for claim in (RELIEVES, reviewing.ADULTS, WORDS)
    }
    assert {name for name, _ in bulk.statements_alike(desk, record, "pair")} == {
        claim.id for claim in (RELIEVES, reviewing.ADULTS)
    }


def test_statements_of_one_rule_and_predicate_are_alike(desk):
    ids = []
    for statement, rule in ((WORDS, "r7"), (RELIEVES, "r7"), (NOT_NAUSEA, "r8")):
        claim = replace(statement, negated=not statement.negated)
        piece = replace(reviewing.quoted(claim, "Aspirin"), rule=rule)
        desk.store.statements.propose([(claim, [piece])])
        ids.append(claim.id)
    first = desk.store.statements.get(ids[0])
    assert [id for id, _ in bulk.statements_alike(desk, first, "rule")] == ids[:2]


CORRECTED = replace(RELIEVES, object=NAUSEA)


def correct(desk, **options):
    version = desk.store.statements.get(RELIEVES.id).version
    return decision.correct(desk, RELIEVES.id, version, CORRECTED, curator=ANNA, **options)


def test_a_correction_supersedes_the_old_and_proposes_the_new_with_its_evidence(desk):
    done = correct(desk)
    assert (state(desk), done.record.state) == (State.SUPERSEDED, State.PROPOSED)
    assert done.record.statement.derived_from == RELIEVES.id
    assert [e.ground for e in done.record.evidence] == [
        e.ground for e in desk.store.statements.get(RELIEVES.id).evidence
    ]
    assert desk.store.statements.get(RELIEVES.id).decisions[0].replacement == CORRECTED.id


def test_a_correction_is_approved_only_when_the_curator_says_so(desk):
    assert correct(desk, approve=True).record.state is State.APPROVED


def test_undoing_a_correction_takes_back_both_decisions(desk):
    correct(desk, approve=True)
    undo.undo_last(desk, ANNA)
    assert (state(desk), state(desk, CORRECTED)) == (State.PROPOSED, State.SUPERSEDED)


def test_a_correction_that_was_taken_back_can_be_restored_by_undoing_the_undo(desk):
    done = correct(desk, approve=True)
    undone = undo.undo_decision(desk, done.decisions[0].id, ANNA)
    undo.undo_decision(desk, undone.decisions[0].id, ANNA)
    assert (state(desk), state(desk, CORRECTED)) == (State.SUPERSEDED, State.APPROVED)


@pytest.mark.parametrize("approve", [True, False])
def test_the_same_correction_can_be_made_and_taken_back_again(desk, approve):
    correct(desk)
    undo.undo_last(desk, ANNA)
    correct(desk, approve=approve)
    after = State.APPROVED if approve else State.PROPOSED
    assert (state(desk), state(desk, CORRECTED)) == (State.SUPERSEDED, after)
    undo.undo_last(desk, ANNA)
    assert (state(desk), state(desk, CORRECTED)) == (State.PROPOSED, State.SUPERSEDED)


def test_corrected_statement_with_other_evidence_outlives_the_undo(desk):
    correct(desk)
    desk.store.statements.propose([(CORRECTED, [reviewing.quoted(CORRECTED, "nausea")])])
    undo.undo_last(desk, ANNA)
    assert (state(desk), state(desk, CORRECTED)) == (State.PROPOSED, State.PROPOSED)


def test_a_second_undo_takes_back_what_was_decided_before_the_correction(desk):
    decide(desk, YES)
    correct(desk)
    undo.undo_last(desk, ANNA)
    undo.undo_last(desk, ANNA)
    assert state(desk) is State.PROPOSED
    with pytest.raises(Refused, match="no decision of"):
        undo.undo_last(desk, ANNA)


def test_a_correction_that_changes_nothing_is_refused(desk):
    with pytest.raises(InputError, match="Nothing was changed"):
        decision.correct(
            desk, RELIEVES.id, version=1, corrected=replace(RELIEVES, object=HEADACHE), curator=ANNA
        )


def test_rejected_evidence_is_not_carried_over(desk):
    decide(desk, NO, evidence=desk.store.statements.get(RELIEVES.id).evidence[0].id)
    assert correct(desk).record.evidence == ()


def test_a_reference_typed_by_a_curator_is_evidence(desk):
    record = decision.add_reference(
        desk, RELIEVES.id, "PMID:9", "Fig 3B", note="see the bar chart", curator=ANNA
    )
    assert record.evidence[-1].ground == ReferenceGround("PMID:9", "Fig 3B", "see the bar chart")
    with pytest.raises(InputError):
        decision.add_reference(desk, RELIEVES.id, " ", locator="", note="", curator=ANNA)
