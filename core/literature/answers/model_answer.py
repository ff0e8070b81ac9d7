"""A model's answer from chunks: in one question where they fit, else in several whose sentences are
put together. Each sentence cites and quotes the chunks that it was written from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import ContextExceeded
from core.literature.answers.answer import (
    MOST_CHARACTERS,
    AnswerTemplate,
    CitedAnswer,
    CitedSentence,
    answer_prompt,
    chunks_that_fit,
    read_answer,
)
from core.literature.chunk import Chunk
from core.llm.completer import Completer, OnText, Reply, Request, capabilities_of
from core.llm.token_count import tokens_in

MOST_PARTS = 20  # questions for one answer
ANSWER = 500  # tokens that are kept for an answer, a third of the context at the most
LETTERS = 3.2  # characters a token: few, so that chunks fit also where words are long


def passages_for(context: int, beside: int = 0) -> int:
    """Characters of passages that fit beside a question of `beside` tokens and its answer;
    `context` is tokens, 0 where it is not known.
    """
    if not context:
        return MOST_CHARACTERS
    room = context - beside - min(ANSWER, context // 3)
    return min(MOST_CHARACTERS, int(max(room, context // 4) * LETTERS))


def ask_model(
    completer: Completer,
    question: str,
    chunks: Sequence[Chunk],
    *,
    template: AnswerTemplate = AnswerTemplate.PARAGRAPH,
    on_text: OnText | None = None,
    document: str = "",
    path: str = "answer",
    earlier: Sequence[tuple[str, str]] = (),
) -> CitedAnswer:
    """A model's answer, read and checked: in parts where the chunks do not fit into what it reads
    at once. Raises the RemoteError tree.
    """
    asking = _Asking(completer, question, template, on_text, path=path, earlier=tuple(earlier))
    return asking.answer(chunks_that_fit(chunks), len(chunks), document)


class _Asking:
    """One question to a model about any number of chunks."""

    def __init__(
        self,
        completer: Completer,
        question: str,
        template: AnswerTemplate,
        on_text: OnText | None,
        *,
        path: str,
        earlier: tuple[tuple[str, str], ...],
    ):
        self.completer, self.on_text, self.path = completer, on_text, path
        self.asked = (question, template, earlier)
        rules = "".join(m.content for m in self._request([]).messages)
        self.beside = tokens_in(rules)

    def answer(self, chunks: Sequence[Chunk], given_count: int, document: str) -> CitedAnswer:
        """`given_count` counts all the chunks that were given, also those beyond all limits."""
        most = passages_for(capabilities_of(self.completer).context, self.beside)
        waiting, parts, unread = list(chunks), list[tuple[CitedAnswer, Reply]](), 0
        while waiting and len(parts) < MOST_PARTS:
            part = chunks_that_fit(waiting, most)
            try:
                reply = self._ask(part, len(parts))
            except ContextExceeded as error:
                if len(part) > 1:
                    half = sum(len(chunk.text) for chunk in part) // 2
                    most = min(passages_for(error.limit, self.beside), half)
                    continue
                if not parts and len(waiting) == 1:
                    raise
                waiting, unread = waiting[1:], unread + 1  # a single chunk that is too long
                continue
            parts.append((read_answer(reply.text, part, reply.whole), reply))
            waiting = waiting[len(part) :]
        read_of_them = len(chunks) - len(waiting) - unread
        return join_answers(parts, given_count - read_of_them, document)

    def _ask(self, part: Sequence[Chunk], number: int) -> Reply:
        if number and self.on_text:
            self.on_text("\n")
        place = f"{self.path}/part[{number}]" if number else self.path
        request = self._request(part)
        return self.completer.complete(Request(request.messages, path=place), self.on_text)

    def _request(self, part: Sequence[Chunk]) -> Request:
        question, template, earlier = self.asked
        return answer_prompt(question, part, template, earlier)


def _joined(before: CitedSentence, later: CitedSentence) -> CitedSentence:
    """A sentence that two parts gave, with what either cites."""
    return replace(
        before,
        chunks=tuple(dict.fromkeys((*before.chunks, *later.chunks))),
        quotes=tuple(dict.fromkeys((*before.quotes, *later.quotes))),
        problems=tuple(dict.fromkeys((*before.problems, *later.problems))),
    )


def join_answers(
    parts: Sequence[tuple[CitedAnswer, Reply]], unread_count: int, document: str = ""
) -> CitedAnswer:
    """One answer of several: what some parts do not hold, others may."""
    with_answer = [answer for answer, _ in parts if not answer.unknown]
    sentences: dict[str, CitedSentence] = {}
    for sentence in (sentence for answer in with_answer for sentence in answer.sentences):
        before = sentences.get(sentence.text)
        sentences[sentence.text] = _joined(before, sentence) if before else sentence
    return CitedAnswer(
        tuple(sentences.values()),
        not with_answer,
        "\n".join(answer.text for answer in with_answer or [answer for answer, _ in parts]),
        document=document,
        call=next((reply.call for _, reply in parts if reply.call), ""),
        cut=not all(reply.whole for _, reply in parts),
        left=unread_count,
        parts=len(parts),
        broke_off=any(reply.finish == "cut" for _, reply in parts),
        endless=any(reply.finish == "runaway" for _, reply in parts),
        dropped=next((answer.dropped for answer, _ in parts if answer.dropped), ""),
        elided=next((answer.elided for answer, _ in parts if answer.elided), ""),
        refused=any(answer.refused for answer, _ in parts),
    )
