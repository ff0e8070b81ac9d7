"""Whether the evidence of a statement says it, as the judges of support found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "support",
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), server_default="", nullable=False),
        sa.Column("verdict", sa.Text(), server_default="", nullable=False),
        sa.Column("probability", sa.Float(), server_default="0.5", nullable=False),
        sa.Column("rules", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("evidence", name=op.f("pk_support")),
    )
    op.create_index(op.f("ix_support_statement"), "support", ["statement"])
    op.add_column("statements", sa.Column("support", sa.Text(), server_default="", nullable=False))
    op.add_column(
        "statements", sa.Column("support_doubt", sa.Float(), server_default="0.5", nullable=False)
    )
    op.create_index(
        "ix_statements_state_support_doubt_seq", "statements", ["state", "support_doubt", "seq"]
    )


def downgrade() -> None:
    op.drop_index("ix_statements_state_support_doubt_seq", "statements")
    op.drop_column("statements", "support_doubt")
    op.drop_column("statements", "support")
    op.drop_index(op.f("ix_support_statement"), "support")
    op.drop_table("support")
