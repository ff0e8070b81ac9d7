"""How likely it is that passages answer a question: figures of the question and its passages, and a
logistic rule over them.

The rule's numbers are `certainty.json`, learned by `python -m core evaluate answers --learn`. Above
one likelihood passages answer probably, above a higher one they answer.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from core.literature.index.tokens import ASKING_WORDS, asked_units, text_units
from core.literature.query.concept import ASKING
from core.literature.query.plan import QueryPlan

TABLE = Path(__file__).with_name("certainty.json")
FIGURES = (
    "score",
    "score beside its most",
    "absent from the corpus",
    "words in a row",
    "words beside the rarest",
    "crowding of the rarest",
    "asks what a thing is",
    "says what it is",
    "asks yes or no",
    "names in one sentence",
    "length of the question",
)
K1, B, TYPICAL = 1.2, 0.7, 180  # of BM25; units of a passage
BETWEEN = 2  # units that may stand between the words of one thing
NO_NAMES = 0.7  # of names held, where a question has none with capitals: about what others have
_WORD = re.compile(r"\w[\w-]*")
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


def question_weights(plan: QueryPlan) -> QuestionWeights:
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
        self.length = len(text_units(question))
        capitals = _capital_units(question)
        self.named = [c for c in self.telling if capitals.intersection(c.units)]
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

    def stands_together(self, units: Sequence[str]) -> bool:
        """Whether units, in order, hold one of the things asked about with its words close by:
        "cystic kidneys and liver fibrosis" do not name cystic fibrosis.
        """
        return not self.telling or any(
            _close_by(frozenset(form), units)
            for concept in self.telling
            for form in (concept.units, *concept.names)
            if form
        )

    def scattered(self, units: Sequence[str]) -> float:
        """The part of the question's weight whose words units hold, but far from each other."""
        held = frozenset(units)
        return (
            sum(
                sum(self.of.get(unit, 0.0) for unit in concept.units)
                for concept in self.telling
                if len(concept.units) > 1
                and held.issuperset(concept.units)
                and not _close_by(frozenset(concept.units), units)
            )
            / self.total
        )

    def misses_a_word(self, units: Units) -> bool:
        """Whether units lack a word of the question that no chunk of the corpus holds, and every
        other name of what it names.
        """
        return any(
            not self.holds(concept, units)
            for concept in self.telling
            if any(unit in self.absent for unit in concept.units)
        )

    def light(self, concept: AskedConcept) -> float:
        """A concept's weight by rarity, not squared; a long name weighs less than its words."""
        return self._light_sum(concept) / math.sqrt(len(concept.units))

    def _light_sum(self, concept: AskedConcept) -> float:
        return sum(math.sqrt(self.of.get(unit, 0.0)) for unit in concept.units)

    def names_held(self, sentences: Sequence[Units]) -> float:
        """The largest share of the things named with capitals that one sentence has."""
        if not self.named:
            return NO_NAMES
        held_counts = (sum(self.holds(name, units) for name in self.named) for units in sentences)
        return max(held_counts, default=0) / len(self.named)

    def light_share(self, concepts: Sequence[AskedConcept], units: Units) -> float:
        """The part of these concepts, by rarity, that units hold; 1 where there are none."""
        total = sum(map(self._light_sum, concepts))
        held = sum(
            self._light_sum(concept)
            if self.holds(concept, units)
            else sum(math.sqrt(self.of.get(u, 0.0)) for u in concept.units if u in units)
            for concept in concepts
        )
        return held / total if total else 1.0

    def count(self, concept: AskedConcept, units: Mapping[str, int]) -> int:
        """How often units hold a concept, by any of its names, whatever their order."""
        forms = [concept.units, *filter(None, concept.names)]
        return max(min((units.get(unit, 0) for unit in form), default=0) for form in forms)

    def score(self, units: Counter[str]) -> float:
        norm = K1 * (1 - B + B * units.total() / TYPICAL)
        words = 0.0
        for concept in self.concepts:
            count = self.count(concept, units)
            words += self.light(concept) * count * (K1 + 1) / (count + norm)
        return words * (1 + self.share(frozenset(units)))

    def heaviest(self, concept: AskedConcept) -> float:
        return max((self.of.get(unit, 0.0) for unit in concept.units), default=0.0)


def _capital_units(question: str) -> Units:
    """The units of the words with capitals; the capital of the first word alone says nothing."""
    words = _WORD.findall(question)
    written = [word if place else word[1:] for place, word in enumerate(words)]
    capital = (
        w for w, letters in zip(words, written, strict=True) if any(map(str.isupper, letters))
    )
    return frozenset(unit for word in capital for unit in text_units(word))


def _close_by(form: Units, units: Sequence[str]) -> bool:
    width = len(form) + BETWEEN
    starts = (place for place, unit in enumerate(units) if unit in form)
    return any(form.issubset(units[start : start + width]) for start in starts)


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """`definition`: it asks what a thing is; `defined`: a sentence read says so."""

    definition: bool = False
    defined: bool = False
    yes_or_no: bool = False


def certainty_figures(
    question: QuestionWeight,
    passages: Sequence[Sequence[str]],
    sentences: Sequence[Units],
    form: QuestionForm,
) -> tuple[float, ...]:
    """The values of FIGURES for the units of passages, in order, and of their sentences. The score
    is BM25's, times one plus the share of the question held.
    """
    counts = [Counter(units) for units in passages]
    score = max(map(question.score, counts))
    rarest = max(question.telling, key=question.heaviest, default=None)
    beside = crowding = 0.0
    if rarest:
        others = [concept for concept in question.concepts if concept is not rarest]
        holding = [units for units in counts if question.holds(rarest, frozenset(units))]
        beside = max((question.light_share(others, frozenset(u)) for u in holding), default=0.0)
        crowding = max(20 * question.count(rarest, u) / max(1, u.total()) for u in counts)
    in_a_row = max(len(question.pairs.intersection(pairwise(units))) for units in passages)
    return (
        math.log1p(score),
        # beside the score of a passage that holds each concept once: a long question scores high
        math.log((score + 0.1) / (sum(map(question.light, question.concepts)) + 1)),
        sum(question.of[unit] for unit in question.absent) / question.total,
        in_a_row / max(1, len(question.pairs)),
        beside,
        crowding,
        float(form.definition),
        float(form.defined),
        float(form.yes_or_no),
        question.names_held(sentences),
        float(question.length),
    )


@cache
def _table() -> dict[str, float]:
    return dict(json.loads(TABLE.read_text(encoding="utf-8")))


def answer_likelihood(values: Sequence[float], table: Mapping[str, float] | None = None) -> float:
    """The chance, 0 to 1, that passages with these figures answer."""
    table = table or _table()
    # A figure that is new counts nothing until the rule is learned with it.
    weighed = sum(table.get(name, 0) * value for name, value in zip(FIGURES, values, strict=True))
    # Logistic regression, fitted by `evaluate answers --learn` on questions whose answers are
    # known.
    return 1 / (1 + math.exp(-(table["constant"] + weighed)))


def probable_from() -> float:
    """The likelihood from which passages are said to answer, probably."""
    return _table()["probable from"]


def sure_from() -> float:
    """The likelihood from which passages are said to answer."""
    return _table()["sure from"]
