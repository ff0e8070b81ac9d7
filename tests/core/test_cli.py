"""The command line as a whole: DESIGN §7 names its verbs, and exit statuses mean something."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from core.cli import MODULES, main
from core.cli.summary import SUMMARIES

VERBS = [verb for verbs in MODULES.values() for verb in verbs]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_brings_the_verbs_it_is_listed_with(module: str) -> None:
    assert (
        tuple(verb.name for verb in importlib.import_module(f"core.cli.{module}").VERBS)
        == MODULES[module]
    )


@pytest.mark.parametrize("module", MODULES)
def test_a_list_of_verbs_says_what_the_verbs_say_themselves(module: str) -> None:
    for verb in importlib.import_module(f"core.cli.{module}").VERBS:
        assert SUMMARIES.get(verb.name) == verb.help, "core/cli/summary.py says otherwise"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    assert f"core {verb}" in capsys.readouterr().out


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
