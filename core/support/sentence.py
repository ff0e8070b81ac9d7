"""Does a quote carry a sentence that cites it? Sentences of answers are no triples: each clause of
one must find its words in what it quotes, and say the same of it, yes or no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.model import Support, SupportVerdict
from core.support.reading.stance_patterns import NEGATION, NO_NEGATION
from core.support.verdict import VERSION
from core.text.fold import fold_text

# Where a clause of its own may begin: "…, and vitamin C cures the disease".
_CLAUSE = re.compile(r";\s|:\s|,?\s(?:and|but|whereas|while|although|because|which|so)\s")
_WORD = re.compile(r"[^\W_]{3,}")
STEM = 6  # letters that count
CARRIED = 0.5  # the share of a clause's telling words that its quote must have
LEAST = 2  # telling words of a part that counts as a clause
NAME = "quotes"  # the judge, as results call it
_WORDS_PLAIN = """
    the and for with that this these those was were are has have had been being which from into than
    then also may might can could will would such their its his her them they but not nor study
    studies patients results showed shown found reported suggest suggests according paper authors
    however moreover there where when who whose what both more most less other between among during
    after before because while about only very
"""
_PLAIN = frozenset(fold_text(word)[:STEM] for word in _WORDS_PLAIN.split())


def judge_sentence(sentence: str, quotes: Sequence[str]) -> Support:
    """The verdict on a sentence by the words that it quotes; without a quote nothing is proven."""
    if not quotes:
        return _support(SupportVerdict.SILENT, "it quotes nothing")
    words = {stem for quote in quotes for stem in _stems(quote)}
    clauses = [c for c in _CLAUSE.split(_without_quotes(sentence)) if len(_stems(c)) >= LEAST]
    missing = [clause for clause in clauses if _share(clause, words) < CARRIED]
    if clauses and len(missing) == len(clauses):
        return _support(SupportVerdict.SILENT, "its quote speaks of something else")
    if missing:
        shown = " ".join(missing[0].split())[:80]
        return _support(SupportVerdict.UNCLEAR, f"its quote does not carry “{shown}”")
    if _denies(sentence) != any(map(_denies, quotes)):
        who = (
            "the sentence denies what its quote says"
            if _denies(sentence)
            else ("the sentence leaves out the denial of its quote")
        )
        return _support(SupportVerdict.CONTRADICTS, who)
    return _support(SupportVerdict.SUPPORTS, "its quote carries every part of it")


_PROBABILITY = {
    SupportVerdict.SUPPORTS: 0.9,
    SupportVerdict.UNCLEAR: 0.5,
    SupportVerdict.SILENT: 0.1,
    SupportVerdict.CONTRADICTS: 0.1,
}


def _support(verdict: SupportVerdict, reason: str) -> Support:
    return Support(verdict, _PROBABILITY[verdict], (reason,), judges=(NAME,), rules=VERSION)


def _without_quotes(sentence: str) -> str:
    """The sentence's own words and those in quotation marks; marks of citation are left out."""
    return re.sub(r"\[[\d,\s-]+\]|\(PMID:? ?\d+\)", " ", sentence)


def _stems(words: str) -> list[str]:
    stems = (fold_text(match[0])[:STEM] for match in _WORD.finditer(words))
    return [stem for stem in stems if stem and stem not in _PLAIN]


def _share(clause: str, words: set[str]) -> float:
    stems = _stems(clause)
    return sum(stem in words for stem in stems) / len(stems)


def _denies(words: str) -> bool:
    return NEGATION.search(NO_NEGATION.sub(" ", words.casefold())) is not None
