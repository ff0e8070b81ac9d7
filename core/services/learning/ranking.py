"""The order of statements to review: likely right first, or most uncertain first.

A job makes it from the project's decisions, in a process of its own, so that nobody's page waits;
it is kept until the next one, changes no statement and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core import COMMAND
from core.desk import open_desk
from core.desk_parts import HasFolder, HasProjectJobs, HasStore
from core.jobs import isolation
from core.jobs.runner import JobContext, register_job
from core.learning.feature import shipped_score
from core.learning.lesson import draft_signs, learn_lessons
from core.learning.order_model import WaitingDraft, lessons_help, probabilities
from core.model import Job, JobState, Json, RankOrder, State
from core.services.learning import lessons
from core.services.support.shown_support import best_support
from core.settings import child_environment, load_settings
from core.store import QueueFilter

JOB = "learn"
TOGETHER = 1_000  # statements read at once
FRESH = 20  # decisions after which a new ranking is worth its while
KEY = "stored_ranking"  # the project's property that says what the ranking was made of
SILENCE = 1_800.0  # seconds: fitting the model says nothing for a while
MEMORY = 16_000  # MB of address space of the process that learns

__all__ = [
    "JOB",
    "KeptRanking",
    "approval_likelihoods",
    "make_ranking",
    "proposed_ids",
    "refresh_ranking",
    "stored_ranking",
]


@dataclass(frozen=True, slots=True)
class KeptRanking:
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


def stored_ranking(desk: HasStore) -> KeptRanking:
    """What is known of the ranking that is kept; an empty one where there is none."""
    stored_ranking = desk.store.project.get(KEY)
    if not isinstance(stored_ranking, dict):
        return KeptRanking()
    decision, statement = desk.store.rankings.moment()
    counts = {name: int(stored_ranking.get(name, 0)) for name in ("approved", "rejected", "ranked")}
    behind = decision - int(stored_ranking.get("decision", 0))
    unranked = statement - int(stored_ranking.get("statement", 0))
    return KeptRanking(
        **counts, time=str(stored_ranking.get("time", "")), behind=behind, unranked=unranked
    )


def refresh_ranking(desk: HasProjectJobs, curator: str = "") -> Job | None:
    """Begin a new ranking where enough has changed; None where nothing is to be done or one is
    being made.
    """
    if not stored_ranking(desk).stale:
        return None
    running = desk.store.jobs.find(states=(JobState.QUEUED, JobState.RUNNING))
    if any(job.name == JOB for job in running):
        return None
    return desk.runner.start(JOB, {}, curator)


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    ranked, decisions = rank_in_child_process(
        context.context,
        lambda done, total: context.progress(done, total, "reading the statements to review"),
    )
    return {"ranked": ranked, "decisions": decisions}


def rank_in_child_process(
    desk: HasFolder, on_progress: Callable[[int, int], None]
) -> tuple[int, int]:
    """Make the ranking in a process of its own: how many statements it orders, and by how many
    decisions. What `on_progress` raises ends it.
    """
    counts: tuple[int, int] = isolation.run_in_child(
        rank_project,
        str(desk.settings.project),
        child_environment(desk.settings),
        name="The order of statements to review",
        seconds=SILENCE,
        megabytes=MEMORY,
        progress=on_progress,
        failing="was not learned",
        hint=f"The previous order is kept. Run `{COMMAND} learn` on a larger machine.",
    )
    return counts


def rank_project(
    project: str, environ: Mapping[str, str], on_page: Callable[[int, int], None]
) -> tuple[int, int]:
    """Make the ranking of a project, in the process that this is."""
    desk = open_desk(load_settings(Path(project), environ))
    try:
        made = make_ranking(desk, on_page)
        return made.ranked, made.approved + made.rejected
    finally:
        desk.close()


def make_ranking(
    desk: lessons.HasLessons, on_progress: Callable[[int, int], None] | None = None
) -> KeptRanking:
    """Make the ranking now, from every decision in force, and keep it; what they teach is written
    for the next drafts of the built-in engine. `on_progress` is told how many statements were read,
    of how many; what it raises ends the work.
    """
    tell = on_progress or (lambda done, total: None)
    decision, statement = desk.store.rankings.moment()
    waiting_ids = desk.store.queue.ids(QueueFilter(states=(State.PROPOSED, State.UNSURE)))
    judged = [
        one.draft
        for one in lessons.decided_records(
            desk, lambda done, total: tell(done, total + len(waiting_ids))
        )
    ]
    drafts: dict[str, WaitingDraft] = {}
    for start in range(0, len(waiting_ids), TOGETHER):
        tell(len(judged) + start, len(judged) + len(waiting_ids))
        drafts |= _waiting(desk, waiting_ids[start : start + TOGETHER])
    tell(len(judged) + len(drafts), len(judged) + len(drafts))
    away = lessons.taken_back(desk)
    lessons.write_lessons(desk, learn_lessons(judged) if lessons_help(judged, away) else [])
    shares = probabilities(judged, list(drafts.values()), away)
    desk.store.rankings.replace(dict(zip(drafts, shares, strict=True)))
    right = sum(judged_statement.right for judged_statement in judged)
    new_ranking: dict[str, Json] = {"approved": right, "rejected": len(judged) - right}
    new_ranking |= {"ranked": len(drafts), "time": desk.clock()}
    desk.store.project.set(lessons.MADE, decision)
    desk.store.project.set(KEY, {**new_ranking, "decision": decision, "statement": statement})
    return stored_ranking(desk)


def approval_likelihoods(desk: HasStore, ids: Sequence[str]) -> dict[str, float]:
    """How likely each of these is to be approved, 0 to 1; what is not ranked is left out."""
    return desk.store.rankings.of(ids)


def proposed_ids(desk: HasStore, order: RankOrder, limit: int = 0) -> list[str]:
    """The ids of statements that are proposed, in this order."""
    return desk.store.rankings.waiting(order, limit)


def _waiting(desk: HasStore, ids: Sequence[str]) -> dict[str, WaitingDraft]:
    """Statements that wait, with what is known of each."""
    judged = desk.store.support.of_statements(ids)
    drafts = {}
    for record in desk.store.statements.of_ids(ids):
        support = best_support(judged.get(record.id, {}), record.evidence)
        drafts[record.id] = WaitingDraft(
            draft_signs(record.statement, record.evidence),
            shipped_score(record.evidence),
            support.probability if support else 0.5,
        )
    return drafts
