"""Namespaces, their members, judgements of papers, ratings of answers."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def order() -> sa.Column[int]:
    return sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False)


def upgrade() -> None:
    op.create_table(
        "namespaces",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=True),
        sa.Column("settings", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        words("created"),
        words("updated"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_namespaces")),
    )
    op.create_table(
        "members",
        order(),
        words("namespace"),
        words("document"),
        words("sha"),
        sa.Column("body", sa.Text(), nullable=True),
        words("added"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_members")),
        sa.UniqueConstraint("namespace", "document", name=op.f("uq_members_namespace_document")),
    )
    op.create_index(op.f("ix_members_document"), "members", ["document"], unique=False)
    op.create_table(
        "judgements",
        order(),
        *(
            words(name)
            for name in (
                "namespace",
                "document",
                "chunk",
                "verdict",
                "reason",
                "question",
                "curator",
                "time",
            )
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_judgements")),
    )
    op.create_index(op.f("ix_judgements_namespace"), "judgements", ["namespace"], unique=False)
    op.create_table(
        "ratings",
        order(),
        words("run"),
        words("mode"),
        sa.Column("stars", sa.Integer(), nullable=False),
        words("curator"),
        words("time"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ratings")),
    )
    op.create_index(op.f("ix_ratings_run"), "ratings", ["run"], unique=False)
