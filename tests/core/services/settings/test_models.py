"""What the Settings page and `models` ask of endpoints (tests/endpoint.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import open_desk
from core.errors import NotServed
from core.llm.connection import Connection
from core.services.settings import models
from core.settings import Settings
from tests.core.services.model_uses import words_for
from tests.endpoint import served


def test_an_endpoint_that_lists_no_models_is_told_what_to_do_instead(tmp_path: Path) -> None:
    with served(words_for) as endpoint:
        there = {"odd": Connection("odd", endpoint.url.replace("/v1", "/nothing"), "sk-k")}
        desk = open_desk(Settings(tmp_path, endpoints=there))
        with pytest.raises(NotServed, match="odd does not list its models") as refused:
            models.refresh(desk, "odd")
        desk.close()
    assert "NAME@odd" in str(refused.value) and "sk-k" not in str(refused.value)
