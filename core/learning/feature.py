"""What can be said of a proposed statement before anyone decides it, as named numbers.

Nothing here looks at a decision. Names are readable: `word treated`, `rule S-induced O`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from core.model import ENDS, Evidence, Literal, Node, Statement, Term, TextGround, Thing, fold_words

Features = Mapping[str, float]
SURE = 0.02  # scores nearer to 0 or 1 are taken as this near
MOST_WORDS = 80  # of one quote
_WORD = re.compile(r"[^\W\d_]{2,}")


def statement_features(statement: Statement, evidence: Sequence[Evidence]) -> Features:
    """Engine, rule, predicate, terms, and the words of the quotes around the two ends."""
    score = shipped_score(evidence)
    feature_values: dict[str, float] = {
        "score": log_odds(score),
        "pieces of evidence": math.log(max(len(evidence), 1)),
        f"predicate {statement.predicate.id or statement.predicate.label}": 1.0,
        f"modality {statement.modality}": 1.0,
    }
    if statement.negated:
        feature_values["negated"] = 1.0
    for role, thing in (("subject", statement.subject), ("object", statement.object)):
        feature_values[f"{role} {thing_name(thing)}"] = 1.0
        if isinstance(thing, Term) and not thing.id:
            feature_values[f"{role} without a term"] = 1.0
    for piece in evidence:
        feature_values[f"engine {piece.engine}"] = 1.0
        if piece.rule:
            feature_values[f"rule {piece.rule}"] = 1.0
        if piece.cue:
            feature_values[f"cue {fold_words(piece.cue)}"] = 1.0
        if piece.path == ENDS:
            feature_values["only the ends are named"] = 1.0
        if isinstance(piece.ground, TextGround):
            feature_values |= {f"word {word}": 1.0 for word in feature_words(piece.ground.quote)}
    return feature_values


def feature_words(quote: str) -> Iterator[str]:
    for place, word in enumerate(_WORD.finditer(fold_words(quote))):
        if place == MOST_WORDS:
            return
        yield word.group()


def shipped_score(evidence: Sequence[Evidence]) -> float:
    """The best score that an engine gave, 0 to 1; a half where nothing is known."""
    return max((piece.score for piece in evidence), default=0.5)


def log_odds(probability: float) -> float:
    clamped = min(max(probability, SURE), 1 - SURE)
    return math.log(clamped / (1 - clamped))


def thing_name(thing: Thing) -> str:
    match thing:
        case Term(id=id, label=label):
            return id or fold_words(label)
        case Node(category=category):
            return f"a {category}"
        case Literal(datatype=datatype):
            return f"a {datatype}"
    return ""
