"""Releases with their statements, and what the gate said of each statement."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0012"


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    op.create_table(
        "releases",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        words("created"),
        words("curator"),
        words("context"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_releases")),
        sa.UniqueConstraint("number", name=op.f("uq_releases_number")),
    )
    op.create_table(
        "release_statements",
        sa.Column("release", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        words("content"),
        sa.PrimaryKeyConstraint("release", "statement", name=op.f("pk_release_statements")),
    )
    op.create_table(
        "release_contents",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_release_contents")),
    )
    op.create_table(
        "gate_results",
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("statement", name=op.f("pk_gate_results")),
    )


def downgrade() -> None:
    for name in ("gate_results", "release_contents", "release_statements", "releases"):
        op.drop_table(name)
