"""The project's day: what to do next, how far it is by week and person, and what came last."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from core.desk_parts import HasStore
from core.model import JobState, Verdict
from core.services.documents import overview
from core.services.documents.overview import DocumentRow
from core.services.extract.batch import JOB as EXTRACT_BATCH
from core.services.home import project
from core.services.home.project import ProjectStatus
from core.services.people import agreement
from core.services.people.blind import blind_reader
from core.store.unit import UnitState
from core.text.count import counted

WEEKS = 12  # of the picture
RECENT = 6  # documents
DECIDED = (Verdict.APPROVE, Verdict.REJECT, Verdict.UNSURE, Verdict.SUPERSEDE)


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """Something that waits for a person: `page` and `query` lead there."""

    words: str
    page: str
    query: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WeekCount:
    """A week by its Monday (2026-11-16): what (`proposed`, `decided`, `approved`, `exported`: first
    in a release), by whom.
    """

    week: str
    what: str
    who: str
    count: int


def tasks_to_do(
    desk: HasStore, now: ProjectStatus | None = None, reader: str | None = None
) -> list[WaitingTask]:
    """What to do next, the first thing first. `now` is how the project stands, where the caller
    knows it.
    """
    tasks, now = [], now or project.project_status(desk, reader)
    if now.interrupted_jobs:
        words = f"Resume {counted(now.interrupted_jobs, 'interrupted job')}"
        tasks.append(WaitingTask(words, "Settings", (("section", "Jobs"),)))
    if batch_task := _last_batch(desk):
        tasks.append(batch_task)
    if now.new_evidence:
        words = f"Look at new evidence for {counted(now.new_evidence, 'approved statement')}"
        tasks.append(WaitingTask(words, "Review", (("state", "news"),)))
    if now.waiting:
        words = f"Review {counted(now.waiting, 'proposed statement')}"
        tasks.append(WaitingTask(words, "Review"))
    if differing := len(agreement.to_settle(desk, reader)):
        words = f"Settle {counted(differing, 'statement')} that people judged differently"
        tasks.append(WaitingTask(words, "People", (("section", "To settle"),)))
    if now.unsure:
        words = f"Come back to {counted(now.unsure, 'unsure statement')}"
        tasks.append(WaitingTask(words, "Review", (("state", "unsure"),)))
    if now.approved:
        words = f"Look at what {counted(now.approved, 'approved statement')} say together"
        tasks.append(WaitingTask(words, "Knowledge graph"))
    return tasks


def _last_batch(desk: HasStore) -> WaitingTask | None:
    """The newest batch of texts, as long as it is read or some of its documents were not read in
    full.
    """
    for job in desk.store.jobs.find(name=EXTRACT_BATCH, limit=1):
        counts = desk.store.units.counts(job.id)
        unread = counts[UnitState.FAILED] + counts[UnitState.PARTLY] + counts[UnitState.LEFT]
        query = (("batch", job.id),)
        if job.state in (JobState.QUEUED, JobState.RUNNING):
            return WaitingTask("Watch the batch that is being read", "Extract", query)
        if job.state is JobState.DONE and unread:
            words = (
                f"Look at {counted(unread, 'document')} of the last batch without a whole result"
            )
            return WaitingTask(words, "Extract", query)
    return None


def weekly_progress(desk: HasStore, today: date, reader: str | None = None) -> list[WeekCount]:
    """Counts of the last weeks: proposed, decided, of these approved, and exported, by person.
    Where reviews are blind, without how others judged what still waits for `reader`.
    """
    names = {curator.orcid: curator.name or curator.orcid for curator in desk.store.curators.all()}
    first_week = monday(today) - timedelta(weeks=WEEKS - 1)
    counts: Counter[tuple[str, str, str]] = Counter()
    for day_count in desk.store.activity.days(blind_reader(desk, reader)):
        try:
            week = monday(date.fromisoformat(day_count.day))
        except ValueError:
            continue  # a time that another program wrote
        if week < first_week:
            continue
        if day_count.what == "proposed":
            counts[week.isoformat(), "proposed", ""] += day_count.count
        elif day_count.what == "exported":
            who = names.get(day_count.curator, day_count.curator)
            counts[week.isoformat(), "exported", who] += day_count.count
        elif day_count.what in DECIDED:
            who = names.get(day_count.curator, day_count.curator)
            counts[week.isoformat(), "decided", who] += day_count.count
            if day_count.what == Verdict.APPROVE:
                counts[week.isoformat(), "approved", who] += day_count.count
    return [
        WeekCount(*week_kind_person, count) for week_kind_person, count in sorted(counts.items())
    ]


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def recent_documents(desk: HasStore, reader: str | None = None) -> list[DocumentRow]:
    """The documents that came last, the newest first."""
    return overview.list_documents(desk, limit=RECENT, reader=reader)
