"""The budget of a run: the limits that a person set, and the meter that counts calls and tokens
against them (an estimate before the run is in `core/services/extract/budget.py`).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one run may go. `depth` counts nested questions below the first; tokens are in and
    out together.
    """

    depth: int = 5
    calls: int = 300
    tokens: int = 1_000_000
    parallel: int = 24
    context: bool = False  # nested questions carry the sentence that their words stand in
    max_tokens: int = 0  # of one answer; 0 leaves it to the endpoint


class BudgetMeter:
    """Counts calls and tokens of one run against its limits; shared by all chunks of a text, safe
    in threads.
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        self.calls = self.tokens = 0
        self._lock = threading.Lock()

    def take(self, tokens: int) -> bool:
        """Whether one more call of about so many tokens fits; if so it is counted."""
        with self._lock:
            if self.calls + 1 > self.limits.calls or self.tokens + tokens > self.limits.tokens:
                return False
            self.calls += 1
            self.tokens += tokens
            return True

    def add(self, tokens: int) -> None:
        """Tokens beyond those that were estimated."""
        with self._lock:
            self.tokens += tokens
