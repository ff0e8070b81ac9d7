"""Figures for a watcher: right, in Prometheus's text format, and served only where they may be."""

from __future__ import annotations

import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli.monitoring import server_for
from core.desk import Desk
from core.errors import InputError, StoreError
from core.services.settings.metrics import metrics_text
from tests import reviewing

LINE = re.compile(r'groundwork_[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.e+]+')


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened_desk = reviewing.filled(tmp_path / "p")
    yield opened_desk
    opened_desk.close()


def test_figures_are_those_of_the_project(desk: Desk) -> None:
    lines = metrics_text(desk).splitlines()
    figures = [line for line in lines if not line.startswith("#")]
    assert all(LINE.fullmatch(line) for line in figures)
    assert 'groundwork_statements{state="proposed"} 6' in figures
    names = {line.split("{")[0].split(" ")[0] for line in figures}
    assert {line.split()[2] for line in lines if line.startswith("# TYPE")} == names


def test_server_answers_watchers_and_says_when_the_database_is_gone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = server_for(desk, "127.0.0.1:0")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"

    def read(path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(address + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    assert read("/healthz") == (200, "ok\n")
    assert "groundwork_jobs" in read("/metrics")[1]
    assert read("/../project.toml")[0] == 404

    def broken() -> None:
        raise StoreError("The database is busy.")

    monkeypatch.setattr(desk.store.queue, "state_counts", broken)
    assert read("/healthz") == (503, "The database is busy.\n")
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("listen", ["0.0.0.0:9100", "9100:", "127.0.0.1:port", "127.0.0.1:99999"])
def test_a_public_or_malformed_address_is_refused(desk: Desk, listen: str) -> None:
    with pytest.raises(InputError):
        server_for(desk, listen)


def test_large_figures_are_exact(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.store.runs, "count", lambda: 12_345_678)
    assert "groundwork_runs 12345678" in metrics_text(desk).splitlines()


def test_a_port_that_is_taken_is_explained_in_a_sentence(desk: Desk) -> None:
    taken = server_for(desk, "127.0.0.1:0")
    with taken, pytest.raises(InputError, match="have the port"):
        server_for(desk, f"127.0.0.1:{taken.server_address[1]}")
