"""Whether what the rules read of a pair is said in the plainest form: in lists, with asides, as a
second verb, or beside the words that say what something is.
"""

from __future__ import annotations

from core.model import Span
from core.support.reading.plain_statement import (
    ends_its_phrase,
    is_plain,
    is_second_verb,
    opens_a_clause,
    says_no_more,
    with_aside,
)
from core.support.reading.rule_table import RelationRule
from core.support.reading.sentence_mentions import (
    SentenceMentions,
    are_coordinated,
    lists_unknown,
)

_APPOSED = 5  # characters between a name and the words that say what it is, at most


def is_beside(scene: SentenceMentions, subject: Span, cue: Span) -> bool:
    """Whether a subject stands right beside a cue that says what it is, or is listed with one that
    does: "the EGFR inhibitors A and B", "A, an EGFR inhibitor".
    """
    if subject.start < cue.start:
        return cue.start - subject.end <= _APPOSED
    nearest = min(scene.between(cue.end, subject.end, scene.subjects), default=subject, key=_start)
    return nearest.start - cue.end <= _APPOSED and (
        nearest == subject or are_coordinated(scene, nearest.end, subject.start, scene.subjects)
    )


def _start(span: Span) -> int:
    return span.start


def in_order(subject: Span, object_: Span) -> tuple[Span, Span]:
    return (subject, object_) if subject.start < object_.start else (object_, subject)


def is_plainly_joined(
    scene: SentenceMentions,
    pair: tuple[Span, Span],
    cue: Span,
    rule: RelationRule,
    *,
    denied: bool,
) -> bool:
    """Whether a pair, in the order of the text, is plainly joined, or each is listed with one that
    is: "A and B inhibit C, D and E"; or its verb is the second of its subject: "A binds B and
    inhibits C".
    """
    first, second = pair
    text, ends = scene.text, (*scene.subjects, *scene.objects)
    if not ends_its_phrase(text, second):
        return False
    if listed := scene.between(cue.end, second.start, ends):
        if not (
            are_coordinated(scene, listed[0].end, second.start, ends)
            or lists_unknown(text[listed[-1].end : second.start])
        ):
            return False
        second = listed[0]
    opening = scene.rules.without_lead(rule, text[scene.sentence.start : first.start])
    first = first if denied else with_aside(text, first, cue)
    if named := scene.between(first.end, cue.start, ends):
        if are_coordinated(scene, first.end, named[-1].start, ends):
            first = named[-1]
        else:
            return (
                not denied
                and opens_a_clause(opening)
                and is_second_verb(text, first=first, acted_on=named, cue=cue)
                and says_no_more(text, cue=cue, second=second, family=rule.family)
            )
    return is_plain(
        text,
        opening=opening,
        first=first,
        cue=cue,
        second=second,
        family=rule.family,
        denied=denied,
    )
