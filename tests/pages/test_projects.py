from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.services.home import projects
from core.settings import load_settings
from pages.components.shared import page

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "9_Projects.py")


@pytest.fixture
def app(project: Path) -> AppTest:
    page.reopen_desks()
    return AppTest.from_file(PAGE, default_timeout=30)


def words(app: AppTest) -> str:
    return "\n".join(
        str(element.value) for kind in ("text", "caption") for element in app.get(kind)
    )


def test_a_project_is_made_opened_and_renamed(app: AppTest, project: Path) -> None:
    app.run()
    assert not app.exception
    assert "p (you are here)" in words(app)
    app.text_input(key="project·new").set_value("Gene atlas")
    next(button for button in app.button if button.label == "Create").click().run()
    assert not app.exception
    assert "Gene atlas (you are here)" in words(app)
    assert app.text_input(key="project·title").value == "Gene atlas"  # Rename means this one now
    assert app.query_params["project"] in ("gene-atlas", ["gene-atlas"])
    app.text_input(key="project·title").set_value("Atlas of genes")
    next(button for button in app.button if button.label == "Rename").click().run()
    assert "Atlas of genes (you are here)" in words(app)
    app.button(key="open·p").click().run()
    assert "p (you are here)" in words(app)


def test_the_example_project_opens_from_the_list(app: AppTest, project: Path) -> None:
    app.run()
    app.button(key="open·example-project").click().run()
    assert not app.exception
    assert "Example project (you are here)" in words(app)


def test_a_backup_is_written_and_restored_as_another_project(app: AppTest, project: Path) -> None:
    app.run()
    next(button for button in app.button if button.label == "Back up now").click().run()
    assert not app.exception
    for _ in range(50):
        if projects.kept_backups(load_settings(project)):
            break
        app.run()
    (kept,) = projects.kept_backups(load_settings(project))
    app.run()
    app.selectbox(key="project·source").set_value(kept.path.name).run()
    app.text_input(key="project·restored").set_value("Copy")
    next(button for button in app.button if button.label == "Restore").click().run()
    assert not app.exception
    assert "Copy (you are here)" in words(app)
