"""Negation and hedging in the words of an answer, so that neither is taken for a positive fact."""

from __future__ import annotations

import re

from core.model import fold_words

# A predicate that a model denies by its first words: "does not treat", "NOT_CAUSES"
NOT_FIRST = re.compile(
    r"(?:NOT|not|Not|no|No|NO|non|never|(?:does|do|did|is|are|was|were|has|have|had|can|could|may|might)\s+not|cannot|"
    r"doesn't|didn't|isn't|wasn't|failed to|fails to)[\s_-]+",
)
# A denial further on: "was not associated with", "failed to reduce"
NOT_WITHIN = re.compile(
    r"\bNOT\b|\b(?:does|do|did|is|are|was|were|has|have|had|could|can|may|might)\s+not\b|\bcannot\b|\b(?:does|did|is|was|"
    r"were|are)n['’]t\b|\bnot\s+(?:associated|caused?|causing|induced?|inducing|treat|linked|related|due)|\bno\s+"
    r"(?:association|relation|relationship|effect|evidence|link)\b|\bfail(?:s|ed)\s+to\b",
)
NEGATORS = frozenset({"not", "no", "negated", "negative", "false", "negation", "not true", "never"})
NEGATION_SLOTS = frozenset({"negated", "negation", "is_negated", "polarity"})
# What only may be so: "may cause", "is suspected to"
HEDGES = re.compile(
    r"\b(?:hypothe\w+|possibl[ey]|potential(?:ly)?|putative(?:ly)?|suspected|suggest\w*|may|might|could|presum\w+|speculat\w+)\b"
)


def without_negation(words: str) -> str:
    """A predicate's words without their negation: "NOT INDUCES" is INDUCES, said negatively."""
    affirmative = words.strip()
    while match := NOT_FIRST.match(affirmative):
        affirmative = affirmative[match.end() :]
    return affirmative or words


def is_negation(words: str) -> bool:
    """Whether a predicate's words, or those of a whole relation, say that it does not hold."""
    return bool(NOT_FIRST.match(words.strip()) or NOT_WITHIN.search(words))


def negating_qualifier(name: str, words: str) -> bool:
    """Whether the value of a qualifier negates its statement."""
    folded = fold_words(words).strip(".")
    if name in NEGATION_SLOTS:
        return folded in NEGATORS | {"true", "yes"} if name != "polarity" else folded in NEGATORS
    return name in ("qualifier", "predicate_qualifier") and (
        folded in NEGATORS or bool(re.match(r"not\b", folded))
    )


def is_hedge(words: str) -> bool:
    """Whether a qualifier calls its statement a hypothesis."""
    return bool(HEDGES.search(words.casefold()))
