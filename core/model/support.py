"""Whether a passage says a claim: the verdict that judges come to, with how sure and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class SupportVerdict(StrEnum):
    """What a passage does to a claim, best first."""

    SUPPORTS = "supports"
    UNCLEAR = "unclear"
    SILENT = "silent"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Support:
    """One verdict. `probability` (0 to 1) is how often a claim with such a verdict is stated by its
    passage; `reasons` are plain words, the weightiest first; `judges` who was asked; `rules` names
    the version of the judges, so that a verdict of older ones is computed again.
    """

    verdict: SupportVerdict
    probability: float
    reasons: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    rules: str = ""

    @property
    def is_calibrated(self) -> bool:
        """Whether the probability was learned for such a predicate, or stands in a record."""
        return NOT_CALIBRATED not in self.reasons

    @property
    def held(self) -> bool:
        """Whether the claim is held back: its passage denies it, or says nothing of it."""
        return self.verdict in (SupportVerdict.CONTRADICTS, SupportVerdict.SILENT)


def best_of(verdicts: Iterable[Support]) -> Support | None:
    """The verdict that counts where there are several: the best. None: not judged."""
    order = list(SupportVerdict)
    return min(verdicts, key=lambda s: (order.index(s.verdict), -s.probability), default=None)


NOT_CALIBRATED = "not calibrated for such a predicate"  # a reason: nothing was learned of its kind
NOT_JUDGED = "not judged"  # shown where no judge has looked at a claim: it is never sure
