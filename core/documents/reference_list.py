"""Whether references follow a heading that promises them, and how far they go: a column of a table
may be called "References", too, and what stands below it is the paper's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.documents.paper import REFERENCES
from core.documents.reference_entry import ENTRY

LEAST = 0.25  # share of the lines of a list that show one; an entry runs over at most four lines
FEWEST = 6  # entries by which a list is known without its heading
WRAPPED = 3  # lines after the last that shows an entry, while a line has not ended
# The end of a line that goes on with the next: a word or a comma; no stop, page or DOI.
_GOES_ON = re.compile(r"(?:^|\s)(?:[^\W\d_]+[-‐]?|[^\s/]*[,:&(])$")


def references_end(lines: Sequence[str]) -> int:
    """How many of the lines (or paragraphs) below a heading are references; 0 where none follow.
    The list ends where what comes after has too few entries to be one.

    >>> references_end(["1. Roe A. Tau. Brain 2001;4:5.", "", "Tau rose in all mice."])
    1
    >>> references_end(["Aspirin", "5 mg", "Tau rose in all mice (Roe et al., 2001)."])
    0
    """
    best = total = 0.0
    end = 0
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        total += (1 if ENTRY.search(line.strip()) else 0) - LEAST
        if total > best or (total == best and end):
            best, end = total, place + 1
    wrapped = end
    while end and wrapped < min(len(lines), end + WRAPPED):
        if not lines[wrapped].strip() or not _GOES_ON.search(lines[wrapped - 1].rstrip()):
            break
        wrapped += 1
    return wrapped if end else 0


def densest_list(lines: Sequence[str]) -> tuple[int, int]:
    """Where, in all lines of a document, the list of references is by its entries alone: the
    half-open range in which they are densest; (0, 0) for none of at least `FEWEST` entries.
    """
    best = total = 0.0
    begin = end = start = 0
    for place, line in enumerate(lines):
        if total <= 0:
            total, start = 0.0, place
        total += (1 if ENTRY.search(line.strip()) else 0) - LEAST
        if total > best:
            best, begin, end = total, start, place + 1
    entries = sum(1 for line in lines[begin:end] if ENTRY.search(line.strip()))
    return (begin, end) if entries >= FEWEST else (0, 0)


def references_apart(
    name: str, lines: Sequence[str], before: str = ""
) -> Iterator[tuple[str, list[str], str]]:
    """What stands below the heading `name`, which promises references, as (name, lines, kind): the
    references, and the text after them, which goes on with the section `before`. All of it is text
    where no references follow.
    """
    end = references_end(lines)
    if end:
        yield name, list(lines[:end]), REFERENCES
    if any(line.strip() for line in lines[end:]):
        yield (before if end else name), list(lines[end:]), ""
