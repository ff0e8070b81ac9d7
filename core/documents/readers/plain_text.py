"""Plain text files: the first short line is the title; lines that look like headings open
sections.
"""

from __future__ import annotations

import re

from core.documents.heading import ids_on_own_lines, is_references
from core.documents.paper import REFERENCES, TEXT, Paper, PaperSection
from core.text.clean import clean_text
from core.text.phrases import phrases

# A line that is nothing but a usual heading: "2. Materials and methods", "Results:", "REFERENCES".
HEADINGS = phrases(
    {
        "abstract|summary|background|introduction": "1. Introduction",
        "(?:materials? and )?methods?": "2. Materials and methods",
        "results?(?: and discussion)?|discussion|conclusions?|limitations": "Results:",
        "acknowledge?ments?": "Acknowledgements",
        "references|bibliography|(?:literature|works) cited": "REFERENCES",
        r"supplementary\b.*": "Supplementary material",
    },
    before=r"^(?:\d+(?:\.\d+)*\.?\s+)?(",
    after=r")\s*:?$",
)
# One of a list of references: "[1] Roe J. Tau. Brain 2001;4:5.", "1. Roe J. (2001) …"
_REFERENCE = re.compile(r"\s*(?:\[(\d{1,3})\]|(\d{1,3})[.)])\s.*\b(?:19|20)\d\d\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
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
    return Paper(ids[0], title, sections, kind=TEXT, ids=ids, doi=doi)


def references_start(text: str) -> int:
    """Where the list of references begins with which a text ends, under a heading or numbered from
    1; its length where it ends with none, or is nothing else.
    """
    lines = text.splitlines(keepends=True)
    headings = [place for place, line in enumerate(lines) if HEADINGS.match(line.strip())]
    begins = _references_begin(lines)
    if headings and is_references(HEADINGS.match(lines[headings[-1]].strip())[1]):  # type: ignore[index]
        below = [line for line in lines[headings[-1] + 1 :] if line.strip()]
        if 4 * sum(bool(_YEAR.search(line)) for line in below) >= len(below):
            begins = min(begins, headings[-1])
    start = len("".join(lines[:begins]))
    return start if text[:start].strip() else len(text)


def sections_of(text: str) -> tuple[PaperSection, ...]:
    """The sections of a text by its headings; its references are set apart, also those that stand
    at its end without a heading.
    """
    lines_by_heading: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        heading = HEADINGS.match(line.strip())
        if heading:
            lines_by_heading.append((heading[1].capitalize(), []))
        else:
            lines_by_heading[-1][1].append(line)
    name, last_lines = lines_by_heading[-1]
    begins = _references_begin(last_lines)
    lines_by_heading[-1:] = [(name, last_lines[:begins]), ("References", last_lines[begins:])]
    return tuple(
        PaperSection(name, "\n".join(lines), REFERENCES if is_references(name) else "")
        for name, lines in lines_by_heading
        if "\n".join(lines).strip()
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
