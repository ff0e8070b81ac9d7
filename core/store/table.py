"""The tables. What is asked for often has a column; the whole noun is JSON in `body`.

Migrations are written by hand to match; a test compares the two.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from core.model import Json
from core.text.clean import without_deceptive_signs

_dense = json.JSONEncoder(separators=(",", ":")).encode  # made once: `json.dumps` makes one a call


class JsonText(TypeDecorator[Json]):
    """JSON as ASCII text: the same in every database, and safe for NUL and lone surrogates."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Json, dialect: Dialect) -> str | None:
        return None if value is None else _dense(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Json:
        return None if value is None else json.loads(value)


class PortableText(TypeDecorator[str]):
    """Text that any database takes, without signs that deceive (`without_deceptive_signs`)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else without_deceptive_signs(value)


class FixedText(TypeDecorator[str]):
    """A text as it was fixed at entry; NUL and lone surrogates, which it has none of, would become
    U+FFFD.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def words(name: str, **options: Any) -> Column[str]:
    return Column(name, PortableText, nullable=False, server_default="", **options)


def flag(name: str, default: bool = False) -> Column[bool]:
    return Column(name, Boolean, nullable=False, default=default)


def count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, default=0)


def number(name: str, default: str) -> Column[float]:
    return Column(name, Float, nullable=False, server_default=default)


def key(name: str = "id") -> Column[str]:
    return Column(name, PortableText, primary_key=True)


def order() -> Column[int]:
    """Rows in the order they were added."""
    return Column("seq", Integer, primary_key=True, autoincrement=True)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


project = Table("project", metadata, key("name"), Column("value", JsonText))

curators = Table("curators", metadata, key("orcid"), words("name"), words("time"), words("role"))

documents = Table(
    "documents",
    metadata,
    key(),
    words("title"),
    words("created", index=True),
    words("year"),  # of publication, four digits
    words("journal"),
    words("notice"),  # what its source says: retracted, deleted from PubMed
    words("status"),  # and what does not withdraw it: corrected, expression of concern, preprint
)
document_ids = Table("document_ids", metadata, key("alias"), words("document", index=True))
texts = Table(
    "texts",
    metadata,
    key("document"),
    key("sha"),
    words("kind"),
    Column("text", FixedText, nullable=False, server_default=""),
    words("created"),
)
Index("ix_texts_sha", texts.c.sha)
# What became of each letter of a text's source; `warnings` are to be looked at before sending
text_readings = Table(
    "text_readings",
    metadata,
    key("sha"),
    Column("ledger", JsonText),
    Column("warnings", JsonText),
    words("looked_by"),
    words("looked"),
)

# What each source said of a paper. `outcome`: new, or the same as what was there, with the score
# and the reasons; `was`: the document that it was before a curator said that two are one.
source_records = Table(
    "source_records",
    metadata,
    order(),
    words("document", index=True),
    words("namespace"),
    words("digest", index=True),
    words("title"),
    Column("ids", JsonText),
    Column("body", JsonText),
    *map(words, ("sha", "kind")),
    Column("text", FixedText, nullable=False, server_default=""),  # of a merged abstract
    words("outcome"),
    number("score", "0"),
    Column("reasons", JsonText),
    *map(words, ("was", "added")),
)
record_keys = Table(
    "record_keys",
    metadata,
    key("key"),
    Column("record", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,  # it is looked up by its key alone: kept in that order, and once
)
# Append-only: the last row of two papers counts; one without a curator is the app's.
paper_pairs = Table(
    "paper_pairs",
    metadata,
    order(),
    words("first", index=True),
    words("second", index=True),
    words("outcome"),
    number("score", "0"),
    Column("reasons", JsonText),
    *map(words, ("relation", "note", "curator", "time")),
)

runs = Table(
    "runs",
    metadata,
    order(),
    Column("id", PortableText, nullable=False, unique=True),
    words("kind", index=True),
    words("schema"),
    words("document", index=True),
    words("created"),
    Column("body", JsonText, nullable=False),
)
results = Table(
    "results", metadata, key("run"), key("kind"), Column("body", JsonText), words("time")
)

calls = Table(
    "calls",
    metadata,
    order(),
    Column("id", PortableText, nullable=False, unique=True),
    words("run"),
    words("path"),
    words("kind"),
    words("request_hash"),
    count("occurrence"),
    words("state"),
    flag("reusable"),
    Column("request", JsonText),
    Column("answer", JsonText),
    words("error"),
    words("started"),
    Column("seconds", Float, nullable=False, default=0.0),
    count("tokens_in"),
    count("tokens_out"),
    Column("cost", Float),
    words("reused"),
    Index("ix_calls_run_request_hash", "run", "request_hash"),
    Index("ix_calls_request_hash_reusable", "request_hash", "reusable"),
)

choices = Table(
    "choices",
    metadata,
    order(),
    words("run", index=True),
    words("slot"),
    words("outcome"),
    Column("term", JsonText),
    words("curator"),
    words("time"),
)

statements = Table(
    "statements",
    metadata,
    order(),
    Column("id", PortableText, nullable=False, unique=True),
    words("state"),
    count("version"),
    words("subject", index=True),
    words("predicate", index=True),
    words("object", index=True),
    words("subject_category"),
    words("object_category"),
    flag("unsupported", True),
    flag("new_evidence"),
    words("search"),
    words("derived_from", index=True),
    words("document"),  # of its first evidence
    words("schemas"),  # of its proposals, each between bars: |recipe|
    words("engines"),  # of its evidence, the same way
    words("rules"),
    number("doubt", "1"),  # 1 less the best score of its evidence: likely right first
    number("margin", "0.5"),  # how far that score is from a half: most uncertain first
    # the same two of the chance of approval that the local model sees; a half where it saw nothing
    number("learned_doubt", "0.5"),
    number("learned_margin", "0"),
    words("support"),  # the best verdict of its evidence; "" not judged
    number("support_doubt", "0.5"),  # 1 less the probability of that verdict
    words("created"),
    Column("body", JsonText, nullable=False),
    Index("ix_statements_state_seq", "state", "seq"),
    *(
        Index(f"ix_statements_state_{shown_by}_seq", "state", shown_by, "seq")
        for shown_by in (
            "document",
            "doubt",
            "margin",
            "learned_doubt",
            "learned_margin",
            "support_doubt",
        )
    ),
    # what facets are counted by: the index alone answers, whatever the rows weigh
    Index(
        "ix_statements_facets",
        "state",
        "predicate",
        "subject_category",
        "object_category",
        "subject",
        "object",
        "unsupported",
        "new_evidence",
        "id",
    ),
    Index("ix_statements_traits", "state", "schemas", "engines", "rules"),
)
proposals = Table(
    "proposals",
    metadata,
    key("run"),
    key("statement"),
    words("schema", index=True),
    words("document", index=True),
    words("curator"),
    words("time"),
)
Index("ix_proposals_statement", proposals.c.statement)
evidence = Table(
    "evidence",
    metadata,
    order(),
    Column("id", PortableText, nullable=False, unique=True),
    words("statement", index=True),
    words("document", index=True),
    words("run", index=True),
    words("engine"),
    words("rule"),
    number("score", "1"),
    words("created"),
    Column("body", JsonText, nullable=False),
)
support = Table(
    "support",
    metadata,
    key("evidence"),
    words("statement", index=True),
    words("verdict"),
    number("probability", "0.5"),
    words("rules"),  # the version of the judges
    Column("body", JsonText, nullable=False),
)
decisions = Table(
    "decisions",
    metadata,
    order(),
    Column("id", PortableText, nullable=False, unique=True),
    words("statement"),
    Column("version", Integer, nullable=False),
    words("verdict"),
    words("curator", index=True),
    words("batch", index=True),
    words("time"),
    Column("body", JsonText, nullable=False),
    UniqueConstraint("statement", "version"),
)

claims = Table(  # who has a statement of the queue in hand, until when
    "claims", metadata, key("statement"), words("curator"), words("until", index=True)
)
views = Table(
    "views", metadata, key("name"), Column("address", JsonText), words("curator"), words("time")
)
conflict_outcomes = Table(
    "conflict_outcomes",
    metadata,
    order(),
    words("first", index=True),
    words("second"),
    words("kind"),
    words("outcome"),
    words("note"),
    words("curator"),
    words("time"),
    words("undone"),
)

document_labels = Table(
    "document_labels",
    metadata,
    order(),
    words("document", index=True),
    words("kind"),  # tag, assigned, withdrawn, retracts
    words("value"),
    words("curator"),
    words("time"),
)


def _words_and_term(name: str) -> Table:
    """What the project remembers of words: a term that they mean, or one that they never mean."""
    return Table(
        name,
        metadata,
        order(),
        words("normal", index=True),
        *map(words, ("words", "term", "label", "category", "reason", "curator", "time", "removed")),
    )


synonyms = _words_and_term("synonyms")
link_rules = _words_and_term("link_rules")

equivalences = Table(
    "equivalences",
    metadata,
    order(),
    words("first", index=True),
    *map(words, ("second", "verdict", "note", "curator", "time")),
)

jobs = Table(
    "jobs",
    metadata,
    order(),
    Column("id", PortableText, nullable=False, unique=True),
    words("name"),
    Column("arguments", JsonText),
    words("state", index=True),
    words("worker"),
    words("heartbeat"),
    count("done"),
    count("total"),
    words("message"),
    Column("result", JsonText),
    words("error"),
    words("created"),
    words("curator"),
    flag("stop"),
)

units = Table(
    "units",
    metadata,
    key("job"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    words("name"),
    words("run"),
    words("state"),
    words("message"),
    words("worker"),
    Column("lease", Float, nullable=False, default=0.0),
    count("attempts"),
    Index("ix_units_job_state_number", "job", "state", "number"),
)

namespaces = Table(
    "namespaces",
    metadata,
    key("name"),
    Column("query", JsonText),
    Column("settings", JsonText),
    count("version"),
    words("created"),
    words("updated"),
)
members = Table(
    "members",
    metadata,
    order(),
    words("namespace"),
    words("document", index=True),
    words("sha"),
    Column("body", JsonText),
    words("added"),
    UniqueConstraint("namespace", "document"),
)
judgements = Table(
    "judgements",
    metadata,
    order(),
    words("namespace", index=True),
    words("document"),
    words("chunk"),
    words("verdict"),
    words("reason"),
    words("question"),
    words("curator"),
    words("time"),
)
ratings = Table(
    "ratings",
    metadata,
    order(),
    words("run", index=True),
    words("mode"),
    count("stars"),
    words("curator"),
    words("time"),
)

# A release never changes: rows are only added. Contents are kept once, by their SHA-256, so that a
# release costs what is new in it.
releases = Table(
    "releases",
    metadata,
    order(),
    Column("number", PortableText, nullable=False, unique=True),
    words("created"),
    words("curator"),
    words("context"),
    Column("body", JsonText, nullable=False),
)
release_statements = Table(
    "release_statements", metadata, key("release"), key("statement"), words("content")
)
release_contents = Table(
    "release_contents", metadata, key("digest"), Column("body", JsonText, nullable=False)
)

gate_results = Table(
    "gate_results",
    metadata,
    key("statement"),
    Column("version", Integer, nullable=False),
    Column("body", JsonText, nullable=False),
    words("reasons"),  # why it is held back: values of HoldReason, each between bars
)
