"""Units that wait are found in their order by an index: a claim among 100,000 costs what it costs
among ten.
"""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_units_job_state", "units")
    op.create_index("ix_units_job_state_number", "units", ["job", "state", "number"])


def downgrade() -> None:
    op.drop_index("ix_units_job_state_number", "units")
    op.create_index("ix_units_job_state", "units", ["job", "state"])
