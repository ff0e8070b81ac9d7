"""What a passage shows of a claim's pair, as numbers with readable names: what the rules read, the
words between and around the two, and, in a whole text, where it names them. Learned weights weigh
them (see judges/learned.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

from core.model import Category, Span
from core.support.case import OPPOSED, Case, PairInSentence
from core.support.reading.part_in_sentence import is_condition
from core.support.reading.stance_patterns import COMPARISON, MODULATION

_WORD = re.compile(r"@|[^\W\d_]+|\d+")
STEM = 6  # letters of a word that count: inhibit, inhibits and inhibition are one
BESIDE = 2  # words before and behind a pair that are looked at
MOST_BETWEEN = 14  # words between the two that are looked at, half from each end
_FAR = 5.0  # the logarithm of about 150 characters


def case_features(case: Case) -> dict[str, float]:
    """All features of a case; none where no sentence names both ends and the text is short."""
    values = dict(_of_readings(case))
    for pair in case.pairs:
        values.update(_of_words(case, pair))
    if case.pairs:
        values["apart"] = min(_distance(pair) for pair in case.pairs)
        values["names between"] = min(_names_between(case, pair) for pair in case.pairs)
    else:
        values["never in one sentence"] = 1.0
    if len(case.passage.quoted_sentences) > 1:
        values.update(_of_text(case))
    return values


def _of_readings(case: Case) -> Iterator[tuple[str, float]]:
    opposed = OPPOSED.get(case.family, ())
    for reading in case.readings:
        rule = case.rules.by_name.get(reading.relation.rule)
        strength = rule.strength if rule else "own words"
        stance = _stance(reading.relation.negated, reading.relation.hypothesis)
        if reading.swapped:
            yield f"read the other way round, {strength}", 1.0
        elif reading.family in opposed:
            yield f"read as another thing, {strength}{stance}", 1.0
        else:
            yield f"read, {strength}{stance}", 1.0
            yield f"rule {reading.relation.rule}{stance}", 1.0
    if not case.readings:
        yield "nothing read", 1.0


def _stance(negated: bool, hypothesis: bool) -> str:
    return ", denied" if negated else ", supposed" if hypothesis else ""


def _of_words(case: Case, pair: PairInSentence) -> Iterator[tuple[str, float]]:
    """Words between the two, each with the end that comes first: "inhibit by" is another thing
    from A to B than from B to A.
    """
    text = case.passage.text
    way = "S…O" if pair.subject.start < pair.object.start else "O…S"
    kinds = case.claim.subject.category, case.claim.object.category
    yield way, 1.0
    yield f"{way} {kinds[0]}, {kinds[1]}", 1.0
    between = _stems(case, pair.between)
    if len(between) > MOST_BETWEEN:
        between = [*between[: MOST_BETWEEN // 2], "…", *between[-MOST_BETWEEN // 2 :]]
    for word in between:
        yield f"{way} {word}", 1.0
    for first, second in pairwise(between):
        yield f"{way} {first} {second}", 1.0
    yield f"{way} {len(between) if len(between) < 4 else 'many'} words", 1.0
    ends = pair.pair
    for word in _stems(case, Span(max(pair.sentence.start, ends.start - 40), ends.start))[-BESIDE:]:
        yield f"{word} {way}", 1.0
    for word in _stems(case, Span(ends.end, min(pair.sentence.end, ends.end + 40)))[:BESIDE]:
        yield f"{way} | {word}", 1.0
    words = pair.between.quote(text).casefold()
    if COMPARISON.search(words):
        yield "comparison between", 1.0
    if MODULATION.search(words):
        yield "modulation between", 1.0
    if is_condition(text, pair.sentence, pair.object):
        yield "object had before", 1.0
    if text[pair.subject.end : pair.subject.end + 1] in "-‐–":
        yield "subject in a compound", 1.0
    if text[pair.object.end : pair.object.end + 1] in "-‐–":
        yield "object in a compound", 1.0


def _stems(case: Case, span: Span) -> list[str]:
    """The words of a part, shortened; another thing's name is “@”, a number “#”."""
    words = span.quote(case.passage.text)
    for place, _ in reversed(case.others):
        if span.start <= place.start and place.end <= span.end:
            start = place.start - span.start
            words = (
                words[:start]
                + "@"
                + " " * (place.end - place.start - 1)
                + words[place.end - span.start :]
            )
    return [
        "#" if match[0].isdigit() else match[0].casefold()[:STEM] for match in _WORD.finditer(words)
    ]


def _distance(pair: PairInSentence) -> float:
    return math.log(1 + pair.between.end - pair.between.start) / _FAR


def _names_between(case: Case, pair: PairInSentence) -> float:
    between = pair.between
    inside = sum(between.start <= s.start and s.end <= between.end for s, _ in case.others)
    return math.log(1 + inside)


def _of_text(case: Case) -> Iterator[tuple[str, float]]:
    """Where a text of more than one sentence names the two."""
    passage = case.passage
    yield "whole text", 1.0
    yield "sentences with both", math.log(1 + len(case.pairs))
    for role, named in (("subject", case.subject), ("object", case.object)):
        if named is None:
            continue
        yield f"{role} named", math.log(1 + len(named.spans))
        if passage.heading.end and any(passage.heading.overlaps(span) for span in named.spans):
            yield f"{role} in title", 1.0
        rivals = _mentions_of_kind(case, named.end.category)
        if rivals:
            most = max(rivals)
            yield f"{role}'s share", len(named.spans) / (len(named.spans) + sum(rivals))
            if len(named.spans) >= most:
                yield f"{role} named most", 1.0
        had = sum(is_condition(passage.text, _sentence(case, s), s) for s in named.spans)
        if named.spans and role == "object":
            yield "object had before, share", had / len(named.spans)
    if any(passage.heading.overlaps(pair.pair) for pair in case.pairs):
        yield "both in title", 1.0
    if case.pairs and case.pairs[-1].sentence == passage.quoted_sentences[-1]:
        yield "both in last sentence", 1.0
    affirmed = [r for r in case.readings if not r.swapped and not r.relation.negated]
    if affirmed:
        yield "places read", math.log(1 + len({r.sentence for r in affirmed}))


def _mentions_of_kind(case: Case, category: Category) -> list[int]:
    counts: dict[str, int] = {}
    for _, thing in case.others:
        if thing.category is category:
            counts[thing.key] = counts.get(thing.key, 0) + 1
    return list(counts.values())


def _sentence(case: Case, span: Span) -> Span:
    return next((s for s in case.passage.sentences if s.overlaps(span)), span)
