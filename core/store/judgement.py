"""What people judged: the relevance of papers, the quality of answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select

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
class Rating:
    """An answer's rating: wrong 0 to excellent 4."""

    run: str
    mode: str
    stars: int
    curator: str = ""
    time: str = ""


class JudgementRepository(Repository):
    def add(self, judgement: RelevanceJudgement) -> None:
        with self.writing() as connection:
            connection.execute(
                insert(judgements).values(
                    namespace=judgement.namespace,
                    document=judgement.document,
                    chunk=judgement.chunk,
                    verdict=judgement.verdict,
                    reason=judgement.reason,
                    question=judgement.question,
                    curator=judgement.curator,
                    time=judgement.time or self.clock(),
                )
            )

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
                    r.namespace,
                    r.document,
                    r.verdict,
                    r.chunk,
                    r.reason,
                    r.question,
                    r.curator,
                    r.time,
                )
                for r in connection.execute(query)
            ]

    def add_rating(self, rating: Rating) -> None:
        with self.writing() as connection:
            connection.execute(
                insert(ratings).values(
                    run=rating.run,
                    mode=rating.mode,
                    stars=rating.stars,
                    curator=rating.curator,
                    time=rating.time or self.clock(),
                )
            )

    def ratings(self) -> list[Rating]:
        """The latest rating of each run by each curator, oldest first."""
        latest: dict[tuple[str, str], Rating] = {}
        with self.reading() as connection:
            for r in connection.execute(select(ratings).order_by(ratings.c.seq)):
                latest[r.run, r.curator] = Rating(r.run, r.mode, r.stars, r.curator, r.time)
        return list(latest.values())
