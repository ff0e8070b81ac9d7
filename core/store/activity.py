"""What happened in the project, counted by day."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from core.model import Verdict
from core.store.database import Repository
from core.store.table import decisions, statements

DAY = 10  # characters of a time that say its day, 2026-11-22


@dataclass(frozen=True, slots=True)
class DayCount:
    """`what` is proposed, or the verdict; `curator` an ORCID, empty for what was proposed."""

    day: str
    what: str
    curator: str
    count: int


class ActivityRepository(Repository):
    def days(self) -> list[DayCount]:
        """Statements proposed and decided, by day in UTC and by curator, in order of time."""
        made = func.substr(statements.c.created, 1, DAY)
        proposed = select(made, func.count()).group_by(made)
        when = func.substr(decisions.c.time, 1, DAY)
        columns = (when, decisions.c.verdict, decisions.c.curator)
        judged = select(*columns, func.count()).group_by(*columns)
        judged = judged.where(decisions.c.verdict != str(Verdict.UNDO))
        with self.reading() as connection:
            day_counts = [
                DayCount(day, "proposed", "", n) for day, n in connection.execute(proposed)
            ]
            day_counts += [DayCount(*row) for row in connection.execute(judged)]
        return sorted(day_counts, key=lambda one: (one.day, one.what, one.curator))
