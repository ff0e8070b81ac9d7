"""`ask --api` over HTTP with nothing replaced: settings, client, retries, record, exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.cli import main
from core.services.genes import api_catalogue

HITS = {"hits": [{"_id": "7157", "entrezgene": "7157", "symbol": "TP53"}]}


@pytest.fixture(autouse=True)
def operator(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator who serves MyGene.info on loopback, and has no model."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "GROUNDWORK_MODEL", "GROUNDWORK_API_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWORK_URL_MYGENE", httpserver.url_for("/v3"))


def ask(tmp_path: Path, *words: str) -> int:
    return main(["--project", str(tmp_path / "p"), "ask", *words])


def test_an_answer_is_status_0_and_its_replay_too(
    tmp_path: Path, httpserver: HTTPServer, capsys: pytest.CaptureFixture[str]
):
    httpserver.expect_oneshot_request("/v3/query").respond_with_json(HITS)
    assert ask(tmp_path, "--api", "mygene", "q=TP53") == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["answer"], row["status"], row["kind"]) == ("TP53", "answered", "web API")
    assert {"record": "NCBIGene:7157", "field": "/hits/0/symbol", "value": "TP53"}.items() <= row[
        "evidence"
    ][0].items()
    assert ask(tmp_path, "--replay", row["run"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "TP53" and len(httpserver.log) == 1


def test_a_failed_fetch_is_status_1_and_so_is_its_replay(
    tmp_path: Path, httpserver: HTTPServer, capsys: pytest.CaptureFixture[str]
):
    httpserver.expect_oneshot_request("/v3/query").respond_with_data("<html>Access denied</html>")
    assert ask(tmp_path, "--api", "mygene", "q=TP53") == 1
    captured = capsys.readouterr()
    row = json.loads(captured.out)
    assert row["status"] == "failed" and captured.err.endswith(f"groundwork: {row['notes'][0]}\n")
    assert ask(tmp_path, "--replay", row["run"]) == 1


def test_an_api_without_leave_or_key_is_status_1_and_nobody_is_asked(
    tmp_path: Path, httpserver: HTTPServer, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "p" / "apis"
    folder.mkdir(parents=True)
    (folder / "genenames.yaml").write_text(api_catalogue.EXAMPLE_DESCRIPTION)
    assert ask(tmp_path, "--api", "genenames", "symbol=TP53") == 1
    assert "GROUNDWORK_API_HOSTS" in capsys.readouterr().err
    assert ask(tmp_path, "--api", "oncokb", "gene=BRAF alteration=V600E") == 1
    assert "GROUNDWORK_TOKEN_ONCOKB" in capsys.readouterr().err and not httpserver.log


def test_a_host_that_is_listed_but_private_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "p" / "apis"
    folder.mkdir(parents=True)
    (folder / "genenames.yaml").write_text(api_catalogue.EXAMPLE_DESCRIPTION)
    monkeypatch.setenv("GROUNDWORK_API_HOSTS", "rest.genenames.org")
    monkeypatch.setattr("core.web.client.resolve_host", lambda host, port: ["127.0.0.1"])
    assert ask(tmp_path, "--api", "genenames", "symbol=TP53") == 1
    assert "private address 127.0.0.1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("--api", "nothing", "x"),
        ("--api", "mygene", "size=3"),
        ("--api", "mygene", "q=TP53 size=999"),
        ("--api", "mygene", "why is the sky so blue today?"),
    ],
)
def test_wrong_use_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
):
    assert ask(tmp_path, *words) == 1
    captured = capsys.readouterr()
    assert "groundwork: " in captured.err and not captured.out and "Traceback" not in captured.err
