"""Dictionary recognition: every mention in a text of a name in some vocabularies.

The longest match wins; every occurrence is given; abbreviations that the text defines count as their long form.
Short names and symbols must be written as the vocabulary writes them, and common English words are not names unless
they are written so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.grounding.constraint import Constraint
from core.model import Candidate, Span

if TYPE_CHECKING:
    from core.grounding.grounder import Grounder


@dataclass(frozen=True, slots=True)
class Annotation:
    """A mention: where it is, under which key of the constraints it was found, and what it may mean, best first."""

    span: Span
    key: str
    candidates: tuple[Candidate, ...]


def annotate(grounder: Grounder, text: str, constraints: Mapping[str, Constraint]) -> list[Annotation]:
    """Mentions in the order of the text; those of one key never overlap. Offsets are code points of `text`."""
    return []
