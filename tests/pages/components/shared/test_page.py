"""The frame of every page, drawn by Streamlit's own test runner."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.cli import main
from pages.components.shared import page


def script() -> None:
    import streamlit as st

    from pages.components.shared import state
    from pages.components.shared.page import begin_page, need_curator

    desk = begin_page("Trial")
    st.text(f"folder {desk.folder.name}")
    state.show_message("**kept**", "info") if st.button("Say", key="say") else None
    st.text(f"curator {need_curator()}")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "trial"))
    page.reopen_desks()
    return AppTest.from_function(script, default_timeout=20)


def test_a_page_opens_the_configured_project(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert app.title[0].value == "Trial"
    assert "folder trial" in [text.value for text in app.text]


def test_a_price_that_the_command_line_sets_holds_in_the_running_app(
    app: AppTest, tmp_path: Path
) -> None:
    folder = tmp_path / "trial"
    app.run()
    before = page.open_desk(str(folder), {})
    assert page.open_desk(str(folder), {}) is before and not before.settings.prices
    assert main(["--project", str(folder), "models", "set", "mine", "--price", "0.5", "2"]) == 0
    app.run()
    after = page.open_desk(str(folder), {})
    assert after.settings.prices == {"mine": (0.5, 2.0)}
    assert page.open_desk(str(folder), {}) is after


def test_a_page_that_needs_a_curator_waits_for_one(app: AppTest) -> None:
    app.run()
    assert any("Enter your name" in info.value for info in app.info)
    assert not any(text.value.startswith("curator") for text in app.text)


def test_a_curator_is_asked_once(app: AppTest) -> None:
    app.run()
    app.text_input(key="_curator_name").input("Ada Example")
    app.text_input(key="_curator_orcid").input("https://orcid.org/0000-0002-1825-0097")
    app.sidebar.button[0].click().run()
    assert "curator 0000-0002-1825-0097" in [text.value for text in app.text]
    assert not app.text_input


def test_taking_anothers_orcid_names_its_owner(app: AppTest) -> None:
    for name in ("Ada Example", "Mallory"):
        app.run()
        app.text_input(key="_curator_name").input(name)
        app.text_input(key="_curator_orcid").input("0000-0002-1825-0097")
        app.sidebar.button[0].click().run()
        if name == "Ada Example":
            assert not app.toast
            app.sidebar.button(key="_curator_other").click()
    assert "was Ada Example in this project" in app.toast[0].value


def test_a_wrong_orcid_is_explained(app: AppTest) -> None:
    app.run()
    app.text_input(key="_curator_orcid").input("0000-0002-1825-0098")
    app.sidebar.button[0].click().run()
    assert "last character" in app.error[0].value


def test_messages_are_shown_once_and_plainly(app: AppTest) -> None:
    app.run()
    app.button(key="say").click().run()
    app.run()
    assert app.info[0].value == r"\*\*kept\*\*"
    app.run()
    assert "kept" not in app.info[0].value


def test_a_damaged_database_is_explained_where_the_page_would_be(
    app: AppTest, tmp_path: Path
) -> None:
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "groundwork.db").write_bytes(b"no database" * 999)
    app.run()
    assert not app.exception
    assert any("not a database" in text.value for text in app.text)
    assert not app.title
