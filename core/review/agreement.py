"""How far two curators agree on the statements that both judged: share and Cohen's kappa (Cohen
1960).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from core.model import Verdict

JUDGED = (Verdict.APPROVE, Verdict.REJECT, Verdict.UNSURE)


@dataclass(frozen=True, slots=True)
class Agreement:
    """`both` statements judged by both, `same` alike. `kappa` is None where chance alone would
    agree on all of them.
    """

    both: int
    same: int
    kappa: float | None
    differing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Between 0 and 1; 0 when there is nothing to compare."""
        return self.same / self.both if self.both else 0.0


def agreement(verdicts: dict[str, Verdict], other_verdicts: dict[str, Verdict]) -> Agreement:
    both = sorted(verdicts.keys() & other_verdicts.keys())
    differing = tuple(name for name in both if verdicts[name] is not other_verdicts[name])
    total = len(both)
    if not total:
        return Agreement(0, same=0, kappa=None)
    first_counts, second = (
        Counter(judged[name] for name in both) for judged in (verdicts, other_verdicts)
    )
    chance = sum(first_counts[verdict] * second[verdict] for verdict in JUDGED) / total**2
    observed = (total - len(differing)) / total
    kappa = None if chance == 1 else round((observed - chance) / (1 - chance), 4)
    return Agreement(total, total - len(differing), kappa, differing)
