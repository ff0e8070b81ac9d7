"""Which papers and passages are shown: by year, journal, type, section, text and verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.literature.chunk import Chunk
from core.model import Json

UNJUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class PaperFilter:
    """What a paper must be to be shown; what is empty asks nothing. Years are inclusive, 0 open.
    `kinds`: abstract, full text or text; `verdicts`: those that stand, or `UNJUDGED`; `sections`
    counts for passages alone.
    """

    since: int = 0
    until: int = 0
    journals: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return self != NO_FILTER

    def admits(self, body: Json, kind: str, verdict: str = "") -> bool:
        """Whether a paper passes, by what is known of it. A paper without a year is in no range of
        years.
        """
        year = int(str(body.get("year", ""))[:4]) if str(body.get("year", ""))[:4].isdigit() else 0
        dated = not (self.since or self.until)
        dated = dated or (year > 0 and self.since <= year <= (self.until or 9999))
        return (
            dated
            and (not self.journals or str(body.get("journal", "")) in self.journals)
            and (not self.types or bool(self.types & {*body.get("types", ())}))
            and (not self.kinds or kind in self.kinds)
            and (not self.verdicts or (verdict or UNJUDGED) in self.verdicts)
        )


NO_FILTER = PaperFilter()


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """The papers that pass, and the sections of theirs that do (all, where none is named)."""

    documents: frozenset[str]
    sections: frozenset[str] = frozenset()

    def admits(self, chunk: Chunk) -> bool:
        return chunk.document in self.documents and (
            not self.sections or (chunk.section or chunk.kind) in self.sections
        )


@dataclass(frozen=True, slots=True)
class FilterChoices:
    """What there is to choose from, with the papers of each, the most frequent first."""

    years: tuple[int, int]
    journals: Mapping[str, int]
    types: Mapping[str, int]
    kinds: Mapping[str, int]
    sections: Sequence[str]
