"""Triage: verdicts on papers while reading a ranking, and how precise each ranking proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

DEPTH = 10


class PaperVerdict(StrEnum):
    INCLUDE = "include"
    EXCLUDE = "exclude"
    MAYBE = "maybe"
    NO_EVIDENCE = "no evidence here"
    UNDONE = "undone"


REASONS = (
    "wrong topic",
    "wrong species",
    "wrong study type",
    "review",
    "no full text",
    "duplicate",
    "retracted",
    "other",
)


@dataclass(frozen=True, slots=True)
class PrecisionAtTen:
    """Of the first ten papers of a ranking: judged, and relevant (included) among these; None while
    none is judged.
    """

    judged: int
    included: int

    @property
    def value(self) -> float | None:
        return self.included / self.judged if self.judged else None


def precision(
    ranked: Sequence[str], verdicts: Mapping[str, str], depth: int = DEPTH
) -> PrecisionAtTen:
    """Precision@10 of what was judged; papers count once, at their best rank. Maybe and
    unjudged do not count.
    """
    papers = list(dict.fromkeys(ranked))[:depth]
    judged = [
        verdicts[paper]
        for paper in papers
        if verdicts.get(paper)
        in (PaperVerdict.INCLUDE, PaperVerdict.EXCLUDE, PaperVerdict.NO_EVIDENCE)
    ]
    return PrecisionAtTen(
        len(judged), sum(1 for verdict in judged if verdict == PaperVerdict.INCLUDE)
    )
