"""Pairs that learned weights find likely to be related, and how much plain words count."""

from __future__ import annotations

from dataclasses import replace

from core.model import Span
from core.support.reading.pair_features import G, Pair
from core.support.reading.pair_probability import PairWeights
from core.support.reading.relation import Relation
from core.support.reading.rule_table import OWN

TELLING = 0.5  # the learned weight of a rule whose words say the relation by themselves
# Verbs that say it by themselves, whatever was learned: such texts are few, or speak of what their
# annotators did not count (a cause of cancer).
EXPLICIT = frozenset(
    (
        "S is a cause of O",
        "S causes O",
        "S results in O",
        "S gives rise to O",
        "S raises the risk of O",
        "S is linked to O",
        "S stopped because of O",
        "S complicated by O",
        "S induces O",
        "S produces O",
        "O caused by S",
        "O as an adverse effect of S",
        "S responsible for O",
        "O secondary to S",
        "O complicating S",
        "O followed treatment with S",
        "O days after S",
        "O resolved without S",
        "O recurred on rechallenge with S",
        "S contributes to O",
        "developed O while on S",
        "patients on S developed O",
        "patients treated with S developed O",
    )
)
WORDED = 0.6  # the weight of a rule from which on its words say a relation by themselves
PLAINLY = 0.5  # the share of the threshold that a pair needs for which such a verb speaks
ASSERTED = 0.75  # the share of the threshold that a pair needs for which such a rule speaks
# Of 428 plain statements ("S inhibits O") of the corpora 74 % are marked, and most others are said
# too: texts say more than their annotators marked (`benchmarks/rule_precision.py`).
PLAIN = 0.8
# No rule joins the two, but learned weights find it likely: in the sentence that names both, or in
# a text of which one is the topic.
NEAR, TOPIC = "named in one sentence", "topic of the text"
# Rules that no words of the text stand behind: a curator looks before such a statement is sent.
UNSTATED = frozenset((NEAR, TOPIC))


def may_be_proposed(pair: Pair[G], denied: frozenset[Span]) -> bool:
    """Whether a pair may be proposed at all: not where no sentence names the two together and the
    text speaks of the second only to deny (at `denied`) that something caused it.
    """
    return bool(pair.together or pair.relations) or not denied.issuperset(pair.object.spans)


def likely_relations(pair: Pair[G], predicate: str, weights: PairWeights) -> list[Relation]:
    """A pair's relations with its probability as their score; none where it is below the threshold
    (below a part of it where the text says so in plain words, in families whose annotators left
    such out; in others the words of a rule count as much as its weight). What a project's own rule
    asserts is proposed, with no less than the weight of the rule.
    An aim beside an assertion is left out. Where no rule says how, the sentence that names both
    nearest stands for it, or else the topic of the text.
    """
    chance = weights.probability(pair.features)
    share = 1.0
    if weights.is_lenient:
        share = _share_needed(pair, weights)
    else:  # "treated with dantrolene" says so, also where no annotated text has such words
        chance = max(chance, _worded(pair, weights))
    if any(relation.plain for relation in pair.relations):
        chance = max(chance, PLAIN)
    own = _own_worth(pair)
    if not own and chance < weights.threshold * share:
        return []
    chance = max(chance, own)
    affirmed = [relation for relation in pair.relations if not relation.negated]
    if any(not relation.hypothesis for relation in affirmed):
        affirmed = [relation for relation in affirmed if not relation.aim]
    if not affirmed and pair.relations:  # only denied
        return []
    if not affirmed:
        ends = [(subject, object_) for _, subject, object_ in pair.together]
        subject, object_ = min(
            ends or [(pair.subject.spans[0], pair.object.spans[0])],
            key=lambda two: abs(two[0].start - two[1].start),
        )
        rule = NEAR if ends else TOPIC
        affirmed = [Relation(subject, object_, predicate, cue=object_, rule=rule, score=chance)]
    return [replace(relation, score=chance) for relation in affirmed]


def plainly_worth(relation: Relation) -> Relation:
    """A relation for which no weights were learned, with what it is worth: a plain statement as
    much as such statements are right in annotated texts.
    """
    return replace(relation, score=max(relation.score, PLAIN)) if relation.plain else relation


def _worded(pair: Pair[G], weights: PairWeights) -> float:
    """The weight of the best rule whose words say the relation by themselves, of those that no
    annotated text, or too few, have taught anything about; 0 where none does.
    """
    said = (
        relation.score
        for relation in pair.relations
        if not (relation.negated or relation.aim or relation.hypothesis)
        and (weights.is_scarce or f"rule {relation.rule}" not in weights.weights)
    )
    return max((weight for weight in said if weight >= WORDED), default=0.0)


def _own_worth(pair: Pair[G]) -> float:
    """The weight of the best of the project's own rules that assert the pair; 0 where none does."""
    said = (
        relation.score
        for relation in pair.relations
        if relation.rule.startswith(OWN)
        and not (relation.negated or relation.aim or relation.hypothesis)
    )
    return max(said, default=0.0)


def _share_needed(pair: Pair[G], weights: PairWeights) -> float:
    """The share of the threshold that a pair must reach: less than all where a rule that is right
    by itself joins the pair, neither denied nor an aim ("may cause" is said, and marked as a
    hypothesis).
    """
    said = {relation.rule for relation in pair.relations if not (relation.negated or relation.aim)}
    if not EXPLICIT.isdisjoint(said):
        return PLAINLY
    telling = any(weights.weights.get(f"rule {rule}", 0.0) >= TELLING for rule in said)
    return ASSERTED if telling else 1.0
