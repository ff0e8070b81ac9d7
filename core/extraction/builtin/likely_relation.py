"""Pairs that learned weights find likely to be related, and how much plain words count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.extraction.builtin.topic import TOPIC
from core.model import Span
from core.schema.definition import ClassDefinition, Schema
from core.support.reading.pair_features import (
    G,
    Pair,
)
from core.support.reading.pair_probability import PairWeights, weights_for
from core.support.reading.predicate import (
    Predicate,
    predicate_families,
)
from core.support.reading.relation import (
    Relation,
)
from core.support.reading.rule_table import RuleTable

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
        "S responsible for O",
        "O secondary to S",
        "O complicating S",
        "O followed treatment with S",
        "O days after S",
        "S contributes to O",
        "developed O while on S",
        "patients on S developed O",
        "patients treated with S developed O",
    )
)
PLAINLY = 0.25  # the share of the threshold that a pair needs for which such a verb speaks
ASSERTED = 0.5  # the share of the threshold that a pair needs for which such a rule speaks
NEAR = "named in one sentence"  # no rule joins the two, but learned weights find it likely


def may_be_proposed(pair: Pair[G], denied: frozenset[Span]) -> bool:
    """Whether a pair may be proposed at all: not where no sentence names the two together and the
    text speaks of the second only to deny (at `denied`) that something caused it.
    """
    return bool(pair.together or pair.relations) or not denied.issuperset(pair.object.spans)


def likely_relations(pair: Pair[G], predicate: str, weights: PairWeights) -> list[Relation]:
    """A pair's relations with its probability as their score; none where it is below the threshold
    (below a part of it where the text says so in plain words).
    An aim beside an assertion is left out. Where no rule says how, the sentence that names both
    nearest stands for it, or else the topic of the text.
    """
    chance = weights.probability(pair.features)
    if chance < weights.threshold * _share_needed(pair, weights):
        return []
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
        affirmed = [Relation(subject, object_, predicate, object_, rule, chance)]
    return [replace(relation, score=chance) for relation in affirmed]


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


def learned_predicate(
    schema: Schema, cls: ClassDefinition, predicates: Sequence[Predicate], rules: RuleTable
) -> tuple[str, PairWeights] | None:
    """The predicate that a learned table is for, with the table, by the kinds of the two ends."""
    slots = [cls.slot(name) for name in ("subject", "object")]
    owners = [schema.classes.get(slot.range) if slot else None for slot in slots]
    if owners[0] is None or owners[1] is None:
        return None
    for predicate in predicates:
        for family, _ in predicate_families(predicate, rules):
            table = weights_for(owners[0].category, family.name, owners[1].category)
            if table is not None:
                return predicate.name, table
    return None
