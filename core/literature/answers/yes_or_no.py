"""What passages say to a question that is answered by yes or no: each paper by the sentence of it
that speaks most to the question as a finding, and all papers together with counts.

Only findings answer. What was expected, asked or known before a study answers nothing: "We
hypothesised that zinc prevents the common cold. Zinc had no effect on the common cold." says no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.literature.answers.certainty import QuestionWeight, QuestionWeights
from core.literature.answers.extractive import passage_weights, sentences_of
from core.literature.answers.rendering import chunks_by_paper
from core.literature.answers.stance import (
    FINDINGS,
    JudgedSentence,
    SentenceStance,
    denies,
    judged_sentences,
)
from core.literature.chunk import Chunk
from core.literature.index.tokens import text_units
from core.literature.query.plain_question import plain_question
from core.model import Span, SupportVerdict
from core.support.claim import Claim, ClaimEnd, Passage
from core.support.reading.rule_table import FAMILIES
from core.support.verdict import judge
from core.text.phrases import phrases

# Share of the question's weight that a finding must hold to answer it, and that a conclusion must.
SPEAKS, CONCLUSION_SPEAKS = 0.5, 0.35
READ_SPEAKS = 0.25  # that one must hold in which the judges of support read the question's claim
CONCLUDES = 0.15  # of the question's weight, that a conclusion counts more
LATER = 0.1  # … and that the last sentence of a passage counts more than its first
_ASKS = re.compile(
    r"(?:^|[:;,.?]\s)\s*(is|are|was|were|do|does|did|can|could|has|have|had|should|may|might|will"
    r"|would)\b(?=[^?]*\?|[^?]*$)",
    re.IGNORECASE,
)
_OTHER_KIND = re.compile(r"^\W*(?:what|which|who|how|why|when|where|list|name|describe)\b", re.I)
# Questions whether two things are alike: "no difference" answers yes. Whether they differ: no.
_ASKS_ALIKE = re.compile(
    r"\b(?:equal|similar|same|comparable|equivalent|identical|as (?:\w+ )?as|non-?inferior"
    r"|interchangeable)\b",
    re.IGNORECASE,
)
_ASKS_OTHER = re.compile(r"\b(?:differ\w*|var(?:y|ies)|discrepan\w+)\b", re.IGNORECASE)
_NO_DIFFERENCE = phrases(
    {
        r"(?:no|not|without|nor|neither|n't|lack of)\b[^.;]{0,60}?\bdiffer\w*": (
            "No group differed from the others"
        ),
        "similar|comparable|same|identical": "The groups were similar",
        "equal(?:ly)?|equivalent|indistinguishable": "Both were equally good",
    },
)
_DIFFERENCE = re.compile(
    r"\b(?:differ(?:s|ed|ent|ently|ences?)?|higher|lower|greater|superior|inferior|worse|better"
    r"|more|less|unlike)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:[Tt]he )?(?:risk|incidence|rate|severity|duration|frequency|prevalence|occurrence) of ",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:(?:an?|the|any|there|these|this|use of|treatment with) )+", re.IGNORECASE)
_TAIL = re.compile(
    r"\s(?:in|among|during|for|after|before|when|if|than|at|on|within|by|compared|following)\s.*$",
    re.IGNORECASE,
)
_PARTICLE = re.compile(r"^(?:with|to|of|from|by|against|in|for|on)\b\s*", re.IGNORECASE)
_BE = frozenset(("is", "are", "was", "were", "has", "have", "had"))
_PARTICIPLE = re.compile(r"\w+(?:ed|en)|bound|led")  # "is it associated with"
_BASE = re.compile(  # "does it treat"; not "therapy", "inhibitors", "treated"
    r"(?!\w*(?:tion|ment|ance|ence|sis|py|ty|er|ers|ors?|ing|ed|ive|ic|al|ents?|s)$)\w+|contain|bind"
    r"|prevent|augment|lower|trigger|alter|enhance|influence|suppress"  # that only look like nouns
)
_FINITE = re.compile(rf"{_BASE.pattern}|\w+(?:[^s]s|ed)")  # "prevents", "prevented"
_AUXILIARY = re.compile(
    r"(?:\s(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|will|would"
    r"|should|not|never|no|also|\w+ly|cannot|n't))+$",
    re.IGNORECASE,
)


class YesOrNo(StrEnum):
    YES = "yes"
    NO = "no"
    MIXED = "mixed"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class DecidingSentence:
    """The sentence by which a paper says yes or no: `text` word for word, from `chunk`."""

    document: str
    answer: YesOrNo
    text: str
    chunk: str
    span: Span


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What papers say to a question: yes, no, or mixed where they differ; `counts` are of papers.
    `deciding`: a sentence of each paper that says something, in the order of the papers.
    """

    answer: YesOrNo
    counts: dict[YesOrNo, int]
    deciding: tuple[DecidingSentence, ...] = ()

    @property
    def papers(self) -> int:
        return sum(self.counts.values())

    @property
    def without_answer(self) -> AnswerVerdict:
        """The same papers where none of them answers."""
        none = dict.fromkeys(YesOrNo, 0) | {YesOrNo.UNCLEAR: self.papers}
        return AnswerVerdict(YesOrNo.UNCLEAR, none)


@dataclass(frozen=True)
class _Question:
    """A question as sentences are held against it; `claim`: what it asks, where it has a verb that
    the judges of support know.
    """

    text: str
    weight: QuestionWeight
    claim: Claim | None

    def read(self, chunk: Chunk, sentence: JudgedSentence) -> YesOrNo | None:
        """What the judges of support read of the question's claim in a sentence; None: nothing."""
        if self.claim is None:
            return None
        verdict = judge(self.claim, Passage(chunk.text, sentence.span)).verdict
        if verdict is SupportVerdict.CONTRADICTS:
            return YesOrNo.NO
        return YesOrNo.YES if verdict is SupportVerdict.SUPPORTS else None

    def is_named(self, sentence: JudgedSentence) -> bool:
        """Whether a sentence names both ends of the claim, whatever verb it has: "Zinc had no
        effect on the common cold" answers whether zinc prevents it.
        """
        if self.claim is None:
            return False
        ends = f"{self.claim.subject.words} {self.claim.object.words}"
        return frozenset(text_units(ends)) <= frozenset(text_units(sentence.words))

    def by_words(self, sentence: JudgedSentence) -> YesOrNo:
        """What a finding that holds the question's words says to it."""
        words = sentence.words
        if _ASKS_ALIKE.search(self.text):
            alike = _NO_DIFFERENCE.search(words)
            return YesOrNo.YES if alike and not denies(_without(words, alike)) else YesOrNo.NO
        if _ASKS_OTHER.search(self.text) and _NO_DIFFERENCE.search(words):
            return YesOrNo.NO
        denied = sentence.stance is SentenceStance.NEGATED
        return YesOrNo.NO if denied != denies(self.text) else YesOrNo.YES


def _without(words: str, match: re.Match[str]) -> str:
    return words[: match.start()] + words[match.end() :]


def asks_yes_or_no(question: str) -> bool:
    """Whether a question is answered by yes or no: "Does zinc …?", "Zinc in colds: is it …?"."""
    return not _OTHER_KIND.match(question) and _ASKS.search(question) is not None


def verdict_of_passages(
    question: str, chunks: Sequence[Chunk], weights: QuestionWeights | None = None
) -> AnswerVerdict | None:
    """What the papers of these passages say to a question; None where it is not answered by yes or
    no.
    """
    if not chunks or not asks_yes_or_no(question):
        return None
    plain = plain_question(question)
    weight = QuestionWeight(plain, weights or passage_weights(plain, chunks))
    asked = _Question(plain, weight, claim_of_question(plain))
    counts = dict.fromkeys(YesOrNo, 0)
    deciding = []
    for document, passages in chunks_by_paper(chunks).items():
        said = _said_by(asked, document, passages)
        answer = _of_several([one.answer for one in said])
        counts[answer] += 1
        deciding += said
    return AnswerVerdict(_of_papers(counts), counts, tuple(deciding))


def _said_by(asked: _Question, document: str, passages: Sequence[Chunk]) -> list[DecidingSentence]:
    """The sentence of a paper that answers: the one that speaks most to the question."""
    found: list[tuple[float, DecidingSentence]] = []
    for chunk in passages:
        for sentence in judged_sentences(chunk.text, sentences_of(chunk)):
            if sentence.stance not in FINDINGS:
                continue
            share = asked.weight.share(frozenset(text_units(sentence.words)))
            if share < READ_SPEAKS and not asked.is_named(sentence):
                continue
            said = asked.read(chunk, sentence)
            if said is None and share < (CONCLUSION_SPEAKS if sentence.concludes else SPEAKS):
                continue
            said = said or asked.by_words(sentence)
            share += LATER * sentence.span.end / len(chunk.text)
            text = " ".join(sentence.span.quote(chunk.text).split())
            one = DecidingSentence(document, said, text, chunk.id, sentence.span)
            found.append((share + CONCLUDES * sentence.concludes, one))
    best = max(found, key=lambda scored: scored[0], default=None)
    return [best[1]] if best else []


def _of_several(answers: Sequence[YesOrNo]) -> YesOrNo:
    kinds = set(answers) or {YesOrNo.UNCLEAR}
    return kinds.pop() if len(kinds) == 1 else YesOrNo.MIXED


def _of_papers(counts: dict[YesOrNo, int]) -> YesOrNo:
    if counts[YesOrNo.MIXED] or (counts[YesOrNo.YES] and counts[YesOrNo.NO]):
        return YesOrNo.MIXED
    return next((one for one in (YesOrNo.YES, YesOrNo.NO) if counts[one]), YesOrNo.UNCLEAR)


def claim_of_question(question: str) -> Claim | None:
    """What a question asks as a claim: subject, verb, object; None where it has no verb of a known
    family with words on both sides.
    """
    asks = _ASKS.search(question)
    if asks is None:
        return None
    verb = _PARTICIPLE if asks[1].casefold() in _BE else _BASE
    return claim_of_words(question[asks.end(1) :].strip(" ?."), verb)


def claim_of_words(words: str, verb: re.Pattern[str] | None = None) -> Claim | None:
    """A claim of plain words, such as "zinc does not prevent the common cold", its verb of the form
    `verb`; None where they are none.
    """
    verb = verb or _FINITE
    tokens = words.split()
    for place, token in enumerate(tokens[1:], start=1):
        word = token.strip(",;:()").casefold()
        if not verb.fullmatch(word) or not any(
            re.match(rf"(?:{family.names})", word) for family in FAMILIES
        ):
            continue
        before = " ".join(tokens[:place])
        subject = _LEAD.sub("", _AUXILIARY.sub("", before))
        rest = " ".join(tokens[place + 1 :])
        particle = _PARTICLE.match(rest)
        behind = _PARTICLE.sub("", rest)
        behind = _TAIL.sub("", _STATE.sub("", _LEAD.sub("", behind)))
        behind = _LEAD.sub("", behind).strip(" ,;")
        if not subject or not behind:
            return None
        by = " by" if particle and particle[0].strip() == "by" else ""
        return Claim(ClaimEnd((subject,)), word + by, ClaimEnd((behind,)), denies(before))
    return None
