"""Whether words taken out of a sentence leave its negation behind.

"aspirin reduces stroke" is no quote of "There is no evidence that aspirin reduces stroke".
"""

from __future__ import annotations

import re

from core.model import Span
from core.text.phrases import phrases
from core.text.sentence import sentence_at

_NEGATION = phrases(
    {
        "not|cannot|no|never|neither|nor": "There is no evidence that it acts",
        "without|lack(?:s|ed|ing)?|absence of|absent": "It acts without a cofactor",
        "fail(?:s|ed|ing)? to|unable to": "It failed to act",
        "unlikely|hardly|scarcely|barely|rarely|seldom": "It hardly acts",
        "den(?:y|ies|ied)|refut(?:e|es|ed)|disprove[sdn]?|ruled out": "A role was refuted",
    },
    also={r"n['’]t\b": "It didn't act"},
)
# "not only" and "no doubt" deny nothing
_NO_DENIAL = re.compile(
    r"\b(?:not only|no doubt|not surprisingly|without doubt|no (?:less|more|longer) than)\b",
    re.IGNORECASE,
)
_NOR = re.compile(r"(?<=\w)\W+nor\b", re.IGNORECASE)  # "A nor B" denies A by a word before it
# Where a clause ends, so that a "not" beyond it does not count: "…, but it did reduce"
_CLAUSE = re.compile(r"[;:]|,?\s\b(?:but|however|whereas|although|though|while|yet)\b|,\s(?=and\b)")


def cut_negation(text: str, span: Span) -> str:
    """The negation in the clause around `span` that stands outside it, or "".

    A span that holds a negation itself keeps its meaning.

    >>> text = "There is no evidence that aspirin reduces stroke."
    >>> cut_negation(text, Span(26, 48)), cut_negation(text, Span(9, 48))
    ('no', '')
    """
    words = span.quote(text)
    if _NEGATION.search(_NO_DENIAL.sub("", _NOR.sub("", words))):
        return ""
    sentence = sentence_at(text, span)
    before, after = text[sentence.start : span.start], text[span.end : sentence.end]
    borders = list(_CLAUSE.finditer(before))
    before = before[borders[-1].end() :] if borders else before
    border = _CLAUSE.search(after)
    after = after[: border.start()] if border else after
    for part in (before, after):
        if match := _NEGATION.search(_NO_DENIAL.sub("", part)):
            return match[0]
    return ""
