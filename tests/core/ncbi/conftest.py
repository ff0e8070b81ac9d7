"""Answers of NCBI as tests need them: a fake Fetcher, and the stand-in of the shared folder."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from core.ncbi.address import NcbiAddresses
from core.ncbi.answer_check import CheckedNcbiFetcher
from core.ncbi.client import Ncbi, WaitPolicy
from core.web import Fetch, Fetched, WebClient


@dataclass
class FakeFetcher:
    """Answers in turn (the last one for good); remembers what it was asked."""

    answers: list[str]
    asked: list[Fetch] = field(default_factory=list)

    def fetch(self, request: Fetch) -> Fetched:
        self.asked.append(request)
        text = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return Fetched(200, text, call=f"c{len(self.asked)}")


@pytest.fixture
def fake() -> Callable[..., FakeFetcher]:
    return lambda *answers: FakeFetcher(
        [answer if isinstance(answer, str) else json.dumps(answer) for answer in answers]
    )


@dataclass
class StandIn:
    """The loopback NCBI of the shared folder."""

    base: str

    @property
    def addresses(self) -> NcbiAddresses:
        return NcbiAddresses(f"{self.base}/entrez/eutils", f"{self.base}/blast/Blast.cgi", "")

    def faults(self, script: str, **more: Any) -> None:
        requests.get(f"{self.base}/__reset", timeout=5)
        requests.get(
            f"{self.base}/__fault",
            params={"script": script, "blast_wait": 0, "rate": 0, **more},
            timeout=5,
        )

    def log(self) -> list[dict[str, Any]]:
        """The requests so far.

        How a request was answered is logged only after its answer has been sent, so the log is
        asked for again until each request has it.
        """
        for _ in range(200):
            seen = list(requests.get(f"{self.base}/__log", timeout=5).json())
            if all("how" in request for request in seen):
                break
        return seen

    def ncbi(self, interval: float = 0.0) -> Ncbi:
        waits: list[float] = []
        sleep = time.sleep if interval else waits.append
        web = WebClient(
            own=[self.addresses.eutils, self.addresses.blast], interval=interval, sleep=sleep
        )
        return Ncbi(
            CheckedNcbiFetcher(web, pause=waits.append),
            self.addresses,
            WaitPolicy(sleep=waits.append, scale=1.0),
        )


@pytest.fixture(scope="session")
def served(shared: Path) -> Iterator[StandIn]:
    sys.path.insert(0, str(shared / "servers"))
    import ncbi_replay

    server, base = ncbi_replay.serve(shared / "data" / "genegpt" / "ncbi_responses.jsonl.gz")
    yield StandIn(base)
    server.shutdown()


@pytest.fixture
def stand_in(served: StandIn) -> StandIn:
    served.faults("")
    return served


@pytest.fixture
def answering() -> Iterator[Callable[..., NcbiAddresses]]:
    """A loopback server: `answering(respond)` starts one and gives its addresses. `respond(path,
    given)` gets the path and the parameters (a list where one is repeated) and gives status and
    body (JSON is made of what is no text).
    """
    servers: list[ThreadingHTTPServer] = []

    def start(respond: Callable[[str, dict[str, Any]], tuple[int, Any]]) -> NcbiAddresses:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *arguments: object) -> None:
                """Nothing is written."""

            def do_GET(self) -> None:
                self._answer(urlsplit(self.path).query)

            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())

            def _answer(self, query: str) -> None:
                parameters = {
                    name: values if len(values) > 1 else values[0]
                    for name, values in parse_qs(query).items()
                }
                status, body = respond(urlsplit(self.path).path, parameters)
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        servers.append(server)
        base = f"http://127.0.0.1:{server.server_address[1]}"
        return NcbiAddresses(f"{base}/eutils", f"{base}/Blast.cgi", f"{base}/datasets")

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
