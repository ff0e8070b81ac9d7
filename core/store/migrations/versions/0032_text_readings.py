"""What became of each letter of the source of a text, and who looked at what was warned of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "text_readings",
        sa.Column("sha", sa.Text(), nullable=False),
        sa.Column("ledger", sa.Text(), nullable=True),
        sa.Column("warnings", sa.Text(), nullable=True),
        sa.Column("looked_by", sa.Text(), server_default="", nullable=False),
        sa.Column("looked", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("sha", name=op.f("pk_text_readings")),
    )


def downgrade() -> None:
    op.drop_table("text_readings")
