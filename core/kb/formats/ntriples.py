"""N-Triples: one sorted line a triple, for bulk loading."""

from __future__ import annotations

from rdflib import Literal as Value
from rdflib import URIRef

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat, at_once
from core.kb.rdf.association import triples


def ntriples(kb: KnowledgeBase) -> bytes:
    lines = {f"{part(s)} {part(p)} {part(o)} .\n" for s, p, o in triples(kb)}
    return "".join(sorted(lines)).encode()


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


NTRIPLES = ExportFormat(
    "nt", "N-Triples", ".nt", "application/n-triples", at_once(ntriples), drafts=True
)
