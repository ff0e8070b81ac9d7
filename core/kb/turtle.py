"""Turtle that people commit: sorted, and the same bytes for the same content."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from rdflib import Literal as Value
from rdflib.plugins.serializers.turtle import TurtleSerializer

from core.kb.entry import KnowledgeBase
from core.kb.rdf import graph

DRAFT = (
    "# DRAFT: nobody has decided these statements yet (undecided). Import them into a project to review them.\n"
    "# They were proposed by an engine or a model and are not for publication.\n"
)


def turtle(kb: KnowledgeBase) -> bytes:
    """The export as Turtle, UTF-8. Raises InputError for a CURIE or IRI that cannot be written."""
    found = graph(kb)
    out = BytesIO()
    Explicit(found).serialize(out, encoding="utf-8")
    written = out.getvalue().strip() + b"\n"
    return DRAFT.encode() + written if kb.draft else written


class Explicit(TurtleSerializer):
    """rdflib's Turtle, with every number written as it was typed: its short forms turn "200" into 200.0."""

    def __init__(self, store: Any):
        super().__init__(store)
        self.known: dict[tuple[Any, bool], Any] = {}

    def getQName(self, uri: Any, gen_prefix: bool = True) -> Any:
        """A name worked out once: each is asked for many times."""
        if (uri, gen_prefix) not in self.known:
            self.known[uri, gen_prefix] = super().getQName(uri, gen_prefix)
        return self.known[uri, gen_prefix]

    def label(self, node: Any, position: Any) -> Any:
        if isinstance(node, Value):
            return node._literal_n3(use_plain=False, qname_callback=lambda name: self.getQName(name, False))
        return super().label(node, position)
