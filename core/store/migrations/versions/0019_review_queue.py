"""What the review queue is sorted and counted by, who has a slice of it in hand, saved views, and
what became of conflicts.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

TOGETHER = 1000  # rows


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def number(name: str, default: str) -> sa.Column[float]:
    return sa.Column(name, sa.Float(), server_default=default, nullable=False)


def order() -> sa.Column[int]:
    return sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False)


def upgrade() -> None:
    for column in (words("engine"), words("rule"), number("score", "1")):
        op.add_column("evidence", column)
    for column in (words("document"), number("doubt", "1"), number("margin", "0.5")):
        op.add_column("statements", column)
    _fill(op.get_bind())
    for name in ("document", "doubt", "margin"):
        op.create_index(f"ix_statements_state_{name}_seq", "statements", ["state", name, "seq"])
    op.create_table(
        "claims",
        words("statement"),
        words("curator"),
        words("until"),
        sa.PrimaryKeyConstraint("statement", name=op.f("pk_claims")),
    )
    op.create_index(op.f("ix_claims_until"), "claims", ["until"])
    op.create_table(
        "views",
        words("name"),
        sa.Column("address", sa.Text(), nullable=True),
        words("curator"),
        words("time"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_views")),
    )
    op.create_table(
        "conflict_outcomes",
        order(),
        words("first"),
        words("second"),
        words("kind"),
        words("outcome"),
        words("note"),
        words("curator"),
        words("time"),
        words("undone"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_conflict_outcomes")),
    )
    op.create_index(op.f("ix_conflict_outcomes_first"), "conflict_outcomes", ["first"])


def _fill(connection: sa.Connection) -> None:
    """Columns of old rows from their bodies."""
    evidence = sa.table(
        "evidence", *(sa.column(name) for name in ("id", "engine", "rule", "score", "body"))
    )
    best: dict[str, tuple[float, str]] = {}
    for part in _parts(connection, "SELECT id, statement, document, body FROM evidence"):
        changed = []
        for row in part:
            body = json.loads(row.body)
            score = float(body.get("score", 1.0))
            values = {"engine": body.get("engine", ""), "rule": body.get("rule", "")}
            changed.append({"key": row.id, "score": score, **values})
            before = best.get(row.statement, (0.0, row.document))
            best[row.statement] = (max(score, before[0]), before[1] or row.document)
        connection.execute(
            sa.update(evidence)
            .where(evidence.c.id == sa.bindparam("key"))
            .values({name: sa.bindparam(name) for name in ("engine", "rule", "score")}),
            changed,
        )
    statements = sa.table(
        "statements", *(sa.column(name) for name in ("id", "document", "doubt", "margin"))
    )
    for part in _parts(connection, "SELECT id, body FROM statements"):
        changed = []
        for row in part:
            score, document = best.get(row.id, (0.0, ""))
            document = document or json.loads(row.body).get("document", "")
            doubt, margin = round(1 - score, 6), round(abs(score - 0.5), 6)
            changed.append({"key": row.id, "document": document, "doubt": doubt, "margin": margin})
        connection.execute(
            sa.update(statements)
            .where(statements.c.id == sa.bindparam("key"))
            .values({name: sa.bindparam(name) for name in ("document", "doubt", "margin")}),
            changed,
        )


def _parts(connection: sa.Connection, query: str) -> Iterator[Sequence[sa.Row[Any]]]:
    rows = connection.execute(sa.text(query)).all()
    return (rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER))


def downgrade() -> None:
    for name in ("conflict_outcomes", "views", "claims"):
        op.drop_table(name)
    for name in ("document", "doubt", "margin"):
        op.drop_index(f"ix_statements_state_{name}_seq", "statements")
        op.drop_column("statements", name)
    for name in ("engine", "rule", "score"):
        op.drop_column("evidence", name)
