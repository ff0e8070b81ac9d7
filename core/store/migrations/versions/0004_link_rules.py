"""What words are never linked to, with reason, scope and curator."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0006"

COLUMNS = ("words", "term", "label", "category", "reason", "curator", "time", "removed")


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    op.create_table(
        "link_rules",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        words("normal"),
        *(words(name) for name in COLUMNS),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_link_rules")),
    )
    op.create_index(op.f("ix_link_rules_normal"), "link_rules", ["normal"], unique=False)


def downgrade() -> None:
    op.drop_table("link_rules")
