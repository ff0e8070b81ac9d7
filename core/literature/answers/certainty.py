"""How likely it is that passages answer a question: figures of the question and its passages, and a
logistic rule over them.

The rule's numbers are `certainty.json`, learned by `python -m core evaluate answers --learn`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from core.literature.index.tokens import ASKING_WORDS, asked_units
from core.literature.query.concept import ASKING
from core.literature.query.plan import QueryPlan

TABLE = Path(__file__).with_name("certainty.json")
FIGURES = (
    "best sentence",
    "best passage",
    "mean passage",
    "weight of the question",
    "absent from the corpus",
    "rarest word",
    "sentences with the rarest",
    "passages with the rarest",
    "heaviest word missing",
    "words in a row",
    "kind offered",
)
Units = frozenset[str]


@dataclass(frozen=True, slots=True)
class AskedConcept:
    """The units of one thing that a question asks about, and the units of each of its names."""

    units: tuple[str, ...]
    names: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionWeights:
    """`rarity`: unit of the question → its inverse document frequency in the corpus; `rarest`: that
    of a word in no chunk. `concepts`: its units, gathered by what they name.
    """

    rarity: Mapping[str, float] = field(default_factory=dict)
    rarest: float = 0.0
    concepts: tuple[AskedConcept, ...] = ()


def weights_of(plan: QueryPlan) -> QuestionWeights:
    """What the corpus says of a question's words."""
    whole_concepts = [concept for concept in plan.concepts if not concept.partial]
    statistics = plan.statistics
    rarity = {unit: statistics.idf(unit) for concept in whole_concepts for unit in concept.units}
    concepts = tuple(AskedConcept(c.units, (c.row, *c.names)) for c in whole_concepts)
    return QuestionWeights(rarity, statistics.rarity(0), concepts)


class QuestionWeight:
    """The weight of a question's words, each with its rarity in the corpus, squared."""

    def __init__(self, question: str, weights: QuestionWeights):
        self.rarest = weights.rarest or 1.0
        self.of = {
            unit: rarity**2 * (ASKING if unit in ASKING_WORDS else 1.0)
            for unit, rarity in weights.rarity.items()
        }
        self.total = sum(self.of.values()) or 1.0
        alone = tuple(AskedConcept((unit,)) for unit in self.of)
        self.concepts = weights.concepts or alone
        self.telling = [c for c in self.concepts if not ASKING_WORDS.issuperset(c.units)]
        self.pairs = frozenset(pairwise(asked_units(question)))
        self.absent = [u for u, rarity in weights.rarity.items() if rarity >= self.rarest]

    def share(self, units: Units) -> float:
        """The part of the question's weight that units hold, 0 to 1; a name holds its thing."""
        return sum(self._held_of(concept, units) for concept in self.concepts) / self.total

    def _held_of(self, concept: AskedConcept, units: Units) -> float:
        if any(name and units.issuperset(name) for name in concept.names):
            return sum(self.of.get(unit, 0.0) for unit in concept.units)
        return sum(self.of.get(unit, 0.0) for unit in concept.units if unit in units)

    def holds(self, concept: AskedConcept, units: Units) -> bool:
        has_name = any(name and units.issuperset(name) for name in concept.names)
        return has_name or units.issuperset(concept.units)

    def heaviest(self, concept: AskedConcept) -> float:
        return max((self.of.get(unit, 0.0) for unit in concept.units), default=0.0)


@dataclass(frozen=True, slots=True)
class ReadPassages:
    """The units of passages, and of their sentences in order; `offering`: whether one of the best
    sentences holds a thing of the kind that is asked for.
    """

    passages: Sequence[Units]
    sentences: Sequence[tuple[str, ...]]
    offering: bool


def figures(question: QuestionWeight, passages_read: ReadPassages) -> tuple[float, ...]:
    """The values of FIGURES."""
    sentences = [frozenset(units) for units in passages_read.sentences]
    shares = [question.share(units) for units in sentences]
    passages = [question.share(units) for units in passages_read.passages]
    best = sentences[shares.index(max(shares))]
    rarest = max(question.telling, key=question.heaviest, default=None)
    top = question.heaviest(rarest) if rarest else 0.0
    missing = [question.heaviest(c) for c in question.telling if not question.holds(c, best)]

    def with_rarest(texts: Sequence[Units]) -> float:
        return sum(question.holds(rarest, units) for units in texts) / len(texts) if rarest else 0.0

    in_a_row = max(
        len(question.pairs.intersection(pairwise(sentence_units)))
        for sentence_units in passages_read.sentences
    )
    return (
        max(shares),
        max(passages),
        sum(passages) / len(passages),
        # How much is asked beside the rarest unit: a question of one rare name gives little else
        # to go by.
        math.log1p(question.total / question.rarest**2),
        sum(question.of[unit] for unit in question.absent) / question.total,
        math.sqrt(top) / question.rarest,
        with_rarest(sentences),
        with_rarest(passages_read.passages),
        math.sqrt(max(missing, default=0.0)) / question.rarest,
        in_a_row / max(1, len(question.pairs)),
        float(passages_read.offering),
    )


@cache
def _table() -> dict[str, float]:
    return dict(json.loads(TABLE.read_text(encoding="utf-8")))


def likelihood(values: Sequence[float], table: Mapping[str, float] | None = None) -> float:
    """The chance, 0 to 1, that passages with these figures answer."""
    table = table or _table()
    weighed = sum(table[name] * value for name, value in zip(FIGURES, values, strict=True))
    # Logistic regression, fitted by `evaluate answers --learn` on questions whose answers are
    # known.
    return 1 / (1 + math.exp(-(table["constant"] + weighed)))


def sure_from() -> float:
    """The likelihood from which passages are said to answer."""
    return _table()["sure from"]
