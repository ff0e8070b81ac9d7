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
from core.support.naming import NamedEnd
from core.support.reading.pair_features import AS_AGENT
from core.support.reading.pair_words import name_words, words_beside
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
    if case.subject and case.object:
        first = case.subject.spans[0], case.object.spans[0]
        if first[0].start < first[1].start:
            yield "subject named before object", 1.0
        for name in name_words(first[1].quote(passage.text)):
            yield name, 1.0
        had = sum(is_condition(passage.text, _sentence(case, s), s) for s in case.object.spans)
        yield "object had before, share", had / len(case.object.spans)
        agent = sum(bool(AS_AGENT.match(passage.text, s.end)) for s in case.subject.spans)
        yield "subject named as an agent", agent / len(case.subject.spans)
    for role, named in (("subject", case.subject), ("object", case.object)):
        if named and named.spans:
            yield from _of_end(case, role, named)
    if any(passage.heading.overlaps(pair.pair) for pair in case.pairs):
        yield "both in title", 1.0
    if case.pairs and case.pairs[-1].sentence == passage.quoted_sentences[-1]:
        yield "both in last sentence", 1.0
    affirmed = [r for r in case.readings if not r.swapped and not r.relation.negated]
    if affirmed:
        yield "places read", math.log(1 + len({r.sentence for r in affirmed}))


def _of_end(case: Case, role: str, named: NamedEnd) -> Iterator[tuple[str, float]]:
    """How often, where and beside which words a text names an end, compared with the other things
    that could stand in its place.
    """
    text, heading = case.passage.text, case.passage.heading
    times, rivals = len(named.spans), _rivals(case, named.end.category)
    counts = [len(spans) for spans in rivals]
    oftener = sum(count > times for count in counts)
    yield f"{role} named", math.log(1 + times)
    yield f"{role}'s share", times / (times + sum(counts))
    yield f"{role}s of the text", math.log(1 + len(counts))
    yield f"{role}s named more often", math.log(1 + oftener)
    yield f"{role}'s first place", named.spans[0].start / len(text)
    yield f"{role}'s last place", named.spans[-1].start / len(text)
    titled = sum(any(heading.overlaps(span) for span in spans) for spans in rivals)
    in_title = bool(heading.end) and any(heading.overlaps(span) for span in named.spans)
    signs = {
        f"{role} in title": in_title,
        f"only {role} in title": in_title and not titled,
        f"no {role} in title": not in_title and not titled,
        f"{role} named most": bool(rivals) and not oftener,
        f"{role} named once": times == 1,
        f"{role} named first": all(named.spans[0].start <= spans[0].start for spans in rivals),
    }
    yield from ((name, 1.0) for name, holds in signs.items() if holds)
    yield from words_beside(text, named.spans, role).items()
    yield from _of_its_sentences(case, role, named)


def _of_its_sentences(case: Case, role: str, named: NamedEnd) -> Iterator[tuple[str, float]]:
    """How much of what the text names an end with is the other one."""
    other = case.object if named is case.subject else case.subject
    held = [s for s in case.passage.quoted_sentences if any(map(s.overlaps, named.spans))]
    if other is None or not held:
        return
    beside = [
        sum(any(map(sentence.overlaps, spans)) for sentence in held)
        for spans in _rivals(case, other.end.category)
    ]
    times = len(case.pairs)
    yield f"share of {role}'s sentences", times / (times + sum(beside) or 1)
    if times >= max(beside, default=0):
        yield f"oftenest beside the {role}", 1.0


def _rivals(case: Case, category: Category) -> list[list[Span]]:
    """Where the text names each other thing of a kind, in text order."""
    places: dict[str, list[Span]] = {}
    for span, thing in case.others:
        if thing.category is category:
            places.setdefault(thing.key, []).append(span)
    return [sorted(spans, key=lambda span: span.start) for spans in places.values()]


def _sentence(case: Case, span: Span) -> Span:
    return next((s for s in case.passage.sentences if s.overlaps(span)), span)
