"""An export format: one plain sentence a statement, with its papers."""

from __future__ import annotations

from collections.abc import Iterator

from core.kb.entry import KnowledgeBase, document_of
from core.kb.formats.specification import ExportFormat
from core.model import relation_words, thing_words


def chunks(kb: KnowledgeBase) -> Iterator[bytes]:
    """Sorted, so that the same statements give the same bytes."""
    if kb.draft:
        yield b"Undecided: nobody has approved these statements.\n"
    for entry in kb.sorted():
        said = entry.statement
        words = [
            thing_words(said.subject),
            relation_words(said.predicate),
            thing_words(said.object),
        ]
        papers = ", ".join(sorted({document_of(piece) for piece in entry.evidence} - {""}))
        denied = "It is not true that " if said.negated else ""
        yield f"{denied}{' '.join(words)}. [{papers or 'no paper'}]\n".encode()


SENTENCES = ExportFormat("sentences", "Sentences", ".txt", "text/plain", chunks, drafts=True)
