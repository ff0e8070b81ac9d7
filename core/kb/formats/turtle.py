"""Turtle for version control: sorted, with the same bytes for the same content."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat
from core.kb.rdf.association import namespaces, own_descriptions, shared_descriptions
from core.kb.rdf.turtle_block import ShortNames, turtle_blocks

DRAFT = (
    "# DRAFT: nobody has decided these statements yet (undecided). Import them into a project to"
    " review them.\n# They were proposed by an engine or a model and are not for publication.\n"
)


PIECE = 1 << 20  # bytes


def turtle(kb: KnowledgeBase) -> bytes:
    """The whole export. Raises InputError for a CURIE or IRI that cannot be written."""
    return b"".join(pieces(kb))


def pieces(kb: KnowledgeBase) -> Iterator[bytes]:
    """The export as Turtle, UTF-8, in bounded memory: the prefixes stand first and are known last,
    so the body waits in a file.
    """
    names = ShortNames(namespaces(kb))
    with tempfile.TemporaryFile() as body:
        for block in turtle_blocks(own_descriptions(kb), shared_descriptions(kb), names):
            body.write(f"\n{block}".encode())
        yield f"{DRAFT if kb.draft else ''}{names.header}".encode()
        if not body.tell():
            yield b"\n"
        body.seek(0)
        while piece := body.read(PIECE):
            yield piece


TURTLE = ExportFormat("ttl", "Turtle", ".ttl", mime="text/turtle", chunks=pieces, drafts=True)
