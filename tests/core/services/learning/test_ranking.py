"""The learned order: kept, made anew when enough changed, and never a decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.model import Category, JobState, RankOrder, Reason, State, Statement, Term, Verdict
from core.services.learning import lessons, ranking
from core.services.review.decision import Judgement, decide
from core.store import QueueFilter
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, NOT_NAUSEA, RELIEVES, WORDS


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def judge(desk: Desk, statement: str, verdict: Verdict) -> None:
    version = desk.store.statements.get(statement).version
    reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
    decide(desk, statement, version, Judgement(verdict, reason), curator=ANNA)


def test_a_ranking_is_made_of_decisions_and_orders_what_waits(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Verdict.REJECT)
    judge(desk, RELIEVES.id, Verdict.APPROVE)
    made_ranking = ranking.make_ranking(desk)
    assert (
        made_ranking.approved,
        made_ranking.rejected,
        made_ranking.ranked,
        made_ranking.stale,
    ) == (1, 1, 4, False)
    waiting = ranking.proposed_ids(desk, RankOrder.LIKELY)
    assert set(waiting[:2]) == {ADULTS.id, WORDS.id}  # alike what was approved
    shares = ranking.approval_likelihoods(desk, waiting)
    assert [shares[id] for id in waiting] == sorted(shares.values(), reverse=True)


def test_what_decisions_teach_lies_beside_the_schemas(desk: Desk) -> None:
    path = desk.folder / "schemas" / lessons.LESSONS
    ranking.make_ranking(desk)
    assert not path.exists()
    judge(desk, NOT_NAUSEA.id, Verdict.REJECT)
    ranking.make_ranking(desk)
    rows = [line.split("\t") for line in path.read_text().splitlines()[2:]]
    assert [(row[0], row[2:]) for row in rows if row[0].startswith("predicate")] == [
        ("predicate not treats", ["0", "1"])
    ]


def test_the_uncertain_order_begins_nearest_to_a_half(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Verdict.REJECT)
    ranking.make_ranking(desk)
    waiting = ranking.proposed_ids(desk, RankOrder.UNCERTAIN)
    far = [abs(share - 0.5) for share in ranking.approval_likelihoods(desk, waiting).values()]
    assert len(far) == 5
    first = ranking.approval_likelihoods(desk, waiting[:1])[waiting[0]]
    assert abs(first - 0.5) == min(far)


def test_ranking_decides_nothing(desk: Desk) -> None:
    before = desk.store.queue.versions()
    ranking.make_ranking(desk)
    assert desk.store.queue.versions() == before
    assert desk.store.queue.count(QueueFilter(states=(State.PROPOSED,))) == 6


def test_statements_newer_than_the_ranking_are_placed_in_the_middle(desk: Desk) -> None:
    ranking.make_ranking(desk)
    desk.store.rankings.replace({RELIEVES.id: 0.9, ADULTS.id: 0.1})
    waiting = ranking.proposed_ids(desk, RankOrder.LIKELY)
    assert (waiting[0], waiting[-1], len(waiting)) == (RELIEVES.id, ADULTS.id, 6)


def test_a_new_ranking_is_begun_once_something_was_proposed_and_not_twice(desk: Desk) -> None:
    job = ranking.refresh_ranking(desk, ANNA.orcid)
    assert job is not None
    desk.runner.wait(job.id)
    assert desk.runner.job(job.id).state is JobState.DONE
    assert ranking.refresh_ranking(desk) is None


def test_the_model_is_made_in_another_process_so_that_no_page_waits(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_here(*_: object) -> list[float]:
        raise AssertionError("learned in the process of the app")

    monkeypatch.setattr(ranking, "probabilities", not_here)
    judge(desk, NOT_NAUSEA.id, Verdict.REJECT)
    job = ranking.refresh_ranking(desk, ANNA.orcid)
    assert job is not None
    desk.runner.wait(job.id)
    ended = desk.runner.job(job.id)
    assert (ended.state, ended.result) == (JobState.DONE, {"ranked": 5, "decisions": 1})
    assert ranking.stored_ranking(desk).rejected == 1


def test_stopped_learning_keeps_the_previous_order(desk: Desk) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    pain = Term("HP:0012531", "pain", Category.DISEASE)
    many = [  # enough that the child is still at work when it is stopped
        Statement(Term(f"CHEBI:{n}", f"bark {n}", Category.CHEMICAL), reviewing.TREATS, pain)
        for n in range(1, 4_000)
    ]
    desk.store.statements.propose(
        [(statement, [reviewing.quoted(statement, "Willow bark")]) for statement in many]
    )
    with pytest.raises(Enough):
        ranking.rank_in_child_process(desk, stop)
    assert ranking.stored_ranking(desk).time == ""


def test_learning_reports_its_progress(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Verdict.REJECT)
    progress: list[tuple[int, int]] = []
    ranking.make_ranking(desk, lambda done, total: progress.append((done, total)))
    assert progress == [(0, 6), (1, 6), (6, 6)]
