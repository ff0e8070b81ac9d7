"""A paper as a source gives it, and how it becomes one text with sections at known offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from core.documents.heading import part_of
from core.documents.ledger import (
    SourcePiece,
    TextLedger,
    account,
    heading_problems,
    ledger_problems,
)
from core.model import Json, Problem, TextVersion
from core.text.clean import MAX_TEXT, clean_text, text_version
from core.text.script import write_out_tags

ABSTRACT, FULL_TEXT, TEXT = "abstract", "full text", "text"
REFERENCES, CAPTION, TABLE, FRONT = "references", "caption", "table", "front"
CELLS = "cells"  # of a table whose headings are not known: no sentence, and no value says of what
NOT_READ = (REFERENCES, FRONT, CELLS)  # no passage and no statement rests on these
RETRACTED, RETRACTION, CORRECTED, CORRECTION, CONCERN = (
    "retracted",
    "retraction notice",
    "corrected",
    "correction",
    "expression of concern",
)
UPDATED = "a newer version is published"
DELETED = "deleted from PubMed"
# Control characters and halves of a character, which XML and databases refuse
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
LONGEST_TITLE = 3_000  # characters; every passage of a paper carries its title
LONGEST_FIELD = 1_000  # of a journal, a name, a keyword
_FIELDS = ("year", "journal", "volume", "issue", "pages", "doi", "entered", "language")
MOST_LINKS = 500  # of a paper to others; a much discussed one has some hundred comments
MOST_VALUES = 10_000  # authors of a paper: the largest collaborations have some 5,000


@dataclass(frozen=True, slots=True)
class PaperSection:
    """A part of a paper. `name` is its heading, "" for a part without one. `kind` sets apart what
    is not the running text: references, caption, table, cells, front (a publisher's lines).
    """

    name: str
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """What a source gives of one paper. `id` is its best identifier, `ids` all; `kind` abstract,
    full text or text.

    `entered` is the date (YYYY-MM-DD) on which the source took it in; `flags` mark retractions and
    corrections.
    """

    id: str
    title: str = ""
    sections: tuple[PaperSection, ...] = ()
    kind: str = ABSTRACT
    ids: tuple[str, ...] = ()
    year: str = ""
    journal: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    entered: str = ""
    language: str = ""
    types: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()  # ids of papers that this one retracts or corrects
    # what it is to other papers: a word of `core.identity.relation.LINKS`, and an id of the other
    links: tuple[tuple[str, str], ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""  # `123-130`, or the number of an article that has no pages
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    ledger: TextLedger | None = field(default=None, compare=False)  # where its reader keeps one

    @property
    def empty(self) -> bool:
        return not self.title.strip() and not any(section.text.strip() for section in self.sections)


def with_ledger(paper: Paper, pieces: Iterable[SourcePiece]) -> Paper:
    """The paper with what became of each piece of its source, and a warning where too much of it
    has no account.
    """
    parts = [("title", paper.title)]
    for section in paper.sections:
        parts.append((CAPTION if section.kind == TABLE else "heading", section.name))
        parts.append((section.kind or "body", section.text))
    ledger = account(pieces, parts)
    problems = [*paper.problems, *ledger_problems(ledger, paper.id)]
    for section in paper.sections:
        if section.kind == REFERENCES:
            problems += heading_problems(section.name, section.text, paper.id)
    return replace(paper, ledger=ledger, problems=tuple(problems))


def unreadable_paper(problem: Problem) -> Paper:
    """No paper, but word of one that could not be read."""
    return Paper("", problems=(problem,))


def within_limits(paper: Paper) -> Paper:
    """The paper with a title, a journal, names and keywords of a length that papers have; what is
    left out is told by Problems.
    """
    cut: dict[str, Any] = {}
    notices = list[str]()
    for name in ("title", *_FIELDS):
        most = LONGEST_TITLE if name == "title" else LONGEST_FIELD
        if len(words := getattr(paper, name)) > most:
            cut[name] = words[:most]
            notices.append(
                f"Its {name} has {len(words):,} characters; the first {most:,} are kept."
            )
    for name in ("authors", "types", "flags", "notices"):
        values = getattr(paper, name)
        if len(values) > MOST_VALUES or any(len(value) > LONGEST_FIELD for value in values):
            cut[name] = tuple(value[:LONGEST_FIELD] for value in values[:MOST_VALUES])
            notices.append(
                f"Of its {name} at most {MOST_VALUES:,} are kept, {LONGEST_FIELD:,} characters of"
                " each."
            )
    if any(len(section.name) > LONGEST_FIELD for section in paper.sections):
        cut["sections"] = tuple(
            replace(section, name=section.name[:LONGEST_FIELD]) for section in paper.sections
        )
        notices.append(f"Of a heading the first {LONGEST_FIELD:,} characters are kept.")
    if not cut:
        return paper
    problems = (
        Problem("field-too-long", words, where=paper.id[:LONGEST_FIELD]) for words in notices
    )
    return replace(paper, **cut, problems=(*paper.problems, *problems))


def assemble_paper(paper: Paper) -> tuple[TextVersion, Json]:
    """The paper's text (title first) and its body: what is known of it, with `sections` as [name,
    start, end].

    Headings stand in the text as they are, as `NAME: …` in an abstract and on a line of their own
    in a full text; in `sections` those of a full text have their usual names.
    """
    text, places = clean_title(paper.title), list[list[Any]]()
    if text:
        places.append(["Title", 0, len(text)])
    for section in paper.sections:
        words = tidy_text(section.text) if section.kind not in NOT_READ else ""
        if not words:
            continue
        text += "\n" if text else ""
        start = len(text)
        if section.name and section.name.casefold() not in ("abstract", "text"):
            text += section.name.upper() + ": " if paper.kind == ABSTRACT else section.name + "\n"
        text += words
        name = section.name if paper.kind == ABSTRACT else part_of(section.name)
        places.append([name or paper.kind.capitalize(), start, len(text)])
    version = text_version(paper.id, text[:MAX_TEXT], paper.kind)
    length = len(version.text)
    kept = [[name, start, min(end, length)] for name, start, end in places if start < length]
    return version, ({"sections": kept} if kept else {}) | paper_facts(paper)


def paper_facts(paper: Paper) -> dict[str, Any]:
    """What is known of a paper beside its title and its text; nothing is empty."""
    facts = {
        "year": paper.year,
        "journal": paper.journal,
        "volume": paper.volume,
        "issue": paper.issue,
        "pages": paper.pages,
        "authors": list(paper.authors),
        "doi": paper.doi,
        "entered": paper.entered,
        "types": list(paper.types),
        "flags": list(paper.flags),
        "notices": list(paper.notices),
        "links": [list(link) for link in paper.links[:MOST_LINKS]],
    }
    return {name: value for name, value in facts.items() if value}


def clean_title(title: str) -> str:
    """One line; PubMed's brackets around translated titles stay."""
    return " ".join(_UNREADABLE.sub(" ", write_out_tags(title)).split())


def tidy_text(text: str) -> str:
    """Paragraphs kept, other white space single; NUL and control characters gone."""
    if not text.strip():
        return ""
    text = _UNREADABLE.sub(" ", write_out_tags(text).replace("\r\n", "\n").replace("\r", "\n"))
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]
    tidied = "\n\n".join(part for part in paragraphs if part)[:MAX_TEXT]
    return clean_text(tidied) if tidied else ""
