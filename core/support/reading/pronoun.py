"""Pronoun subjects: "Veratin was given. It caused tremor." says what veratin caused.

A pronoun is read only where the sentence before begins with the one subject that it can mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.model import Span
from core.support.reading.pair_features import G

# "It caused …", "However, this drug may cause …"; not "It was found that …".
_PRONOUN = re.compile(
    # "However, …"
    r"(?:(?:however|moreover|furthermore|in addition|also|thus|rarely|sometimes),?\s)?"
    # "… this drug …"
    r"(?P<pronoun>it|(?:this|the) (?:drug|agent|compound|medication|medicine|substance|chemical))"
    # not "… was found that"
    r"\s(?!(?:(?:is|was|has been|may be|might be|seems|appears)\s)?(?:[\w-]+\s){0,3}(?:that|to)\b)",
    re.IGNORECASE,
)
MOST_WORDS = 4  # between a pronoun and its verb: "It may also very rarely cause …"
FIRST = 25  # characters before a subject with which its sentence begins: "Treatment with veratin …"


def pronoun_subject(text: str, sentence: Span) -> Span | None:
    """The pronoun that a sentence has for a subject."""
    match = _PRONOUN.match(text, sentence.start, sentence.end)
    return Span(*match.span("pronoun")) if match else None


def is_its_verb(text: str, pronoun: Span, cue: Span) -> bool:
    """Whether a cue is the verb of the pronoun: no clause and only a few words are between."""
    words = text[pronoun.end : cue.start]
    return not re.search(r"[,;:(]", words) and len(words.split()) <= MOST_WORDS


def antecedent(before: Span, named: Sequence[tuple[Span, G]]) -> Span | None:
    """What a pronoun stands for: the only subject that the sentence before names, at its
    beginning; `named` are the subjects of that sentence.
    """
    if len({group.key for _, group in named}) != 1:
        return None
    first = min((span for span, _ in named), key=lambda span: span.start)
    return first if first.start - before.start <= FIRST else None
