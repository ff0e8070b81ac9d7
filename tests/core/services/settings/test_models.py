"""What the Settings page and `models` ask of endpoints (tests/endpoint.py)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.desk import open_desk
from core.errors import NotServed
from core.llm.connection import Connection
from core.services.settings import models
from core.settings import Settings
from tests.core.services.model_uses import words_for
from tests.endpoint import served


@pytest.mark.parametrize(
    ("place", "hint"),
    [("", r"does not end in /v1.*GROUNDWORK_ENDPOINT_ODD_URL"), ("/no/v1", "can still use it")],
)
def test_an_endpoint_that_lists_no_models_is_told_what_to_do_instead(
    tmp_path: Path, place: str, hint: str
) -> None:
    with served(words_for) as endpoint:
        there = {"odd": Connection("odd", endpoint.url.replace("/v1", place), "sk-k")}
        desk = open_desk(Settings(tmp_path, endpoints=there))
        with pytest.raises(NotServed, match="odd does not list its models") as refused:
            models.refresh(desk, "odd")
        desk.close()
    assert re.search(hint, refused.value.hint)
    assert "NAME@odd" in str(refused.value) and "sk-k" not in str(refused.value)
