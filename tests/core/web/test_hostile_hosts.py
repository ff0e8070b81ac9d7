"""Addresses and hosts that mean harm."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from werkzeug import Response

from core.errors import Refused, Unreachable
from core.web import Fetch, WebClient
from core.web.address import is_public_address
from core.web.download import download
from tests.dripping import Drip, dripping_host


@pytest.mark.parametrize(
    "address",
    ["192.88.99.1", "::ffff:192.88.99.1", "2002:c058:6301::", "64:ff9b::7f00:1", "::7f00:1",
     "192.0.0.8", "3fff::1",
     "169.254.169.254", "0.0.0.0", "100.64.0.1", "fec0::1", "2001:0:7f00:1::"],
)  # fmt: skip
def test_address_that_leads_inside_is_not_public(address):
    assert not is_public_address(address)


def test_name_that_changes_between_check_and_connection_is_not_followed():
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"]])
    client = WebClient(["example.org"], retries=0, resolve=lambda host, port: next(answers))
    with pytest.raises(Refused, match="private address"):
        client.fetch(Fetch("https://example.org/"))


@pytest.fixture
def dripping() -> Iterator[Drip]:
    with dripping_host() as drip:
        yield drip


@pytest.mark.parametrize(
    ("start", "more"),
    [
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"x"),
    ],
    ids=["headers", "stated length", "chunks", "no length"],
)
def test_answer_that_comes_letter_by_letter_ends_within_the_limit(dripping, start, more):
    url = dripping(start, more)
    client, began = WebClient(own=[url], retries=0), time.monotonic()
    with pytest.raises(Unreachable, match="not answer within"):
        client.fetch(Fetch(url, timeout=0.6))
    assert 0.5 < time.monotonic() - began < 2.4  # far from the drip's end, which never comes


@pytest.mark.parametrize(
    "start",
    [b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n",
     b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"],
    ids=["stated length", "no length"],
)  # fmt: skip
def test_a_download_that_drips_ends_within_its_whole_limit(dripping, start):
    url = dripping(start, b"x")
    client, began = WebClient(own=[url], retries=0), time.monotonic()
    with (
        pytest.raises(Unreachable, match="answer within 1 seconds"),
        client.stream(url, longest=0.6) as answer,
    ):
        list(answer.iter_content(10))
    assert 0.5 < time.monotonic() - began < 2.4


def test_a_request_during_a_download_leaves_its_limit_in_force(dripping, httpserver):
    url = dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n", b"x")
    httpserver.expect_request("/").respond_with_data("fine")
    other = httpserver.url_for("/")
    client, began = WebClient(own=[url, other], retries=0), time.monotonic()
    with pytest.raises(Unreachable), client.stream(url, longest=0.6) as answer:
        assert client.fetch(Fetch(other)).text == "fine"
        list(answer.iter_content(10))
    assert time.monotonic() - began < 2.4


def test_all_tries_of_a_request_share_its_time_limit(httpserver):
    waits = iter([0.3, 0.3, 0.3, 9.0])

    def slow(request):
        threading.Event().wait(next(waits))
        return Response("busy", 503)

    httpserver.expect_request("/").respond_with_handler(slow)
    url = httpserver.url_for("/")
    client = WebClient(own=[url], retries=5, sleep=lambda seconds: None)
    with pytest.raises(Unreachable) as caught:
        client.fetch(Fetch(url, timeout=0.8))
    assert sum(attempt.seconds for attempt in caught.value.attempts) < 2.4
    assert len(caught.value.attempts) <= 3


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], str]]:
    """The address of a host that answers everything with these bytes."""
    servers: list[socket.socket] = []

    def answer(server: socket.socket, sent: bytes) -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.recv(65536)
                connection.sendall(sent)

    def serve(sent: bytes) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)
        threading.Thread(target=answer, args=(server, sent), daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/"

    yield serve
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


@pytest.mark.parametrize(
    "place", ["http://[::1", "https://example.org:99999/", "//[", "http://127.0.0.1:x/"]
)
def test_a_redirect_to_no_address_is_refused(answering, place):
    url = answering(f"HTTP/1.1 302 x\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode())
    client = WebClient(["example.org"], own=[url], retries=0)
    with pytest.raises(Refused, match=r"a web address|only plain https"):
        client.fetch(Fetch(url))
    with pytest.raises(Refused), client.stream(url):
        pass


NEGATIVE = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nxx"


def test_an_answer_with_a_chunk_of_less_than_nothing_breaks_off(answering, tmp_path):
    url = answering(NEGATIVE)
    client = WebClient(own=[url], retries=0)
    with pytest.raises(Unreachable, match="broke off"):
        client.fetch(Fetch(url))
    with pytest.raises(Unreachable, match="broke off"):
        download(client, url, tmp_path / "file", largest=1000)


@pytest.mark.parametrize("charset", ["no-such", "rot13", "idna", "punycode", "a\0b", "undefined"])
def test_an_answer_in_an_unknown_charset_is_read_as_utf_8(answering, charset):
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset={charset}\r\n"
    url = answering(head.encode() + b"Content-Length: 7\r\n\r\na..b\xc3\xa9.")
    assert WebClient(own=[url], retries=0).fetch(Fetch(url)).text == "a..bé."


@pytest.mark.parametrize("length", ["x", "9" * 30, "²"])
def test_a_download_of_a_length_that_is_not_a_number_is_tried(answering, tmp_path, length):
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    url = answering(head.encode("latin-1") + b"abc")
    client = WebClient(own=[url], retries=0)
    with suppress(Unreachable):
        assert download(client, url, tmp_path / "file", largest=1000).size == 3
