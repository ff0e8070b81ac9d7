"""Answers without a model: the sentences of the passages that answer best, word for word.

A sentence counts by the question's words that it holds, each with its rarity in the corpus,
squared, and by whether it offers the kind of thing that is asked for. Another sentence is added
only when it holds words of the question that the first does not. Whether the passages answer at all
is judged from six figures by a logistic rule, fitted on BioASQ 9b with and without the right papers
among the passages; below it the nearest sentences are given, and called that.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.literature.answers.answer import (
    UNKNOWN,
    CheckedQuote,
    CitedAnswer,
    CitedSentence,
    QuoteProof,
)
from core.literature.answers.question_kind import AskedFor, asked_for, offers
from core.literature.chunk import Chunk
from core.literature.index.tokens import ASKING_WORDS, asked_units, text_units
from core.literature.query.concept import ASKING
from core.literature.query.plan import QueryPlan
from core.model import Span
from core.text.sentence import split_sentences

SENTENCES = 3
JUDGED = 5  # passages that the judgement rests on
SURE = 0.45  # of the logistic rule
KIND, AIM, PLACE = 0.15, 0.15, 0.02  # of the question's weight
NEW = 0.2  # of the question's weight, that a further sentence must add
LIKE = 0.7  # two sentences that share this much are one
# A sentence that says what a study set out to do, and not what it found.
_AIM = re.compile(
    r"\b(?:aim(?:s|ed)?|objectives?|purpose|to (?:investigate|determine|evaluate|assess|examine)"
    r"|we sought|(?:is|are|remains?) (?:unknown|unclear))\b|\?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuestionWeights:
    """`rarity`: unit of the question → its inverse document frequency in the corpus; `rarest`: that
    of a word in no chunk.
    """

    rarity: Mapping[str, float] = field(default_factory=dict)
    rarest: float = 0.0


def weights_of(plan: QueryPlan) -> QuestionWeights:
    """What the corpus says of a question's words."""
    asked = dict.fromkeys(unit for concept in plan.concepts for unit in concept.units)
    statistics = plan.statistics
    return QuestionWeights({unit: statistics.idf(unit) for unit in asked}, statistics.rarity(0))


def extract(
    question: str,
    chunks: Sequence[Chunk],
    weights: QuestionWeights | None = None,
    *,
    most: int = SENTENCES,
    document: str = "",
    always: bool = False,
) -> CitedAnswer:
    """The best sentences, in the order of the chunks. `unknown` when the passages do not answer:
    its sentences are then the nearest ones. `always`: whatever they hold.
    """
    reading = _Reading(question, chunks, weights)
    best = [one for one in reading.pool if one.held]
    best.sort(key=lambda one: (-one.score, one.place, one.span.start))
    if not best:
        return CitedAnswer((), True, f"{UNKNOWN}.", document)
    known = always or reading.sure() >= SURE
    chosen = _chosen(best, reading, most, nearest=not known)
    chosen.sort(key=lambda one: (one.place, one.span.start))
    quoted = tuple(_quoted(chunks[one.place], one.span) for one in chosen)
    if not known:
        return CitedAnswer(quoted, True, f"{UNKNOWN}.", document)
    return CitedAnswer(quoted, False, " ".join(one.text for one in quoted), document)


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: int
    span: Span
    units: frozenset[str]
    held: float  # share of the question's weight
    score: float


class _Reading:
    def __init__(
        self, question: str, chunks: Sequence[Chunk], weights: QuestionWeights | None
    ) -> None:
        texts = [
            (place, span, frozenset(text_units(span.quote(chunk.text))))
            for place, chunk in enumerate(chunks)
            for span in split_sentences(chunk.text)
        ]
        weights = weights or _of_passages(question, [held for _, _, held in texts])
        self.rarest = weights.rarest or 1.0
        self.weight = {
            unit: rarity**2 * (ASKING if unit in ASKING_WORDS else 1.0)
            for unit, rarity in weights.rarity.items()
        }
        self.total = sum(self.weight.values()) or 1.0
        self.chunks = chunks
        kind, asked = asked_for(question), frozenset(text_units(question))
        self.pool = [self._candidate(place, span, held, kind, asked) for place, span, held in texts]

    def share(self, held: Iterable[str]) -> float:
        """The part of the question's weight that units hold, 0 to 1."""
        return sum(self.weight[unit] for unit in self.weight.keys() & set(held)) / self.total

    def _candidate(
        self, place: int, span: Span, held: frozenset[str], kind: AskedFor, asked: frozenset[str]
    ) -> _Candidate:
        words = span.quote(self.chunks[place].text)
        share = self.share(held)
        score = share * (1.0 if 5 <= len(held) <= 60 else 0.8) - PLACE * place
        if share:
            score += KIND * offers(words, kind, asked) - AIM * (_AIM.search(words) is not None)
        return _Candidate(place, span, held, share, score)

    def sure(self) -> float:
        """How likely it is that the passages hold the answer, 0 to 1: certain where a sentence
        holds every word of the question; else from the weight that the best sentence, the best
        passage and the mean passage hold, how specific that is, the share of sentences with the
        rarest word, and the count of words.
        """
        passages = [self.share(text_units(chunk.text)) for chunk in self.chunks[:JUDGED]]
        pool = [one for one in self.pool if one.place < JUDGED]
        if not pool or not passages:
            return 0.0
        asked = self.weight.keys() - ASKING_WORDS
        if len(asked) > 1 and any(asked <= one.units for one in pool):
            return 1.0  # rarity says little in a handful of papers, all words in one sentence much
        rarest = max(self.weight, key=lambda unit: self.weight[unit], default="")
        with_rarest = sum(rarest in one.units for one in pool) / len(pool)
        held = max(passages)
        logit = (
            0.96 * max(one.held for one in pool)
            - 0.51 * held
            + 3.05 * held * self.total / self.rarest**2
            + 3.25 * sum(passages) / len(passages)
            + 1.79 * with_rarest
            - 0.27 * len(self.weight)
            - 4.19
        )
        return 1 / (1 + math.exp(-logit))


def _of_passages(question: str, pool: Sequence[frozenset[str]]) -> QuestionWeights:
    """Weights from the passages alone, where no corpus is known."""
    spread = Counter(unit for held in pool for unit in held)
    asked = dict.fromkeys(asked_units(question))

    def rarity(count: int) -> float:
        return math.log(1 + (len(pool) + 1) / (count + 0.5))

    return QuestionWeights({unit: rarity(spread[unit]) for unit in asked}, rarity(0))


def _chosen(
    best: Sequence[_Candidate], reading: _Reading, most: int, nearest: bool
) -> list[_Candidate]:
    """The best sentence, and others that add to it; of nearest ones simply the first."""
    chosen = [best[0]]
    covered = set(best[0].units)
    for candidate in best[1:]:
        if len(chosen) >= most:
            break
        adds = reading.share(candidate.units - covered)
        alike = any(_alike(candidate.units, other.units) for other in chosen)
        if not alike and (nearest or adds >= NEW):
            chosen.append(candidate)
            covered |= candidate.units
    return chosen


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one & other) and len(one & other) / min(len(one), len(other)) >= LIKE


def _quoted(chunk: Chunk, span: Span) -> CitedSentence:
    words = span.quote(chunk.text)
    return CitedSentence(
        " ".join(words.split()),
        (chunk.id,),
        (CheckedQuote(words, QuoteProof.EXACT, chunk.id, span),),
    )
