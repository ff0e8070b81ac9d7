"""The file in which an operator names endpoints and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import Secrets

from core.app_secrets import app_secrets
from core.errors import SettingsError
from core.services.shared import screen
from pages.components.shared import page


@pytest.mark.parametrize(
    "written", ["OPENAI_API_KEY=“sk-1234567”", "OPENAI_API_KEY=sk-1234567", 'A="1\nB="2"']
)
def test_a_file_that_cannot_be_read_is_reported_and_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    file = tmp_path / "secrets.toml"
    monkeypatch.setattr(config, "get_option", lambda _: [str(file)])
    monkeypatch.setattr(st, "secrets", Secrets())
    monkeypatch.setattr(screen, "app_secrets", lambda: app_secrets(file))
    assert page.plain_secrets() == {}  # there is none
    file.write_text(written, "utf-8")
    monkeypatch.setattr(st, "secrets", Secrets())
    with pytest.raises(SettingsError, match=r"secrets.toml cannot be read.*line \d") as raised:
        page.plain_secrets()
    assert "straight quotes" in raised.value.hint
    assert "1234567" not in str(raised.value)
