"""The score that an engine gave a statement, and its log odds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.model import Evidence

SURE = 0.02  # scores nearer to 0 or 1 are taken as this near


def shipped_score(evidence: Sequence[Evidence]) -> float:
    """The best score that an engine gave, 0 to 1; a half where nothing is known."""
    return max((piece.score for piece in evidence), default=0.5)


def log_odds(probability: float) -> float:
    clamped = min(max(probability, SURE), 1 - SURE)
    return math.log(clamped / (1 - clamped))
