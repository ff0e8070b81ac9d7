"""Plain text files: the first short line is the title; lines that look like headings open
sections.
"""

from __future__ import annotations

import re

from core.documents.paper import TEXT, Paper, PaperSection
from core.text.clean import clean_text

# A line that is nothing but a usual heading: "2. Materials and methods", "Results:", "REFERENCES".
HEADINGS = re.compile(
    r"^(?:\d+(?:\.\d+)*\.?\s+)?(abstract|summary|background|introduction"
    r"|(?:materials? and )?methods?|results?(?: and discussion)?|discussion|conclusions?"
    r"|acknowledge?ments?|references|supplementary\b.*|limitations)\s*:?$",
    re.IGNORECASE,
)
LONGEST_TITLE = 300


def read_text(raw: bytes | str, id: str, name: str = "") -> Paper:
    """A paper of a text. Raises InputError for empty and binary ones."""
    text = clean_text(raw)
    first_line, _, other_lines = text.strip().partition("\n")
    titled = (
        len(first_line) <= LONGEST_TITLE
        and other_lines.strip()
        and not first_line.rstrip().endswith((".", ",", ";"))
    )
    title, body = (first_line, other_lines) if titled else (name, text)
    return Paper(id, title, sections_of(body), TEXT)


def sections_of(text: str) -> tuple[PaperSection, ...]:
    lines_by_heading: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        heading = HEADINGS.match(line.strip())
        if heading:
            lines_by_heading.append((heading[1].capitalize(), []))
        else:
            lines_by_heading[-1][1].append(line)
    return tuple(
        PaperSection(name, "\n".join(lines))
        for name, lines in lines_by_heading
        if "\n".join(lines).strip()
    )
