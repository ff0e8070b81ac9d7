"""N-Triples: sorted, one line per triple, for bulk loading."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat
from core.kb.rdf.association import descriptions
from core.kb.rdf.fact import IRI, PLAIN
from core.kb.rdf.sorting import sort_texts
from core.kb.rdf.turtle_block import escape_turtle

TOGETHER = 2_000  # lines


def ntriples(kb: KnowledgeBase) -> Iterator[bytes]:
    """Sorted lines, some at a time, in bounded memory."""
    lines = sort_texts(
        f"<{subject}> <{predicate}> {value(text, datatype)} .\n"
        for subject, facts in descriptions(kb)
        for predicate, text, datatype in facts
    )
    while joined_lines := "".join(islice(lines, TOGETHER)):
        yield joined_lines.encode()


def value(text: str, datatype: str) -> str:
    if datatype == IRI:
        return f"<{text}>"
    return f'"{escape_turtle(text)}"' + ("" if datatype == PLAIN else f"^^<{datatype}>")


NTRIPLES = ExportFormat(
    "nt", "N-Triples", ".nt", mime="application/n-triples", chunks=ntriples, drafts=True
)
