"""Tags of documents, and who they are assigned to."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0003"


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    op.create_table(
        "document_labels",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        words("document"),
        words("kind"),
        words("value"),
        words("curator"),
        words("time"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_document_labels")),
    )
    op.create_index(
        op.f("ix_document_labels_document"), "document_labels", ["document"], unique=False
    )
