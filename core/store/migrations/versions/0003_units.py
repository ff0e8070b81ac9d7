"""Units of jobs: a row a document or question, claimed with a lease."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    op.create_table(
        "units",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        words("name"),
        words("run"),
        words("state"),
        words("message"),
        words("worker"),
        sa.Column("lease", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("job", "number", name=op.f("pk_units")),
    )
    op.create_index(op.f("ix_units_job_state"), "units", ["job", "state"], unique=False)
