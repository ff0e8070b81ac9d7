"""N-Triples: one sorted line a triple, for bulk loading."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rdflib import Literal as Value
from rdflib import URIRef

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat
from core.kb.rdf.association import triples
from core.kb.rdf.sorting import ordered

TOGETHER = 2_000  # lines


def ntriples(kb: KnowledgeBase) -> Iterator[bytes]:
    """Sorted lines, some at a time, in bounded memory."""
    lines = ordered(f"{part(s)} {part(p)} {part(o)} .\n" for s, p, o in triples(kb))
    while some := "".join(islice(lines, TOGETHER)):
        yield some.encode()


def part(term: object) -> str:
    if isinstance(term, Value):
        datatype = f"^^<{term.datatype}>" if term.datatype else ""
        return f'"{escaped(str(term))}"{datatype}'
    assert isinstance(term, URIRef)
    return f"<{term}>"


def escaped(words: str) -> str:
    """The four signs that N-Triples reserves; everything else is UTF-8."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        words = words.replace(sign, written)
    return words


NTRIPLES = ExportFormat("nt", "N-Triples", ".nt", "application/n-triples", ntriples, drafts=True)
