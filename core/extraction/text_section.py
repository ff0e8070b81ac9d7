"""A part of a document's text that is extracted from alone; what is found has the offsets of the
whole text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from core.extraction.statements import Proposed
from core.model import Evidence, Json, Span, TextGround


@dataclass(frozen=True, slots=True)
class TextSection:
    """Half-open offsets into a text version, and the name of the section that they lie in, if
    known.
    """

    start: int
    end: int
    section: str = ""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def json(self) -> Json:
        return asdict(self)


def part_of(value: Json) -> TextSection | None:
    """A stored part; None for a run that reads its whole text."""
    return (
        TextSection(int(value["start"]), int(value["end"]), str(value.get("section", "")))
        if value
        else None
    )


def with_sections(claims: Sequence[Proposed], part: TextSection) -> list[Proposed]:
    """Statements whose evidence inside the part names its section."""
    return [(statement, [_placed(piece, part) for piece in pieces]) for statement, pieces in claims]


def _placed(piece: Evidence, part: TextSection) -> Evidence:
    ground = piece.ground
    if not isinstance(ground, TextGround) or not ground.span.overlaps(part.span):
        return piece
    return replace(piece, ground=replace(ground, section=part.section))
