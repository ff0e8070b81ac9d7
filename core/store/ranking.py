"""How likely each waiting statement is to be approved, as the local model says. Can be made anew at
any time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from sqlalchemy import ColumnElement, Connection, Integer, cast, delete, func, insert, select

from core.model import State
from core.store.database import Repository
from core.store.table import decisions, rankings, statements

_MANY = 500
UNRANKED = 0.5  # what arrived after the ranking stands in the middle


class RankOrder(StrEnum):
    """In which order what waits is looked at."""

    LIKELY = "likely"  # likely right first
    UNCERTAIN = "uncertain"  # nearest to a half first


def rank_column(order: RankOrder) -> ColumnElement[float]:
    """What to sort by, smallest first, beside `statements` joined to `rankings` (outer join)."""
    probability = func.coalesce(rankings.c.probability, UNRANKED)
    return -probability if order is RankOrder.LIKELY else func.abs(probability - 0.5)


class RankingRepository(Repository):
    def replace(self, probabilities: Mapping[str, float]) -> None:
        """Put this ranking in place of the one before, all or nothing."""
        rows = [{"statement": id, "probability": share} for id, share in probabilities.items()]

        def work(connection: Connection) -> None:
            connection.execute(delete(rankings))
            for start in range(0, len(rows), _MANY):
                connection.execute(insert(rankings), rows[start : start + _MANY])

        self.repeating(work)

    def of(self, ids: Sequence[str]) -> dict[str, float]:
        """Probabilities, 0 to 1, of those statements that are ranked."""
        found: dict[str, float] = {}
        with self.reading() as connection:
            for start in range(0, len(ids), _MANY):
                wanted = rankings.c.statement.in_(ids[start : start + _MANY])
                for row in connection.execute(select(rankings).where(wanted)):
                    found[row.statement] = row.probability
        return found

    def waiting(self, order: RankOrder, limit: int = 0) -> list[str]:
        """Statements that are proposed, in this order; alike ones as they were proposed."""
        query = (
            select(statements.c.id)
            .outerjoin(rankings, rankings.c.statement == statements.c.id)
            .where(statements.c.state == str(State.PROPOSED))
            .order_by(rank_column(order), statements.c.seq)
        )
        with self.reading() as connection:
            return list(connection.scalars(query.limit(limit) if limit else query))

    def moment(self) -> tuple[int, int]:
        """The newest decision and the newest statement, by their place in the log: what a ranking
        was made of.
        """
        queries = [
            select(cast(func.max(table.c.seq), Integer)) for table in (decisions, statements)
        ]
        with self.reading() as connection:
            newest = [connection.scalar(query) or 0 for query in queries]
        return newest[0], newest[1]
