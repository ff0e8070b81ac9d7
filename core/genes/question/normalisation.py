"""Slips of the keyboard in the words that carry a question (`chromsome`, `waht`); names stay as
written.
"""

from __future__ import annotations

import re

from core.text.phrases import phrases

_CARRIER_WORDS = """
    official approved symbol alias aliases synonym synonyms chromosome chromosomal location located
    position coordinates
    genomic genome cytogenetic protein encode encodes coding function sequence organism species gene
    genes which what
    where human related associated responsible implicated involved mutations convert translate align
    ensembl
"""
CARRIERS = tuple(_CARRIER_WORDS.split())
_WORDS = frozenset(("genus", "coming"))  # words that are one slip away from a carrier word
_ENDINGS = ("s", "d", "r", "es", "ed", "al", "er", "ing")


# sentences after the question that only say how to answer, and examples of answers in brackets
_FORM = phrases(
    {
        r"(?:please\s+)?(?:answer|reply|respond|return|output|format|write|use|separate)\b": (
            "Where is it? Please answer briefly."
        ),
        r"(?:please\s+)?(?:give|provide|state|list|name|report)\s+(?:me\s+)?"
        r"(?:only|just|the answer|your answer|it|them|the symbols)\b": "Which? Give only symbols.",
        r"(?:only|just)\s+the\b": "Which gene? Only the symbol.",
        "no explanation|do not explain|be brief": "Which gene? Be brief.",
        r"for example\b": "Which gene? For example TP53.",
    },
    before=r"(?<=[?.!;])\s+",
    after="[^?]*$",
    also={
        r"\s*\((?:e\.?g\.?|i\.?e\.?|for example|such as|like)\b[^)]*\)": "Which gene (e.g. TP53)?"
    },
)


_COURTESY = re.compile(
    r",?\s+(?:please|thanks|thank you)(?=\W*$)"
    r"|,\s*(?:right|correct|yes|or|(?:is|does|are|do)(?:n['’]t| not) (?:it|they))(?=\W*$)",
    re.I,
)


def without_answer_instructions(text: str) -> str:
    """`text` without what only says how to answer (`Answer with the symbol only.`)."""
    return _COURTESY.sub("", _FORM.sub("", text)).strip() or text


def mend_typos(text: str) -> str:
    """`text` with each word that is one slip away from a carrier word as that word."""
    return re.sub(
        r"(?<![\w'-])[A-Za-z]?[a-z]{3,13}(?![\w-])", lambda match: _mended(match[0]), text
    )


def _mended(word: str) -> str:
    low = word.lower()
    inflected = any(
        low == carrier.removesuffix("e") + end or low == carrier + end
        for carrier in CARRIERS
        for end in _ENDINGS
    )
    if inflected or low in CARRIERS or low in _WORDS or not set(low) - set("acgtun"):
        return word
    carrier_word = next((carrier for carrier in CARRIERS if _slip(low, carrier)), "")
    return (carrier_word.capitalize() if word[0].isupper() else carrier_word) or word


def _slip(word: str, carrier: str) -> bool:
    """Whether `word` is `carrier` with two letters swapped, one left out, one too many or, in long
    words, one wrong.
    """
    if word[0] != carrier[0] or any(
        word in (carrier + end, carrier.removesuffix(end)) for end in _ENDINGS
    ):
        return False
    if len(word) == len(carrier):
        differ = [at for at in range(len(word)) if word[at] != carrier[at]]
        swapped = (
            len(differ) == 2 and differ[1] == differ[0] + 1 and sorted(word) == sorted(carrier)
        )
        return swapped or (len(differ) == 1 and len(carrier) >= 7)
    if len(carrier) < 5 or abs(len(word) - len(carrier)) != 1:
        return False
    long, short = (word, carrier) if len(word) > len(carrier) else (carrier, word)
    return any(long[:at] + long[at + 1 :] == short for at in range(1, len(long)))
