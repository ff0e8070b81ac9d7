"""Triples from relations: which predicates a schema knows, and one fact for each pair of things and
predicate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Generic

from core.extraction.builtin.end_kinds import EndKind, end_kind, joins_fitting_ends
from core.extraction.builtin.likely_relation import (
    NEAR,
    learned_predicate,
    likely_relations,
    may_be_proposed,
)
from core.extraction.builtin.outline import title_line
from core.extraction.builtin.patient_features import RULE as PATIENTS
from core.extraction.builtin.patient_features import patient_features
from core.extraction.builtin.topic import TOPIC, topical_relations
from core.model import Span
from core.schema.definition import ClassDefinition, Schema
from core.support.reading.pair_features import (
    G,
    Kinds,
    by_place,
    candidate_pairs,
    no_kinds,
)
from core.support.reading.part_in_sentence import is_lacking
from core.support.reading.predicate import (
    Predicate,
    has_outcomes,
    predicate_choices,
    predicate_families,
)
from core.support.reading.pronoun import antecedent, is_its_verb, pronoun_subject
from core.support.reading.relation import (
    Relation,
    pair_relations,
)
from core.support.reading.rule_table import RuleTable, shipped_rules
from core.text.span_index import first_overlapping

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


# Rules that no words of the text stand behind: a curator looks before such a statement is sent.
UNSTATED = frozenset((NEAR, TOPIC))
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
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    rules: RuleTable | None = None,
    kinds: Kinds = no_kinds,
    about: Span | None = None,
) -> list[ProposedTriple[G]]:
    """One triple for each subject, object, predicate and stance: the best stated, in the order of
    their sentences. Its score is the probability of the learned table for such things, where there
    is one, else the weight of its rule. Two things that no sentence names together are left out
    where the text speaks of the second only to deny that something else caused it. `about` is the
    name of the disease that the whole text is about, where it is one: what its patients have.
    """
    table = rules or shipped_rules()
    predicates = predicate_choices(schema, cls)
    stated = stated_fitting(text, sentences, subjects, objects, predicates, table, kinds)
    if about:
        stated += _of_patients(text, sentences, subjects, objects, predicates, table, about)
    if learned := learned_predicate(schema, cls, predicates, table):
        predicate, weights = learned
        pairs = candidate_pairs(
            text, title_line(text), sentences, subjects, objects, stated, predicate, kinds
        )
        denied = frozenset(relation.object for relation in stated if relation.negated)
        stated = [
            relation for relation in stated if relation.predicate != predicate or relation.negated
        ]
        stated += [
            relation
            for pair in pairs
            if may_be_proposed(pair, denied)
            for relation in likely_relations(pair, predicate, weights)
        ]
    elif has_outcomes(schema, cls):
        by_key = [{group.key: group.spans for group in groups} for groups in (subjects, objects)]
        stated += topical_relations(
            text, title_line(text), sentences, by_key[0], by_key[1], predicates, stated, table
        )
    return _triples(cls, text, sentences, subjects, objects, stated)


def _of_patients(
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    predicates: Sequence[Predicate],
    table: RuleTable,
    about: Span,
) -> list[Relation]:
    """What the text says of the patients of the disease that it is about, which `about` names."""
    predicate = next(
        (
            predicate.name
            for predicate in predicates
            if any(family.name == "phenotype" for family, _ in predicate_families(predicate, table))
        ),
        None,
    )
    disease = next((group for group in subjects if about in group.spans), None)
    if predicate is None or disease is None:
        return []
    features = {span for group in objects for span in group.spans} - {about}
    others = [
        span
        for group in subjects
        if group.key != disease.key
        for span in group.spans
        if span not in features
    ]
    return list(
        patient_features(text, sentences, about, predicate, sorted(features, key=_start), others)
    )


def _start(span: Span) -> int:
    return span.start


def stated_fitting(
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    predicates: Sequence[Predicate],
    rules: RuleTable,
    kinds: Kinds,
) -> list[Relation]:
    """What the rules find in all sentences between things that such a relation may join."""
    fits = _fitting(text, subjects, objects, kinds, rules)
    return stated_in(text, sentences, subjects, objects, predicates, rules, fits)


def stated_in(
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    predicates: Sequence[Predicate],
    rules: RuleTable | None = None,
    fits: Callable[[Relation], bool] = lambda relation: True,
) -> list[Relation]:
    """What the rules find in each sentence, for the pairs that it names, and that passes `fits`."""
    stated: list[Relation] = []
    before: Span | None = None
    subjects_at, objects_at = by_place(subjects), by_place(objects)
    for sentence in sentences:
        named = [span for span, _ in subjects_at.within(sentence.start, sentence.end)]
        outcomes = [span for span, _ in objects_at.within(sentence.start, sentence.end)]
        stated += pair_relations(text, sentence, named, outcomes, predicates, rules, fits)
        pronoun = pronoun_subject(text, sentence)
        meant = None
        if pronoun and before:
            meant = antecedent(before, subjects_at.within(before.start, before.end))
        if pronoun and meant:
            ends = [pronoun, *named]
            read = pair_relations(text, sentence, ends, outcomes, predicates, rules)
            meaning = (
                replace(relation, subject=meant)
                for relation in read
                if relation.subject == pronoun and is_its_verb(text, pronoun, relation.cue)
            )
            stated += [relation for relation in meaning if fits(relation)]
        before = sentence
    return stated


def _fitting(
    text: str, subjects: Sequence[G], objects: Sequence[G], kinds: Kinds, rules: RuleTable
) -> Callable[[Relation], bool]:
    """Whether a relation joins things that such a relation may join."""
    key_of = {span: group.key for group in (*subjects, *objects) for span in group.spans}

    @cache
    def kind_of(span: Span) -> EndKind | None:
        return end_kind(key_of[span], kinds(key_of[span]))

    return lambda relation: joins_fitting_ends(
        relation, rules, kind_of, is_lacking(text, relation.subject)
    )


def _triples(
    cls: ClassDefinition,
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    stated: Sequence[Relation],
) -> list[ProposedTriple[G]]:
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
            best[key] = ProposedTriple(subject, object_, relation, sentence, values)
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
