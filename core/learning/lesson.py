"""What decisions teach: how much more, or less, likely a draft is than its engine said, for its
rule, its predicate, its terms and its engine.

Each sign is a Bayesian count (Gelman et al., Bayesian Data Analysis, §2.4): `PRIOR` decisions that
went as the engine's own scores expected, and those that curators made. Signs are counted one kind
after the other, from the general to the special, each on what the earlier ones left: the same
decision does not count four times, and few decisions make small steps.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.learning.feature import log_odds
from core.model import Evidence, Statement, Term, Thing, fold_words

PRIOR = 6.0  # decisions that the engines' own scores are worth, for each sign
KINDS = ("engine", "predicate", "rule", "term")  # in the order of counting


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sign with what curators made of its drafts: `shift` is added to their log odds."""

    sign: str
    right: int
    wrong: int
    shift: float


@dataclass(frozen=True, slots=True)
class DecidedDraft:
    """A decided draft: its signs, the engine's score (0 to 1), and whether it was right."""

    signs: tuple[str, ...]
    score: float
    right: bool


def draft_signs(statement: Statement, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The signs of a statement by which lessons are kept."""
    signs = [f"engine {piece.engine}" for piece in evidence]
    signs.append(predicate_sign(statement.predicate.label, statement.negated))
    signs += [f"rule {piece.rule}" for piece in evidence if piece.rule]
    signs += [sign for thing in (statement.subject, statement.object) for sign in term_sign(thing)]
    return tuple(dict.fromkeys(signs))


def predicate_sign(label: str, negated: bool) -> str:
    return f"predicate {'not ' * negated}{fold_words(label.replace('_', ' '))}"


def term_sign(thing: Thing) -> list[str]:
    """The sign of a term; none for a node or a plain value."""
    return [f"term {thing.id or fold_words(thing.label)}"] if isinstance(thing, Term) else []


def learn_lessons(decided: Sequence[DecidedDraft]) -> list[Lesson]:
    """The lessons of these decisions, by kind and sign; the same decisions give the same."""
    odds = [log_odds(draft.score) for draft in decided]
    lessons: list[Lesson] = []
    for kind in KINDS:
        members: dict[str, list[int]] = defaultdict(list)
        for place, draft in enumerate(decided):
            for sign in draft.signs:
                if sign.startswith(f"{kind} "):
                    members[sign].append(place)
        shifts: dict[str, float] = {}
        for sign, places in sorted(members.items()):
            right = sum(decided[place].right for place in places)
            expected = sum(_chance(odds[place]) for place in places) / len(places)
            shifts[sign] = _posterior(right, len(places), expected) - log_odds(expected)
            lessons.append(Lesson(sign, right, len(places) - right, round(shifts[sign], 3)))
        for place, draft in enumerate(decided):
            odds[place] += sum(shifts.get(sign, 0.0) for sign in draft.signs)
    return lessons


def taught_chance(score: float, signs: Iterable[str], shifts: Mapping[str, float]) -> float:
    """An engine's score, 0 to 1, with what decisions taught of a draft's signs."""
    return _chance(log_odds(score) + sum(shifts.get(sign, 0.0) for sign in signs))


def _posterior(right: int, decided: int, expected: float) -> float:
    """The log odds of a sign's drafts, after its decisions and a prior of `PRIOR` at `expected`."""
    ahead = right + PRIOR * expected
    return math.log(ahead / (decided + PRIOR - ahead))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
