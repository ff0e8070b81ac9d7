"""Schemas, engines and rules of a statement beside it, so that the queue counts them at once."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

TOGETHER = 2_000  # rows
SOURCES = {
    "schemas": "SELECT DISTINCT statement, schema FROM proposals WHERE schema != ''",
    "engines": "SELECT DISTINCT statement, engine FROM evidence WHERE engine != ''",
    "rules": "SELECT DISTINCT statement, rule FROM evidence WHERE rule != ''",
}


def upgrade() -> None:
    connection = op.get_bind()
    for name, source in SOURCES.items():
        column = sa.Column(name, sa.Text(), server_default="", nullable=False)
        op.add_column("statements", column)
        words: dict[str, set[str]] = {}
        for statement, word in connection.execute(sa.text(source)):
            words.setdefault(statement, set()).add(word.replace("|", "/"))
        update = sa.text(f"UPDATE statements SET {name} = :words WHERE id = :id")
        for rows in _parts(words):
            connection.execute(update, rows)
    op.create_index("ix_statements_traits", "statements", ["state", "schemas", "engines", "rules"])


def _parts(words: dict[str, set[str]]) -> Iterator[list[dict[str, str]]]:
    rows = [
        {"id": id, "words": f"|{'|'.join(sorted(trait_words))}|"}
        for id, trait_words in words.items()
    ]
    for start in range(0, len(rows), TOGETHER):
        yield rows[start : start + TOGETHER]


def downgrade() -> None:
    op.drop_index("ix_statements_traits", "statements")
    for name in SOURCES:
        op.drop_column("statements", name)
