"""What the Settings page and `models` ask of endpoints (tests/endpoint.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import BadAnswer, NotServed
from core.llm.answer_size import AnswerTooLarge
from core.llm.connection import Connection
from core.llm.openai_client import OfferedModel, OpenAICompleter
from core.services.settings import models
from core.settings import Settings
from tests.core.services.model_uses import words_for
from tests.endpoint import served


@pytest.mark.parametrize(
    ("place", "hint"),
    [("", r"does not end in /v1.*GROUNDWORK_ENDPOINT_ODD_URL"), ("/no/v1", "can still use it")],
)
def test_endpoint_without_a_list_of_models_says_what_to_do_instead(
    tmp_path: Path, place: str, hint: str
) -> None:
    with served(words_for) as endpoint:
        there = {"odd": Connection("odd", endpoint.url.replace("/v1", place), "sk-k")}
        desk = open_desk(Settings(tmp_path, endpoints=there))
        with pytest.raises(NotServed, match="odd does not list") as refused:
            models.refresh_models(desk, "odd")
        desk.close()
    assert re.search(hint, refused.value.hint)
    assert "NAME@odd" in str(refused.value) and "sk-k" not in str(refused.value)


@pytest.fixture
def far(tmp_path: Path) -> Iterator[Desk]:
    desk = open_desk(Settings(tmp_path, endpoints={"far": Connection("far", "http://127.0.0.1:9")}))
    yield desk
    desk.close()


def test_very_long_list_of_models_says_how_many_are_kept(
    far: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = [OfferedModel(f"m{number:04}") for number in range(1200)]
    monkeypatch.setattr(OpenAICompleter, "offered", lambda completer: offered)
    listed = models.refresh_models(far, "far")
    words = "1,200 models, of which the first 1,000 are listed; others can be typed"
    assert (len(listed.models), listed.offer_words) == (1000, words)


def test_a_list_of_models_too_long_to_read_is_called_that(
    far: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flood(completer: OpenAICompleter) -> list[OfferedModel]:
        raise BadAnswer("The model any answered too much.") from AnswerTooLarge(32 << 20)

    monkeypatch.setattr(OpenAICompleter, "offered", flood)
    with pytest.raises(BadAnswer, match="far is longer than 32 MB") as refused:
        models.refresh_models(far, "far")
    assert "NAME@far" in refused.value.hint
