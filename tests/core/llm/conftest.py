"""The OpenAI-compatible stand-in beside the checkout, as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

RULES = [
    {"contains": "capital", "reply": "Paris"},
    {"contains": "run away", "reply": "again and " * 30_000},
]


class StandIn:
    """Its base URL, and its controls."""

    def __init__(self, base_url: str):
        self.base_url = base_url

    def fault(self, script: str = "", **options: Any) -> None:
        self._get("/__reset")
        self._get("/__fault?" + urlencode({"script": script, **options}))

    def log(self) -> dict[str, Any]:
        return self._get("/__log")

    def bodies(self) -> list[dict[str, Any]]:
        return [entry["body"] for entry in self.log()["requests"]]

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(self.base_url.removesuffix("/v1") + path, timeout=10) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def stand_in_process(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandIn]:
    rules = tmp_path_factory.mktemp("stand-in") / "rules.json"
    rules.write_text(json.dumps(RULES))
    command = [
        sys.executable,
        str(shared / "servers" / "openai_replay.py"),
        "--port",
        "0",
        "--rules",
        str(rules),
    ]
    process = subprocess.Popen(
        [*command, "--echo-fields", "--hang", "3"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    yield StandIn(line.split()[1])
    process.terminate()
    process.wait(10)


@pytest.fixture
def stand_in(stand_in_process: StandIn) -> StandIn:
    stand_in_process.fault("")
    return stand_in_process
