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
from core.text.phrases import one_of, phrases
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
_STUDY = one_of(
    "investigate determine evaluate assess examine test explore compare clarify establish"
)
_STUDIES = one_of(
    "investigate[sd]? examine[sd]? assess(?:ed|es)? evaluate[sd]? explore[sd]? tested asked?"
    " compare[sd]? studied"
)
# What a study set out to do.
_AIM = phrases(
    {
        "aims?|aimed|objectives?|purpose": "Our purpose was safety",
        "we (?:sought|set out|wanted|wished|planned)": "Here we wanted to know more",
        rf"(?:is|was|were|are)\sto\s(?:{_STUDY}|find out)": "The task was to find out more",
        rf"(?:designed|conducted|undertaken|performed)\sto\s(?:{_STUDY}|find out)": (
            "A trial designed to compare two doses"
        ),
        rf"(?:needed|order)\sto\s(?:{_STUDY}|find out)": "In order to clarify this, mice were fed",
        rf"(?:we|study|trial|paper|review)\s{_STUDIES}\b"
        r"(?!.{0,200}\b(?:found|showed|and (?:show|find|report)))": "Here we explored its role",
        "to (?:investigate|determine|evaluate|assess|examine|test) (?:whether|if|the)": (
            "Mice were used to test whether it acts"
        ),
        "(?:is|are|remains?) (?:unknown|unclear|uncertain)": "Its role remains unclear",
        "(?:is|are|remains?) to be (?:determined|established)": "This is to be established",
    },
    also={
        r"^\W*(?:(?:here|therefore|thus|in this study)\W+)?to\s\w+\s": "Thus, to learn more, …",
        r"\?\s*$": "Does it act?",
    },
)
# What somebody expected …
_SUPPOSED = phrases(
    {
        r"hypothes[ei]\w*|postulat\w+|speculat\w+|conjectur\w+": "One may speculate on the cause",
        "presum(?:ed|ably)": "It is presumably a kinase",
        "we (?:proposed?|expect(?:ed)?|assumed?|predicted|reasoned|suspected)": "we reasoned so",
        r"(?:thought|believed|assumed|expected|supposed|suspected)\s(?:to|that)\b": (
            "It is believed to act early"
        ),
    },
    after="",
)
_HYPOTHESIS = "hypothes[ei]s|postulate|assumption|idea|notion|expectation|view"
# … and what the study says of that: "results support the hypothesis".
_SETTLED = phrases(
    {
        "support|confirm|corroborat|strengthen|prov(?:e|ing)": "These data support the hypothesis",
        "consistent with|in line with|agree": "Results are in line with our expectation",
        "validat|verif": "We validated this very idea",
    },
    after=rf"\w*\s(?:\w+\s){{0,3}}?(?:{_HYPOTHESIS})\b",
)
_REFUTED = phrases(
    {
        "refut|reject|disprov|contradict|challeng": "The data challenge this view",
        "contrary to|argues? against|evidence against": "It argues against the idea",
        r"(?:not|n't|fail(?:s|ed)? to|no)\s(?:\w+\s){0,2}?"
        "(?:support|confirm|corroborat|consistent)": "Data do not fully support the notion",
    },
    after=rf"\w*\s(?:\w+\s){{0,4}}?(?:{_HYPOTHESIS}|expectations)\b",
)
_REPORTED = one_of(
    "reported suggested proposed implicated described shown associated linked advocated"
    " recommended used claimed debated questioned"
)
_EARLIER = one_of(
    "studies reports? work trials evaluations reported shown suggested described authors"
)
# What was known or said before the study.
_BEFORE = phrases(
    {
        r"(?:previous(?:ly)?|earlier|prior|recent(?:ly)?|several|many|some)\s(?:\w+\s){0,2}?"
        rf"{_EARLIER}\b": "As several large trials had it",
        rf"(?:has|have)\sbeen\s(?:\w+ly\s)?{_REPORTED}\b": "It has been widely recommended",
        r"in question\b": "Its benefit is in question",
        "it is (?:well |widely |generally )?(?:known|accepted|believed)": "It is well known to act",
        "little is known": "Of its cause little is known",
        r"controvers\w+": "Its use is controversial",
        "is (?:widely|commonly|traditionally|often|frequently) ": "Aspirin is commonly given",
    },
    after="",
)
_DONE_TO = one_of(
    "obtained taken calculated measured recorded analy[sz]ed randomi[sz]ed randomly enrolled"
    " recruited provided assessed collected reviewed included performed administered compared"
    " evaluated examined studied investigated selected assigned treated tested determined asked"
    " invited retrieved searched conducted interviewed followed estimated"
)
_WE_DID = one_of(
    "measured enrolled recruited analy[sz]ed collected reviewed searched used performed conducted"
    " included obtained treated"
)
_OUTCOME = (
    r"\b(?:significant\w*|higher|lower|more|less|than|differ\w*|p\s?[<=>]|associated|found to)"
)
# What a study did; it says nothing of what came of it.
_DONE = phrases(
    {
        rf"(?:was|were)\s(?:\w+ly\s)?(?:{_DONE_TO}|identified from|used to)\b"
        rf"(?!.{{0,300}}{_OUTCOME})": "Blood was quickly taken",
        rf"we {_WE_DID}\b"
        r"(?!.{0,300}\b(?:and (?:found|show|observ)|significant\w*))": "We enrolled 20 patients",
    },
    after="",
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|potential(?:ly)?|putative\w*|whether)\b",
    re.IGNORECASE,
)
_RESULTS = one_of(
    "results? findings? data stud(?:y|ies) analys[ie]s trial review meta-analysis observations?"
)
_SHOWS = one_of("show suggest indicat demonstrat found find confirm reveal provid support")
_OWN_RESULT = phrases(
    {
        r"we (?:found|show|showed|demonstrate[d]?|observed|conclude[d]?|report|identified)": (
            "Here we report a link"
        ),
        r"(?:our|these|this|the present|present|current)\s(?:\w+\s){0,2}?"
        rf"{_RESULTS}\s(?:\w+\s)?{_SHOWS}\w*": "These pooled data support it",
        r"conclu(?:de|ded|sions?)\b": "A conclusion is near",
        "in summary": "In summary, it acts",
    },
    after="",
)
# The heading that a sentence of a structured abstract stands under.
_HEADING = phrases(
    {
        "background|introduction|context": "BACKGROUND: Asthma is common.",
        "objectives?|aims?|purpose": "AIMS: Two doses.",
        "hypothesis": "HYPOTHESIS: It acts.",
        "methods?|(?:patients|materials|subjects) and methods": "Patients and methods: Mice ran.",
        "design|setting": "It acts. SETTING: Two wards.",
        "results?|findings": "RESULTS: It acts.",
        "conclusions?|interpretation|discussion": "Conclusions. It acts.",
    },
    before=r"(?:^|(?<=[.?!]\s))(",
    after=r")(?:/\w+)?\s?[:.]\s",
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
_INEFFECTIVE = phrases(
    {
        "ineffective(?:ly)?|unaffected|unchanged|unrelated|unnecessary": "Weight was unchanged",
        "insufficient|inadequate|dispensable|unlikely|hardly": "It is hardly the cause",
        r"unable to|failed|fails?\s|lacks?\s|lacked|absence of": "It fails to act",
        "little (?:effect|evidence|impact|influence|benefit|support|value)|add(?:s|ed)? little": (
            "It had little effect"
        ),
        r"refut\w+|disprov\w+|ruling out|ruled out": "A stroke was ruled out",
        "no longer|independent(?:ly)? of": "It acts independently of p53",
        r"poor(?:ly)?\s(?:predict\w*|correlat\w*|value|indicator|agreement)": "A poor predictor",
    },
)
# Sentences that lean on the one before: "It did not.", "No such effect was seen."
_LEANS = phrases(
    {
        "it|they|this|that|these|those|such": "However, this was not so",
        "neither|both|no such": "No such effect was seen",
        "the (?:drug|agent|compound|treatment|therapy|intervention)s?": "The drug did not",
        "the (?:effect|hypothesis|association|difference)s?": "Yet the effect was confirmed",
    },
    before=r"^\W*(?:(?:however|but|yet|nevertheless|instead|indeed|in fact|moreover|thus|therefore)"
    r"\W+)?",
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
_NOT_DENYING = phrases(
    {
        "not (?:only|just|merely|least)": "It not only inhibits",
        "no(?:t)? (?:longer|doubt)": "No doubt it acts",
        "whether or not": "whether or not it acts",
        "if not": "most, if not all",
    },
    also={
        r"\bwithout (?:any|significant|serious|increasing|causing|adverse) ": "without any harm",
    },
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
