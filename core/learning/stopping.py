"""How much of what is wanted was found, and when one may stop reading.

The bound is that of Callaghan and Müller-Hansen (2020, Systematic Reviews 9:273): the papers read
last are taken for a random draw from those that were unread before them. Reading the likely ones
first finds more than such a draw, so that the bound errs to the safe side.

Deviation: theirs takes the best of as many draws as papers were read, and so is too sure when
papers are read at random. Here the draws are as many as lengths double, and share the doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DOUBT = 0.05  # chance of being wrong that is taken
SHORTEST = 20  # papers of a draw
TARGET = 0.95  # share of what is wanted that is to be found


@dataclass(frozen=True, slots=True)
class FoundEstimate:
    """Papers read and unread, those included so far, how many more the model expects, and how many
    more there may be at most with a confidence of 95 %.
    """

    papers: int
    read: int
    included: int
    expected_left: float | None  # None: nothing is learned yet
    most_left: int

    @property
    def share(self) -> float:
        """The share found that is to be expected, 0 to 1."""
        if self.expected_left is None:
            return 0.0
        expected_total = self.included + self.expected_left
        return self.included / expected_total if expected_total else 0.0

    @property
    def share_at_least(self) -> float:
        """The share found at least, with a confidence of 95 %, 0 to 1."""
        most_total = self.included + self.most_left
        return self.included / most_total if most_total else 0.0

    @property
    def enough(self) -> bool:
        """Whether one may stop: with a confidence of 95 %, 95 % is found."""
        return self.included > 0 and self.share_at_least >= TARGET


def most_left(verdicts: Sequence[bool], papers: int, doubt: float = DOUBT) -> int:
    """How many wanted papers may be unread at most, with the confidence 1 - `doubt`. `verdicts`:
    the verdicts in the order of reading, True for wanted; `papers`: read and unread together.
    """
    unread = papers - len(verdicts)
    if unread <= 0 or not len(verdicts):
        return max(unread, 0)
    drawn = _draws(len(verdicts))
    found_in_draw = np.array([sum(verdicts[len(verdicts) - size :]) for size in drawn])
    low, high = 0, unread
    while low < high:  # the largest number that no draw speaks against
        middle = (low + high + 1) // 2
        chances = _chance_of_so_few(found_in_draw, np.array(drawn), unread, middle)
        if chances.min() < doubt / len(drawn):
            high = middle - 1
        else:
            low = middle
    return low


def _draws(read_count: int) -> list[int]:
    """Lengths of the draws: all papers read, the last half of them, the last quarter, …"""
    sizes = [read_count]
    while sizes[-1] // 2 >= SHORTEST:
        sizes.append(sizes[-1] // 2)
    return sizes


def _chance_of_so_few(
    found_in_draw: NDArray[np.int_], drawn: NDArray[np.int_], unread: int, left_unread: int
) -> NDArray[np.float64]:
    """For each draw: the chance that it holds no more wanted papers than it does, were
    `left_unread` ones unread.
    """
    from scipy.stats import hypergeom

    chances: NDArray[np.float64] = hypergeom.cdf(
        found_in_draw, unread + drawn, found_in_draw + left_unread, drawn
    )
    return chances
