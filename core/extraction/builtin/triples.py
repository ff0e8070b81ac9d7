"""Triples from relations: which predicates a schema knows, and one fact for each pair of things and
predicate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from core.extraction.builtin.likely_relation import UNSTATED
from core.extraction.builtin.patient_features import RULE as PATIENTS
from core.extraction.builtin.patient_features import has_patients, patient_features
from core.extraction.builtin.reading import Reader
from core.model import Span
from core.schema.definition import ClassDefinition, Schema
from core.support.reading.pair_features import G
from core.support.reading.predicate import Predicate, predicate_choices, predicate_families
from core.support.reading.relation import Relation
from core.text.phrases import one_of, phrases
from core.text.span_index import first_overlapping

_DEGREE = one_of(
    "severe mild moderate acute chronic refractory recurrent early late advanced fatal"
    " life-threatening transient reversible persistent drug-resistant postoperative"
)
DEGREE = re.compile(rf"\b(?:(?:very\s)?{_DEGREE})(?:\s(?:and|or)\s\w+)?\s$", re.IGNORECASE)
DOSE = phrases(
    {
        r"(?:high|low|single|repeated|therapeutic|large|small)[- ]doses?"
        r"(?:\s(?:of|oral|intravenous))*": "with high doses of ",
        "intravenous(?:ly administered)?|intramuscular|subcutaneous": "with intravenous ",
        "oral|topical|inhaled": "with topical ",
        "long-term|chronic|acute": "with long-term ",
    },
    after=r"\s$",
)


# Rules that read the sentence of the object alone, wherever the text names the subject.
ALONE = UNSTATED | {PATIENTS}


@dataclass(frozen=True, slots=True)
class ProposedTriple(Generic[G]):
    """A relation between two things. `values` are the other slots: words and where they stand.
    `places` are all the relations that state it, the best first, each with its sentence.
    """

    subject: G
    object: G
    relation: Relation
    sentence: Span
    values: Mapping[str, tuple[str, Span]]
    places: tuple[tuple[Relation, Span], ...] = ()


def unique_triples(
    schema: Schema,
    cls: ClassDefinition,
    reader: Reader[G],
    *,
    subjects: Sequence[G],
    objects: Sequence[G],
    about: Span | None = None,
) -> list[ProposedTriple[G]]:
    """One triple for each subject, object, predicate and stance: the best stated, in the order of
    their sentences. Its score is the probability of the learned table for such things, where there
    is one, else the weight of its rule. Two things that no sentence names together are left out
    where the text speaks of the second only to deny that something else caused it. `about` is the
    name of the disease that the whole text is about, where it is one: what its patients have.
    """
    predicates = predicate_choices(schema, cls)
    stated = reader.relations(subjects, objects, predicates)
    if about:
        stated += _of_patients(reader, subjects, objects, predicates, about=about)
    return _triples(cls, reader, subjects, objects, stated=stated)


def _of_patients(
    reader: Reader[G],
    subjects: Sequence[G],
    objects: Sequence[G],
    predicates: Sequence[Predicate],
    *,
    about: Span,
) -> list[Relation]:
    """What the text says of the patients of the disease that it is about, which `about` names."""
    predicate = next(
        (
            predicate.name
            for predicate in predicates
            if any(
                family.name == "phenotype"
                for family, _ in predicate_families(predicate, reader.rules)
            )
        ),
        None,
    )
    disease = next((group for group in subjects if about in group.spans), None)
    features = {span for group in objects for span in group.spans}
    if predicate is None or disease is None or not has_patients(reader.text, about, features):
        return []
    features -= {about}
    others = [
        span
        for group in subjects
        if group.key != disease.key
        for span in group.spans
        if span not in features
    ]
    return list(
        patient_features(
            reader.text,
            reader.sentences,
            about,
            predicate,
            features=sorted(features, key=_start),
            others=others,
        )
    )


def _start(span: Span) -> int:
    return span.start


def _triples(
    cls: ClassDefinition,
    reader: Reader[G],
    subjects: Sequence[G],
    objects: Sequence[G],
    *,
    stated: Sequence[Relation],
) -> list[ProposedTriple[G]]:
    text, sentences = reader.text, reader.sentences
    best: dict[tuple[str, str, str, bool, bool], ProposedTriple[G]] = {}
    places: dict[tuple[str, str, str, bool, bool], list[tuple[Relation, Span]]] = defaultdict(list)
    subject_of = {span: group for group in subjects for span in group.spans}
    object_of = {span: group for group in objects for span in group.spans}
    asserted = {
        (subject_of[relation.subject].key, object_of[relation.object].key, relation.predicate)
        for relation in stated
        if not (relation.negated or relation.hypothesis)
    }
    for relation in sorted(stated, key=lambda relation: (-relation.score, -relation.near)):
        subject, object_ = subject_of[relation.subject], object_of[relation.object]
        if subject.key == object_.key:
            continue
        ends = (subject.key, object_.key, relation.predicate)
        if relation.aim and not relation.negated and ends in asserted:
            continue
        sentence = first_overlapping(sentences, relation.object) or Span(0, len(text))
        if relation.rule not in ALONE:  # a pronoun's sentence is read with the one before it
            named = first_overlapping(sentences, relation.subject) or sentence
            sentence = Span(min(named.start, sentence.start), sentence.end)
        key = (*ends, relation.negated, relation.hypothesis)
        places[key].append((relation, sentence))
        if key not in best:
            values = _values(cls, text, relation)
            best[key] = ProposedTriple(subject, object_, relation, sentence=sentence, values=values)
    return sorted(
        (replace(fact, places=tuple(places[key])) for key, fact in best.items()),
        key=lambda fact: (
            fact.sentence.start,
            fact.relation.subject.start,
            fact.relation.object.start,
        ),
    )


def _values(cls: ClassDefinition, text: str, relation: Relation) -> dict[str, tuple[str, Span]]:
    """Predicate, negation, modality and qualifiers, for the slots that the class has."""
    slots = {slot.name: slot for slot in cls.slots}
    negate_inside = relation.negated and not {"negated", "negation", "qualifier"} & set(slots)
    span_by_slot = {
        "predicate": (
            f"NOT {relation.predicate}" if negate_inside else relation.predicate,
            relation.cue,
        )
    }
    if relation.negated:
        span_by_slot |= {
            "qualifier": ("NOT", relation.cue),
            "negated": ("true", relation.cue),
            "negation": ("true", relation.cue),
        }
    if relation.hypothesis:
        span_by_slot.setdefault("qualifier", ("hypothesis", relation.cue))
        span_by_slot["modality"] = ("hypothesis", relation.cue)
    for name, pattern, span in (
        ("subject_qualifier", DOSE, relation.subject),
        ("object_qualifier", DEGREE, relation.object),
    ):
        before = pattern.search(text, max(span.start - 60, 0), span.start)
        if before:
            words = before[0].rstrip()
            span_by_slot[name] = (words, Span(before.start(), before.start() + len(words)))
    return {name: value for name, value in span_by_slot.items() if name in slots}
