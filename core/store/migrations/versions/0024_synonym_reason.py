"""A name that a curator gave to a term says why."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("synonyms", sa.Column("reason", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("synonyms", "reason")
