"""Negation and hedging in the words of an answer, so that neither is taken for a positive fact."""

from __future__ import annotations

import re

from core.model import fold_words
from core.text.phrases import phrases

# A predicate that a model denies by its first words: "does not treat", "NOT_CAUSES"
NOT_FIRST = phrases(
    {
        "NOT|not|Not|no|No|NO|non|never": "NOT_CAUSES",
        r"(?:does|do|did|is|are|was|were|has|have|had|can|could|may|might)\s+not": "does not treat",
        "cannot|doesn't|didn't|isn't|wasn't": "doesn't treat",
        "failed to|fails to": "failed to treat",
    },
    before="^",
    after=r"[\s_-]+",
    flags=re.NOFLAG,
)
# A denial further on: "was not associated with", "failed to reduce"
NOT_WITHIN = phrases(
    {
        r"NOT\b": "is NOT a cause",
        r"(?:does|do|did|is|are|was|were|has|have|had)\s+not\b": "it did not act",
        r"(?:could|can|may|might)\s+not\b": "it may not act",
        r"cannot\b": "it cannot treat",
        r"(?:does|did|is|was|were|are)n['’]t\b": "it doesn't treat",
        r"not\s+(?:associated|caused?|causing|induced?|inducing)": "though not associated with",
        r"not\s+(?:treat|linked|related|due)": "perhaps not due to",
        r"no\s+(?:association|relation|relationship|effect|evidence|link)\b": "had no effect on",
        r"fail(?:s|ed)\s+to\b": "often failed to reduce",
    },
    after="",
    flags=re.NOFLAG,
)
NEGATORS = frozenset({"not", "no", "negated", "negative", "false", "negation", "not true", "never"})
NEGATION_SLOTS = frozenset({"negated", "negation", "is_negated", "polarity"})
# What only may be so: "may cause", "is suspected to"
HEDGES = re.compile(
    r"\b(?:maybe|perhaps|probabl[ey]|hypothe\w+|possibl[ey]|potential(?:ly)?|putative(?:ly)?|suspected|suggest\w*|may|might|could|presum\w+|speculat\w+)\b"
)
# A predicate that a model hedges by its first word, as a schema asks: "MAYBE INDUCES"
_MAYBE_FIRST = re.compile(r"^(?:maybe|perhaps|possibly|probably)[\s_-]+", re.IGNORECASE)


def without_negation(words: str) -> str:
    """A predicate's words without their negation or doubt: "NOT INDUCES" is INDUCES, said
    negatively, and "MAYBE INDUCES" is INDUCES, only supposed.
    """
    affirmative = words.strip()
    while match := NOT_FIRST.match(affirmative) or _MAYBE_FIRST.match(affirmative):
        affirmative = affirmative[match.end() :]
    return affirmative or words


# Qualifiers that say no more than that a statement is one.
HEDGES_ALONE = frozenset(("hypothesis", "hypothetical", "maybe"))


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
