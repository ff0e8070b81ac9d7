"""Year, journal and retraction of a document, why the gate holds a statement back, and an index
that answers facets.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

WITHDRAWN = ("retracted", "deleted from PubMed")
FACETS = [
    "state",
    "predicate",
    "subject_category",
    "object_category",
    "subject",
    "object",
    "unsupported",
    "new_evidence",
    "id",
]


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    for name in ("year", "journal", "notice"):
        op.add_column("documents", words(name))
    op.create_index(op.f("ix_documents_created"), "documents", ["created"])
    op.create_index("ix_statements_facets", "statements", FACETS)
    op.add_column("gate_results", words("reasons"))
    connection = op.get_bind()
    connection.execute(sa.text("DELETE FROM gate_results"))  # a memory: it is made anew
    update = sa.text(
        "UPDATE documents SET year = :year, journal = :journal, notice = :notice WHERE id = :id"
    )
    rows = connection.execute(sa.text("SELECT document, body FROM members")).all()
    details = [_details(document, body) for document, body in rows]
    if details:
        connection.execute(update, details)


def _details(document: str, body: str | None) -> dict[str, str]:
    details = json.loads(body or "null") or {}
    flags = [flag for flag in details.get("flags", ()) if flag in WITHDRAWN]
    return {
        "id": document,
        "year": str(details.get("year", ""))[:4],
        "journal": str(details.get("journal", "")),
        "notice": ", ".join(flags),
    }


def downgrade() -> None:
    op.drop_column("gate_results", "reasons")
    op.drop_index("ix_statements_facets", "statements")
    op.drop_index(op.f("ix_documents_created"), "documents")
    for name in ("notice", "journal", "year"):
        op.drop_column("documents", name)
