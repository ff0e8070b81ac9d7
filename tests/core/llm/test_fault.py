"""What an endpoint's troubles are called, over a server of our own."""

from __future__ import annotations

import email.utils
import json
import socket
import threading
import time

import pytest
from pytest_httpserver import HTTPServer

from core.errors import BadAnswer, GarbledAnswer, RateLimited, Unauthorised, Unreachable
from core.llm.completer import Message, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.text.retry_after import retry_after, wait_words

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
        with pytest.raises(Unreachable, match="broke off before"):
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
        (86400, "24 hours"),
        (0.4, "1 second"),
        (90, "90 seconds"),
        (3600, "1 hour"),
        (172800, "2 days"),
    ],
)
def test_waiting_time_is_worded_in_minutes_and_hours(asked: float, words: str) -> None:
    assert wait_words(asked) == words


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "700", "retry-after": "1"}, 0.7),
        ({"retry-after": "Mon, 23 Nov 2020 08:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "9" * 400}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_wait_until_a_date_is_reported_in_hours_and_not_retried(httpserver: HTTPServer) -> None:
    later = email.utils.formatdate(time.time() + 8000, usegmt=True)
    httpserver.expect_request(PATH).respond_with_data("{}", 429, headers={"Retry-After": later})
    with pytest.raises(RateLimited, match="asks to wait 2 hours"):
        completer(httpserver).complete(QUESTION)
    assert len(httpserver.log) == 1


def test_too_many_requests_say_how_long_to_wait(httpserver: HTTPServer) -> None:
    httpserver.expect_request(PATH).respond_with_data("{}", 429, headers={"Retry-After": "86400"})
    with pytest.raises(RateLimited, match="asks to wait 24 hours"):
        completer(httpserver).complete(QUESTION)


def test_a_refusal_does_not_quote_the_prompt(httpserver: HTTPServer) -> None:
    refusal = f"Bad request near: {QUESTION.messages[0].content}"
    httpserver.expect_request(PATH).respond_with_data(
        json.dumps({"error": {"message": refusal}}), 400, content_type="application/json"
    )
    with pytest.raises(BadAnswer) as caught:
        completer(httpserver).complete(QUESTION)
    assert "fever" not in str(caught.value)
    assert "400" in str(caught.value)


def test_a_refusal_that_holds_a_whole_paper_does_not_quote_it(
    httpserver: HTTPServer,
) -> None:
    paper = "Patient 7 went home well. " * 4000
    httpserver.expect_request(PATH).respond_with_json({"error": {"message": paper}}, 400)
    with pytest.raises(BadAnswer, match=r"\(400\)\.$"):
        completer(httpserver).complete(Request((Message("user", f"Read: {paper}"),)))


@pytest.mark.parametrize("body", ["<html>nginx</html>", '{"detail": "Not Found"}'])
def test_address_without_v1_is_reported_as_a_wrong_address(
    httpserver: HTTPServer, body: str
) -> None:
    httpserver.expect_request(PATH).respond_with_data(body, 404, content_type="text/html")
    with pytest.raises(BadAnswer, match=r"OPENAI_BASE_URL .*/v1\)"):
        completer(httpserver).complete(QUESTION)


def test_a_page_of_a_firewall_is_not_shown_as_a_message_of_the_endpoint(
    httpserver: HTTPServer,
) -> None:
    page = "<html>Attention required</html>"
    httpserver.expect_request(PATH).respond_with_data(page, 403, content_type="text/html")
    with pytest.raises(Unauthorised, match="blocked the request"):
        completer(httpserver).complete(QUESTION)


def test_an_answer_with_a_wrong_encoding_header_is_garbled(httpserver: HTTPServer) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    httpserver.expect_request(PATH).respond_with_data(b"\x1f\x8bno", 200, headers=headers)
    with pytest.raises(GarbledAnswer, match="cannot be unpacked"):
        completer(httpserver).complete(QUESTION)


def test_an_answer_that_ended_before_its_first_word_says_why(httpserver: HTTPServer) -> None:
    choice = {"index": 0, "finish_reason": "length", "message": {"content": ""}}
    httpserver.expect_request(PATH).respond_with_json({"choices": [choice]})
    with pytest.raises(BadAnswer, match="length of its"):
        completer(httpserver).complete(QUESTION)
