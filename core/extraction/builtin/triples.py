"""Triples from relations: which predicates a schema knows, and one fact for each pair of things and
predicate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from core.extraction.builtin.outline import title
from core.extraction.builtin.relation import Predicate, Relation, relations, topical
from core.model import Category, Span
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot

DEGREE = re.compile(
    r"\b(?:(?:very\s)?(?:severe|mild|moderate|acute|chronic|refractory|recurrent|early|late|advanced|fatal|life-threatening"
    r"|transient|reversible|persistent|drug-resistant|postoperative))(?:\s(?:and|or)\s\w+)?\s$",
    re.IGNORECASE,
)
DOSE = re.compile(
    r"\b(?:(?:high|low|single|repeated|therapeutic|large|small)[-"
    r" ]doses?(?:\s(?:of|oral|intravenous))*"
    r"|intravenous(?:ly"
    r" administered)?|oral|topical|inhaled|intramuscular|subcutaneous|long-term|chronic"
    r"|acute)\s$",
    re.IGNORECASE,
)


class Mentioned(Protocol):
    """One thing and where it is named."""

    @property
    def key(self) -> str: ...

    @property
    def spans(self) -> tuple[Span, ...]: ...


G = TypeVar("G", bound=Mentioned)


@dataclass(frozen=True, slots=True)
class Fact(Generic[G]):
    """A relation between two things. `values` are the other slots: words and where they stand.
    `places` are all the relations that state it, the best first, each with its sentence.
    """

    subject: G
    object: G
    relation: Relation
    sentence: Span
    values: Mapping[str, tuple[str, Span]]
    places: tuple[tuple[Relation, Span], ...] = ()


def facts(
    schema: Schema,
    cls: ClassDefinition,
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
) -> list[Fact[G]]:
    """One fact for each subject, object, predicate and stance: the best stated, in the order of
    their sentences.
    """
    known = predicates(schema, cls)
    stated = [
        relation
        for sentence in sentences
        for relation in relations(
            text, sentence, _in(sentence, subjects), _in(sentence, objects), known
        )
    ]
    if _outcomes(schema, cls):
        by_key = [{group.key: group.spans for group in groups} for groups in (subjects, objects)]
        stated += topical(text, title(text), sentences, by_key[0], by_key[1], known, stated)
    best: dict[tuple[str, str, str, bool, bool], Fact[G]] = {}
    index = {span: sentence for sentence, span in _objects_by_sentence(sentences, objects)}
    for relation in sorted(stated, key=lambda one: -one.score):
        subject, object_ = _at(relation.subject, subjects), _at(relation.object, objects)
        if subject.key != object_.key:
            sentence = index.get(relation.object, Span(0, len(text)))
            key = (
                subject.key,
                object_.key,
                relation.predicate,
                relation.negated,
                relation.hypothesis,
            )
            if known_fact := best.get(key):
                best[key] = replace(known_fact, places=(*known_fact.places, (relation, sentence)))
            else:
                values = _values(cls, text, relation)
                best[key] = Fact(
                    subject, object_, relation, sentence, values, ((relation, sentence),)
                )
    return sorted(
        best.values(),
        key=lambda fact: (
            fact.sentence.start,
            fact.relation.subject.start,
            fact.relation.object.start,
        ),
    )


def _objects_by_sentence(
    sentences: Sequence[Span], objects: Sequence[G]
) -> Iterator[tuple[Span, Span]]:
    """Every place of an object with the first sentence that it is in, if only in part."""
    starts = [sentence.start for sentence in sentences]
    for span in {span for group in objects for span in group.spans}:
        at = max(bisect_right(starts, span.start) - 1, 0)
        if near := next((one for one in sentences[at : at + 2] if one.overlaps(span)), None):
            yield near, span


def _outcomes(schema: Schema, cls: ClassDefinition) -> bool:
    """Whether the objects of a Triple are conditions, which a text about a chemical may name
    sentences later.
    """
    slot = cls.slot("object")
    owner = schema.classes.get(slot.range) if slot else None
    return owner is not None and owner.category in (Category.DISEASE, Category.PHENOTYPE)


def _in(sentence: Span, groups: Sequence[G]) -> list[Span]:
    return [
        s
        for group in groups
        for s in group.spans
        if sentence.start <= s.start and s.end <= sentence.end
    ]


def _at(span: Span, groups: Sequence[G]) -> G:
    return next(group for group in groups if span in group.spans)


def predicates(schema: Schema, cls: ClassDefinition) -> list[Predicate]:
    """What may stand in a Triple's predicate: its value set, else the words in capitals of its
    instructions (INDUCES, TREATS), else its description's verb, else plain "causes", "treats", …
    """
    slot = cls.slot("predicate")
    if slot is None:
        return [Predicate(cls.name)]
    owner = schema.classes.get(slot.range)
    enums = [slot.range] if slot.kind is RangeKind.ENUM else list(owner.enums if owner else ())
    values = [
        value for name in enums if name in schema.enums for value in schema.enums[name].values
    ]
    if values:
        return [
            Predicate(v.name, (*v.aliases, *([v.description] if v.description else [])))
            for v in values
        ]
    named = _capitals(schema, cls, slot, owner)
    return [
        Predicate(name)
        for name in named
        or (
            "causes",
            "treats",
            "prevents",
            "inhibits",
            "activates",
            "binds",
            "regulates",
        )
    ]


def _capitals(
    schema: Schema, cls: ClassDefinition, slot: Slot, owner: ClassDefinition | None
) -> list[str]:
    asked = [
        s.prompt for known in schema.classes.values() for s in known.slots if s.range == cls.name
    ]
    words = " ".join([slot.prompt, slot.description, *asked, *(owner.examples if owner else ())])
    found = re.findall(r"\b[A-Z][A-Z_]{3,}\b", words)
    return list(dict.fromkeys(word for word in found if word not in ("NONE", "COVID")))


def _values(cls: ClassDefinition, text: str, relation: Relation) -> dict[str, tuple[str, Span]]:
    """Predicate, negation, modality and qualifiers, for the slots that the class has."""
    slots = {slot.name: slot for slot in cls.slots}
    negate_inside = relation.negated and not {"negated", "negation", "qualifier"} & set(slots)
    found = {
        "predicate": (
            f"NOT {relation.predicate}" if negate_inside else relation.predicate,
            relation.cue,
        )
    }
    if relation.negated:
        found |= {
            "qualifier": ("NOT", relation.cue),
            "negated": ("true", relation.cue),
            "negation": ("true", relation.cue),
        }
    if relation.hypothesis:
        found.setdefault("qualifier", ("hypothesis", relation.cue))
        found["modality"] = ("hypothesis", relation.cue)
    for name, pattern, span in (
        ("subject_qualifier", DOSE, relation.subject),
        ("object_qualifier", DEGREE, relation.object),
    ):
        before = pattern.search(text, max(span.start - 60, 0), span.start)
        if before:
            words = before[0].rstrip()
            found[name] = (words, Span(before.start(), before.start() + len(words)))
    return {name: value for name, value in found.items() if name in slots}
