"""How likely a draft is right as it stands: the relation is stated, and both its ends are the terms
that the text means. Learned from abstracts with gold facts (`benchmarks/learn_drafts.py`), on top
of what the relation alone is worth.

What does not reach the threshold of the table is not proposed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.extraction.builtin.groups import MentionGroup
from core.grounding.choice import choose_candidate
from core.grounding.match.name_match import is_symbol
from core.model import MatchKind, fold_words
from core.support.reading.pair_probability import PairWeights, read_weights
from core.support.reading.rule_table import OWN

TABLE = Path(__file__).with_name("draft_weights.tsv")
EDGE = 0.02  # probabilities nearer to 0 or 1 are taken as this near
SURE_NAME = 0.9  # the score of a candidate from which on a name is sure

OWN_THRESHOLD = "kind learned cause"
GENERAL = 4  # broader terms that a general term has, at most

DraftFeatures = Mapping[str, float]
DraftJudge = Callable[[DraftFeatures], float]  # features → probability; below 0: not proposed


@dataclass(frozen=True, slots=True)
class DraftEnd:
    """A thing at an end of a draft, and the terms above it; none where no vocabulary says any.
    `is_written`: no vocabulary lists such things, they are known by how they are written (a
    variant).
    """

    group: MentionGroup
    above: frozenset[str]
    is_written: bool = False


def draft_features(
    kind: str, rule: str, score: float, ends: Sequence[DraftEnd], **signs: bool
) -> dict[str, float]:
    """What is known of a draft: its `kind` (a family, or what a list asks for), the rule that read
    it and what that alone is worth, how sure the names of its ends are, and `signs` (negated, …).
    """
    clamped = min(max(score, EDGE), 1 - EDGE)
    features = {
        "log odds": math.log(clamped / (1 - clamped)),
        f"kind {kind}": 1.0,
        f"rule {rule}": 1.0,
    }
    features |= {name.replace("_", " "): 1.0 for name, holds in signs.items() if holds}
    for end in ends:
        for sign in _signs_of_name(end):
            features[sign] = features.get(sign, 0.0) + 1.0
    return features


def _signs_of_name(end: DraftEnd) -> list[str]:
    group = end.group
    term, _ = choose_candidate(group.candidates)
    if term is None:
        return [] if end.is_written else ["end without a term"]
    best = group.candidates[0]
    signs = []
    if best.score < SURE_NAME:
        signs.append("unsure name")
    if best.surface and is_symbol(best.surface):
        signs.append("symbol")
    if best.match is not MatchKind.LABEL:
        signs.append("other name")
    if len(group.spans) > 1:
        signs.append("named again")
    if end.above and len(end.above) <= GENERAL:
        signs.append("general term")
    return signs


def lesson_signs(
    predicate: str, ends: Sequence[MentionGroup], negated: bool = False
) -> dict[str, float]:
    """The signs of a draft, beside its rule, by which a project's decisions are remembered."""
    words = fold_words(predicate.replace("_", " "))
    signs = {f"predicate {'not ' * negated}{words}": 1.0}
    for group in ends:
        term, _ = choose_candidate(group.candidates)
        signs[f"term {term.id if term else fold_words(group.key)}"] = 1.0
    return signs


@cache
def shipped_table() -> PairWeights:
    return read_weights(TABLE)


def chance_of_draft(features: DraftFeatures) -> float:
    """The probability by the shipped table. Of a project's own rules it knows nothing: what they
    read is worth what the relation alone is.
    """
    if _is_by_own_rule(features):
        return 1 / (1 + math.exp(-features["log odds"]))
    return shipped_table().probability(features)


def meets_table(features: DraftFeatures) -> bool:
    """Whether a draft must reach the threshold of the shipped table. What a chemical causes was
    held against a threshold of its own already, which thousands of annotated pairs gave; what a
    project's own rule reads a curator asked for.
    """
    return not (OWN_THRESHOLD in features or _is_by_own_rule(features))


def _is_by_own_rule(features: DraftFeatures) -> bool:
    return any(name.startswith(f"rule {OWN}") for name in features)


def shipped_judge(features: DraftFeatures) -> float:
    """The probability that a draft is right; -1 for what is not proposed."""
    chance = chance_of_draft(features)
    is_held = meets_table(features) and chance < shipped_table().threshold
    return -1.0 if is_held else chance
