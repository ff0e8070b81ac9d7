"""The log as JSON lines says what a job did, and never a secret."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.jobs.runner import register_job
from core.services.shared.log import start_log
from core.settings import Secret, Settings
from tests import reviewing


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    yield Settings(tmp_path, openai_api_key=Secret("sk-hidden"), log="json")
    start_log(Settings(tmp_path))


def test_log_lines_are_json_without_secrets(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    start_log(settings)
    start_log(settings)  # a second desk of the process writes no line twice
    log = logging.getLogger("core.jobs")
    log.warning("refused: key sk-hidden", extra={"job": "j1", "seconds": 0.5})
    try:
        raise ValueError("sk-hidden\nsecond line")
    except ValueError:
        log.exception("it failed")
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (first["level"], first["job"], first["seconds"]) == ("warning", "j1", 0.5)
    assert "second line" in second["error"]
    assert "sk-hidden" not in json.dumps([first, second])


def test_job_says_when_it_begins_and_how_it_ended(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    @register_job("say nothing")
    def work(context: object, arguments: object) -> None:
        """Ends at once."""

    start_log(replace(settings, project=tmp_path / "p"))
    desk = reviewing.filled(tmp_path / "p")
    desk.runner.wait(desk.runner.start("say nothing", {}).id)
    desk.close()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (ended,) = [line for line in lines if line.get("state")]
    assert (ended["work"], ended["state"]) == ("say nothing", "done")
    assert ended["seconds"] >= 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_neither_odd_keys_nor_passwords_of_addresses_are_logged(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, address = 'sk-"quo\\te-ü-9', "postgresql+psycopg://anna:p%40ss!word@host/kb"
    start_log(Settings(tmp_path, openai_api_key=Secret(key), log=form))
    logger = logging.getLogger("core.jobs")
    logger.warning("asked with %s", key, extra={"place": address})
    try:
        raise ValueError(f"refused {key} at {address}")
    except ValueError:
        logger.exception("failed")
    logged = capsys.readouterr().err
    start_log(Settings(tmp_path))
    assert "asked with ***" in logged and "anna:***@host" in logged
    assert "quo" not in logged
    assert "p%40ss" not in logged


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("package", ["urllib3.connection", "streamlit.error_util"])
def test_what_a_package_logs_is_masked_as_our_own(
    form: str, package: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An answer with a broken header makes urllib3 log the address, and the key in it."""
    logger = logging.getLogger(package)
    handler = logging.StreamHandler()  # Streamlit gives each logger one of its own
    logger.addHandler(handler)
    start_log(Settings(tmp_path, ncbi_api_key=Secret("zqx-hidden"), log=form))
    try:
        raise ValueError("at https://ncbi.example/esearch?api_key=zqx-hidden")
    except ValueError:
        logger.warning("Failed to parse headers (url=%s)", "/e?api_key=zqx-hidden", exc_info=True)
    finally:
        logger.removeHandler(handler)
        start_log(Settings(tmp_path))
    logged = capsys.readouterr().err
    assert "Failed to parse headers (url=/e?api_key=***)" in logged
    assert "zqx-hidden" not in logged
