"""What the project's curators said of two ids: that they are one thing, or that they are not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, func, insert, select

from core.store.database import Repository
from core.store.table import equivalences


class SameVerdict(StrEnum):
    """What was said last of a pair; WITHDRAWN: what the mapping sets say counts again."""

    SAME = "same"
    DIFFERENT = "different"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """One judgement of a pair of ids; `first` stands before `second` in the alphabet."""

    first: str
    second: str
    verdict: SameVerdict
    note: str
    curator: str
    time: str


class EquivalenceRepository(Repository):
    """Append-only: a later judgement of a pair counts, earlier ones stay."""

    def add(
        self, one: str, other: str, verdict: SameVerdict, curator: str, *, note: str = ""
    ) -> Equivalence:
        """Remember a judgement of two ids, whichever is given first."""
        first, second = sorted((one, other))
        judgement = Equivalence(
            first, second, verdict, note=note, curator=curator, time=self.clock()
        )
        values = {
            "first": first,
            "second": second,
            "verdict": str(verdict),
            "note": note,
            "curator": curator,
            "time": judgement.time,
        }
        with self.writing() as connection:
            connection.execute(insert(equivalences).values(**values))
        return judgement

    def stamp(self) -> int:
        """Changes whenever a judgement is added."""
        with self.reading() as connection:
            return connection.execute(select(func.max(equivalences.c.seq))).scalar() or 0

    def history(self) -> list[Equivalence]:
        """All judgements, oldest first."""
        query = select(equivalences).order_by(equivalences.c.seq)
        with self.reading() as connection:
            return [_of_row(row) for row in connection.execute(query)]

    def current(self) -> list[Equivalence]:
        """The last judgement of each pair that is in force, by its ids."""
        last = {(judgement.first, judgement.second): judgement for judgement in self.history()}
        in_force = (
            judgement for judgement in last.values() if judgement.verdict != SameVerdict.WITHDRAWN
        )
        return sorted(in_force, key=lambda judgement: (judgement.first, judgement.second))


def _of_row(row: Row[Any]) -> Equivalence:
    return Equivalence(
        row.first,
        row.second,
        SameVerdict(row.verdict),
        note=row.note,
        curator=row.curator,
        time=row.time,
    )
