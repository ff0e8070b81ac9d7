"""`models set`: a price and a length of the project's own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.cli import main
from core.desk import open_desk
from core.llm.profile import SET
from core.settings import load_settings


def test_a_price_and_a_length_are_kept_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-k")
    project = ["--project", str(tmp_path)]
    assert main([*project, "models", "set", "mine", "--price", "0.5", "2"]) == 0
    assert main([*project, "models", "set", "mine", "--context", "8192"]) == 0
    assert "8,192 tokens (set" in capsys.readouterr().out
    desk = open_desk(load_settings(tmp_path))
    profile = desk.models.profile("mine")
    desk.close()
    assert (profile.price, profile.context) == ((0.5, 2.0), 8192)
    day = datetime.now(UTC).date()
    assert profile.price_source in (f"{SET}, {d}" for d in (day, day - timedelta(1)))
    edited = replace(load_settings(tmp_path), prices={"mine": (0.7, 2.0)})
    desk = open_desk(edited)  # as a person who writes another price into the file
    assert desk.models.profile("mine").price_source == SET
    desk.close()


@pytest.mark.parametrize("words", [["mine"], ["--price", "1", "2"], ["a", "b", "--context", "9"]])
def test_models_set_without_a_value_shows_its_usage(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--project", str(tmp_path), "models", "set", *words]) == 1
    assert "models set MODEL --price IN OUT" in capsys.readouterr().err


def test_a_test_of_no_model_says_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GROUNDWORK_ENDPOINT_NEAR_URL", "http://127.0.0.1:9/v1")
    assert main(["--project", str(tmp_path), "models", "test"]) == 1
    messages = capsys.readouterr().err
    assert "No model is" in messages and "GROUNDWORK_MODEL" in messages
