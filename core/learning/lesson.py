"""What decisions teach: how much more, or less, likely a draft is than its engine said, for its
rule, its predicate, its terms and its engine.

Each sign is a Bayesian count (Gelman et al., Bayesian Data Analysis, §2.4): `PRIORS` decisions that
went as the engine's own scores expected, and those that curators made. Signs are counted one kind
after the other, from the general to the special, each on what the earlier ones left: the same
decision does not count four times, and few decisions make small steps. A decision counts only for
what it speaks of: a wrong term says nothing of the rule, a relation that is not stated says nothing
of the terms.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.learning.feature import log_odds
from core.model import Evidence, Reason, Statement, Term, Thing, fold_words

# Decisions that the engines' own scores are worth, for each sign of a kind, in the order of
# counting. With fewer, 40 decisions order the next 60 abstracts worse than the scores do
# (`benchmarks/decisions_teach.py`); a term is one thing, and a few decisions say what it is.
PRIORS = {"engine": 40.0, "predicate": 30.0, "rule": 20.0, "term": 6.0}
# What the judges of support add to a score, as a share of their log odds: average precision of the
# drafts rises from .829 to .839 (facts) and from .700 to .702 (BC5CDR dev), at 1 it falls.
SUPPORT = 0.25
OF_TERMS = frozenset((Reason.BOUNDARY, Reason.WRONG_TERM, Reason.GENERALITY, Reason.SPECIES))
OF_RELATIONS = frozenset(
    (
        Reason.NO_RELATION,
        Reason.WRONG_RELATION,
        Reason.NEGATED,
        Reason.HYPOTHESIS,
        Reason.BACKGROUND,
    )
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sign with what curators made of its drafts: `shift` is added to their log odds."""

    sign: str
    right: int
    wrong: int
    shift: float


@dataclass(frozen=True, slots=True)
class DecidedDraft:
    """A decided draft: its signs, the engine's score (0 to 1), and whether it was right. The
    decision says nothing of the signs that are `spared`. `support`: how likely its text says it, 0
    to 1, as the judges of support found.
    """

    signs: tuple[str, ...]
    score: float
    right: bool
    spared: frozenset[str] = frozenset()
    support: float = 0.5


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


def spared_by_reason(signs: Sequence[str], reason: Reason | None) -> frozenset[str]:
    """The signs of a rejected draft that its reason says nothing of.

    >>> spared_by_reason(["rule S in O", "term MESH:D1"], Reason.NO_RELATION)
    frozenset({'term MESH:D1'})
    """
    if reason is Reason.DUPLICATE:
        return frozenset(signs)
    terms = frozenset(sign for sign in signs if sign.startswith("term "))
    if reason in OF_RELATIONS:
        return terms
    return frozenset(signs) - terms if reason in OF_TERMS else frozenset()


def spared_by_correction(
    signs: Sequence[str], before: Statement, after: Statement
) -> frozenset[str]:
    """The signs of a corrected draft that nothing was wrong with: only what was changed counts."""
    kept = {sign for thing in (after.subject, after.object) for sign in term_sign(thing)}
    changed = before.predicate != after.predicate or before.negated != after.negated
    return frozenset(
        sign for sign in signs if (sign in kept if sign.startswith("term ") else not changed)
    )


def learn_lessons(decided: Sequence[DecidedDraft]) -> list[Lesson]:
    """The lessons of these decisions, by kind and sign; the same decisions give the same."""
    odds = [log_odds(draft.score) for draft in decided]
    lessons: list[Lesson] = []
    for kind, prior in PRIORS.items():
        members: dict[str, list[int]] = defaultdict(list)
        for place, draft in enumerate(decided):
            for sign in draft.signs:
                if sign.startswith(f"{kind} ") and sign not in draft.spared:
                    members[sign].append(place)
        shifts: dict[str, float] = {}
        for sign, places in sorted(members.items()):
            right = sum(decided[place].right for place in places)
            expected = sum(_chance(odds[place]) for place in places) / len(places)
            shifts[sign] = _posterior(right, len(places), expected, prior) - log_odds(expected)
            lessons.append(Lesson(sign, right, len(places) - right, round(shifts[sign], 3)))
        for place, draft in enumerate(decided):
            odds[place] += sum(shifts.get(sign, 0.0) for sign in draft.signs)
    return lessons


def taught_chance(
    score: float, signs: Iterable[str], shifts: Mapping[str, float], *, support: float = 0.5
) -> float:
    """How likely a draft is right, 0 to 1: its engine's score, how likely its text says it, and
    what decisions taught of its signs.
    """
    odds = log_odds(score) + SUPPORT * log_odds(support)
    return _chance(odds + sum(shifts.get(sign, 0.0) for sign in signs))


def _posterior(right: int, decided: int, expected: float, prior: float) -> float:
    """The log odds of a sign's drafts, after its decisions and `prior` more at `expected`."""
    ahead = right + prior * expected
    return math.log(ahead / (decided + prior - ahead))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
