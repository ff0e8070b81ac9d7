"""`ask` reads and writes what the design says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.ncbi.example import ExampleFetcher


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.desk.Desk.web", lambda self, kind="api", hosts=(): ExampleFetcher())
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "GROUNDWORK_MODEL"):
        monkeypatch.delenv(name, raising=False)


def ask(tmp_path: Path, *words: str) -> int:
    return main(["--project", str(tmp_path / "p"), "ask", *words])


def test_a_question_gives_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert ask(tmp_path, "What is the official gene symbol of LMP10?") == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["answer"], row["status"], row["calls"]) == ("PSMB10", "answered", 2)


def test_a_file_gives_a_line_each_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "q.txt"
    file.write_text(
        "What are genes related to Meesmann corneal dystrophy?\nWho won the world cup?\n"
    )
    assert ask(tmp_path, "--input", str(file), "--format", "jsonl") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["answer"] for row in rows] == [["KRT12", "KRT3"], ""]
    assert rows[1]["status"] == "not understood"


def test_markdown_names_record_and_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert ask(tmp_path, "What is the official gene symbol of LMP10?", "--format", "md") == 0
    out = capsys.readouterr().out
    assert (
        "**PSMB10**" in out and "NCBIGene:5699" in out and "/result/5699/nomenclaturesymbol" in out
    )


def test_send_proposes_and_says_so_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert ask(tmp_path, "Which gene is SNP rs1217074595 associated with?", "--send") == 0
    assert "1 new statement," in capsys.readouterr().err


def test_ask_says_what_will_be_sent_before_it_sends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    messages = []
    monkeypatch.setattr(
        "core.ncbi.example.ExampleFetcher.fetch",
        lambda *_: messages.append(capsys.readouterr().err) or 1 / 0,
    )
    with pytest.raises(ZeroDivisionError):
        ask(tmp_path, "What is the official gene symbol of LMP10?")
    assert "“LMP10” will be" in messages[0]


def test_a_replay_answers_from_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    ask(tmp_path, "What is the official gene symbol of LMP10?")
    run = json.loads(capsys.readouterr().out)["run"]
    monkeypatch.setattr(
        "core.ncbi.example.ExampleFetcher.fetch", lambda self, request: pytest.fail("went out")
    )
    assert ask(tmp_path, "--replay", run) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "PSMB10"


def test_ask_ends_with_status_1_where_ncbi_does_not_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert ask(tmp_path, "What is the official gene symbol of QQQ9?") == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["status"] == "failed" and "Traceback" not in captured.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("",),
        ("a", "--input", "b"),
        ("What is LMP10's symbol?", "--way", "tools"),
        ("--input", "/no/such/file"),
        ("x", "--api", "nothing"),
    ],
)
def test_wrong_use_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
):
    assert ask(tmp_path, *words) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("groundwork: ") and not captured.out
