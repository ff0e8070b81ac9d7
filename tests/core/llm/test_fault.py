"""What an endpoint's troubles are called, over a server of our own."""

from __future__ import annotations

import json
import socket
import threading

import pytest
from pytest_httpserver import HTTPServer

from core.errors import BadAnswer, RateLimited, Unreachable
from core.llm.completer import Message, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.fault import retry_after_words
from core.llm.openai_client import OpenAICompleter

PATH = "/v1/chat/completions"
QUESTION = Request(
    (Message("user", "The patient of bed seven has a rare fever, says the letter."),)
)


def completer(server: HTTPServer) -> OpenAICompleter:
    return asking(server.url_for("/v1"))


def asking(base_url: str) -> OpenAICompleter:
    return OpenAICompleter("m", EndpointOptions("sk-secret-1", base_url, first=5.0, retries=0))


def test_a_redirect_to_another_host_is_not_followed(httpserver: HTTPServer) -> None:
    with HTTPServer() as elsewhere:
        elsewhere.expect_request(PATH).respond_with_json({})
        headers = {"Location": elsewhere.url_for(PATH)}
        httpserver.expect_request(PATH).respond_with_data("", 307, headers=headers)
        with pytest.raises(BadAnswer, match=r"redirect to another address.*OPENAI_BASE_URL"):
            completer(httpserver).complete(QUESTION)
        assert not elsewhere.log


def test_a_body_that_ends_early_is_an_answer_in_part() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer_half, args=(listening,))
        thread.start()
        with pytest.raises(Unreachable, match="answered only in part"):
            asking(f"http://127.0.0.1:{listening.getsockname()[1]}/v1").complete(QUESTION)
        thread.join()


def answer_half(listening: socket.socket) -> None:
    connection, _ = listening.accept()
    with connection:
        connection.recv(65_536)
        head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
        connection.sendall(head.encode() + b'{"id": "1", "choi')


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("86400", "24 hours"),
        ("1", "1 second"),
        ("90", "90 seconds"),
        ("3600", "1 hour"),
        ("172800", "2 days"),
    ],
)
def test_a_wait_is_said_in_units_of_people(asked: str, words: str) -> None:
    assert retry_after_words(asked) == words


def test_too_many_requests_say_how_long_to_wait(httpserver: HTTPServer) -> None:
    httpserver.expect_request(PATH).respond_with_data("{}", 429, headers={"Retry-After": "86400"})
    with pytest.raises(RateLimited, match="asks to wait 24 hours"):
        completer(httpserver).complete(QUESTION)


def test_a_refusal_does_not_quote_the_prompt(httpserver: HTTPServer) -> None:
    said = f"Bad request near: {QUESTION.messages[0].content}"
    httpserver.expect_request(PATH).respond_with_data(
        json.dumps({"error": {"message": said}}), 400, content_type="application/json"
    )
    with pytest.raises(BadAnswer) as caught:
        completer(httpserver).complete(QUESTION)
    assert "fever" not in str(caught.value)
    assert "400" in str(caught.value)
