"""What the judges of support said of each piece of evidence; can be made anew at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, case, delete, insert, select, update

from core.model import Support, SupportVerdict
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.table import statements, support

_BEST_FIRST = list(SupportVerdict)  # a statement counts as its best piece of evidence does


class SupportRepository(Repository):
    def put(self, verdicts: Mapping[str, tuple[str, Support]]) -> None:
        """Keep the verdicts of pieces of evidence (id → statement, verdict), in place of older
        ones; their statements show the best one.
        """
        rows = [
            {
                "evidence": piece,
                "statement": statement,
                "verdict": str(judged.verdict),
                "probability": judged.probability,
                "rules": judged.rules,
                "body": {"reasons": list(judged.reasons), "judges": list(judged.judges)},
            }
            for piece, (statement, judged) in verdicts.items()
        ]

        def work(connection: Connection) -> None:
            for part in id_batches(list(verdicts)):
                connection.execute(delete(support).where(support.c.evidence.in_(part)))
            connection.execute(insert(support), rows)
            _show_best(connection, sorted({statement for statement, _ in verdicts.values()}))

        if rows:
            self.repeating(work)

    def of_statements(self, ids: Sequence[str]) -> dict[str, dict[str, Support]]:
        """Statement → evidence → verdict, as far as they were judged."""
        found: dict[str, dict[str, Support]] = {}
        with self.reading() as connection:
            for part in id_batches(list(ids)):
                for row in connection.execute(select(support).where(support.c.statement.in_(part))):
                    found.setdefault(row.statement, {})[row.evidence] = Support(
                        SupportVerdict(row.verdict),
                        row.probability,
                        tuple(row.body["reasons"]),
                        judges=tuple(row.body["judges"]),
                        rules=row.rules,
                    )
        return found


def _show_best(connection: Connection, ids: Sequence[str]) -> None:
    """The best verdict of each statement's evidence, in its own columns."""
    rank = case({str(v): n for n, v in enumerate(_BEST_FIRST)}, value=support.c.verdict)
    for part in id_batches(list(ids)):
        best: dict[str, tuple[str, float]] = {}
        rows = connection.execute(
            select(support.c.statement, support.c.verdict, support.c.probability)
            .where(support.c.statement.in_(part))
            .order_by(rank, support.c.probability.desc())
        )
        for statement, verdict, probability in rows:
            best.setdefault(statement, (verdict, probability))
        for statement, (verdict, probability) in best.items():
            shown = {"support": verdict, "support_doubt": round(1 - probability, 6)}
            place = statements.c.id == statement
            connection.execute(update(statements).where(place).values(shown))
