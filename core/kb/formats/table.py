"""One row per statement, for spreadsheets: labels beside ids, quotes, who approved it and when, and
whether its evidence says it, as judges read it.
"""

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


SUPPORT = ("support", "support probability")  # whether the evidence says it, where that was asked
SAME = ("subject exact match", "object exact match")  # where a thing has other ids


def table(kb: KnowledgeBase) -> Iterator[bytes]:
    rows = (
        (*table_row(entry, kb), *_support_cells(entry, kb), *_same_cells(entry, kb))
        for entry in kb.sorted()
    )
    columns = (*HEADER, *(SUPPORT if kb.support else ()), *(SAME if kb.same else ()))
    yield from tsv(columns, rows)


def _support_cells(entry: ExportEntry, kb: KnowledgeBase) -> tuple[str, ...]:
    return kb.support_cells(entry.statement.id) if kb.support else ()


def _same_cells(entry: ExportEntry, kb: KnowledgeBase) -> tuple[str, ...]:
    """The other ids of subject and object."""
    if not kb.same:
        return ()
    ends = (entry.statement.subject, entry.statement.object)
    return tuple("; ".join(kb.same.get(id_cell(end), ())) for end in ends)


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
