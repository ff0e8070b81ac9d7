"""The one rule across sentences: what a text is about goes with the outcomes that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model import Span
from core.support.reading.part_in_sentence import is_condition
from core.support.reading.predicate import Predicate, predicate_families
from core.support.reading.relation import Relation
from core.support.reading.rule_table import RuleTable, shipped_rules
from core.text.span_index import first_overlapping

TOPIC, TOPICAL = "topic of the text", 0.3  # the rule's name and weight


def topical_relations(
    text: str,
    title: Span,
    sentences: Sequence[Span],
    subjects: Mapping[str, Sequence[Span]],
    objects: Mapping[str, Sequence[Span]],
    predicates: Sequence[Predicate],
    stated: Sequence[Relation],
    rules: RuleTable | None = None,
) -> list[Relation]:
    """What a text is about, across sentences: the subject named in its title and most often of all,
    when no sentence says what it does, goes with the outcomes that the text names. The weakest of
    the rules (score 0.3).
    """
    table = rules or shipped_rules()
    cues = next(
        (
            predicate
            for predicate in predicates
            if any(f.outcome for f, _ in predicate_families(predicate, table))
        ),
        None,
    )
    topic = max(subjects, key=lambda name: (len(subjects[name]), name), default="")
    spans = subjects.get(topic, ())
    if cues is None or not any(title.overlaps(span) for span in spans):
        return []
    of_topic = frozenset(spans)
    said = [relation for relation in stated if relation.subject in of_topic]
    if any(relation.predicate == cues.name and not relation.negated for relation in said):
        return []
    treated = {relation.object for relation in said}
    topical = []
    for places in objects.values():
        fresh = [
            p
            for p in places
            if not title.overlaps(p)
            and p not in treated
            and not _was_a_condition(text, sentences, p)
        ]
        if fresh and not treated & set(places):
            topical.append(Relation(spans[0], fresh[0], cues.name, fresh[0], TOPIC, TOPICAL))
    return topical


def _was_a_condition(text: str, sentences: Sequence[Span], object_: Span) -> bool:
    return is_condition(text, first_overlapping(sentences, object_) or Span(0, len(text)), object_)
