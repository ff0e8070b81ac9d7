"""The order of statements to review: likely right first, or most uncertain first.

A job makes it from the project's decisions, in a process of its own, so that nobody's page waits;
it is kept until the next one, changes no statement and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core import COMMAND
from core.desk import open_desk
from core.desk_parts import HasFolder, HasProjectJobs, HasStore
from core.jobs import isolation
from core.jobs.runner import JobContext, register_job
from core.learning.feature import shipped_score
from core.learning.lesson import DecidedDraft, Lesson, draft_signs, learn_lessons
from core.learning.order_model import WaitingDraft, probabilities
from core.model import MANUAL, Evidence, Job, JobState, Json, RankOrder, ReferenceGround, State
from core.services.learning.rule_record import RIGHT, was_right
from core.settings import child_environment, load_settings
from core.store import QueueFilter, StatementRecord
from core.whole_file import whole_file

JOB = "learn"
TOGETHER = 1_000  # statements read at once
MOST_JUDGED = 20_000  # the newest decisions say what the desk is like now
FRESH = 20  # decisions after which a new ranking is worth its while
LESSONS = "draft_lessons.tsv"  # beside the project's schemas
LESSON_HEAD = (
    "# What this project's decisions taught, added to the log odds of each draft with the sign."
    " Made anew with the order of Review; delete the file to forget it."
)
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


class HasLessons(HasStore, HasFolder, Protocol):
    """The decisions of a project, and the folder in which the engine finds what they teach."""


def make_ranking(
    desk: HasLessons, on_progress: Callable[[int, int], None] | None = None
) -> KeptRanking:
    """Make the ranking now, from every decision in force, and keep it; what they teach is written
    for the next drafts of the built-in engine. `on_progress` is told how many statements were read,
    of how many; what it raises ends the work.
    """
    tell = on_progress or (lambda done, total: None)
    decision, statement = desk.store.rankings.moment()
    judged_ids = _ids(desk, tuple(RIGHT), MOST_JUDGED)
    waiting_ids = _ids(desk, (State.PROPOSED, State.UNSURE))
    total = len(judged_ids) + len(waiting_ids)
    judged = []
    for number, record in enumerate(_records(desk, judged_ids)):
        if number % TOGETHER == 0:
            tell(number, total)
        if proposed_by_engine(record):
            evidence = machine_evidence(record)
            signs = draft_signs(record.statement, evidence)
            judged.append(DecidedDraft(signs, shipped_score(evidence), was_right(record)))
    ids: list[str] = []
    waiting_ones: list[WaitingDraft] = []
    for record in _records(desk, waiting_ids):
        if len(ids) % TOGETHER == 0:
            tell(len(judged_ids) + len(ids), total)
        ids.append(record.id)
        signs = draft_signs(record.statement, record.evidence)
        waiting_ones.append(WaitingDraft(signs, shipped_score(record.evidence)))
    tell(total, total)
    write_lessons(desk.folder, learn_lessons(judged))
    shares = probabilities(judged, waiting_ones)
    desk.store.rankings.replace(dict(zip(ids, shares, strict=True)))
    right = sum(judged_statement.right for judged_statement in judged)
    new_ranking: dict[str, Json] = {"approved": right, "rejected": len(judged) - right}
    new_ranking |= {"ranked": len(ids), "time": desk.clock()}
    desk.store.project.set(KEY, {**new_ranking, "decision": decision, "statement": statement})
    return stored_ranking(desk)


def write_lessons(folder: Path, lessons: Sequence[Lesson]) -> None:
    """Keep lessons beside the project's schemas, where the built-in engine looks; none, no file."""
    path = folder / "schemas" / LESSONS
    if not lessons:
        path.unlink(missing_ok=True)
        return
    rows = [LESSON_HEAD, "sign\tshift\tright\twrong"]
    rows += [
        f"{one.sign}\t{one.shift:.3f}\t{one.right}\t{one.wrong}"
        for one in sorted(lessons, key=lambda one: (-abs(one.shift), one.sign))
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as stream:
        stream.write("\n".join(rows) + "\n")


def proposed_by_engine(record: StatementRecord) -> bool:
    """Whether a machine proposed it: what a person marked or corrected says nothing of machines."""
    marked = any(piece.engine == MANUAL for piece in record.evidence)
    by_hand = not record.evidence or (marked and not machine_evidence(record))
    return not by_hand and not record.statement.derived_from


def machine_evidence(record: StatementRecord) -> list[Evidence]:
    """Its evidence without what people marked, and the references that they typed."""
    return [
        piece
        for piece in record.evidence
        if piece.engine != MANUAL and not isinstance(piece.ground, ReferenceGround)
    ]


def approval_likelihoods(desk: HasStore, ids: Sequence[str]) -> dict[str, float]:
    """How likely each of these is to be approved, 0 to 1; what is not ranked is left out."""
    return desk.store.rankings.of(ids)


def proposed_ids(desk: HasStore, order: RankOrder, limit: int = 0) -> list[str]:
    """The ids of statements that are proposed, in this order."""
    return desk.store.rankings.waiting(order, limit)


def _ids(desk: HasStore, states: tuple[State, ...], most: int = 0) -> list[str]:
    return desk.store.queue.ids(QueueFilter(states=states), newest=bool(most), limit=most)


def _records(desk: HasStore, ids: Sequence[str]) -> Iterator[StatementRecord]:
    for start in range(0, len(ids), TOGETHER):
        yield from desk.store.statements.of_ids(ids[start : start + TOGETHER])
