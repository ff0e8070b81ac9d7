"""Turtle that people commit: sorted, and the same bytes for the same content."""

from __future__ import annotations

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat, at_once
from core.kb.rdf.association import namespaces, triples
from core.kb.rdf.turtle_block import Names, blocks

DRAFT = (
    "# DRAFT: nobody has decided these statements yet (undecided). Import them into a project to"
    " review them.\n# They were proposed by an engine or a model and are not for publication.\n"
)


def turtle(kb: KnowledgeBase) -> bytes:
    """The export as Turtle, UTF-8. Raises InputError for a CURIE or IRI that cannot be written."""
    names = Names(namespaces(kb))
    body = "\n".join(blocks(triples(kb), names))
    return f"{DRAFT if kb.draft else ''}{names.header}\n{body}".encode()


TURTLE = ExportFormat("ttl", "Turtle", ".ttl", "text/turtle", at_once(turtle), drafts=True)
