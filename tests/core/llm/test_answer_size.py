"""An endpoint that sends more than any answer is: told so, and not read to its end."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.errors import BadAnswer, GroundworkError
from core.llm import answer_size
from core.llm.completer import Message, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.llm.openai_embedder import OpenAIEmbedder

MB = 1 << 20
QUESTION = Request((Message("user", "What is the capital?"),))
HEAD = b'{"choices":[{"message":{"role":"assistant","content":"'


@contextmanager
def flood(
    status: int = 200, packed: bool = False, kind: str = "application/json"
) -> Iterator[tuple[str, list[int]]]:
    """The address of a server whose answers are 200 MB long, and the bytes of words it sent."""
    sent: list[int] = []
    piece = b"a" * MB

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Silent."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.do_GET()

        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            if packed:
                self.send_header("content-encoding", "gzip")
            self.end_headers()
            with suppress(OSError):
                if packed:
                    self.wfile.write(gzip.compress(HEAD + 200 * piece, 1))
                    return
                self.wfile.write(HEAD)
                for _ in range(200):
                    self.wfile.write(piece)
                    sent.append(MB)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", sent
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_size, "LARGEST_ANSWER", 4 * MB)


def completer(url: str, streams: bool = False) -> OpenAICompleter:
    return OpenAICompleter(
        "m", EndpointOptions("sk-k", url, retries=2, first=20.0, streams=streams)
    )


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("streams", [True, False])
def test_an_answer_in_one_piece_is_not_read_beyond_its_limit(status: int, streams: bool) -> None:
    with (
        flood(status) as (url, sent),
        pytest.raises(BadAnswer, match="more than 4 MB"),
    ):
        completer(url, streams).complete(QUESTION)
    assert sum(sent) < 50 * MB  # once, and what the system holds on its way


def test_a_refusal_that_calls_itself_a_stream_has_the_same_limit() -> None:
    with flood(400, kind="text/event-stream") as (url, _), pytest.raises(BadAnswer, match="4 MB"):
        completer(url, streams=True).complete(QUESTION)


def test_a_whole_answer_that_calls_itself_a_stream_has_the_same_limit() -> None:
    with flood(kind="text/event-stream") as (url, _), pytest.raises(BadAnswer, match="4 MB"):
        completer(url).complete(QUESTION)


def test_a_packed_answer_is_measured_unpacked() -> None:
    """A megabyte is a kilobyte on its way."""
    with flood(packed=True) as (url, _), pytest.raises(GroundworkError) as failure:
        completer(url).complete(QUESTION)
    assert "4 MB" in str(failure.value)


def test_lists_of_models_and_vectors_have_the_same_limit() -> None:
    with flood() as (url, _):
        with pytest.raises(BadAnswer, match="4 MB"):
            completer(url).offered()
        with pytest.raises(BadAnswer, match="4 MB"):
            OpenAIEmbedder("m", EndpointOptions("k", url)).embed(["words"])
