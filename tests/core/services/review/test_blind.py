"""Where reviews are blind, nothing that a second reader is shown tells how the first one judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import StaleVersion
from core.model import Curator, ReviewPolicy, State, Verdict
from core.services.documents import overview
from core.services.home import project, project_day
from core.services.people import agreement
from core.services.review import decision, facets, key_press, queue
from core.services.review.bulk import decide_many
from core.services.review.decision import Judgement
from core.services.review.reading_desk import queue_slice
from core.store import QueueOrder
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, BEN, DOCUMENT, RELIEVES

CARA = Curator("0000-0003-1415-9269", "Cara")
YES, HM = Judgement(Verdict.APPROVE), Judgement(Verdict.UNSURE)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Ben was unsure of one statement and approved another, which a second one must approve."""
    extraction = reviewing.filled(tmp_path)
    extraction.store.project.set_policy(ReviewPolicy(approvals=2, blind=True))
    decision.decide(extraction, RELIEVES.id, version=1, judgement=HM, curator=BEN)
    decision.decide(extraction, ADULTS.id, version=1, judgement=YES, curator=BEN)
    yield extraction
    extraction.close()


def listed(desk: Desk, reader: Curator, **address: str) -> list[str]:
    """The statements of a view, as this reader works on it."""
    view = queue.open_view(desk, queue.view_of(address), reader.orcid)
    rows = queue_slice(desk, view.filter, QueueOrder.PROPOSED, curator=reader.orcid)
    assert len(rows) == queue.count_queue(desk, view.filter)
    return [row.id for row in rows]


def test_statement_marked_unsure_looks_proposed_to_a_blind_reader(desk: Desk) -> None:
    assert RELIEVES.id in listed(desk, ANNA) and not listed(desk, ANNA, state="unsure")
    assert listed(desk, BEN, state="unsure") == [RELIEVES.id]
    assert RELIEVES.id not in listed(desk, BEN) and ADULTS.id not in listed(desk, BEN)


def test_counts_are_those_that_the_second_reader_may_know(desk: Desk) -> None:
    def counts(reader: str | None) -> tuple[int, int]:
        states = queue.queue_tally(desk, reader).states
        return states[State.PROPOSED], states[State.UNSURE]

    assert counts(ANNA.orcid) == counts("") == (6, 0)
    assert counts(BEN.orcid) == counts(None) == (5, 1)
    assert project.project_status(desk, ANNA.orcid).unsure == 0
    assert not any(
        "unsure" in task.words for task in project_day.tasks_to_do(desk, reader=ANNA.orcid)
    )
    assert any("unsure" in task.words for task in project_day.tasks_to_do(desk, reader=BEN.orcid))


def test_a_filter_by_person_tells_nothing_of_what_waits(desk: Desk) -> None:
    def judges(reader: Curator) -> list[tuple[str, int]]:
        view = queue.open_view(desk, queue.view_of({"state": "all"}), reader.orcid)
        return [
            (value.label, value.count)
            for value in facets.facet_values(desk, "curator", view.filter)
        ]

    assert judges(ANNA) == [] and listed(desk, ANNA, state="all", curator=BEN.orcid) == []
    assert judges(BEN) == [("Ben", 2)]
    assert len(listed(desk, BEN, state="all", curator=BEN.orcid)) == 2


def test_the_progress_of_home_does_not_count_what_another_judged(desk: Desk) -> None:
    def steps(reader: str | None) -> list[tuple[str, str, int]]:
        counts = project_day.weekly_progress(desk, date(2026, 1, 8), reader)
        return [(count.what, count.who, count.count) for count in counts if count.who]

    assert steps(ANNA.orcid) == steps("") == []
    assert steps(BEN.orcid) == steps(None) == [("approved", "Ben", 1), ("decided", "Ben", 2)]


def test_a_document_counts_it_as_proposed_and_names_nobody(desk: Desk) -> None:
    row = overview.document_row(desk, DOCUMENT, ANNA.orcid)
    assert (row.counts[State.PROPOSED], row.counts[State.UNSURE], row.curators) == (6, 0, ())
    row = overview.document_row(desk, DOCUMENT, BEN.orcid)
    assert (row.counts[State.PROPOSED], row.counts[State.UNSURE], row.curators) == (5, 1, ("Ben",))


def test_a_key_that_came_late_does_not_say_what_the_other_decided(desk: Desk) -> None:
    with pytest.raises(StaleVersion) as late:
        decision.decide(desk, RELIEVES.id, version=1, judgement=YES, curator=ANNA)
    batch = decide_many(desk, [(RELIEVES.id, 1)], YES, ANNA)
    pressed = key_press.KeyPress("k-00000000-1", "approve", RELIEVES.id, 1, curator=ANNA.orcid)
    [result] = key_press.store_presses(desk, [pressed], ANNA)
    for words in (str(late.value), batch.left[0][1], result.words):
        assert "Look at it" in words and "Ben" not in words and "unsure" not in words
    assert result.state == State.PROPOSED


def test_a_third_reader_does_not_see_how_two_differ(desk: Desk) -> None:
    version = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, version, YES, curator=ANNA)
    assert agreement.to_settle(desk, CARA.orcid) == []
    assert len(agreement.to_settle(desk, ANNA.orcid)) == len(agreement.to_settle(desk)) == 1


def test_verdicts_are_visible_once_the_statement_is_decided(desk: Desk) -> None:
    decision.decide(
        desk, ADULTS.id, desk.store.statements.get(ADULTS.id).version, YES, curator=ANNA
    )
    assert listed(desk, CARA, state="approved") == [ADULTS.id]
    policy = desk.store.project.policy()
    desk.store.project.set_policy(replace(policy, blind=False))
    assert listed(desk, CARA, state="unsure") == [RELIEVES.id]
