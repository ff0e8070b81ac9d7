"""The export formats: one file each, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import InputError
from core.kb.entry import KnowledgeBase
from core.kb.formats.jsonld import jsonld
from core.kb.formats.kgx import kgx
from core.kb.formats.nanopub import nanopub
from core.kb.formats.ntriples import ntriples
from core.kb.formats.sssom import sssom
from core.kb.formats.table import table
from core.kb.formats.turtle import turtle
from core.kb.owl.ontology import owl


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a knowledge base. `write` gives the same bytes for the same content."""

    name: str
    title: str
    suffix: str
    mime: str
    write: Callable[[KnowledgeBase], bytes]

    @property
    def text(self) -> bool:
        """Whether a person can read it."""
        return not self.suffix.endswith(".zip")


FORMATS = (
    Format("ttl", "Turtle", ".ttl", "text/turtle", turtle),
    Format("nt", "N-Triples", ".nt", "application/n-triples", ntriples),
    Format("jsonld", "JSON-LD", ".jsonld", "application/ld+json", jsonld),
    Format("owl", "OWL ontology (Turtle)", ".owl.ttl", "text/turtle", owl),
    Format("kgx", "KGX (nodes and edges, TSV in a ZIP)", ".kgx.zip", "application/zip", kgx),
    Format("tsv", "Table (TSV)", ".tsv", "text/tab-separated-values", table),
    Format("sssom", "SSSOM mappings (TSV)", ".sssom.tsv", "text/tab-separated-values", sssom),
    Format("nanopub", "Nanopublications (TriG)", ".nanopub.trig", "application/trig", nanopub),
)


def format_named(name: str) -> Format:
    """The format, or InputError with the names there are."""
    found = next((one for one in FORMATS if one.name == name.lower().lstrip(".")), None)
    if found is None:
        raise InputError(
            f"There is no export format {name!r}.",
            f"Use one of: {', '.join(f.name for f in FORMATS)}.",
        )
    return found
