"""Documents, their text versions, and places in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open offsets into one text version; `text[start:end]` is the quote."""

    start: int
    end: int

    def quote(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, span: Span) -> bool:
        """Whether they share a character; spans that only touch do not.

        >>> Span(0, 7).overlaps(Span(6, 9)), Span(0, 7).overlaps(Span(7, 9))
        (True, False)
        """
        return self.start < span.end and span.start < self.end


@dataclass(frozen=True, slots=True)
class Document:
    """One paper or text. `id` is its best identifier: a CURIE (PMID:1, PMCID:…, DOI:…) or `doc:` +
    a digest.

    `ids` holds every known identifier of the same paper, sorted.
    """

    id: str
    title: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextVersion:
    """A text of a document, fixed at entry: line ends are LF, no NUL, the title included. `sha` is
    its SHA-256.
    """

    sha: str
    document: str
    text: str
    kind: str = "pasted"  # abstract, full text, pasted, …
