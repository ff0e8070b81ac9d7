"""KGX: nodes.tsv and edges.tsv as the Biolink tools read them, in one ZIP.

A negated edge has `negated` true, and a hypothesis or a qualified statement keeps its words in
columns of its own: readers that ignore these columns must not be given the file as plain edges, so
`is_plain` says which may be drawn.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence

from core.kb.entry import ExportEntry, KnowledgeBase, document_of, key, settled
from core.kb.formats.specification import ExportFormat, at_once
from core.kb.rdf import iri
from core.kb.rdf.association import KNOWLEDGE_LEVEL, TYPED, VALIDATED
from core.kb.rdf.node import clean
from core.model import Literal, Node, Term, TextGround, Thing

NODES = ("id", "category", "name", "provided_by")
EDGES = (
    *(
        "id",
        "subject",
        "predicate",
        "object",
        "category",
        "negated",
        "knowledge_level",
        "agent_type",
    ),
    *(
        "primary_knowledge_source",
        "publications",
        "supporting_text",
        "qualifiers",
        "modality",
        "is_plain",
    ),
)
EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed time, so that equal content is equal bytes


def kgx(kb: KnowledgeBase) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in (("nodes.tsv", nodes(kb)), ("edges.tsv", edges(kb))):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), rows, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def nodes(kb: KnowledgeBase) -> bytes:
    found = settled(kb.entries)
    drawn = {
        key(end, e.statement.document)
        for e in kb.entries
        for end in ends(e)
        if isinstance(end, Term | Node)
    }
    values = {end.value: end for e in kb.entries for end in ends(e) if isinstance(end, Literal)}
    rows = [(name, category(found[name]), found[name].label, kb.base_iri) for name in sorted(drawn)]
    rows += [
        (name_of(literal), "biolink:Attribute", literal.value, kb.base_iri)
        for literal in values.values()
    ]
    return tsv(NODES, sorted(set(rows)))


def ends(entry: ExportEntry) -> tuple[Thing, Thing]:
    return entry.statement.subject, entry.statement.object


def category(thing: Term | Node) -> str:
    return iri.CLASSES[thing.category].replace(iri.BIOLINK, "biolink:")


def name_of(thing: Thing, document: str = "") -> str:
    if isinstance(thing, Literal):
        return f"value:{thing.value} {thing.unit}".strip()
    return key(thing, document)


def edges(kb: KnowledgeBase) -> bytes:
    return tsv(EDGES, [edge(entry, kb) for entry in kb.sorted()])


def edge(entry: ExportEntry, kb: KnowledgeBase) -> tuple[str, ...]:
    statement = entry.statement
    quotes = [
        piece.ground.quote for piece in entry.evidence if isinstance(piece.ground, TextGround)
    ]
    papers = {document_of(piece) for piece in entry.evidence} - {""}
    qualifiers = [f"{q.name}={name_of(q.value) or q.value}" for q in statement.qualifiers]
    return (
        statement.id,
        name_of(statement.subject, statement.document),
        statement.predicate.id,
        name_of(statement.object, statement.document),
        "biolink:Association",
        "true" if statement.negated else "false",
        KNOWLEDGE_LEVEL,
        VALIDATED if entry.by_machine else TYPED,
        kb.base_iri,
        "|".join(sorted(papers)),
        "|".join(quote.replace("|", "¦") for quote in quotes),
        "|".join(qualifiers),
        str(statement.modality),
        "true" if entry.is_plain else "false",
    )


def tsv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Tab-separated UTF-8. A cell that a spreadsheet would run as a formula gets a leading
    apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(header)
    writer.writerows([cell(words) for words in row] for row in rows)
    return out.getvalue().encode()


def cell(words: str) -> str:
    flat = " ".join(clean(words).split())
    return (
        "'" + flat
        if flat[:1] in ("=", "+", "@") or (flat[:1] == "-" and not number(flat))
        else flat
    )


def number(words: str) -> bool:
    try:
        float(words)
    except ValueError:
        return False
    return True


KGX = ExportFormat(
    "kgx", "KGX (nodes and edges, TSV in a ZIP)", ".kgx.zip", "application/zip", at_once(kgx)
)
