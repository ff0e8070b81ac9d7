"""True claims made false, to see whether the judge holds them back: a denial put into the sentence,
the ends exchanged, another text's sentence in its place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from core.evaluation.relation_corpus import CorpusPair
from core.model import Span
from core.support.claim import Claim, ClaimEnd, Passage, ThingInPassage
from core.text.phrases import one_of


class Forgery(StrEnum):
    """How a claim was made false."""

    DENIED = "denial put in"
    SWAPPED = "ends exchanged"
    FOREIGN = "foreign sentence"


_HELPER = re.compile(r"\b(?:is|are|was|were|can|could|may|might|will|would|has|have|had)\b(?! not)")
_STEM = one_of(
    "caus induc inhibit activat prevent reduc increas treat improv regulat suppress promot stimulat"
    " block affect trigger produc decreas enhanc modulat mediat phosphorylat alleviat"
)
_VERB = re.compile(rf"\b({_STEM})(?:ed|es|s)\b")
_E_VERBS = frozenset(
    [
        "caus",
        "induc",
        "activat",
        "reduc",
        "increas",
        "improv",
        "regulat",
        "promot",
        "stimulat",
        "produc",
        "decreas",
        "enhanc",
        "modulat",
        "mediat",
        "phosphorylat",
        "alleviat",
    ]
)
_LEADS = (
    "There is no evidence that ",
    "It is not true that ",
    "We found no indication that ",
    "Contrary to earlier reports, there was no proof that ",
)


def denied(pair: CorpusPair) -> tuple[Claim, Passage] | None:
    """The claim before its sentence with a denial in it: at a verb or helping verb between the two,
    else before the whole. None where that needs more than these words.
    """
    sentence = pair.sentence
    first, second = sorted((pair.subject.spans[0], pair.object.spans[0]), key=lambda s: s.start)
    if verb := _VERB.search(pair.text, first.end, second.start):
        stem = verb[1] + ("e" if verb[1] in _E_VERBS else "")
        past = verb[0].endswith("ed")
        return _edited(pair, verb.start(), verb.end(), f"{'did' if past else 'does'} not {stem}")
    if helper := _HELPER.search(pair.text, first.end, second.start):
        return _edited(pair, helper.start(), helper.end(), f"{helper[0]} not")
    words = pair.text[sentence.start : sentence.start + 2]
    lead = _LEADS[number_of(pair) % len(_LEADS)]
    begin = words[:1].lower() if words[1:].islower() else words[:1]
    return _edited(pair, sentence.start, sentence.start + 1, lead + begin)


def swapped(pair: CorpusPair) -> tuple[Claim, Passage] | None:
    claim = pair.claim
    if pair.symmetric or claim.family is None or claim.family.symmetric:
        return None
    return replace(claim, subject=claim.object, object=claim.subject), pair.passage


def foreign(pair: CorpusPair, others: Sequence[CorpusPair]) -> tuple[Claim, Passage] | None:
    """The claim before a sentence of another document."""
    for step in range(1, len(others)):
        other = others[(number_of(pair) + step * 7) % len(others)]
        words = other.sentence.quote(other.text).casefold()
        if other.document != pair.document and not all(
            end.words.casefold() in words for end in (pair.subject, pair.object)
        ):
            ends = (replace(end, spans=()) for end in (pair.subject, pair.object))
            subject, object_ = ends
            claim = replace(pair.claim, subject=subject, object=object_)
            return claim, other.passage
    return None


def number_of(pair: CorpusPair) -> int:
    """A number that stands for a pair, the same at any time."""
    words = f"{pair.corpus} {pair.document} {pair.subject.words} {pair.object.words}"
    return int(hashlib.sha256(words.encode()).hexdigest()[:8], 16)


def _edited(pair: CorpusPair, start: int, end: int, words: str) -> tuple[Claim, Passage]:
    """The claim and its passage with `words` in place of the text from `start` to `end`; mentions
    behind it move along.
    """
    more = len(words) - (end - start)

    def moved(span: Span) -> Span:
        return Span(span.start + more, span.end + more) if span.start >= start else span

    def end_moved(named: ClaimEnd) -> ClaimEnd:
        return replace(named, spans=tuple(map(moved, named.spans)))

    text = pair.text[:start] + words + pair.text[end:]
    sentence = Span(pair.sentence.start, pair.sentence.end + more)
    things = tuple(
        ThingInPassage(thing.key, tuple(map(moved, thing.spans)), thing.category)
        for thing in pair.things
    )
    claim = replace(pair.claim, subject=end_moved(pair.subject), object=end_moved(pair.object))
    return claim, Passage(text, sentence, things=things)
