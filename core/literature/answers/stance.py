"""How a sentence speaks of what a question asks: as a finding, a denial, an aim, a supposition, or
something known before. A sentence is judged with its neighbours: the heading that it stands under,
and the sentence before where it only refers to that ("It did not.").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.literature.index.tokens import text_units
from core.model import Span
from core.support.reading.stance_patterns import NEGATION, NO_NEGATION, UNSETTLED
from core.text.sentence import split_sentences


class SentenceStance(StrEnum):
    """`negated` is a finding that denies; `unclear` may be one, for its words only allow it."""

    FINDING = "finding"
    NEGATED = "negated"
    UNCLEAR = "unclear"
    BACKGROUND = "background"
    HYPOTHESIS = "hypothesis"
    AIM = "aim"


FINDINGS = frozenset((SentenceStance.FINDING, SentenceStance.NEGATED))
# What a study set out to do.
_AIM = re.compile(
    r"^\W*(?:(?:here|therefore|thus|in this study)\W+)?to\s\w+\s"
    r"|\b(?:aims?|aimed|objectives?|purpose|we (?:sought|set out|wanted|wished|planned)"
    r"|(?:is|was|were|are|designed|conducted|undertaken|performed|needed|order)\sto\s(?:investigate"
    r"|determine|evaluate|assess|examine|test|explore|compare|clarify|establish|find out)"
    r"|(?:we|study|trial|paper|review)\s(?:investigate[sd]?|examine[sd]?|assess(?:ed|es)?"
    r"|evaluate[sd]?|explore[sd]?|tested|asked?|compare[sd]?|studied)\b"
    r"(?!.{0,200}\b(?:found|showed|and (?:show|find|report)))"
    r"|to (?:investigate|determine|evaluate|assess|examine|test) (?:whether|if|the)"
    r"|(?:is|are|remains?) (?:unknown|unclear|uncertain|to be (?:determined|established)))\b"
    r"|\?\s*$",
    re.IGNORECASE,
)
# What somebody expected …
_SUPPOSED = re.compile(
    r"\b(?:hypothes[ei]\w*|postulat\w+|speculat\w+|conjectur\w+|presum(?:ed|ably)"
    r"|we (?:proposed?|expect(?:ed)?|assumed?|predicted|reasoned|suspected)"
    r"|(?:thought|believed|assumed|expected|supposed|suspected)\s(?:to|that)\b)",
    re.IGNORECASE,
)
# … and what the study says of that: "results support the hypothesis".
_SETTLED = re.compile(
    r"\b(?:support|confirm|corroborat|strengthen|prov(?:e|ing)|consistent with|in line with"
    r"|agree|validat|verif)\w*\s(?:\w+\s){0,3}?(?:hypothes[ei]s|postulate|assumption|idea|notion"
    r"|expectation|view)\b",
    re.IGNORECASE,
)
_REFUTED = re.compile(
    r"\b(?:refut|reject|disprov|contradict|challeng|contrary to|argues? against|evidence against"
    r"|(?:not|n't|fail(?:s|ed)? to|no)\s(?:\w+\s){0,2}?(?:support|confirm|corroborat|consistent))"
    r"\w*\s(?:\w+\s){0,4}?(?:hypothes[ei]s|postulate|assumption|idea|notion|expectations?|view)\b",
    re.IGNORECASE,
)
# What was known or said before the study.
_BEFORE = re.compile(
    r"\b(?:previous(?:ly)?|earlier|prior|recent(?:ly)?|several|many|some)\s(?:\w+\s){0,2}?(?:studies"
    r"|reports?|work|trials|evaluations|reported|shown|suggested|described|authors)\b"
    r"|\b(?:has|have)\sbeen\s(?:\w+ly\s)?(?:reported|suggested|proposed|implicated|described"
    r"|shown|associated|linked|advocated|recommended|used|claimed|debated|questioned)\b"
    r"|\bin question\b"
    r"|\b(?:it is (?:well |widely |generally )?(?:known|accepted|believed)|little is known"
    r"|controvers\w+|is (?:widely|commonly|traditionally|often|frequently) )",
    re.IGNORECASE,
)
# What a study did; it says nothing of what came of it.
_DONE = re.compile(
    r"\b(?:was|were)\s(?:\w+ly\s)?(?:obtained|taken|calculated|measured|recorded|analy[sz]ed"
    r"|randomi[sz]ed|randomly|enrolled|recruited|provided|assessed|collected|reviewed|included"
    r"|performed|administered|compared|evaluated|examined|studied|investigated|identified from"
    r"|selected|assigned|treated|tested|determined|asked|invited|retrieved|searched|conducted"
    r"|interviewed|used to|followed|estimated)\b"
    r"(?!.{0,300}\b(?:significant\w*|higher|lower|more|less|than|differ\w*|p\s?[<=>]|associated"
    r"|found to))|\bwe (?:measured|enrolled|recruited|analy[sz]ed|collected|reviewed|searched"
    r"|used|performed|conducted|included|obtained|treated)\b"
    r"(?!.{0,300}\b(?:and (?:found|show|observ)|significant\w*))",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|potential(?:ly)?|putative\w*|whether)\b",
    re.IGNORECASE,
)
_OWN_RESULT = re.compile(
    r"\b(?:we (?:found|show|showed|demonstrate[d]?|observed|conclude[d]?|report|identified)"
    r"|(?:our|these|this|the present|present|current)\s(?:\w+\s){0,2}?(?:results?|findings?|data"
    r"|stud(?:y|ies)"
    r"|analys[ie]s|trial|review|meta-analysis|observations?)\s(?:\w+\s)?(?:show|suggest|indicat"
    r"|demonstrat|found|find|confirm|reveal|provid|support)\w*"
    r"|conclu(?:de|ded|sions?)\b|in summary)",
    re.IGNORECASE,
)
# The heading that a sentence of a structured abstract stands under.
_HEADING = re.compile(
    r"(?:^|(?<=[.?!]\s))(background|introduction|context|objectives?|aims?|purpose|hypothesis"
    r"|methods?|(?:patients|materials|subjects) and methods|design|setting|results?|findings"
    r"|conclusions?|interpretation|discussion)(?:/\w+)?\s?[:.]\s",
    re.IGNORECASE,
)
_UNDER = {
    "background": SentenceStance.BACKGROUND,
    "introduction": SentenceStance.BACKGROUND,
    "context": SentenceStance.BACKGROUND,
    "hypothesis": SentenceStance.HYPOTHESIS,
    "objective": SentenceStance.AIM,
    "aim": SentenceStance.AIM,
    "purpose": SentenceStance.AIM,
}
# Denials without one of the words that deny anywhere.
_INEFFECTIVE = re.compile(
    r"\b(?:ineffective(?:ly)?|unaffected|unchanged|unrelated|unnecessary|insufficient|inadequate"
    r"|unable to|failed|fails?\s|lacks?\s|lacked|absence of|little (?:effect|evidence|impact"
    r"|influence|benefit|support|value)|refut\w+|disprov\w+|no longer|independent(?:ly)? of"
    r"|unlikely|hardly|dispensable|ruling out|ruled out|add(?:s|ed)? little"
    r"|poor(?:ly)?\s(?:predict\w*|correlat\w*|value|indicator|agreement))\b",
    re.IGNORECASE,
)
# Sentences that lean on the one before: "It did not.", "No such effect was seen."
_LEANS = re.compile(
    r"^\W*(?:(?:however|but|yet|nevertheless|instead|indeed|in fact|moreover|thus|therefore)\W+)?"
    r"(?:it|they|this|that|these|those|such|neither|both|no such|the (?:drug|agent|compound"
    r"|treatment|therapy|intervention|effect|hypothesis|association|difference)s?)\b",
    re.IGNORECASE,
)
# … and say nothing of their own but that it is so, or not.
_OF_ITSELF = frozenset(
    text_units(
        "it they this that these those such neither both no not however but yet nevertheless drug"
        " agent compound treatment therapy intervention effect effects hypothesis association"
        " difference did does was were is confirmed observed seen found supported true case so"
        " evident detected shown significant instead indeed fact"
    )
)
_NOT_DENYING = re.compile(
    r"\bnot (?:only|just|merely|least)\b|\bno(?:t)? (?:longer|doubt)\b|\bwhether or not\b"
    r"|\bif not\b"
    r"|\bwithout (?:any |significant |serious |increasing |causing |adverse )",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of a text with its stance. `words` are its own and, where it leans on the sentence
    before, those of that one too. `concludes`: it says what the study comes to.
    """

    span: Span
    words: str
    stance: SentenceStance
    concludes: bool = False


def judged_sentences(text: str, spans: Sequence[Span] = ()) -> list[JudgedSentence]:
    """Every sentence of a text (at `spans`, where they are known) with its stance."""
    spans = spans or split_sentences(text)
    headings = [(match.start(1), match[1]) for match in _HEADING.finditer(text)]
    judged = []
    for place, span in enumerate(spans):
        words = span.quote(text)
        under = next((name for at, name in reversed(headings) if at < span.end), "").casefold()
        leans = bool(place and _LEANS.match(words) and _OF_ITSELF.issuperset(text_units(words)))
        joined = f"{spans[place - 1].quote(text)} {words}" if leans else words
        stance = sentence_stance(words, _UNDER.get(under.rstrip("s")))
        concludes = under.startswith(("conclu", "interpret")) or bool(_OWN_RESULT.search(words))
        judged.append(JudgedSentence(span, joined, stance, concludes))
    return _before_the_study(judged)


def _before_the_study(judged: Sequence[JudgedSentence]) -> list[JudgedSentence]:
    """What stands before a text says what it sets out to do was known before, unless it concludes;
    a text says so in its first half. The first sentence of all may be a title, which finds.
    """
    set_out = (SentenceStance.AIM, SentenceStance.HYPOTHESIS)
    begins = [place for place, one in enumerate(judged) if one.stance in set_out]
    first = next((place for place in begins if place <= len(judged) // 2), 0)
    return [
        replace(one, stance=SentenceStance.BACKGROUND)
        if 0 < place < first and one.stance in _MAY_BE_BEFORE and not one.concludes
        else one
        for place, one in enumerate(judged)
    ]


_MAY_BE_BEFORE = frozenset((*FINDINGS, SentenceStance.UNCLEAR))


def sentence_stance(words: str, under: SentenceStance | None = None) -> SentenceStance:
    """The stance of a sentence by its own words and by that of the heading it stands under."""
    if _REFUTED.search(words):
        return SentenceStance.NEGATED
    settled = _SETTLED.search(words) is not None
    if not settled and _SUPPOSED.search(words):
        return SentenceStance.HYPOTHESIS
    own = _OWN_RESULT.search(words) is not None
    if not own and _AIM.search(words):
        return SentenceStance.AIM
    if under is not None:
        return under
    if not own and (_BEFORE.search(words) or _DONE.search(words)):
        return SentenceStance.BACKGROUND
    if UNSETTLED.search(words.casefold()):
        return SentenceStance.UNCLEAR
    if denies(words):
        return SentenceStance.NEGATED
    if not settled and _HEDGE.search(words):
        return SentenceStance.UNCLEAR
    return SentenceStance.FINDING


def denies(words: str) -> bool:
    """Whether words deny something, wherever in them."""
    plain = _NOT_DENYING.sub(" ", words)
    plain = NO_NEGATION.sub(" ", plain.casefold())
    return bool(NEGATION.search(plain) or _INEFFECTIVE.search(plain))
