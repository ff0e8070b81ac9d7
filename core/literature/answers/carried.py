"""Whether the words that a sentence of an answer quotes carry what it says.

That a quote is exact says that its words stand in the passage; the sentence around it may say more:
"Zinc shortens colds [1] and vitamin C cures the disease". Each clause is held against the sentences
of the passages that the quotes stand in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.literature.answers.answer import CheckedQuote, CitedSentence, QuoteProof
from core.literature.answers.citation import without_citations
from core.literature.answers.contrary import says_otherwise
from core.literature.answers.extractive import sentences_of
from core.literature.answers.question_kind import has_verb
from core.literature.answers.stance import denies
from core.literature.answers.yes_or_no import claim_of_words
from core.literature.chunk import Chunk
from core.literature.index.tokens import text_units
from core.model import Support, SupportVerdict
from core.support.claim import Passage
from core.support.naming import named_in
from core.support.verdict import VERSION, judge
from core.text.elision import ELISION

HELD = 0.5  # share of a clause's telling words that its quote must hold
LIKELY = 0.4  # how likely a sentence that names both ends of a claim must say it
STANDS = (QuoteProof.EXACT, QuoteProof.NORMALISED)
_QUOTED = re.compile(r"[\"“”]([^\"“”]{3,600})[\"“”]")
_PARTS = re.compile(
    r";\s+|:\s+|,?\s+(?:and|but|whereas|while|although|though|which|so|because|thus|hence)\s+"
    r"|,\s+(?!and\b|or\b)",
    re.IGNORECASE,
)
# Words about the passages themselves: "according to passage 1, the authors report that".
_OF_PASSAGES = frozenset(
    text_units(
        "according passage passages study studies author authors report reported reports state"
        " stated states show shows showed shown find found finding findings evidence result results"
        " text paper article abstract trial yes answer indicate indicated suggest suggests"
        " suggested note noted describe described conclude concluded therefore however also"
    )
)
_EDGE = re.compile(r"^\W*(?:(?:and|but|while|whereas|which)\s+)?|[\s.,;:()–—-]+$", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*(?<![.,])")
_ASSENT = re.compile(r"^\W*(?:yes|no)\b[,.:;]?\s*", re.IGNORECASE)


JUDGE = "quotes"  # as results call it


class Carried(StrEnum):
    """How much of a sentence its quotes carry."""

    WHOLE = "true"
    PARTLY = "partly"
    NOT = "false"

    @property
    def as_json(self) -> bool | str:
        """As machines read it: true, false or "partly"."""
        return {Carried.WHOLE: True, Carried.NOT: False}.get(self, "partly")


_VERDICTS = {
    Carried.WHOLE: SupportVerdict.SUPPORTS,
    Carried.PARTLY: SupportVerdict.UNCLEAR,
    Carried.NOT: SupportVerdict.SILENT,
}
_PROBABILITY = {Carried.WHOLE: 0.9, Carried.PARTLY: 0.5, Carried.NOT: 0.1}


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """`not_carried`: the clauses that no quote carries, word for word; `reason`: why nothing is
    supported, where no quote counts at all.
    """

    carried: Carried
    not_carried: tuple[str, ...] = ()
    reason: str = ""

    @property
    def verdict(self) -> Support:
        """The same as a verdict of the judges: what is carried in part is unclear."""
        verdict = _VERDICTS[self.carried]
        lacking = tuple(f"its quote does not carry “{clause[:80]}”" for clause in self.not_carried)
        reasons = (self.reason,) if self.reason else lacking
        return Support(
            verdict,
            _PROBABILITY[self.carried],
            reasons or ("its quote carries every part of it",),
            judges=(JUDGE,),
            rules=VERSION,
        )


def sentence_support(sentence: CitedSentence, chunks: Mapping[str, Chunk]) -> SentenceSupport:
    """What of a sentence is carried by its quotes; `chunks` are the passages by id."""
    if not sentence.quotes:
        return SentenceSupport(Carried.NOT, reason="it quotes no passage")
    standing = [quote for quote in sentence.quotes if quote.proof in STANDS and quote.span]
    if not standing:
        cut = any(quote.proof is QuoteProof.CUT for quote in sentence.quotes)
        reason = "its quote leaves out a negation" if cut else "its quote is in no passage"
        return SentenceSupport(Carried.NOT, reason=reason)
    grounds = [ground for quote in standing if (ground := _around(quote, chunks))]
    clauses = _clauses(sentence)
    missing = tuple(clause for clause in clauses if not _is_carried(clause, grounds))
    missing += tuple(f"“{quote.words}”" for quote in sentence.quotes if quote not in standing)
    if not missing:
        return SentenceSupport(Carried.WHOLE)
    whole = len(missing) >= len(clauses) and not _says_a_quote(sentence)
    return SentenceSupport(Carried.NOT if whole else Carried.PARTLY, missing)


def _says_a_quote(sentence: CitedSentence) -> bool:
    """Whether a quote is what the sentence says, not the proof of words before it."""
    before = sentence.text[: first.start()] if (first := _QUOTED.search(sentence.text)) else ""
    return not _telling(before)


def _around(quote: CheckedQuote, chunks: Mapping[str, Chunk]) -> str:
    """The whole sentences that a quote stands in."""
    chunk, span = chunks.get(quote.chunk), quote.span
    if chunk is None or span is None:
        return ""
    held = [one for one in sentences_of(chunk) if one.overlaps(span)] or [span]
    return chunk.text[held[0].start : held[-1].end]


def _clauses(sentence: CitedSentence) -> list[str]:
    """The clauses of a sentence outside its quotes; parts without a verb go with those before."""
    outside = _QUOTED.sub(" ; ", ELISION.sub(" ", without_citations(sentence.text)))
    parts = (_EDGE.sub("", part) for part in _PARTS.split(_ASSENT.sub("", outside)))
    clauses: list[str] = []
    for part in parts:
        if not _telling(part):
            continue
        if clauses and not (has_verb(part) or claim_of_words(part)):
            clauses[-1] += f", {part}"
        else:
            clauses.append(part)
    return clauses


def _telling(words: str) -> frozenset[str]:
    return frozenset(text_units(words)) - _OF_PASSAGES


def _is_carried(clause: str, grounds: Sequence[str]) -> bool:
    return any(_carries(ground, clause) for ground in (*grounds, " ".join(grounds)))


def _carries(ground: str, clause: str) -> bool:
    """Whether a passage's sentence holds a clause's words and numbers, denies if it denies, and
    says what it says. Where the clause is a claim that judges know, they must read it there; where
    they miss only the name of an end, a paraphrase may stand for it.
    """
    if not _shares(clause, ground):
        return False
    if not set(_NUMBER.findall(clause)) <= set(_NUMBER.findall(ground)):
        return False
    if says_otherwise(clause, ground):
        return False
    claim = claim_of_words(clause)
    if claim is None:
        return denies(clause) == denies(ground)
    support = judge(claim, Passage(ground))
    if support.verdict in (SupportVerdict.SUPPORTS, SupportVerdict.CONTRADICTS):
        return support.verdict is SupportVerdict.SUPPORTS
    ends = (claim.subject, claim.object)
    if all(named_in(end, Passage(ground)) for end in ends):
        likely = support.probability >= LIKELY
    else:
        likely = all(_shares(end.words, ground) for end in ends)
    return likely and denies(clause) == denies(ground)


def _shares(words: str, ground: str) -> bool:
    """Whether a sentence holds as much of some words as it must."""
    telling = _telling(words)
    return len(telling & frozenset(text_units(ground))) >= HELD * len(telling)
