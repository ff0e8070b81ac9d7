"""One row per statement, for spreadsheets: labels beside ids, quotes, who approved it and when."""

from __future__ import annotations

from collections.abc import Iterator

from core.kb.entry import ExportEntry, KnowledgeBase, document_of, notices_of
from core.kb.formats.separated import tsv
from core.kb.formats.specification import ExportFormat
from core.model import Literal, Node, TextGround, Thing, relation_words

HEADER = (
    *(
        "statement",
        "subject",
        "subject label",
        "predicate",
        "predicate label",
        "object",
        "object label",
        "unit",
    ),
    *(
        "negated",
        "modality",
        "qualifiers",
        "publications",
        "quotes",
        "curators",
        "approved",
        "notice",
    ),
)


def table(kb: KnowledgeBase) -> Iterator[bytes]:
    yield from tsv(HEADER, (table_row(entry, kb) for entry in kb.sorted()))


def table_row(entry: ExportEntry, kb: KnowledgeBase) -> tuple[str, ...]:
    statement = entry.statement
    quotes = [
        piece.ground.quote for piece in entry.evidence if isinstance(piece.ground, TextGround)
    ]
    return (
        statement.id,
        id_cell(statement.subject),
        words_cell(statement.subject),
        statement.predicate.id,
        relation_words(statement.predicate),
        id_cell(statement.object),
        words_cell(statement.object),
        statement.object.unit if isinstance(statement.object, Literal) else "",
        "true" if statement.negated else "false",
        str(statement.modality),
        "; ".join(f"{q.name}: {words_cell(q.value)}" for q in statement.qualifiers),
        "; ".join(sorted({document_of(piece) for piece in entry.evidence} - {""})),
        " | ".join(quotes),
        "; ".join(dict.fromkeys(decision.curator for decision in entry.approvals)),
        entry.approvals[-1].time if entry.approvals else "",
        "; ".join(notices_of(entry, kb)),
    )


def id_cell(thing: Thing) -> str:
    return "" if isinstance(thing, Literal) else thing.id


def words_cell(thing: Thing) -> str:
    if isinstance(thing, Literal):
        return thing.value
    return thing.label or (thing.cls if isinstance(thing, Node) else thing.id)


TABLE = ExportFormat("tsv", "Table (TSV)", ".tsv", mime="text/tab-separated-values", chunks=table)
