"""The command line as a whole: the guide names its verbs, and exit statuses mean something."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli import MODULES, main, verbs
from core.settings import CODE

VERBS = [verb.name for verb in verbs()]
LISTED = {"openai", "rdflib", "sqlalchemy", "streamlit", "yaml", "numpy", "pandas"}


def modules_after(*lines: str) -> set[str]:
    """What a new process has imported after these lines of Python."""
    program = "\n".join([*lines, "import sys", "print(*sorted(sys.modules))"])
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=CODE, capture_output=True, text=True, check=True
    )
    return set(ran.stdout.splitlines()[-1].split())


def test_every_module_that_declares_verbs_is_in_the_list() -> None:
    declaring = {
        path.stem
        for path in (CODE / "core" / "cli").glob("[a-z]*.py")
        if re.search("^VERBS = ", path.read_text("utf-8"), re.MULTILINE)
    }
    assert set(MODULES) == declaring


def test_verbs_have_one_name_each() -> None:
    assert len(set(VERBS)) == len(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    assert f"core {verb}" in capsys.readouterr().out


def test_the_list_of_verbs_waits_for_no_service() -> None:
    imported = modules_after("from core.cli import parser", "parser(['--help'])")
    assert not imported & LISTED
    assert not {name for name in imported if name.startswith(("core.services", "core.store"))}


@pytest.mark.parametrize("verb", ["extract", "batch"])
def test_help_does_not_wait_for_what_the_verb_needs(verb: str) -> None:
    imported = modules_after("from core.cli import parser", f"parser([{verb!r}])")
    assert not imported & (LISTED | {"core.grounding.grounder"})


def test_the_help_of_no_verb_waits_for_the_database() -> None:
    imported = modules_after(
        "from core.cli import parser", f"for verb in {VERBS}:", "    parser([verb])", ""
    )
    assert not imported & {"core.store", "sqlalchemy", "openai", "streamlit", "pandas"}


def test_an_unknown_verb_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["approve-everything"])
    assert stop.value.code == 2
    assert "invalid choice" in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(
        [
            "--project",
            str(tmp_path),
            "prompt",
            "--schema",
            "recipe",
            "--input",
            str(tmp_path / "none.txt"),
        ]
    )
    assert status == 1
    assert "none.txt" in capsys.readouterr().err
