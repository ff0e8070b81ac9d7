"""Whether two records that have title, year and first author in common contradict each other: other
pages, or another abstract, are another paper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text.fold import fold_text

SHARED = 0.5  # of the words of the shorter abstract: fewer are another abstract
FEWEST = 2  # words that tell abstracts apart
_WORD = re.compile(r"[^\W_]+")
_FIRST_PAGE = re.compile(r"([A-Za-z]?)0*(\d+)")


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """What tells apart papers of one title. `pages` as `12-19`, or an article's number; `volume`
    and `abstract` "" where the source does not say.
    """

    pages: str = ""
    volume: str = ""
    abstract: str = ""


def contradiction(facts: RecordFacts, other: RecordFacts) -> str:
    """Why two records are not one paper, in words; "" where nothing says so.

    Pages that begin at 1 without a volume are those of an article published ahead of its issue:
    they say nothing beside the pages of the issue.

    >>> contradiction(RecordFacts("1-9", "7"), RecordFacts("201-209", "7"))
    'other pages: 1-9, 201-209'
    >>> contradiction(RecordFacts("566-582", "33"), RecordFacts("1-17"))
    ''
    """
    if _pages_differ(facts, other):
        return f"other pages: {facts.pages}, {other.pages}"
    return "another abstract" if _abstracts_differ(facts.abstract, other.abstract) else ""


def _pages_differ(facts: RecordFacts, other: RecordFacts) -> bool:
    pages, other_pages = _first_page(facts.pages), _first_page(other.pages)
    if not pages or not other_pages or pages[0] != other_pages[0]:
        return False  # a number of an article beside pages: both may be right
    ahead = (pages[1] == "1" and not facts.volume and other.volume) or (
        other_pages[1] == "1" and not other.volume and facts.volume
    )
    return pages != other_pages and not ahead


def _first_page(pages: str) -> tuple[str, str] | None:
    """The letter before the first page, and the page; `S12-S19` as s and 12."""
    first = _FIRST_PAGE.match(pages.strip())
    return (first[1].casefold(), first[2]) if first else None


def _abstracts_differ(abstract: str, other: str) -> bool:
    """Whether most words of the shorter abstract are missing in the longer one; one that is cut
    short is the same.
    """
    words, others = _words(abstract), _words(other)
    fewer = min(words, others, key=len)
    if len(fewer) < FEWEST:
        return False
    return len(words & others) <= SHARED * len(fewer)


def _words(text: str) -> set[str]:
    return {fold_text(word) for word in _WORD.findall(text)}
