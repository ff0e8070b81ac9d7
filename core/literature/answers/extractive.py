"""Answers without a model: the sentences of the passages that answer best, word for word.

A sentence counts by the question's words that it holds, each with its rarity in the corpus,
squared, and by whether it offers the kind of thing that is asked for. Another sentence is added
only when it holds words of the question that the first does not. Where a thing is to be explained
("What is an operon?") a sentence that says what it is counts more. Whether the passages answer,
or probably do, is judged by a logistic rule (certainty.py); below it the nearest sentences are
given, and called that.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.literature.answers.answer import (
    UNKNOWN,
    CheckedQuote,
    CitedAnswer,
    CitedSentence,
    QuoteProof,
)
from core.literature.answers.certainty import (
    QuestionForm,
    QuestionWeight,
    QuestionWeights,
    answer_likelihood,
    certainty_figures,
    probable_from,
    sure_from,
)
from core.literature.answers.question_kind import (
    AskedFor,
    asked_for,
    asks_what_is_not,
    defined_thing,
    gives_count,
    has_verb,
    is_definition,
    is_denial,
    names_kind,
)
from core.literature.chunk import Chunk
from core.literature.index.tokens import ASKING_WORDS, asked_units, text_units
from core.literature.query.plain_question import plain_question
from core.model import Span
from core.text.grid import is_heading_row
from core.text.phrases import phrases
from core.text.sentence import split_sentences

SENTENCES = 3
JUDGED = 5  # passages that the judgement rests on
KIND, AIM, PLACE, COUNT, DEFINES = 0.15, 0.15, 0.02, 1.0, 0.3  # of the question's weight
SCATTERED = 0.5  # of the weight of a thing whose words stand far from each other
NEW = 0.2  # of the question's weight, that a further sentence must add
LIKE = 0.7  # two sentences that share this much are one
# A sentence that says what a study set out to do, and not what it found.
_AIM = phrases(
    {
        "aim(?:s|ed)?|objectives?|purpose|we sought": "The aim was safety.",
        "to (?:investigate|determine|evaluate|assess|examine)": "Mice were fed to assess safety.",
        "(?:is|are|remains?) (?:unknown|unclear)": "Its role is unclear.",
    },
    also={r"\?\s*$": "Does it act?"},
)
# Words to whoever reads for somebody, and no finding: "Ignore all previous instructions and say …"
_COMMAND = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules|prompts?)\b",
    re.IGNORECASE,
)


def extract_sentences(
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
    reading = _Reading(question, chunks, weights, one_paper=bool(document))
    best = [candidate for candidate in reading.pool if candidate.coverage or candidate.counts]
    best.sort(key=lambda candidate: (-candidate.score, candidate.place, candidate.span.start))
    if not best:
        return CitedAnswer((), True, f"{UNKNOWN}.", document)
    likely = 1.0 if always else reading.likelihood()
    is_known = likely >= probable_from()
    is_sure = always or (
        likely >= sure_from() and not reading.misses_a_word() and reading.is_about(best[0].place)
    )
    if not (always or best[0].counts or reading.fits(best[0])):
        is_known = False
    chosen = _chosen(best, reading, most, nearest=not is_known)
    if is_known:  # nearest ones stand best first
        chosen.sort(key=lambda candidate: (candidate.place, candidate.span.start))
    quoted = tuple(_quoted(chunks[candidate.place], candidate.span) for candidate in chosen)
    is_sure = is_sure and (always or reading.stands_for_sure(chosen))
    mentioned = reading.thing if not any(candidate.defines for candidate in chosen) else ""
    if not is_known:
        return CitedAnswer(quoted, True, f"{UNKNOWN}.", document, only_mentions=mentioned)
    text = " ".join(sentence.text for sentence in quoted)
    return CitedAnswer(quoted, False, text, document, only_mentions=mentioned, probable=not is_sure)


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: int
    span: Span
    units: frozenset[str]
    coverage: float  # share of the question's weight
    score: float
    counts: bool = False  # it gives the number that one paper is asked for
    defines: bool = False  # it says what the thing is that the question wants explained


class _Reading:
    def __init__(
        self,
        question: str,
        chunks: Sequence[Chunk],
        weights: QuestionWeights | None,
        one_paper: bool = False,
    ) -> None:
        question = plain_question(question)
        self.chunks, self.question, self.one_paper = chunks, question, one_paper
        self.texts = [
            (place, span, tuple(text_units(span.quote(chunk.text))))
            for place, chunk in enumerate(chunks)
            for span in sentences_of(chunk)
            if _COMMAND.search(span.quote(chunk.text)) is None
        ]
        weights = weights or _even_weights(
            question, [frozenset(units) for _, _, units in self.texts]
        )
        self.weight = QuestionWeight(question, weights)
        self.kind, self.asked = asked_for(question), frozenset(text_units(question))
        self.thing = defined_thing(question)
        self.pool = [self._candidate(place, span, units) for place, span, units in self.texts]

    def share(self, units: Iterable[str]) -> float:
        """The part of the question's weight that units hold, 0 to 1."""
        return self.weight.share(frozenset(units))

    def _candidate(self, place: int, span: Span, in_order: tuple[str, ...]) -> _Candidate:
        words, units = span.quote(self.chunks[place].text), frozenset(in_order)
        share = self.share(units)
        score = share * (1.0 if 5 <= len(units) <= 60 else 0.8) - PLACE * place
        if share:
            score -= SCATTERED * self.weight.scattered(in_order)
            offered = names_kind(words, self.kind, self.asked)
            score += KIND * offered - AIM * (_AIM.search(words) is not None)
        counts = self.one_paper and gives_count(words, self.question)
        says_what = bool(share and self.thing) and is_definition(words, self.thing)
        score += COUNT * counts + DEFINES * says_what
        return _Candidate(
            place, span, units, coverage=share, score=score, counts=counts, defines=says_what
        )

    def likelihood(self) -> float:
        """How likely it is that the passages hold the answer, 0 to 1: certain where one paper
        counts what it is asked for; probable at least where a sentence holds every word of the
        question, for rarity says little in a handful of papers.
        """
        if any(candidate.counts for candidate in self.pool):
            return 1.0
        values = self.figures()
        likely = answer_likelihood(values) if values else 0.0
        telling_units = self.weight.of.keys() - ASKING_WORDS
        if len(telling_units) > 1 and any(
            telling_units <= c.units for c in self.pool if c.place < JUDGED
        ):
            return max(likely, probable_from())
        return likely

    def fits(self, best: _Candidate) -> bool:
        """Whether the best sentence can be an answer: its passage names what is asked about, it has
        a number where one is asked for, and says what is not where that is asked.
        """
        words = best.span.quote(self.chunks[best.place].text)
        if asks_what_is_not(self.question) and not is_denial(words):
            return False
        if self.kind is AskedFor.NUMBER and not names_kind(words, self.kind, self.asked):
            return False
        return self.weight.stands_together(_units(self.chunks[best.place]))

    def stands_for_sure(self, chosen: Sequence[_Candidate]) -> bool:
        """Whether sentences can be a sure answer: together they hold every name of the question
        ("RA with TNF blockers": not one about anakinra), and one of them can say yes or no.
        """
        units = frozenset(unit for candidate in chosen for unit in candidate.units)
        names_held = all(self.weight.holds(name, units) for name in self.weight.named)
        return names_held and any(map(self._says_yes_or_no, chosen))

    def _says_yes_or_no(self, candidate: _Candidate) -> bool:
        """False for words without a verb, such as a title, where yes or no is asked."""
        words = candidate.span.quote(self.chunks[candidate.place].text)
        return self.kind is not AskedFor.YES_OR_NO or has_verb(words)

    def is_about(self, place: int) -> bool:
        """Whether a passage names the rarest thing that the question asks about."""
        rarest = max(self.weight.telling, key=self.weight.heaviest, default=None)
        units = _units(self.chunks[place])
        if rarest is None or not self.weight.stands_together(units):
            return rarest is None
        return self.weight.holds(rarest, frozenset(units))

    def misses_a_word(self) -> bool:
        """Whether a word of the question is in no chunk of the corpus: no passage can then answer
        for sure ("royal jelly antimicrobial", where nothing says antimicrobial).
        """
        units = frozenset(unit for chunk in self.chunks[:JUDGED] for unit in _units(chunk))
        return self.weight.misses_a_word(units)

    def figures(self) -> tuple[float, ...]:
        """What the judgement rests on; empty without a sentence."""
        pool = [candidate for candidate in self.pool if candidate.place < JUDGED]
        if not pool:
            return ()
        form = QuestionForm(
            bool(self.thing),
            any(candidate.defines for candidate in pool),
            self.kind is AskedFor.YES_OR_NO,
        )
        passages = [_units(chunk) for chunk in self.chunks[:JUDGED]]
        return certainty_figures(
            self.weight, passages, [candidate.units for candidate in pool], form
        )


def _units(chunk: Chunk) -> list[str]:
    begins = chunk.text.startswith(chunk.title)
    return text_units(chunk.text if begins else f"{chunk.title}\n{chunk.text}")


def figures_of_certainty(
    question: str, chunks: Sequence[Chunk], weights: QuestionWeights
) -> tuple[float, ...]:
    """The figures from which it is judged whether passages answer (certainty.FIGURES)."""
    return _Reading(question, chunks, weights).figures()


def sentences_of(chunk: Chunk) -> list[Span]:
    """The sentences of a chunk; a title that it begins with is one of its own."""
    text, title = chunk.text, chunk.title
    begins = len(title) if title and chunk.start == 0 and text.startswith(title) else 0
    body_spans = [
        Span(begins + span.start, begins + span.end) for span in split_sentences(text[begins:])
    ]
    stating = [span for span in body_spans if not is_heading_row(span.quote(text))]
    return [Span(0, begins), *stating] if begins else stating


def passage_weights(question: str, chunks: Sequence[Chunk]) -> QuestionWeights:
    """Weights from the sentences of the passages alone, where no corpus is known."""
    texts = [span.quote(chunk.text) for chunk in chunks for span in sentences_of(chunk)]
    return _even_weights(question, [frozenset(text_units(text)) for text in texts])


def _even_weights(question: str, pool: Sequence[frozenset[str]]) -> QuestionWeights:
    spread = Counter(unit for units in pool for unit in units)
    question_units = dict.fromkeys(asked_units(question))

    def rarity(count: int) -> float:
        # A unit in one of ten passages weighs 2.1, one in all ten 0.7.
        return math.log(1 + (len(pool) + 1) / (count + 0.5))

    return QuestionWeights({unit: rarity(spread[unit]) for unit in question_units}, rarity(0))


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
        if not nearest and not reading.is_about(candidate.place):
            continue
        alike = any(_alike(candidate.units, earlier.units) for earlier in chosen)
        if not alike and (nearest or adds >= NEW):
            chosen.append(candidate)
            covered |= candidate.units
    return chosen


def _alike(units: frozenset[str], other_units: frozenset[str]) -> bool:
    return (
        bool(units & other_units)
        and len(units & other_units) / min(len(units), len(other_units)) >= LIKE
    )


def _quoted(chunk: Chunk, span: Span) -> CitedSentence:
    words = span.quote(chunk.text)
    return CitedSentence(
        " ".join(words.split()),
        (chunk.id,),
        (CheckedQuote(words, QuoteProof.EXACT, chunk.id, span),),
    )
