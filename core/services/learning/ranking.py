"""The order in which what waits is looked at: likely right first, or most uncertain first.

A job makes it from the project's decisions; it is kept until the next one, changes no statement and
decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.desk import Desk
from core.jobs.runner import JobContext, register
from core.learning.feature import features, shipped_score
from core.learning.order_model import Judged, Waiting, probabilities
from core.model import MANUAL, Job, JobState, Json, State
from core.services.learning.rule_record import RIGHT
from core.store import Filter, RankOrder, StatementRecord

JOB = "learn"
TOGETHER = 1_000  # statements read at once
MOST_JUDGED = 20_000  # the newest decisions say what the desk is like now
FRESH = 20  # decisions after which a new ranking is worth its while
KEY = "ranking"  # the project's property that says what the ranking was made of
# what was corrected was not right as it stood

__all__ = ["JOB", "RankOrder", "Ranking", "likely", "rank", "ranking", "refresh", "waiting"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the kept ranking was made of. `behind`: decisions made since."""

    approved: int = 0
    rejected: int = 0
    ranked: int = 0
    time: str = ""
    behind: int = 0
    unranked: int = 0  # statements proposed since

    @property
    def stale(self) -> bool:
        return not self.time or self.behind >= FRESH or self.unranked > 0


def ranking(desk: Desk) -> Ranking:
    """What is known of the ranking that is kept; an empty one where there is none."""
    stored_ranking = desk.store.project.get(KEY)
    if not isinstance(stored_ranking, dict):
        return Ranking()
    decision, statement = desk.store.rankings.moment()
    counts = {name: int(stored_ranking.get(name, 0)) for name in ("approved", "rejected", "ranked")}
    behind = decision - int(stored_ranking.get("decision", 0))
    unranked = statement - int(stored_ranking.get("statement", 0))
    return Ranking(
        **counts, time=str(stored_ranking.get("time", "")), behind=behind, unranked=unranked
    )


def refresh(desk: Desk, curator: str = "") -> Job | None:
    """Begin a new ranking where enough has changed; None where nothing is to be done or one is
    being made.
    """
    if not ranking(desk).stale:
        return None
    running = desk.store.jobs.find(states=(JobState.QUEUED, JobState.RUNNING))
    if any(job.name == JOB for job in running):
        return None
    return desk.runner.start(JOB, {}, curator)


@register(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    new_ranking = rank(context.context, context)
    return {"ranked": new_ranking.ranked, "decisions": new_ranking.approved + new_ranking.rejected}


def rank(desk: Desk, context: JobContext | None = None) -> Ranking:
    """Make the ranking now, from every decision in force, and keep it."""
    decision, statement = desk.store.rankings.moment()
    judged = []
    for record in _records(desk, tuple(RIGHT), MOST_JUDGED):
        if context:
            context.check()
        if proposed_by_engine(record):
            statement_features = features(record.statement, record.evidence)
            judged.append(Judged(statement_features, RIGHT[record.state]))
    ids: list[str] = []
    waiting_ones: list[Waiting] = []
    for record in _records(desk, (State.PROPOSED, State.UNSURE)):
        if context and len(ids) % TOGETHER == 0:
            context.progress(len(ids), 0, "reading what waits")
        ids.append(record.id)
        score = shipped_score(record.evidence)
        waiting_ones.append(Waiting(features(record.statement, record.evidence), score))
    shares = probabilities(judged, waiting_ones)
    desk.store.rankings.replace(dict(zip(ids, shares, strict=True)))
    right = sum(judged_statement.right for judged_statement in judged)
    new_ranking: dict[str, Json] = {"approved": right, "rejected": len(judged) - right}
    new_ranking |= {"ranked": len(ids), "time": desk.clock()}
    desk.store.project.set(KEY, {**new_ranking, "decision": decision, "statement": statement})
    return ranking(desk)


def proposed_by_engine(record: StatementRecord) -> bool:
    """Whether a machine proposed it: what a person marked or corrected says nothing of machines."""
    by_hand = all(piece.engine == MANUAL for piece in record.evidence)
    return not by_hand and not record.statement.derived_from


def likely(desk: Desk, ids: Sequence[str]) -> dict[str, float]:
    """How likely each of these is to be approved, 0 to 1; what is not ranked is left out."""
    return desk.store.rankings.of(ids)


def waiting(desk: Desk, order: RankOrder, limit: int = 0) -> list[str]:
    """The ids of statements that are proposed, in this order."""
    return desk.store.rankings.waiting(order, limit)


def _records(desk: Desk, states: tuple[State, ...], most: int = 0) -> Iterator[StatementRecord]:
    ids = desk.store.queue.ids(Filter(states=states), newest=bool(most), limit=most)
    for start in range(0, len(ids), TOGETHER):
        yield from desk.store.statements.of_ids(ids[start : start + TOGETHER])
