"""The order of what waits, made anew from the decisions of one project. It never decides.

It stands on the engines' scores and on how likely the text says it: what decisions taught is added
to their log odds (see `learn_lessons`). Where that would have ordered the decided statements worse,
the lessons are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.learning.lesson import DecidedDraft, learn_lessons, taught_chance

FEW = 20  # decisions, below which no part of them can be held against the rest
FOLDS = 5  # parts of the decisions, each ordered by what the others teach


@dataclass(frozen=True, slots=True)
class WaitingDraft:
    """A statement that waits, with its signs, the score that its engine gave, and how likely its
    text says it, both 0 to 1.
    """

    signs: tuple[str, ...]
    score: float
    support: float = 0.5


def probabilities(
    decided: Sequence[DecidedDraft],
    waiting: Sequence[WaitingDraft],
    taken_back: Collection[str] = (),
) -> list[float]:
    """How likely each waiting statement is to be approved, 0 to 1, in the order given. Lessons of
    the signs that were `taken_back` do not count.

    Without decisions, or where they teach nothing: what scores and support say. The same decisions
    give the same numbers.
    """
    shifts = _shifts(decided, taken_back) if lessons_help(decided, taken_back) else {}
    return [_chance(draft, shifts) for draft in waiting]


def lessons_help(decided: Sequence[DecidedDraft], taken_back: Collection[str] = ()) -> bool:
    """Whether what part of the decisions teaches orders the rest no worse than no lesson. Too
    few to tell make small steps, and those are taken.
    """
    if len(decided) < FEW or len({one.right for one in decided}) < 2:
        return True
    taught = [0.0] * len(decided)
    for fold in range(FOLDS):
        others = [one for place, one in enumerate(decided) if place % FOLDS != fold]
        shifts = _shifts(others, taken_back)
        for place in range(fold, len(decided), FOLDS):
            taught[place] = _chance(decided[place], shifts)
    rights = [one.right for one in decided]
    return average_precision(taught, rights) >= average_precision(
        [_chance(one, {}) for one in decided], rights
    )


def average_precision(scores: Sequence[float], right: Sequence[bool]) -> float:
    """The mean precision at each right one, 0 to 1; ties count as if the wrong ones came first."""
    ranked = sorted(zip(scores, right, strict=True), key=lambda pair: (-pair[0], pair[1]))
    met, total = 0, 0.0
    for place, (_, is_right) in enumerate(ranked, 1):
        if is_right:
            met += 1
            total += met / place
    return total / met if met else 0.0


def _shifts(decided: Sequence[DecidedDraft], taken_back: Collection[str] = ()) -> dict[str, float]:
    lessons = learn_lessons(decided)
    return {lesson.sign: lesson.shift for lesson in lessons if lesson.sign not in taken_back}


def _chance(draft: DecidedDraft | WaitingDraft, shifts: Mapping[str, float]) -> float:
    return taught_chance(draft.score, draft.signs, shifts, support=draft.support)
