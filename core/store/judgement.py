"""What people judged: the relevance of papers, the quality of answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from sqlalchemy import Table, insert, select

from core.store.database import Repository
from core.store.table import judgements, ratings


@dataclass(frozen=True, slots=True)
class RelevanceJudgement:
    """A verdict of triage on a paper (include, exclude, maybe) or a chunk (no evidence here). The
    latest one counts.
    """

    namespace: str
    document: str
    verdict: str
    chunk: str = ""
    reason: str = ""
    question: str = ""
    curator: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRating:
    """An answer's rating: wrong 0 to excellent 4."""

    run: str
    mode: str
    stars: int
    curator: str = ""
    time: str = ""


class JudgementRepository(Repository):
    def add(self, judgement: RelevanceJudgement) -> None:
        self._insert(judgements, judgement)

    def of_namespaces(self, names: Sequence[str]) -> list[RelevanceJudgement]:
        """Every judgement made in these namespaces, oldest first."""
        query = (
            select(judgements)
            .where(judgements.c.namespace.in_(list(names)))
            .order_by(judgements.c.seq)
        )
        with self.reading() as connection:
            return [
                RelevanceJudgement(
                    **{part.name: getattr(row, part.name) for part in fields(RelevanceJudgement)}
                )
                for row in connection.execute(query)
            ]

    def add_rating(self, rating: AnswerRating) -> None:
        self._insert(ratings, rating)

    def _insert(self, table: Table, row: RelevanceJudgement | AnswerRating) -> None:
        """A row of the fields' own names; its time is now unless it has one."""
        with self.writing() as connection:
            connection.execute(
                insert(table).values({**asdict(row), "time": row.time or self.clock()})
            )

    def ratings(self) -> list[AnswerRating]:
        """The latest rating of each run by each curator, oldest first."""
        latest: dict[tuple[str, str], AnswerRating] = {}
        with self.reading() as connection:
            for r in connection.execute(select(ratings).order_by(ratings.c.seq)):
                latest[r.run, r.curator] = AnswerRating(
                    r.run, r.mode, r.stars, curator=r.curator, time=r.time
                )
        return list(latest.values())
