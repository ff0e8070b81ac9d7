"""A model over HTTP that is hostile or broken: rounds end, the answer says what happened, nobody
else is asked.

The stand-ins of the shared folder answer on loopback; every connection and every name that is
looked up is written down.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response

from core.desk import Desk
from core.genes.answer import AnswerStatus
from core.services.genes import questions as genes
from core.settings import Secret, Settings

QUESTION = "What is the official gene symbol of LMP10?"
SECRETS = ("sk-secret-0123456789", "ncbi-secret-0123456789", "ada@example.org")
MOST = 11  # requests to the model for one question


class Endpoint:
    """The model's stand-in: its faults and what it was asked."""

    def __init__(self, url: str):
        self.url = url

    def fault(self, **options: Any) -> None:
        self.control("/__reset")
        self.control("/__fault?" + urlencode({"hang": 0.5, **options}))

    def asked(self) -> list[dict[str, Any]]:
        return list(self.control("/__log")["requests"])

    def control(self, path: str) -> Any:
        with urllib.request.urlopen(self.url.removesuffix("/v1") + path, timeout=10) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def served(shared: Path) -> Iterator[tuple[Endpoint, str]]:
    sys.path.insert(0, str(shared / "servers"))
    import ncbi_replay
    import openai_replay

    folder = shared / "data" / "genegpt"
    steps = {"genegpt": [folder / "completions.jsonl.gz"], "questions": [folder / "questions.json"]}
    model, url = openai_replay.serve(0, **steps)
    ncbi, base = ncbi_replay.serve(folder / "ncbi_responses.jsonl.gz")
    yield Endpoint(url), base
    model.shutdown()
    ncbi.shutdown()


@pytest.fixture
def endpoint(served: tuple[Endpoint, str]) -> Endpoint:
    served[0].fault()
    return served[0]


@pytest.fixture
def without_tools(endpoint: Endpoint, httpserver: HTTPServer) -> Callable[[int], str]:
    """An endpoint that refuses tools with this status (0: passes over them in silence), before the
    stand-in.
    """

    def make(status: int) -> str:
        def answer(asked: Asked) -> Response:
            body = json.loads(asked.data)
            if body.pop("tools", None) and status:
                return Response(
                    json.dumps({"detail": "Not Found"}), status, content_type="application/json"
                )
            address = endpoint.url.removesuffix("/v1") + asked.path
            passed = urllib.request.Request(
                address, json.dumps(body).encode(), {"Content-Type": "application/json"}
            )
            try:
                with urllib.request.urlopen(passed, timeout=10) as answered:
                    kind = answered.headers["Content-Type"]  # a stream stays one
                    return Response(answered.read(), answered.status, content_type=kind)
            except urllib.error.HTTPError as error:
                return Response(error.read(), error.code, content_type="application/json")
            except (OSError, urllib.error.URLError):
                return Response("", 502)

        httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
        return httpserver.url_for("/v1")

    return make


@pytest.fixture
def contacted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Every host that anything in this process connected to or looked up."""
    seen: set[str] = set()
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connecting(self: socket.socket, address: Any) -> None:
        seen.add(str(address[0]))
        connect(self, address)

    def looking_up(host: Any, *rest: Any, **more: Any) -> Any:
        seen.add(str(host))
        return look_up(host, *rest, **more)

    monkeypatch.setattr(socket.socket, "connect", connecting)
    monkeypatch.setattr(socket, "getaddrinfo", looking_up)
    return seen


@pytest.fixture
def asking(
    served: tuple[Endpoint, str], tmp_path: Path
) -> Iterator[Callable[..., genes.AskedQuestion]]:
    """Ask over HTTP in a project of its own."""
    desks: list[Desk] = []

    def ask(
        way: str, url: str = "", model: str = "genegpt-replay-111111", patience: float = 20.0
    ) -> genes.AskedQuestion:
        """`patience`: seconds that the model has; short only where its silence is what is tested,
        else a busy machine would look like a silent model.
        """
        ncbi = {
            "ncbi_eutils_url": f"{served[1]}/entrez/eutils",
            "ncbi_blast_url": f"{served[1]}/blast/Blast.cgi",
        }
        keys = {"openai_api_key": Secret(SECRETS[0]), "ncbi_api_key": Secret(SECRETS[1])}
        settings = Settings(
            tmp_path, openai_base_url=url or served[0].url, model=model, ncbi_interval=0.0, model_retries=0,  # noqa: E501
            model_timeout=patience, ncbi_email=Secret(SECRETS[2]), **keys, **ncbi,
        )  # fmt: skip
        desks.append(Desk(settings))
        return genes.ask_gene_question(desks[-1], QUESTION, genes.AskOptions(way=way, reuse=False))

    yield ask
    for desk in desks:
        desk.close()


UNANSWERED = {
    "429": (AnswerStatus.FAILED, "too many requests"),
    "500": (AnswerStatus.FAILED, "reports an internal error"),
    "timeout": (AnswerStatus.FAILED, "in time"),
    "badjson": (AnswerStatus.FAILED, "not one that a language model gives"),
    "empty": (AnswerStatus.FAILED, "empty answer"),
    "cut": (AnswerStatus.FAILED, "cut off"),
    "loop": (AnswerStatus.FAILED, "again and again"),
    "inject": (AnswerStatus.FAILED, "no answer after"),
}


PATIENCE = {"timeout": 0.3}  # shorter than the stand-in is silent


@pytest.mark.parametrize("way", ["tools", "decoding"])
@pytest.mark.parametrize("fault", UNANSWERED)
def test_a_fault_that_never_ends_is_reported(
    asking: Callable[..., genes.AskedQuestion],
    endpoint: Endpoint,
    contacted: set[str],
    tmp_path: Path,
    way: str,
    fault: str,
) -> None:
    endpoint.fault(fault=f"{fault}:1.0")
    asked = asking(way, patience=PATIENCE.get(fault, 20.0))
    status, words = UNANSWERED[fault]
    assert (asked.answer.status, asked.answer.text) == (status, "")
    assert words in " ".join(asked.answer.notes)
    assert len(endpoint.asked()) <= MOST and contacted == {"127.0.0.1"}
    _keeps_secrets(tmp_path, asked)


@pytest.mark.parametrize("fault", ["badargs", "unknowntool"])
def test_malformed_calls_are_refused_to_the_end(
    asking: Callable[..., genes.AskedQuestion], endpoint: Endpoint, contacted: set[str], fault: str
) -> None:
    endpoint.fault(fault=f"{fault}:1.0")
    asked = asking("tools")
    assert asked.answer.status is AnswerStatus.FAILED and {
        step.status for step in asked.answer.steps
    } == {"refused"}
    assert len(endpoint.asked()) <= MOST and contacted == {"127.0.0.1"}


@pytest.mark.parametrize("way", ["tools", "decoding"])
@pytest.mark.parametrize("fault", ["fence", "preamble"])
def test_fences_and_preambles_around_a_step_do_no_harm(
    asking: Callable[..., genes.AskedQuestion], endpoint: Endpoint, way: str, fault: str
) -> None:
    endpoint.fault(fault=f"{fault}:1.0")
    assert (asking(way).answer.status, asking(way).answer.text) == (AnswerStatus.ANSWERED, "PSMB10")


@pytest.mark.parametrize("fault", ["inject", "badargs", "unknowntool", "cut", "loop"])
def test_one_hostile_step_is_reported_to_the_model_and_the_answer_still_found(
    asking: Callable[..., genes.AskedQuestion],
    endpoint: Endpoint,
    contacted: set[str],
    tmp_path: Path,
    fault: str,
) -> None:
    endpoint.fault(script=fault)
    asked = asking("tools")
    assert (asked.answer.status, asked.answer.text) == (AnswerStatus.ANSWERED, "PSMB10")
    assert not re.search(
        r"[<\[]", re.sub(r"\\.", "", asked.markdown)
    )  # backslashes take a sign's meaning
    assert contacted == {"127.0.0.1"}
    _keeps_secrets(tmp_path, asked)


@pytest.mark.parametrize("status", [400, 404, 422, 0])
def test_an_endpoint_without_tools_answers_in_words(
    asking: Callable[..., genes.AskedQuestion], without_tools: Callable[[int], str], status: int
) -> None:
    asked = asking("tools", without_tools(status))
    assert (asked.answer.status, asked.answer.text, asked.answer.calls) == (
        AnswerStatus.ANSWERED,
        "PSMB10",
        2,
    )
    assert asked.row["evidence"][0]["record"] == "NCBIGene:5699"


@pytest.mark.parametrize("fault", UNANSWERED)
def test_text_protocol_ends_with_a_report(
    asking: Callable[..., genes.AskedQuestion],
    without_tools: Callable[[int], str],
    endpoint: Endpoint,
    contacted: set[str],
    fault: str,
) -> None:
    url = without_tools(400)
    endpoint.fault(fault=f"{fault}:1.0")
    asked = asking("tools", url, patience=PATIENCE.get(fault, 20.0))
    assert (
        asked.answer.status in (AnswerStatus.FAILED, AnswerStatus.NOT_FOUND) and asked.answer.notes
    )
    assert len(endpoint.asked()) <= MOST and contacted <= {"127.0.0.1", "localhost"}


def test_ncbi_is_asked_for_typed_calls_only(
    asking: Callable[..., genes.AskedQuestion], endpoint: Endpoint, served: tuple[Endpoint, str]
) -> None:
    urllib.request.urlopen(f"{served[1]}/__reset", timeout=10).close()
    endpoint.fault(fault="inject:0.5", seed=3)
    for way in ("tools", "decoding"):
        asking(way)
    with urllib.request.urlopen(f"{served[1]}/__log", timeout=10) as answer:
        log = json.load(answer)
    assert {urlsplit(request["path"]).path.rpartition("/")[2] for request in log} <= {
        "esearch.fcgi", "esummary.fcgi", "efetch.fcgi"
    }  # fmt: skip
    assert not [
        request
        for request in log
        if "169.254" in json.dumps(request["q"]) or "<" in json.dumps(request["q"])
    ]


def _keeps_secrets(folder: Path, answered: genes.AskedQuestion) -> None:
    """Neither the project's files nor the exports hold a key or an e-mail address."""
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    kept += (answered.markdown + json.dumps(answered.as_json)).encode()
    assert not [secret for secret in SECRETS if secret.encode() in kept]
