"""Endpoints that stop saying anything, before an answer and within one."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import Unreachable
from core.llm.completer import Message, Reply, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from tests.dripping import dripping_host
from tests.endpoint import Sent, served

QUESTION = Request((Message("user", "What is the capital?"),))
LONG = "Paris is the capital. " * 20


def ask(stops_after: int, first: float, between: float, **how: Any) -> Reply:
    with served(lambda body: LONG, stops_after=stops_after, **how) as endpoint:
        options = EndpointOptions(
            "k", endpoint.url, first=first, between=between, retries=0, streams=True
        )
        return OpenAICompleter("m", options).complete(QUESTION)


def test_signs_of_life_without_a_word_are_silence() -> None:
    with pytest.raises(Unreachable, match="did not answer") as caught:
        ask(0, first=0.3, between=30)
    assert "Settings" in caught.value.hint


def test_answer_that_falls_silent_is_kept_and_called_cut() -> None:
    reply = ask(5, first=30, between=0.3)
    assert reply.finish == "cut"
    assert reply.text and LONG.startswith(reply.text)


def test_slow_answer_is_not_taken_for_silence() -> None:
    assert ask(-1, first=3, between=0.5, pause=1.0).text == LONG


CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
DRIPS = {
    "interim answers": (CONTINUE, CONTINUE),
    "headers": (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "a status line": (b"HTTP/1.1 200 ", b"O"),
    "a whole answer": (b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n", b" "),
    "its reasons for refusing": (b"HTTP/1.1 500 No\r\nContent-Length: 90000\r\n\r\n", b" "),
    "a stream's first line": (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", b"x"),
}


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("drip", DRIPS)
def test_endpoint_that_drips_without_answering_is_left(drip: str, streams: bool) -> None:
    with dripping_host() as host:
        options = EndpointOptions("k", host(*DRIPS[drip]), first=0.3, between=0.3, streams=streams)
        with pytest.raises(Unreachable, match="in time") as caught:
            OpenAICompleter("m", options, sleep=lambda _: None).complete(QUESTION)
    assert "bytes" in str(caught.value) or drip.startswith("a stream")


def test_list_of_models_that_drips_is_left() -> None:
    with dripping_host() as host, pytest.raises(Unreachable, match="a few bytes"):
        OpenAICompleter("m", EndpointOptions("k", host(*DRIPS["headers"]), first=0.3)).offered()


def test_connection_that_is_used_again_is_watched_too() -> None:
    drips = False

    def tamper(asked: str, sent: Sent) -> Sent:
        return (*sent[:2], 100) if drips else sent

    with served(lambda body: "Paris", tamper=tamper) as endpoint:
        completer = OpenAICompleter("m", EndpointOptions("k", endpoint.url, first=0.5, retries=0))
        assert completer.complete(QUESTION).text == "Paris"
        drips = True
        with pytest.raises(Unreachable, match="in time"):
            completer.complete(QUESTION)


def test_large_answer_that_keeps_coming_is_read_beyond_the_first_limit() -> None:
    with served(lambda body: LONG * 200, trickle=0.1) as endpoint:
        completer = OpenAICompleter("m", EndpointOptions("k", endpoint.url, first=0.4, retries=0))
        assert completer.complete(QUESTION).text.startswith(LONG)
