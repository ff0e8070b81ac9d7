"""The slice of the queue that one curator gets, its order, and what others have in hand."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from core.model import Category, ReviewPolicy, Role, State, Statement, Term, Verdict
from core.services.people import roles
from core.services.review import decision, queue, undo
from core.services.review.decision import Judgement
from core.services.review.reading_desk import IN_HAND, queue_slice
from core.store import QueueFilter, QueueOrder
from tests import reviewing
from tests.reviewing import ANNA, BEN

WAITING = QueueFilter(states=(State.PROPOSED,))
SCORES = [0.9, 0.1, 0.5, 0.9, 0.6]


def claim(number: int) -> Statement:
    disease = Term(f"HP:{number:07}", f"pain {number}", Category.DISEASE)
    return Statement(Term("CHEBI:1", "bark", Category.CHEMICAL), reviewing.TREATS, disease)


def fill(desk, scores) -> list[str]:
    claims = [claim(number) for number in range(len(scores))]
    desk.store.statements.propose(
        [
            (statement, [replace(reviewing.quoted(statement, "Willow bark"), score=score)])
            for statement, score in zip(claims, scores, strict=True)
        ]
    )
    return [statement.id for statement in claims]


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.empty(tmp_path)
    yield desk
    desk.close()


def places(desk, ids, order, **options) -> list[int]:
    return [ids.index(waiting.id) for waiting in queue_slice(desk, WAITING, order, **options)]


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (QueueOrder.PROPOSED, [0, 1, 2, 3, 4]),
        (QueueOrder.NEWEST, [4, 3, 2, 1, 0]),
        (QueueOrder.SCORE, [0, 3, 4, 2, 1]),
        (QueueOrder.UNCERTAIN, [2, 4, 0, 1, 3]),
        (QueueOrder.DOCUMENT, [0, 1, 2, 3, 4]),
    ],
)
def test_queue_slice_keeps_its_order_from_any_start(desk, order, wanted):
    ids = fill(desk, SCORES)
    assert places(desk, ids, order) == wanted
    for start in range(len(ids)):
        assert places(desk, ids, order, at=ids[wanted[start]]) == wanted


def test_the_learned_order_shows_what_is_likely_right_first(desk):
    ids = fill(desk, SCORES)
    desk.store.rankings.replace(dict(zip(ids, [0.2, 0.9, 0.5, 0.9, 0.4], strict=True)))
    assert places(desk, ids, QueueOrder.LIKELY) == [1, 3, 2, 4, 0]
    assert places(desk, ids, QueueOrder.UNSURE, at=ids[4]) == [2, 4, 0, 1, 3]


def test_a_statement_that_left_the_view_still_says_where_to_go_on(desk):
    ids = fill(desk, SCORES)
    decision.decide(desk, ids[2], version=1, judgement=Judgement(Verdict.APPROVE), curator=ANNA)
    assert places(desk, ids, QueueOrder.PROPOSED, at=ids[2]) == [0, 1, 3, 4]


def test_two_curators_get_different_statements_first(desk):
    ids = fill(desk, [0.5] * (3 * IN_HAND))
    first = queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=ANNA.orcid)
    second = queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=BEN.orcid)
    assert [waiting.id for waiting in first[:IN_HAND]] == ids[:IN_HAND]
    assert not {waiting.id for waiting in first[:IN_HAND]} & {
        waiting.id for waiting in second[:IN_HAND]
    }


def test_statements_claimed_by_others_come_last_and_are_marked(desk):
    ids = fill(desk, [0.5] * 3)
    queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=ANNA.orcid)
    records = queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=BEN.orcid)
    assert [record.id for record in records] == ids and all(record.taken for record in records)


def test_reader_claims_no_statement(desk):
    ids = fill(desk, [0.5] * 3)
    roles.appoint_person(desk, ANNA.orcid, "Anna", Role.OWNER)
    roles.appoint_person(desk, BEN.orcid, "Ben", Role.READER)
    read = queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=BEN.orcid)
    assert [row.id for row in read] == ids
    records = queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=ANNA.orcid)
    assert not any(row.taken for row in records)


def test_a_claim_ends_by_itself(desk, monkeypatch):
    fill(desk, [0.5] * 3)
    queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=ANNA.orcid)
    an_hour_later = time.time() + 3600
    monkeypatch.setattr(desk.store.queue_slices, "seconds", lambda connection: an_hour_later)
    records = queue_slice(desk, WAITING, QueueOrder.PROPOSED, curator=BEN.orcid)
    assert not any(record.taken for record in records)


def shown_to(desk, ids, person) -> list[int]:
    view = queue.open_view(desk, queue.view_of({}), person.orcid)
    rows = queue_slice(desk, view.filter, view.order)
    assert queue.count_queue(desk, view.filter) == len(rows)
    return [ids.index(row.id) for row in rows]


def test_statement_awaiting_a_second_approval_is_shown_to_others_only(desk) -> None:
    ids = fill(desk, SCORES)
    desk.store.project.set_policy(ReviewPolicy(approvals=2))
    version = desk.store.statements.get(ids[1]).version
    decision.decide(desk, ids[1], version, Judgement(Verdict.APPROVE), curator=ANNA)
    assert shown_to(desk, ids, ANNA) == [0, 2, 3, 4]
    assert shown_to(desk, ids, BEN) == [0, 1, 2, 3, 4]
    undo.undo_last(desk, ANNA)
    assert shown_to(desk, ids, ANNA) == [0, 1, 2, 3, 4]


def test_view_stays_unchanged_where_one_approval_is_enough(desk) -> None:
    view = queue.view_of({})
    assert queue.open_view(desk, view, ANNA.orcid) is view


def test_a_blind_reader_does_not_see_in_lists_that_another_was_unsure(desk):
    [statement_id] = fill(desk, [0.5])
    decision.decide(desk, statement_id, version=1, judgement=Judgement(Verdict.UNSURE), curator=BEN)
    unsure = QueueFilter(states=(State.UNSURE,))

    def shown(curator: str) -> State:
        [line] = queue_slice(desk, unsure, QueueOrder.PROPOSED, curator=curator)
        return line.state

    assert shown(ANNA.orcid) is State.UNSURE
    desk.store.project.set_policy(ReviewPolicy(blind=True))
    assert shown(ANNA.orcid) is shown("") is State.PROPOSED
    assert shown(BEN.orcid) is State.UNSURE
