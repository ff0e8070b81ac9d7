from __future__ import annotations

import pytest

from core.cli import main


@pytest.mark.parametrize(
    "arguments",
    [
        ["--project", "P", "projects", "list"],
        ["projects", "--project", "P", "list"],
        ["projects", "list", "--project", "P"],
        ["projects", "list", "--project=P"],
    ],
)
def test_the_project_is_named_before_or_after_the_verb(arguments, tmp_path, capsys):
    folder = str(tmp_path / "desk")
    assert main([word.replace("P", folder) for word in arguments]) == 0
    assert folder in capsys.readouterr().out


def test_the_option_without_a_folder_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["projects", "list", "--project"])
    assert stopped.value.code == 2
    assert "--project" in capsys.readouterr().err


def test_words_after_two_dashes_are_no_option(tmp_path, capsys):
    folder = str(tmp_path / "desk")
    assert main(["--project", folder, "ask", "--", "--project=elsewhere"]) in (0, 1)
    assert "--project=elsewhere" in capsys.readouterr().out
