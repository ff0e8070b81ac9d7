"""What a file is read as: one text with its sections at known offsets, the references, captions and
tables set apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.documents import files
from core.documents.heading import part_of
from core.documents.ledger import TextLedger
from core.documents.paper import (
    ABSTRACT,
    NOT_READ,
    TABLE,
    Paper,
    PaperSection,
    clean_title,
    tidy_text,
)
from core.errors import InputError
from core.model import Json, Problem
from core.text.grid import grids_in

_KINDS = {
    "Title": "title",
    "Abstract": "abstract",
    "Introduction": "introduction",
    "Methods": "methods",
    "Results": "results",
    "Results and discussion": "results",
    "Discussion": "discussion",
    "Discussion and conclusions": "discussion",
    "Conclusions": "conclusions",
}


@dataclass(frozen=True, slots=True)
class ReadSection:
    """A section at half-open offsets (code points) into the text. `kind`: title, abstract, methods,
    …, body, or what is set apart: references, caption, table, front.
    """

    label: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A paper as it was read. `text` holds what extraction and passages work on; only where it was
    asked for also the references and the publisher's lines.
    """

    title: str
    ids: tuple[str, ...]
    text: str
    sections: tuple[ReadSection, ...]
    warnings: tuple[str, ...]
    ledger: TextLedger | None = None

    def json(self) -> Json:
        return {
            "title": self.title,
            "ids": list(self.ids),
            "text": self.text,
            "sections": [
                {"label": s.label, "kind": s.kind, "start": s.start, "end": s.end}
                for s in self.sections
            ],
            "tables": list(self._tables()),
            "warnings": list(self.warnings),
            **({"ledger": self.ledger.json()} if self.ledger else {}),
        }

    def _tables(self) -> Iterator[Json]:
        """The tables with headings as rows and columns; `start` and `end` are those of the lines
        that they are written in.
        """
        captions = {s.end: s.label for s in self.sections if s.kind == TABLE}
        for placed in grids_in(self.text):
            caption = next((captions[e] for e in sorted(captions) if e >= placed.span.end), "")
            yield {
                "caption": caption,
                "columns": list(placed.grid.columns),
                "rows": [list(row) for row in placed.grid.rows],
                "stub": placed.grid.stub,
                "start": placed.span.start,
                "end": placed.span.end,
            }


def papers_of(raw: bytes, name: str) -> list[Paper]:
    """All papers of a file, and the empty ones that carry Problems. Raises InputError."""
    return list(files.read_bytes(raw, name))


def only_paper(papers: list[Paper], name: str) -> Paper:
    """The paper of a file that holds one. Raises InputError for none and for several."""
    with_words = [paper for paper in papers if not paper.empty]
    if not with_words:
        message = next((p.message for paper in papers for p in paper.problems), "")
        raise InputError(f"{name or 'The file'} contains no paper with text. {message}".strip())
    if len(with_words) > 1:
        raise InputError(
            f"{name or 'The file'} holds {len(with_words):,} papers.",
            "Give one at a time, or add the file to a namespace in Literature.",
        )
    return with_words[0]


def read_as(paper: Paper, references: bool = False) -> ReadDocument:
    """A paper as one text: its title, then its sections under their headings, an empty line between
    them; what is set apart comes last. A title that the text itself begins with stands once.
    """
    title = clean_title(paper.title)
    text, places = "", list[ReadSection]()
    first_text = next((tidy_text(s.text) for s in paper.sections if s.text.strip()), "")
    if title and not " ".join(first_text.split()).startswith(title):
        text, places = title, [ReadSection("Title", "title", 0, len(title))]
    left_out = () if references else NOT_READ
    for section in sorted(paper.sections, key=lambda section: section.kind in NOT_READ):
        words = tidy_text(section.text) if section.kind not in left_out else ""
        heading = " ".join(section.name.split())
        if not words or words == text:
            continue
        start = len(text) + (2 if text else 0)
        shows_heading = (
            heading and heading.casefold() not in ("text",) and not words.startswith(heading)
        )
        text += ("\n\n" if text else "") + (f"{heading}\n\n" if shows_heading else "") + words
        places.append(ReadSection(heading, _kind(section, paper.kind), start, len(text)))
    warnings = tuple(
        f"{problem.message} {problem.hint}".strip() + _line_of(problem)
        for problem in paper.problems
    )
    ids = tuple(dict.fromkeys((paper.id, *paper.ids))) if paper.id else paper.ids
    return ReadDocument(
        title, ids, text, sections=tuple(places), warnings=warnings, ledger=paper.ledger
    )


def _line_of(problem: Problem) -> str:
    """Where in a file of many records something is to be looked at, in brackets, or ""."""
    return f" ({problem.where})" if "line " in problem.where else ""


def _kind(section: PaperSection, kind: str) -> str:
    if section.kind:
        return section.kind
    return _KINDS.get(part_of(section.name), ABSTRACT if kind == ABSTRACT else "body")
