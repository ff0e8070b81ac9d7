"""Lists that a relation fills: the drugs that treat what a text is about are those of which a
sentence says so, read as any other relation is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.extraction.builtin.groups import MentionGroup, outside_names
from core.extraction.builtin.likely_relation import UNSTATED
from core.extraction.builtin.reading import Reader
from core.extraction.builtin.slot_sense import SlotSense
from core.extraction.builtin.slot_statement import SlotPlace
from core.support.reading.predicate import Predicate
from core.text.span_index import first_overlapping

# The predicates that fill a list, and whether what the text is about is their subject.
_READ_AS: Mapping[SlotSense, tuple[tuple[str, ...], bool]] = {
    SlotSense.TREATED_WITH: (("treats",), False),
    SlotSense.TREATED: (("treats",), True),
    SlotSense.TARGET: (("inhibits", "activates", "binds", "targets"), True),
    SlotSense.FEATURE: (("has symptom",), True),
    SlotSense.CAUSAL_GENE: (("is associated with",), False),
}


def is_read_as_relation(sense: SlotSense) -> bool:
    """Whether a list of this sense is filled by a relation; a gene's also in other ways."""
    return sense in _READ_AS


def related_places(
    reader: Reader[MentionGroup],
    sense: SlotSense,
    root: MentionGroup,
    groups: Sequence[MentionGroup],
) -> dict[str, list[SlotPlace]]:
    """By the key of each group, the places where a sentence asserts that it fills the list."""
    names, root_acts = _READ_AS[sense]
    subjects, objects = ([root], list(groups)) if root_acts else (list(groups), [root])
    subjects = outside_names(subjects, objects, reader.text)
    read = reader.relations(subjects, objects, [Predicate(name) for name in names])
    key_of = {span: group.key for group in groups for span in group.spans}
    places: dict[str, list[SlotPlace]] = defaultdict(list)
    for relation in sorted(read, key=lambda relation: (-relation.score, relation.cue.start)):
        span = relation.object if root_acts else relation.subject
        if relation.negated or relation.hypothesis or span not in key_of:
            continue
        if relation.rule in UNSTATED:
            continue
        sentence = first_overlapping(reader.sentences, span) or span
        places[key_of[span]].append(
            SlotPlace(
                span,
                sentence,
                relation.rule,
                cue=relation.cue,
                score=relation.score,
                plain=relation.plain,
            )
        )
    return places
