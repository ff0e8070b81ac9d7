"""What a judge is: it looks at a case and says what the passage does to the claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from core.model import SupportVerdict
from core.support.case import Case


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge says. `probability` (0 to 1) that the passage states the claim; None where the
    judge only reads and does not weigh. `sure`: other judges do not outvote it.
    """

    verdict: SupportVerdict
    reasons: tuple[str, ...] = ()
    probability: float | None = None
    sure: bool = False


@runtime_checkable
class Judge(Protocol):
    """A member of the family: `name` is what results call it."""

    @property
    def name(self) -> str: ...

    def opinion(self, case: Case) -> Opinion | None:
        """None where the judge has nothing to say of such a claim."""
        ...


@runtime_checkable
class JudgeAtCost(Judge, Protocol):
    """A judge whose opinion costs a call: it is not asked where another one is sure."""

    @property
    def asks_at_cost(self) -> bool: ...
