"""How likely each waiting statement is to be approved, as the local model says. Can be made anew at
any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, Integer, bindparam, cast, func, select, update

from core.model import RankOrder, State
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.table import decisions, evidence, statements, support

_TOGETHER = 1_000  # statements of one transaction: curators who decide meanwhile hardly wait


_COLUMNS = {
    RankOrder.LIKELY: statements.c.learned_doubt,
    RankOrder.UNCERTAIN: statements.c.learned_margin,
}


class RankingRepository(Repository):
    def replace(self, probabilities: Mapping[str, float]) -> None:
        """Put this ranking in place of the one before; only what changed is written.

        Probabilities, 0 to 1, are kept to four places. Other statements keep what they had. Written
        in parts: one that is cut short leaves some statements where they stood before.
        """
        doubts = {id: round(1 - share, 4) for id, share in probabilities.items()}
        changed = [
            {
                "key": id,
                "learned_doubt": doubts[id],
                "learned_margin": round(abs(doubts[id] - 0.5), 4),
            }
            for id, before in self._doubts(list(doubts))
            if before != doubts[id]
        ]
        change = update(statements).where(statements.c.id == bindparam("key"))
        change = change.values(
            {name: bindparam(name) for name in ("learned_doubt", "learned_margin")}
        )
        for start in range(0, len(changed), _TOGETHER):
            rows = changed[start : start + _TOGETHER]
            with self.writing(durable=False) as connection:
                connection.execute(change, rows)

    def of(self, ids: Sequence[str]) -> dict[str, float]:
        """Probabilities, 0 to 1, of these statements; 0.5 (in the middle) for what came later."""
        return {id: round(1 - doubt, 4) for id, doubt in self._doubts(ids)}

    def waiting(self, order: RankOrder, limit: int = 0) -> list[str]:
        """Statements that are proposed, in this order; alike ones as they were proposed."""
        query = (
            select(statements.c.id)
            .where(statements.c.state == str(State.PROPOSED))
            .order_by(_COLUMNS[order], statements.c.seq)
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

    def decided_moment(self) -> tuple[float, ...]:
        """What lessons of decided statements rest on: beside the newest decision and statement, the
        newest evidence, and how much of it the judges of support saw and what they said.
        """
        queries = (
            select(cast(func.max(evidence.c.seq), Integer)),
            select(func.count()).select_from(support),
            select(func.sum(support.c.probability)),
        )
        with self.reading() as connection:
            return (*self.moment(), *(connection.scalar(query) or 0 for query in queries))

    def _doubts(self, ids: Sequence[str]) -> Iterator[tuple[str, float]]:
        with self.reading() as connection:
            for part in id_batches(ids):
                yield from _doubts_of(connection, part)


def _doubts_of(connection: Connection, ids: Sequence[str]) -> Iterator[tuple[str, float]]:
    query = select(statements.c.id, statements.c.learned_doubt).where(statements.c.id.in_(ids))
    for row in connection.execute(query):
        yield row.id, row.learned_doubt
