"""The name at the time in each decision, a role for each curator, and how likely each waiting
statement is.

Decisions made before this carry the name that their curator has now: a later one no longer changes
them.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("curators", sa.Column("role", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "rankings",
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("statement", name=op.f("pk_rankings")),
    )
    op.create_index(op.f("ix_rankings_probability"), "rankings", ["probability"], unique=False)
    _name_old_decisions(op.get_bind())


def _name_old_decisions(connection: sa.Connection) -> None:
    curators = sa.table("curators", sa.column("orcid"), sa.column("name"))
    decisions = sa.table("decisions", sa.column("id"), sa.column("curator"), sa.column("body"))
    names = {
        row.orcid: row.name
        for row in connection.execute(sa.select(curators.c.orcid, curators.c.name))
        if row.name
    }
    has_name = decisions.c.curator.in_(list(names))
    for row in connection.execute(
        sa.select(decisions.c.id, decisions.c.curator, decisions.c.body).where(has_name)
    ).all():
        body = {**json.loads(row.body), "curator_name": names[row.curator]}
        connection.execute(
            sa.update(decisions)
            .where(decisions.c.id == row.id)
            .values(body=json.dumps(body, separators=(",", ":")))
        )


def downgrade() -> None:
    op.drop_table("rankings")
    op.drop_column("curators", "role")
