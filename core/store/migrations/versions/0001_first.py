"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "calls",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("run", sa.Text(), server_default="", nullable=False),
        sa.Column("path", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.Text(), server_default="", nullable=False),
        sa.Column("request_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("occurrence", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("reusable", sa.Boolean(), nullable=False),
        sa.Column("request", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("started", sa.Text(), server_default="", nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("tokens_in", sa.Integer(), nullable=False),
        sa.Column("tokens_out", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("reused", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_calls")),
        sa.UniqueConstraint("id", name=op.f("uq_calls_id")),
    )
    op.create_index(
        "ix_calls_request_hash_reusable", "calls", ["request_hash", "reusable"], unique=False
    )
    op.create_index("ix_calls_run_request_hash", "calls", ["run", "request_hash"], unique=False)
    op.create_table(
        "choices",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("run", sa.Text(), server_default="", nullable=False),
        sa.Column("slot", sa.Text(), server_default="", nullable=False),
        sa.Column("outcome", sa.Text(), server_default="", nullable=False),
        sa.Column("term", sa.Text(), nullable=True),
        sa.Column("curator", sa.Text(), server_default="", nullable=False),
        sa.Column("time", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_choices")),
    )
    op.create_index(op.f("ix_choices_run"), "choices", ["run"], unique=False)
    op.create_table(
        "curators",
        sa.Column("orcid", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("time", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("orcid", name=op.f("pk_curators")),
    )
    op.create_table(
        "decisions",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), server_default="", nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), server_default="", nullable=False),
        sa.Column("curator", sa.Text(), server_default="", nullable=False),
        sa.Column("batch", sa.Text(), server_default="", nullable=False),
        sa.Column("time", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_decisions")),
        sa.UniqueConstraint("id", name=op.f("uq_decisions_id")),
        sa.UniqueConstraint("statement", "version", name=op.f("uq_decisions_statement_version")),
    )
    op.create_index(op.f("ix_decisions_batch"), "decisions", ["batch"], unique=False)
    op.create_index(op.f("ix_decisions_curator"), "decisions", ["curator"], unique=False)
    op.create_table(
        "document_ids",
        sa.Column("alias", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("alias", name=op.f("pk_document_ids")),
    )
    op.create_index(op.f("ix_document_ids_document"), "document_ids", ["document"], unique=False)
    op.create_table(
        "documents",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    op.create_table(
        "evidence",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), server_default="", nullable=False),
        sa.Column("document", sa.Text(), server_default="", nullable=False),
        sa.Column("run", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_evidence")),
        sa.UniqueConstraint("id", name=op.f("uq_evidence_id")),
    )
    op.create_index(op.f("ix_evidence_document"), "evidence", ["document"], unique=False)
    op.create_index(op.f("ix_evidence_run"), "evidence", ["run"], unique=False)
    op.create_index(op.f("ix_evidence_statement"), "evidence", ["statement"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("arguments", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("worker", sa.Text(), server_default="", nullable=False),
        sa.Column("heartbeat", sa.Text(), server_default="", nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), server_default="", nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Text(), server_default="", nullable=False),
        sa.Column("curator", sa.Text(), server_default="", nullable=False),
        sa.Column("stop", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_jobs")),
        sa.UniqueConstraint("id", name=op.f("uq_jobs_id")),
    )
    op.create_index(op.f("ix_jobs_state"), "jobs", ["state"], unique=False)
    op.create_table(
        "project",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_project")),
    )
    op.create_table(
        "proposals",
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("schema", sa.Text(), server_default="", nullable=False),
        sa.Column("document", sa.Text(), server_default="", nullable=False),
        sa.Column("curator", sa.Text(), server_default="", nullable=False),
        sa.Column("time", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("run", "statement", name=op.f("pk_proposals")),
    )
    op.create_index(op.f("ix_proposals_document"), "proposals", ["document"], unique=False)
    op.create_index(op.f("ix_proposals_schema"), "proposals", ["schema"], unique=False)
    op.create_index("ix_proposals_statement", "proposals", ["statement"], unique=False)
    op.create_table(
        "results",
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("run", "kind", name=op.f("pk_results")),
    )
    op.create_table(
        "runs",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), server_default="", nullable=False),
        sa.Column("schema", sa.Text(), server_default="", nullable=False),
        sa.Column("document", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_runs")),
        sa.UniqueConstraint("id", name=op.f("uq_runs_id")),
    )
    op.create_index(op.f("ix_runs_document"), "runs", ["document"], unique=False)
    op.create_index(op.f("ix_runs_kind"), "runs", ["kind"], unique=False)
    op.create_table(
        "statements",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), server_default="", nullable=False),
        sa.Column("predicate", sa.Text(), server_default="", nullable=False),
        sa.Column("object", sa.Text(), server_default="", nullable=False),
        sa.Column("subject_category", sa.Text(), server_default="", nullable=False),
        sa.Column("object_category", sa.Text(), server_default="", nullable=False),
        sa.Column("unsupported", sa.Boolean(), nullable=False),
        sa.Column("new_evidence", sa.Boolean(), nullable=False),
        sa.Column("search", sa.Text(), server_default="", nullable=False),
        sa.Column("derived_from", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_statements")),
        sa.UniqueConstraint("id", name=op.f("uq_statements_id")),
    )
    op.create_index(
        op.f("ix_statements_derived_from"), "statements", ["derived_from"], unique=False
    )
    op.create_index(op.f("ix_statements_object"), "statements", ["object"], unique=False)
    op.create_index(op.f("ix_statements_predicate"), "statements", ["predicate"], unique=False)
    op.create_index("ix_statements_state_seq", "statements", ["state", "seq"], unique=False)
    op.create_index(op.f("ix_statements_subject"), "statements", ["subject"], unique=False)
    op.create_table(
        "synonyms",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("normal", sa.Text(), server_default="", nullable=False),
        sa.Column("words", sa.Text(), server_default="", nullable=False),
        sa.Column("term", sa.Text(), server_default="", nullable=False),
        sa.Column("label", sa.Text(), server_default="", nullable=False),
        sa.Column("category", sa.Text(), server_default="", nullable=False),
        sa.Column("curator", sa.Text(), server_default="", nullable=False),
        sa.Column("time", sa.Text(), server_default="", nullable=False),
        sa.Column("removed", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_synonyms")),
    )
    op.create_index(op.f("ix_synonyms_normal"), "synonyms", ["normal"], unique=False)
    op.create_table(
        "texts",
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("sha", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), server_default="", nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("created", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("document", "sha", name=op.f("pk_texts")),
    )
    op.create_index("ix_texts_sha", "texts", ["sha"], unique=False)
