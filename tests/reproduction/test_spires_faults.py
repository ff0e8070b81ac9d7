"""SPIRES against the stand-in endpoint: a fault is a message and status 1, never an empty object
and status 0.
"""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.cli import main
from core.model import Json

Ask = Callable[..., tuple[int, str, str]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def endpoint(shared: Path) -> Iterator[str]:
    port = free_port()
    recorded = shared / "data/spires/completions.jsonl.gz"
    command = [
        sys.executable,
        shared / "servers/openai_replay.py",
        "--port",
        str(port),
        "--spires",
        recorded,
    ]
    process = subprocess.Popen(
        [*map(str, command), "--echo-fields", "--hang", "3"], stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            urllib.request.urlopen(f"{address}/v1/models", timeout=1).read()
            break
        except OSError:
            time.sleep(0.05)
    yield address
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def row(shared: Path) -> Json:
    """A recorded first question of a paper, with nested ones."""
    with gzip.open(shared / "data/spires/completions.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return next(
        r
        for r in rows
        if r["template"] == "ibd_literature.IBDAnnotations" and " - " in r["completion"]
    )


@pytest.fixture
def extract(
    endpoint: str,
    row: Json,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Ask:
    """Runs `extract` over the recorded paper with these faults, one after another."""
    text = tmp_path / "text.txt"
    text.write_text(row["prompt"].split("Text:\n", 1)[1].rpartition("\n\n===")[0].strip(), "utf-8")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{endpoint}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("GROUNDWORK_MODEL", "gpt-3.5-turbo")
    monkeypatch.setenv("GROUNDWORK_MODEL_RETRIES", "0")
    monkeypatch.setenv("GROUNDWORK_MODEL_TIMEOUT", "1")

    def run(script: str, *more: str) -> tuple[int, str, str]:
        urllib.request.urlopen(f"{endpoint}/__fault?script={script}", timeout=5).read()
        schema = str(shared / "data/spires/templates/ibd_literature.yaml")
        command = [
            "--project",
            str(tmp_path / "project"),
            "extract",
            "--schema",
            schema,
            "--input",
            str(text),
        ]
        status = main([*command, "--class", "IBDAnnotations", "--engine", "spires", *more])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_the_recorded_answer_fills_the_tree(extract: Ask, row: Json) -> None:
    status, out, _ = extract("ok")
    content = json.loads(out)
    assert status == 0
    labels = {
        item["label"]
        for name in ("diseases", "genes", "exposures")
        for item in content["object"].get(name, [])
    }
    assert labels
    assert all(label in row["completion"] for label in labels)


@pytest.mark.parametrize("fault", ["429", "500", "timeout", "badjson", "empty"])
def test_first_call_that_fails_is_reported(extract: Ask, fault: str) -> None:
    status, out, err = extract(fault)
    assert (status, out) == (1, "")
    assert err.startswith("groundwork: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("fault", ["fence", "preamble", "loop", "inject"])
def test_a_dressed_answer_is_read(extract: Ask, fault: str) -> None:
    status, out, err = extract(fault)
    assert json.loads(out)["object"]["diseases"]
    assert status == (1 if fault == "loop" else 0), err  # a loop was cut: something may be missing


def test_a_nested_call_that_fails_leaves_the_rest_and_is_reported(extract: Ask) -> None:
    status, out, err = extract("ok,500")
    content = json.loads(out)
    assert status == 1
    assert content["object"]["diseases"]
    assert "call-failed" in {problem["code"] for problem in content["problems"]}
    assert "relationships 1" in err


def test_a_limit_that_passes_is_waited_for(extract: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL_RETRIES", "2")
    monkeypatch.setenv("GROUNDWORK_MODEL_TIMEOUT", "20")
    status, out, _ = extract("429,ok")
    assert status == 0
    assert json.loads(out)["object"]["diseases"]


def test_one_call_mode_fills_the_tree_of_a_template(extract: Ask) -> None:
    status, out, _ = extract("ok", "--engine", "one-call")
    assert status == 0
    assert json.loads(out)["usage"]["calls"] == 1
