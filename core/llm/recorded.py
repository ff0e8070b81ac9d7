"""Completers that answer without a model: from rows of prompt and completion, or from what a person
pastes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.errors import NotFound
from core.llm.completer import OnText, Reply, Request, Usage
from core.llm.reasoning import separate_thoughts
from core.llm.token_count import tokens_in


class RecordedCompleter:
    """Answers a request whose last user message is a recorded prompt (white space aside); the n-th
    time it is asked, with the n-th completion recorded for it, and the last one from then on. Not
    thread-safe in that count only.
    """

    def __init__(
        self, rows: Iterable[tuple[str, str]] | Mapping[str, str], model: str = "recorded"
    ):
        self._model = model
        self._known: dict[str, list[str]] = defaultdict(list)
        self._asked: dict[str, int] = defaultdict(int)
        for prompt, completion in rows.items() if isinstance(rows, Mapping) else rows:
            self._known[_fold(prompt)].append(completion)

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        prompt = _fold(
            next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        )
        if prompt not in self._known:
            raise NotFound(
                f"No answer is recorded for this prompt: “{prompt[:60]}…”.", "Run it with a model."
            )
        recorded_answers = self._known[prompt]
        text = recorded_answers[min(self._asked[prompt], len(recorded_answers) - 1)]
        self._asked[prompt] += 1
        return _reply(until_stop_word(text, request.stop), self.model, request, on_text)


class AbsentCompleter:
    """The model of a recorded run that is replayed: nothing is asked, whatever model is configured
    now, or none.
    """

    def __init__(self, model: str):
        self._model = model

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        raise NotFound(
            "This request is not in the record, and a replay asks no model.", "Run it again."
        )


class PastedCompleter:
    """Answers with texts in the order given: what a person pasted from a model of their own."""

    def __init__(self, answers: Sequence[str], model: str = "pasted"):
        self._answers, self._model = list(answers), model

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        if not self._answers:
            raise NotFound(
                "There are no more pasted answers.", "Paste the model's answer to this prompt too."
            )
        return _reply(self._answers.pop(0), self.model, request, on_text)


def until_stop_word(text: str, stop: Sequence[str]) -> str:
    """`text` up to the first of the stop words."""
    ends = [text.find(word) for word in stop if word and word in text]
    return text[: min(ends)] if ends else text


def _reply(text: str, model: str, request: Request, on_text: OnText | None) -> Reply:
    text, thoughts = separate_thoughts(text)
    if on_text and text:
        on_text(text)
    prompt_tokens = sum(tokens_in(message.content) for message in request.messages)
    return Reply(
        text,
        model=model,
        usage=Usage(prompt_tokens, tokens_in(text), estimated=True),
        reasoning=thoughts,
    )


def _fold(text: str) -> str:
    return " ".join(text.split())
