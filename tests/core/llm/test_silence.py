"""Endpoints that stop saying anything, before an answer and within one."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import Unreachable
from core.llm.completer import Message, Reply, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from tests.endpoint import served

QUESTION = Request((Message("user", "What is the capital?"),))
LONG = "Paris is the capital. " * 20


def ask(stops_after: int, first: float, between: float, **how: Any) -> Reply:
    with served(lambda body: LONG, stops_after=stops_after, **how) as endpoint:
        options = EndpointOptions(
            "k", endpoint.url, first=first, between=between, retries=0, streams=True
        )
        return OpenAICompleter("m", options).complete(QUESTION)


def test_signs_of_life_without_a_word_are_silence() -> None:
    with pytest.raises(Unreachable, match="did not answer in time") as caught:
        ask(0, first=0.3, between=30)
    assert "Settings" in caught.value.hint


def test_answer_that_falls_silent_is_kept_and_called_cut() -> None:
    reply = ask(5, first=30, between=0.3)
    assert reply.finish == "cut"
    assert reply.text and LONG.startswith(reply.text)


def test_slow_answer_is_no_silence() -> None:
    assert ask(-1, first=3, between=0.5, pause=1.0).text == LONG
