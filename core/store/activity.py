"""What happened in the project, counted by day."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from core.model import Verdict
from core.store.database import Repository
from core.store.queue_filter import unknown_to
from core.store.table import decisions, release_statements, releases, statements

DAY = 10  # characters of a time that say its day, 2026-11-22


@dataclass(frozen=True, slots=True)
class DayCount:
    """`what` is proposed, exported, or the verdict; `curator` an ORCID, "" for what was proposed.
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
            day_counts += [DayCount(*row) for row in connection.execute(judged)]
            day_counts += [
                DayCount(day, "exported", curator, n)
                for day, curator, n in connection.execute(released)
            ]
        return sorted(
            day_counts, key=lambda day_count: (day_count.day, day_count.what, day_count.curator)
        )
