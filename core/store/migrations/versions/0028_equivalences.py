"""Which ids of different vocabularies are one thing, as the project's curators said."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0024"

COLUMNS = ("first", "second", "verdict", "note", "curator", "time")


def upgrade() -> None:
    op.create_table(
        "equivalences",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        *(sa.Column(name, sa.Text(), server_default="", nullable=False) for name in COLUMNS),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_equivalences")),
    )
    op.create_index(op.f("ix_equivalences_first"), "equivalences", ["first"], unique=False)


def downgrade() -> None:
    op.drop_table("equivalences")
