"""The years of papers that a question asks for (`papers on TP53 since 2020`); PubMed's record of a
paper states its date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.genes.answer import RecordProof
from core.ncbi.record import NcbiRecord

_LAST = 9999  # of years without an end


@dataclass(frozen=True, slots=True)
class PaperYears:
    """The first and the last year that is asked for, both included, and the words that say so."""

    first: int
    last: int
    said: str

    @property
    def period(self) -> str:
        """`2021`, `2015–2018`, `2020 or later`, `2009 or before`."""
        if self.last == _LAST:
            return f"{self.first} or later"
        if not self.first:
            return f"{self.last} or before"
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    def include(self, record: NcbiRecord) -> bool:
        """Whether PubMed's date begins with one of the years (`2023 May 4`)."""
        year = re.match(r"\d{4}", str(record.get("pubdate")))
        return year is not None and self.first <= int(year[0]) <= self.last

    def proof(self, record: NcbiRecord, call: str) -> RecordProof:
        place = record.pointers.get("pubdate", "")
        return RecordProof(call, record.id, place, str(record.get("pubdate")))


_YEAR = r"((?:19|20)\d{2})"
# how years are asked for, and the first and the last of them
_WAYS: tuple[tuple[str, Callable[..., tuple[int, int]]], ...] = (
    # `between 2019 and 2021`, `2019-2021`
    (
        rf"(?:published )?\b(?:(?:between|from|in) )?{_YEAR} ?(?:-|–|and|to|until|till) ?{_YEAR}\b",
        lambda first, last: (first, last),
    ),
    # `since 2020`, `from 2020 on`
    (
        rf"(?:published )?\b(?:since {_YEAR}|from {_YEAR} on(?:wards?)?)\b",
        lambda year: (year, _LAST),
    ),
    (rf"(?:published )?\bafter {_YEAR}\b", lambda year: (year + 1, _LAST)),
    (rf"(?:published )?\bbefore {_YEAR}\b", lambda year: (0, year - 1)),
    (rf"(?:published )?\b(?:until|up to|till) {_YEAR}\b", lambda year: (0, year)),
    # `published in 2023`, `from 2023`, `2023 papers`
    (
        rf"(?:published )?\b(?:(?:in|from|of) (?:the year )?{_YEAR}\b"
        rf"|^{_YEAR}\b(?= (?:papers?|articles?|publications?)\b)|{_YEAR}$)",
        lambda year: (year, year),
    ),
)


def years_of(words: str) -> PaperYears | None:
    """The years that the words ask for; None where they name none."""
    said = words.rstrip("?.! ")
    for pattern, ends in _WAYS:
        if match := re.search(pattern, said, re.I):
            first, last = ends(*(int(year) for year in match.groups() if year))
            return PaperYears(first, last, match[0])
    return None
