"""What can be relied on in an answer: whether it is whole, what its quotes carry, whether it is
certain, and, in words, what it lacks. Pages, JSON, CSV and tables say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.literature.answers.answer import CitedAnswer, CitedSentence
from core.literature.answers.carried import Carried, SentenceSupport, sentence_support
from core.literature.answers.citation import without_citations
from core.literature.answers.extractive import sentences_of
from core.literature.answers.stance import (
    FINDINGS,
    SentenceStance,
    judged_sentences,
    sentence_stance,
)
from core.literature.answers.yes_or_no import AnswerVerdict, YesOrNo
from core.literature.chunk import Chunk
from core.model import Json

PROBABLY = "The passages only probably answer; no model was asked."
SHOWN = 80  # characters of a sentence that a reason quotes


@dataclass(frozen=True, slots=True)
class AnswerSoundness:
    """`complete`: all was read and written; `supported`: how much of it the quotes carry;
    `missing`: what it lacks to be both; `reasons`: why it is not certain, `missing` among them.
    """

    complete: bool
    supported: Carried
    missing: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        return not self.reasons

    @property
    def json(self) -> dict[str, Json]:
        """{certain, complete, supported: true, false or "partly", missing, reasons}."""
        return {
            "certain": self.certain,
            "complete": self.complete,
            "supported": self.supported.as_json,
            "missing": list(self.missing),
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True)
class SoundSentence:
    """A sentence of an answer with its stance and what its quotes carry of it."""

    sentence: CitedSentence
    stance: SentenceStance
    support: SentenceSupport


def sound_sentences(answer: CitedAnswer, chunks: Sequence[Chunk]) -> tuple[SoundSentence, ...]:
    """The sentences of an answer as they can be relied on."""
    by_id = {chunk.id: chunk for chunk in chunks}
    return tuple(
        SoundSentence(sentence, _stance(sentence, by_id), sentence_support(sentence, by_id))
        for sentence in answer.sentences
    )


def _stance(sentence: CitedSentence, chunks: Mapping[str, Chunk]) -> SentenceStance:
    """The stance of what a sentence quotes, in its passage; of its own words where it quotes
    nothing.
    """
    for quote in sentence.quotes:
        chunk, span = chunks.get(quote.chunk), quote.span
        if chunk is None or span is None:
            continue
        judged = judged_sentences(chunk.text, sentences_of(chunk))
        held = next((one.stance for one in judged if one.span.overlaps(span)), None)
        if held is not None:
            return held
    return sentence_stance(without_citations(sentence.text))


def soundness(
    answers: Sequence[CitedAnswer],
    chunks: Sequence[Chunk],
    verdict: AnswerVerdict | None = None,
) -> AnswerSoundness:
    """What can be relied on in an answer of one or several parts."""
    known = [answer for answer in answers if not answer.unknown]
    sound = [one for answer in known for one in sound_sentences(answer, chunks)]
    missing = [problem.message for answer in answers for problem in answer.shortcomings]
    complete = bool(answers) and all(answer.complete for answer in answers)
    if not known and not any(answer.refused for answer in answers):
        missing.append("The passages do not answer the question.")
    missing += [words for one in sound if (words := _lack(one))]
    reasons = list(missing)
    if any(answer.probable for answer in known):
        reasons.append(PROBABLY)
    if sound and not any(one.stance in FINDINGS for one in sound) and verdict is not None:
        reasons.append("No sentence of the answer is a finding.")
    if contrary := _contrary(known, verdict):
        reasons.append(contrary)
    return AnswerSoundness(
        complete,
        _all_carried([one.support.carried for one in sound]),
        tuple(dict.fromkeys(missing)),
        tuple(dict.fromkeys(reasons)),
    )


def _lack(one: SoundSentence) -> str:
    support = one.support
    if support.carried is Carried.WHOLE:
        return ""
    if support.not_carried:
        return f"No quote carries: {'; '.join(support.not_carried)}."
    words = without_citations(one.sentence.text)
    shown = words if len(words) <= SHOWN else words[: SHOWN - 1].rstrip() + "…"
    return f"“{shown}” is not supported: {support.reason}."


def _all_carried(carried: Sequence[Carried]) -> Carried:
    kinds = set(carried) or {Carried.NOT}
    return kinds.pop() if len(kinds) == 1 else Carried.PARTLY


def _contrary(known: Sequence[CitedAnswer], verdict: AnswerVerdict | None) -> str:
    """A model's yes against a no of the papers, or the reverse."""
    if verdict is None or verdict.answer not in (YesOrNo.YES, YesOrNo.NO):
        return ""
    other = YesOrNo.NO if verdict.answer is YesOrNo.YES else YesOrNo.YES
    if any(_first_word(answer.text) == other for answer in known):
        return f"The answer begins with “{other}”, but the passages say {verdict.answer}."
    return ""


def _first_word(text: str) -> str:
    words = text.split(maxsplit=1)
    return words[0].strip(",.;:!*").casefold() if words else ""


def verdict_json(verdict: AnswerVerdict | None) -> dict[str, Json]:
    """{verdict, verdict_words, counts (of papers), deciding}; empty where no yes or no is asked."""
    if verdict is None:
        return {}
    return {
        "verdict": str(verdict.answer),
        "verdict_words": verdict_words(verdict),
        "counts": {str(answer): count for answer, count in verdict.counts.items()},
        "deciding": [
            {
                "answer": str(one.answer),
                "text": one.text,
                "chunk": one.chunk,
                "document": one.document,
            }
            for one in verdict.deciding
        ],
    }


def verdict_words(verdict: AnswerVerdict | None) -> str:
    """The verdict as an answer begins with it: "No (of 3 papers: 2 no, 1 unclear)."."""
    if verdict is None:
        return ""
    said = [f"{count} {_SAY[answer]}" for answer, count in verdict.counts.items() if count]
    papers = "1 paper" if verdict.papers == 1 else f"{verdict.papers} papers"
    head = {YesOrNo.UNCLEAR: "Neither yes nor no"}.get(
        verdict.answer, str(verdict.answer).capitalize()
    )
    return f"{head} (of {papers}: {', '.join(said)})."


_SAY = {
    YesOrNo.YES: "yes",
    YesOrNo.NO: "no",
    YesOrNo.MIXED: "both",
    YesOrNo.UNCLEAR: "unclear",
}
