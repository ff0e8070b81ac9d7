"""Commands that the documents show are commands of this version."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from core.cli import main, parser, verbs

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "FEATURES.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = {"command-line.md", "problem-codes.md"}
VERBS = "|".join(sorted(verb.name for verb in verbs()))
SHOWN = re.compile(r"^ *(?:\.venv/bin/)?python -m core ((?:.*\\\n)*.*)$", re.MULTILINE)
# in a sentence: `python -m core check`, or a verb with an option, `batch --resume JOB`
MENTIONED = re.compile(rf"`(?:python -m core (?!VERB|…|--help)|(?=(?:{VERBS}) [^`]*--))([^`]+)`")
LEFT_OUT = ("the following arguments are required", "expected one argument")  # in a sentence
STANDS_FOR = {"N": "1", "IN": "1", "OUT": "1", "NAME": "ttl"}


def commands(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """The page and the command, one each."""
    return [
        (page.relative_to(ROOT).as_posix(), " ".join(match[1].replace("\\\n", " ").split()))
        for page in PAGES
        if page.name not in GENERATED
        for match in pattern.finditer(page.read_text(encoding="utf-8"))
    ]


def words_of(command: str) -> list[str]:
    """Of the command line, with something for each word that stands for another."""
    command = command.replace("$(date +%F)", "2026-11-24").removesuffix(" …")
    return [STANDS_FOR.get(word, word) for word in shlex.split(command, comments=True)]


@pytest.mark.parametrize(("page", "command"), commands(SHOWN))
def test_a_command_shown_in_a_document_is_one(page: str, command: str) -> None:
    words = words_of(command)
    parser(words).parse_args(words)


@pytest.mark.parametrize(("page", "command"), commands(MENTIONED))
def test_a_command_named_in_a_sentence_is_one(
    page: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = words_of(command)
    try:
        parser(words).parse_args(words)
    except SystemExit:
        messages = capsys.readouterr().err
        assert any(words in messages for words in LEFT_OUT), messages


def test_the_commands_of_the_readme_lead_from_a_text_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "project"))
    monkeypatch.chdir(ROOT)
    readme_commands = [
        words_of(command) for page, command in commands(SHOWN) if page == "README.md"
    ]
    assert [words[0] for words in readme_commands] == ["extract", "statements", "decide", "export"]
    extract, statements, decide, export = readme_commands
    assert main(extract) == 0
    capsys.readouterr()
    assert main(statements) == 0
    ids = re.findall(r'"id": "(s1-\w+)"', capsys.readouterr().out)
    assert main([ids[0] if word == "s1-…" else word for word in decide]) == 0
    assert main([str(tmp_path / word) if word == "kb.ttl" else word for word in export]) == 0
    assert ids[0] in (tmp_path / "kb.ttl").read_text(encoding="utf-8")
