"""What of a file could not be read: the first thousand parts, and how many more."""

from __future__ import annotations

from core.model import Problem, Severity

MOST = 1_000  # problems that are kept, each with its reason
LEFT_OUT = "It is left out."


class UnreadParts:
    """Collects what is left out of a file, and why. However many there are, memory holds `MOST`."""

    def __init__(self, earlier: tuple[Problem, ...] = ()):
        self._problems = list(earlier)
        self._more = 0

    def add(self, reason: str, where: str) -> None:
        if len(self._problems) < MOST:
            problem = Problem("not-a-statement", reason, Severity.ERROR, where=where, hint=LEFT_OUT)
            self._problems.append(problem)
        else:
            self._more += 1

    def __bool__(self) -> bool:
        return bool(self._problems)

    @property
    def too_many(self) -> bool:
        """Whether there are more than are kept."""
        return self._more > 0

    @property
    def first_reason(self) -> str:
        """Why the first was left out; "" where none was."""
        return self._problems[0].message if self._problems else ""

    def problems(self) -> tuple[Problem, ...]:
        """A problem for each; of more than `MOST` the last says how many."""
        if not self._more:
            return tuple(self._problems)
        message = f"So were {self._more:,} more parts of the file."
        rest = Problem("not-a-statement", message, Severity.ERROR, where="the rest", hint=LEFT_OUT)
        return (*self._problems, rest)
