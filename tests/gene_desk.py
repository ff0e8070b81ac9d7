"""A desk whose network knows only the shipped examples of NCBI's records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.ncbi.example import ExampleFetcher
from core.settings import Settings
from core.web import Fetch, Fetched


class Offline:
    """A network that only knows the examples, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def fetch(self, request: Fetch) -> Fetched:
        self.asked += 1
        return ExampleFetcher().fetch(request)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    desk = Desk(Settings(tmp_path, datasets_url=""))
    desk.network = Offline()
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): desk.network)
    monkeypatch.setattr("core.ncbi.client.WaitPolicy.wait", lambda self, seconds, why: None)
    yield desk
    desk.close()
