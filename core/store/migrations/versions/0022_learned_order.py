"""The learned order stands beside each statement, so that an index gives it."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

COLUMNS = {"learned_doubt": "0.5", "learned_margin": "0"}


def upgrade() -> None:
    for name, default in COLUMNS.items():
        column = sa.Column(name, sa.Float(), server_default=default, nullable=False)
        op.add_column("statements", column)
    for probability, learned in (
        ("1 - probability", "learned_doubt"),
        ("abs(probability - 0.5)", "learned_margin"),
    ):
        value = f"SELECT {probability} FROM rankings WHERE rankings.statement = statements.id"
        ranked = "SELECT statement FROM rankings"
        op.execute(f"UPDATE statements SET {learned} = ({value}) WHERE id IN ({ranked})")
    for name in COLUMNS:
        op.create_index(f"ix_statements_state_{name}_seq", "statements", ["state", name, "seq"])
    op.drop_table("rankings")


def downgrade() -> None:
    op.create_table(
        "rankings",
        sa.Column("statement", sa.Text(), server_default="", nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("statement", name=op.f("pk_rankings")),
    )
    op.create_index(op.f("ix_rankings_probability"), "rankings", ["probability"])
    op.execute(
        "INSERT INTO rankings (statement, probability)"
        " SELECT id, 1 - learned_doubt FROM statements WHERE state IN ('proposed', 'unsure')"
    )
    for name in COLUMNS:
        op.drop_index(f"ix_statements_state_{name}_seq", "statements")
        op.drop_column("statements", name)
