"""What a text says of each pair of things, as numbers: the rules that join them and where they
stand. What a learned table weighs (see `pair_probability`).

Everything here is about one text; nothing knows which chemical does what. Names of features are
readable, as the table is.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, Protocol, TypeVar

from core.model import Span
from core.support.reading.pair_words import name_words, pair_words, words_beside
from core.support.reading.part_in_sentence import (
    SALT_GAP,
    is_condition,
    is_lacking,
    no_agent,
)
from core.support.reading.relation import Relation
from core.support.reading.rule_table import DECHALLENGE, OF_LACK
from core.support.reading.stance_patterns import COMPARISON, MODULATION
from core.text.span_index import SpanIndex, first_overlapping

Kinds = Callable[[str], frozenset[str]]  # id of a term → ids of all broader terms
OF_OTHERS = re.compile(r"[-\s](?:induced|associated|related|mediated)\s+(?:[\w-]+\s){0,2}$")
# "lithium-induced", "heparin related", behind an agent's name
AS_AGENT = re.compile(r"[- ](?:\w+ )?(?:induced|associated|related|mediated)\b", re.IGNORECASE)
_START, _END = attrgetter("start"), attrgetter("end")
_FAR = 5.0  # the logarithm of about 150 characters


class Mentioned(Protocol):
    """One thing and where it is named, in text order."""

    @property
    def key(self) -> str: ...

    @property
    def spans(self) -> tuple[Span, ...]: ...


G = TypeVar("G", bound=Mentioned)


@dataclass(frozen=True, slots=True)
class Pair(Generic[G]):
    """Two things of a text with their features. `together` holds the sentences that name both, with
    the nearest two mentions in each; `relations` what the rules found for the predicate asked.
    """

    subject: G
    object: G
    features: Mapping[str, float]
    together: tuple[tuple[Span, Span, Span], ...]  # sentence, subject, object
    relations: tuple[Relation, ...]


def by_place(groups: Sequence[G]) -> SpanIndex[G]:
    """All mentions of the things, by position."""
    return SpanIndex((span, group) for group in groups for span in group.spans)


def no_kinds(id: str) -> frozenset[str]:
    """The broader terms where no vocabulary says any."""
    return frozenset()


def candidate_pairs(
    text: str,
    title: Span,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    *,
    objects: Sequence[G],
    stated: Sequence[Relation],
    predicate: str,
    kinds: Kinds = no_kinds,
) -> Iterator[Pair[G]]:
    """Every pair that a sentence names together, and every object with the subjects of the title.

    `stated` is what the rules found in all sentences, for every predicate.
    """
    scene = _Scene(
        text,
        title,
        sentences,
        subjects,
        objects=objects,
        stated=stated,
        predicate=predicate,
        kinds=kinds,
    )
    for subject in subjects:
        if scene.agent(subject):
            for object_ in scene.beside(subject):
                if subject.key != object_.key:
                    yield scene.pair(subject, object_)


@dataclass(frozen=True, slots=True)
class _Alike:
    """Of all things that may stand at one end: how often each is named, ascending, and in all; the
    place of the first; how many stand in the title.
    """

    counts: tuple[int, ...]
    mentions: int
    first: int
    in_title: int


class _Scene(Generic[G]):
    def __init__(
        self,
        text: str,
        title: Span,
        sentences: Sequence[Span],
        subjects: Sequence[G],
        *,
        objects: Sequence[G],
        stated: Sequence[Relation],
        predicate: str,
        kinds: Kinds,
    ):
        self.predicate = predicate
        self.text, self.title, self.sentences = text, title, sentences
        self.subjects, self.objects = subjects, objects
        self.by_sentence = {
            group.key: _by_sentence(group.spans, sentences) for group in (*subjects, *objects)
        }
        self.objects_of_sentence: dict[int, list[int]] = defaultdict(list)
        for number, group in enumerate(objects):
            for sentence in self.by_sentence[group.key]:
                self.objects_of_sentence[sentence].append(number)
        self.above = {group.key: kinds(group.key) for group in (*subjects, *objects)}
        self.above_a_subject = frozenset(
            kind for subject in subjects for kind in self.above[subject.key]
        )
        self.narrower: dict[str, set[int]] = defaultdict(set)  # sentences of narrower objects
        for group in objects:
            for kind in self.above[group.key]:
                self.narrower[kind].update(self.by_sentence[group.key])
        self.subjects_at = by_place(subjects)
        self.subjects_ending: dict[int, list[Span]] = defaultdict(list)
        for subject in subjects:
            for span in subject.spans:
                self.subjects_ending[span.end].append(span)
        self._take_in(stated)
        self.most_together = self._most_together()
        self.alike = self._alike(subjects), self._alike(objects)
        self.of_object = {
            object_group.key: self._of_object(object_group) for object_group in objects
        }
        self.of_subject = {subject.key: self._of_subject(subject) for subject in subjects}

    def _take_in(self, stated: Sequence[Relation]) -> None:
        """What the rules found, by the two things that each relation joins."""
        owner = {span: subject.key for subject in self.subjects for span in subject.spans}
        objects_by_span = {
            span: object_group.key for object_group in self.objects for span in object_group.spans
        }
        self.stated: dict[tuple[str, str], list[Relation]] = defaultdict(list)
        self.said_by_lack = {
            owner[relation.subject]
            for relation in stated
            if relation.rule.startswith((OF_LACK, DECHALLENGE))
        }
        stated_of: dict[str, set[str]] = defaultdict(set)
        self.subjects_said: dict[str, set[str]] = defaultdict(set)
        self.objects_said: dict[str, set[str]] = defaultdict(set)
        for relation in stated:
            ends = owner[relation.subject], objects_by_span[relation.object]
            self.stated[ends].append(relation)
            stated_of[ends[0]].add(ends[1])
            if self._affirms(relation):
                self.objects_said[ends[0]].add(ends[1])
                self.subjects_said[ends[1]].add(ends[0])
        numbers = {object_group.key: number for number, object_group in enumerate(self.objects)}
        self.objects_stated = {
            key: [numbers[of_subject] for of_subject in keys] for key, keys in stated_of.items()
        }

    def agent(self, subject: G) -> bool:
        """Whether some mention may be an agent: no placebo, receptor or salt, and not missing, but
        where a rule reads what happens without it.
        """
        return subject.key in self.said_by_lack or any(
            not (no_agent(self.text, span, self._just_before(span)) or is_lacking(self.text, span))
            for span in subject.spans
        )

    def beside(self, subject: G) -> Iterator[G]:
        """The objects that a subject may be paired with, in their order: all, where it is in the
        title.
        """
        if self.of_subject[subject.key].get("subject in title", 0) > 0:
            yield from self.objects
            return
        numbers = set(self.objects_stated.get(subject.key, ()))
        for sentence in self.by_sentence[subject.key]:
            numbers.update(self.objects_of_sentence.get(sentence, ()))
        yield from (self.objects[number] for number in sorted(numbers))

    def _most_together(self) -> dict[str, tuple[int, int]]:
        """Of each thing, in how many sentences it is named with another: with the one of them with
        which it most often is, and with all of them, counted for each.
        """
        subjects_of_sentence: dict[int, list[str]] = defaultdict(list)
        for subject in self.subjects:
            for sentence in self.by_sentence[subject.key]:
                subjects_of_sentence[sentence].append(subject.key)
        shared = Counter(
            (subject_key, self.objects[number].key)
            for sentence, keys in subjects_of_sentence.items()
            for number in self.objects_of_sentence.get(sentence, ())
            for subject_key in keys
        )
        most: dict[str, tuple[int, int]] = {}
        for ends, count in shared.items():
            for key in ends:
                highest, total = most.get(key, (0, 0))
                most[key] = max(highest, count), total + count
        return most

    def pair(self, subject: G, object_: G) -> Pair[G]:
        mine, theirs = self.by_sentence[subject.key], self.by_sentence[object_.key]
        together = tuple(
            (self.sentences[number], *_nearest(mine[number], theirs[number]))
            for number in sorted(mine.keys() & theirs.keys())
        )
        relations = self.stated.get((subject.key, object_.key), [])
        feature_values: dict[str, float] = {}
        feature_values |= self.of_subject[subject.key] | self.of_object[object_.key]
        for relation in relations:
            feature_values[f"rule {relation.rule}{stance_of(relation)}"] = 1.0
        if together:
            feature_values |= self._together(together)
            feature_values |= self._beside_other_pairs(subject, object_, len(together))
        if _first(subject) < _first(object_):
            feature_values["subject named before object"] = 1.0
        feature_values |= self._beside_others(subject, object_, relations)
        if object_.key in self.narrower:
            feature_values["object broader than another"] = 1.0
            if not self.narrower[object_.key].isdisjoint(mine):
                feature_values["object broader than another beside the subject"] = 1.0
        own = tuple(relation for relation in relations if relation.predicate == self.predicate)
        return Pair(subject, object_, feature_values, together=together, relations=own)

    def _together(self, together: tuple[tuple[Span, Span, Span], ...]) -> dict[str, float]:
        """Of the sentences that name both."""
        feature_values = {"together": 1.0, "sentences together": math.log(len(together))}
        distance = min(_gap(subject, object_) for _, subject, object_ in together)
        feature_values["distance"] = math.log(1 + distance) / _FAR
        between = min(self._subjects_between(a, b) for _, a, b in together)
        feature_values["subjects between"] = math.log(1 + between)
        if not between:
            feature_values["no subject between"] = 1.0
        last_sentence = self.sentences[-1]
        if any(self.title.overlaps(sentence) for sentence, _, _ in together):
            feature_values["together in title"] = 1.0
        if any(sentence == last_sentence for sentence, _, _ in together):
            feature_values["together in last sentence"] = 1.0
        if any(subject.start < object_.start for _, subject, object_ in together):
            feature_values["subject before object"] = 1.0
        words = [
            self.text[min(a.end, b.end) : max(a.start, b.start)].casefold() for _, a, b in together
        ]
        if all(COMPARISON.search(word) for word in words):
            feature_values["comparison between"] = 1.0
        if all(MODULATION.search(word) for word in words):
            feature_values["modulation between"] = 1.0
        for sentence, a, b in together:
            feature_values |= dict.fromkeys(pair_words(self.text, sentence, a, b), 1.0)
        return feature_values

    def _beside_other_pairs(self, subject: G, object_: G, times: int) -> dict[str, float]:
        """How much of what a text names an end with is the other end."""
        feature_values = {}
        for role, thing in (("subject", subject), ("object", object_)):
            highest, total = self.most_together[thing.key]
            feature_values[f"share of {role}'s sentences"] = times / total
            if times == highest:
                feature_values[f"oftenest beside the {role}"] = 1.0
        return feature_values

    def _subjects_between(self, subject: Span, object_: Span) -> int:
        start, end = min(subject.end, object_.end), max(subject.start, object_.start)
        return len(self.subjects_at.within(start, end))

    def _just_before(self, span: Span) -> list[Span]:
        """The subjects that end where this one begins, or a few characters before."""
        ends = range(span.start - SALT_GAP, span.start + 1)
        return [before for end in ends for before in self.subjects_ending.get(end, ())]

    def _affirms(self, relation: Relation) -> bool:
        return relation.predicate == self.predicate and not stance_of(relation)

    def _beside_others(
        self, subject: G, object_: G, relations: Sequence[Relation]
    ) -> dict[str, float]:
        """Of the pair, compared with the other pairs of its text."""
        times = sum(relation.predicate == self.predicate for relation in relations)
        subjects_said = self.subjects_said.get(object_.key, set())
        objects_said = self.objects_said.get(subject.key, set())
        said = object_.key in objects_said
        unsaid = "" if said else ", but nothing of these two"
        of_subject, of_object = self.of_subject[subject.key], self.of_object[object_.key]
        feature_values = {
            "shares of mentions multiplied": of_subject["subject's share of mentions"]
            * of_object["object's share of mentions"]
        }
        if times:
            feature_values["places where a rule says so"] = math.log(1 + times)
        if said:
            feature_values["some rule says so"] = 1.0
        if len(subjects_said) > said:
            feature_values[f"said of another subject{unsaid}"] = 1.0
        if len(objects_said) > said:
            feature_values[f"said of another object{unsaid}"] = 1.0
        if "subject in title" in of_subject:
            feature_values["subject in title, among others"] = of_subject["subjects of the text"]
        for end in ("named most", "in title"):
            if f"subject {end}" in of_subject and f"object {end}" in of_object:
                feature_values[f"both {end}"] = 1.0
        return feature_values

    def _of_subject(self, subject: G) -> dict[str, float]:
        feature_values = self._of_end("subject", subject, self.alike[0])
        if subject.key in self.above_a_subject:
            feature_values["subject broader than another"] = 1.0
        named = sum(bool(AS_AGENT.match(self.text, span.end)) for span in subject.spans)
        if named:
            feature_values["subject named as an agent"] = named / len(subject.spans)
        return feature_values | {f"subject kind {kind}": 1.0 for kind in self.above[subject.key]}

    def _of_object(self, object_: G) -> dict[str, float]:
        feature_values = self._of_end("object", object_, self.alike[1])
        had = sum(is_condition(self.text, self._sentence(span), span) for span in object_.spans)
        feature_values["object had before"] = had / len(object_.spans)
        effects = sum(
            bool(OF_OTHERS.search(self.text[max(span.start - 50, 0) : span.start].casefold()))
            for span in object_.spans
        )
        feature_values["object named as an agent's effect"] = effects / len(object_.spans)
        feature_values |= dict.fromkeys(name_words(object_.spans[0].quote(self.text)), 1.0)
        kinds = self.above[object_.key] | {object_.key}
        return feature_values | {f"object kind {kind}": 1.0 for kind in kinds}

    def _of_end(self, role: str, thing: G, alike: _Alike) -> dict[str, float]:
        """How often, where and beside which words a text names a thing, and how that compares with
        the others that may stand in its place.
        """
        times, first = len(thing.spans), _first(thing)
        oftener = len(alike.counts) - bisect_right(alike.counts, times)
        feature_values = {
            f"{role}'s share of mentions": times / (alike.mentions or 1),
            f"{role}'s mentions": math.log(times),
            f"{role}s of the text": math.log(len(alike.counts)),
            f"{role}s named more often": math.log(1 + oftener),
            f"{role}'s first place": first / len(self.text),
            f"{role}'s last place": max(span.start for span in thing.spans) / len(self.text),
        }
        signs = {
            f"{role} named most": not oftener,
            f"{role} named once": times == 1,
            f"{role} named first": first <= alike.first,
            f"no {role} in title": not alike.in_title,
        }
        if self._is_in_title(thing):
            signs |= {f"{role} in title": True, f"only {role} in title": alike.in_title == 1}
        feature_values |= {name: 1.0 for name, holds in signs.items() if holds}
        return feature_values | words_beside(self.text, thing.spans, role)

    def _alike(self, things: Sequence[G]) -> _Alike:
        counts = sorted(len(thing.spans) for thing in things)
        return _Alike(
            tuple(counts),
            sum(counts),
            first=min(map(_first, things), default=0),
            in_title=sum(map(self._is_in_title, things)),
        )

    def _is_in_title(self, thing: G) -> bool:
        return any(self.title.overlaps(span) for span in thing.spans)

    def _sentence(self, span: Span) -> Span:
        return first_overlapping(self.sentences, span) or Span(0, len(self.text))


def stance_of(relation: Relation) -> str:
    """How a relation is said, behind its rule's name: "", ", denied", ", asked", ", supposed"."""
    if relation.negated:
        return ", denied"
    return ", asked" if relation.aim else ", supposed" if relation.hypothesis else ""


def _by_sentence(spans: Sequence[Span], sentences: Sequence[Span]) -> dict[int, list[Span]]:
    """Mentions by the number of the sentence that holds them; both in text order."""
    spans_by_sentence: dict[int, list[Span]] = defaultdict(list)
    for span in sorted(spans, key=_START):
        at = bisect_left(sentences, span.end, key=_END)
        if at < len(sentences) and sentences[at].start <= span.start:
            spans_by_sentence[at].append(span)
    return dict(spans_by_sentence)


def _first(thing: Mentioned) -> int:
    return min(span.start for span in thing.spans)


def _nearest(subjects: Sequence[Span], objects: Sequence[Span]) -> tuple[Span, Span]:
    return min(((a, b) for a in subjects for b in objects), key=lambda two: _gap(*two))


def _gap(span: Span, other_span: Span) -> int:
    """Characters between two mentions; 0 where they touch or overlap."""
    return max(other_span.start - span.end, span.start - other_span.end, 0)
