"""Plain text files: the first short line is the title; lines that look like headings open
sections.
"""

from __future__ import annotations

import re

from core.documents.heading import ids_on_own_lines, is_references
from core.documents.ledger import SourcePiece
from core.documents.paper import REFERENCES, TEXT, Paper, PaperSection, with_ledger
from core.documents.reference_list import references_apart, references_end
from core.text.clean import clean_text
from core.text.phrases import phrases

# A line that is nothing but a usual heading: "2. Materials and methods", "■ RESULTS", "Results:".
HEADINGS = phrases(
    {
        "abstract|summary|background|introduction": "1. Introduction",
        "(?:materials? and )?methods?": "2. Materials and methods",
        "results?(?: and discussion)?|discussion|conclusions?|limitations": "Results:",
        "acknowledge?ments?": "Acknowledgements",
        "references|bibliography|(?:literature|works) cited": "REFERENCES",
        r"supplementary\b.*": "Supplementary material",
    },
    before=r"^(?:[^\w\s]{1,3}\s+)?(?:\d+(?:\.\d+)*\.?\s+)?(",
    after=r")\s*:?$",
)
# One of a list of references: "[1] Roe J. Tau. Brain 2001;4:5.", "1. Roe J. (2001) …"
_REFERENCE = re.compile(r"\s*(?:\[(\d{1,3})\]|(\d{1,3})[.)])\s.*\b(?:19|20)\d\d\b")
LONGEST_TITLE = 300


def read_text(raw: bytes | str, id: str, name: str = "") -> Paper:
    """A paper of a text. Raises InputError for empty and binary ones."""
    text = clean_text(raw)
    first_line, _, other_lines = text.strip().partition("\n")
    titled = (
        len(first_line) <= LONGEST_TITLE
        and other_lines.strip()
        and "\t" not in first_line.strip()  # the heading row of a table
        and not first_line.rstrip().endswith((".", ",", ";"))
    )
    title, body = (first_line, other_lines) if titled else (name, text)
    sections = sections_of(body)
    first_lines = next((section.text for section in sections if not section.name), "")
    ids, doi = ids_on_own_lines(first_lines, id)
    paper = Paper(ids[0], title, sections, kind=TEXT, ids=ids, doi=doi)
    return with_ledger(paper, map(SourcePiece, text.splitlines()))


def references_start(text: str) -> int:
    """Where the list of references begins with which a text ends, under a heading or numbered from
    1; its length where it ends with none, or is nothing else.
    """
    lines = text.splitlines(keepends=True)
    headings = [place for place, line in enumerate(lines) if _promises_references(line)]
    begins = _references_begin(lines)
    if headings:
        below = lines[headings[-1] + 1 :]
        end = references_end(below)
        if end and not any(line.strip() for line in below[end:]):
            begins = min(begins, headings[-1])
    start = len("".join(lines[:begins]))
    return start if text[:start].strip() else len(text)


def _promises_references(line: str) -> bool:
    heading = HEADINGS.match(line.strip())
    return heading is not None and is_references(heading[1])


def sections_of(text: str) -> tuple[PaperSection, ...]:
    """The sections of a text by its headings; its references are set apart, also those that stand
    at its end without a heading. A line "References" that none follow is a line like others.
    """
    parts: list[tuple[str, list[str], str]] = [("", [], "")]
    lines = text.splitlines()
    headings = [place for place, line in enumerate(lines) if HEADINGS.match(line.strip())]
    parts[-1][1].extend(lines[: headings[0] if headings else len(lines)])
    for place, end in zip(headings, [*headings[1:], len(lines)], strict=False):
        name = HEADINGS.match(lines[place].strip())[1].capitalize()  # type: ignore[index]
        below = lines[place + 1 : end]
        if not is_references(name):
            parts.append((name, below, ""))
        elif references_end(below):
            before = next((name for name, _, kind in reversed(parts) if not kind), "")
            parts += references_apart(name, below, before)
        else:
            parts[-1][1].extend(lines[place:end])
    name, last_lines, kind = parts[-1]
    begins = len(last_lines) if kind else _references_begin(last_lines)
    parts[-1:] = [
        (name, last_lines[:begins], kind),
        ("References", last_lines[begins:], REFERENCES),
    ]
    return tuple(
        PaperSection(name, words, kind)
        for name, part_lines, kind in parts
        if (words := "\n".join(part_lines)).strip()
    )


def _references_begin(lines: list[str]) -> int:
    """The line with which a list of references, numbered from 1, begins that reaches to the end;
    the number of lines where there is none.
    """
    begins, numbers = len(lines), list[int]()
    for place in range(len(lines) - 1, -1, -1):
        reference = _REFERENCE.match(lines[place])
        if reference:
            begins = place
            numbers.insert(0, int(reference[1] or reference[2]))
        elif lines[place].strip():
            break
    is_list = len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))
    return begins if is_list else len(lines)
