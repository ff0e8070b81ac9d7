"""What a proposed triple rests on: its words, the sentences that state it, its predicate."""

from __future__ import annotations

from core.extraction.builtin import NAME
from core.extraction.builtin.groups import MentionGroup
from core.extraction.builtin.triples import ProposedTriple
from core.extraction.negation import without_negation
from core.extraction.predicate_by_words import predicate_by_words
from core.extraction.tree import RelationEvidence
from core.grounding.constraint import permissible
from core.grounding.constraint.constraint import constraint_of
from core.model import Category, Mention, Outcome, Span
from core.schema.definition import Schema, Slot


def words_of_relation(triple: ProposedTriple[MentionGroup], text: str) -> str:
    """The words from one end to the other; "" where they are not in the triple's sentence."""
    relation = triple.relation
    cover = Span(
        min(relation.subject.start, relation.object.start),
        max(relation.subject.end, relation.object.end),
    )
    in_sentence = triple.sentence.end >= cover.end and triple.sentence.start <= cover.start
    return cover.quote(text) if in_sentence else ""


def stated_evidence(
    triple: ProposedTriple[MentionGroup], text: str
) -> tuple[RelationEvidence, ...]:
    """Each sentence that states the triple, with the rule and the cue that say so."""
    return tuple(
        RelationEvidence(
            sentence,
            relation.rule,
            relation.cue.quote(text).strip(" -"),
            round(relation.score, 3),
        )
        for relation, sentence in triple.places
    )


def predicate_mention(schema: Schema, path: str, slot: Slot, words: str, *, span: Span) -> Mention:
    """A predicate in plain words: a value of the schema's own set, or the Biolink predicate that
    they name.
    """
    affirmative = without_negation(words)
    own = [
        candidate
        for _, candidate in permissible.permissible_candidates(
            affirmative, constraint_of(schema, slot.range).enums
        )
    ]
    predicates = own[:1] or [
        candidate for candidate in (predicate_by_words(affirmative),) if candidate
    ]
    term = predicates[0].term if predicates else None
    outcome = Outcome.GROUNDED if term else Outcome.UNGROUNDED
    chosen_by = NAME if term else ""
    return Mention(
        words,
        path,
        slot.range,
        category=Category.RELATION,
        spans=(span,),
        candidates=tuple(predicates),
        chosen=term,
        chosen_by=chosen_by,
        outcome=outcome,
    )
