"""The command line as a whole: the guide names its verbs, and exit statuses mean something."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli import MODULES, main, verbs
from core.cli.summary import SUMMARIES
from core.cli.verb import LazyRun
from core.settings import CODE

VERBS = [verb for verbs in MODULES.values() for verb in verbs]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_brings_the_verbs_it_is_listed_with(module: str) -> None:
    assert (
        tuple(verb.name for verb in importlib.import_module(f"core.cli.{module}").VERBS)
        == MODULES[module]
    )


@pytest.mark.parametrize("module", MODULES)
def test_list_of_verbs_shows_the_help_line_of_each_verb(module: str) -> None:
    for verb in importlib.import_module(f"core.cli.{module}").VERBS:
        assert SUMMARIES.get(verb.name) == verb.help, "core/cli/summary.py says otherwise"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    assert f"core {verb}" in capsys.readouterr().out


def test_lazy_imports_of_verbs_all_exist() -> None:
    late = [verb.run for verb in verbs() if isinstance(verb.run, LazyRun)]
    assert late
    assert all(callable(run.work()) for run in late)


@pytest.mark.parametrize("verb", ["extract", "batch"])
def test_help_does_not_wait_for_what_the_verb_needs(verb: str) -> None:
    program = (
        "import contextlib, sys\n"
        "from core.cli import main\n"
        "with contextlib.suppress(SystemExit):\n"
        f"    main([{verb!r}, '--help'])\n"
        "heavy = {'sqlalchemy', 'rdflib', 'numpy', 'yaml', 'openai', 'core.grounding.grounder'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"


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


NEED_THE_STORE = {  # their arguments offer what a service knows
    "conflict", "decision", "documents", "graph", "learning", "models", "operation", "people",
    "projects", "statement_list", "triage",
}  # fmt: skip
HEAVY = ("core.store", "sqlalchemy", "openai", "streamlit", "pandas")


def test_the_help_of_most_verbs_does_not_wait_for_the_database() -> None:
    light = [module for module in MODULES if module not in NEED_THE_STORE]
    program = "\n".join(
        [
            "import importlib, sys",
            f"for module in {light}:",
            "    importlib.import_module(f'core.cli.{module}')",
            f"    heavy = [name for name in {HEAVY} if name in sys.modules]",
            "    assert not heavy, f'{module} imports {heavy}'",
        ]
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=CODE, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
