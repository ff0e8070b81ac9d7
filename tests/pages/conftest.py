"""Pages are run over a project of their own, without a model."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GROUNDWORK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "p"))
    return tmp_path / "p"
