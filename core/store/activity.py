"""What happened in the project, counted by day."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from core.codec import from_json
from core.model import Decision, Verdict
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.queue_filter import unknown_to
from core.store.table import decisions, release_statements, releases, statements

DAY = 10  # characters of a time that say its day, 2026-11-22


@dataclass(frozen=True, slots=True)
class DayCount:
    """`what` is proposed, exported, or the verdict; `curator` an ORCID, "" for what was proposed.
    What was taken back counts as if it had never been decided.
    A statement is exported on the day of the first release that holds it.
    """

    day: str
    what: str
    curator: str
    count: int


class ActivityRepository(Repository):
    def days(self, blind_to: str | None = None) -> list[DayCount]:
        """Statements proposed and decided, by day in UTC and by curator, in order of time. With
        `blind_to`, a curator's ORCID, without how others judged what still waits for that curator.
        """
        day_proposed = func.substr(statements.c.created, 1, DAY)
        proposed = select(day_proposed, func.count()).group_by(day_proposed)
        when = func.substr(decisions.c.time, 1, DAY)
        columns = (when, decisions.c.verdict, decisions.c.curator)
        judged = select(*columns, func.count()).group_by(*columns)
        judged = judged.where(decisions.c.verdict != str(Verdict.UNDO))
        if blind_to is not None:
            judged = judged.join(statements, statements.c.id == decisions.c.statement)
            judged = judged.where(~unknown_to(blind_to))
        first_releases = (
            select(release_statements.c.statement, func.min(releases.c.seq).label("seq"))
            .join(releases, releases.c.number == release_statements.c.release)
            .group_by(release_statements.c.statement)
            .subquery()
        )
        made_public = func.substr(releases.c.created, 1, DAY)
        released = (
            select(made_public, releases.c.curator, func.count())
            .join(first_releases, first_releases.c.seq == releases.c.seq)
            .group_by(made_public, releases.c.curator)
        )
        with self.reading() as connection:
            day_counts = [
                DayCount(day, "proposed", "", n) for day, n in connection.execute(proposed)
            ]
            counts = Counter(
                {(day, verdict, who): n for day, verdict, who, n in connection.execute(judged)}
            )
            for part in id_batches(_taken_back(connection)):
                undone = connection.execute(judged.where(decisions.c.id.in_(part)))
                for day, verdict, who, n in undone:
                    counts[day, verdict, who] -= n
            day_counts += [DayCount(*place, n) for place, n in counts.items() if n]
            day_counts += [
                DayCount(day, "exported", curator, n)
                for day, curator, n in connection.execute(released)
            ]
        return sorted(
            day_counts, key=lambda day_count: (day_count.day, day_count.what, day_count.curator)
        )


def _taken_back(connection: Connection) -> list[str]:
    """Ids of decisions that were undone; an undone undo restores what it had taken back."""
    undoing = select(decisions.c.body).where(decisions.c.verdict == str(Verdict.UNDO))
    undone: set[str] = set()
    for body in connection.scalars(undoing.order_by(decisions.c.seq.desc())):
        undo: Decision = from_json(Decision, body)
        if undo.id not in undone:
            undone.add(undo.undoes)
    return sorted(undone)
