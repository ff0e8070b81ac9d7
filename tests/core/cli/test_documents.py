"""The verb `read`, and that extraction reads files by the same readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main

PAGE = (
    "<html><body><script>Aspirin treats headache.</script><h1>Tau</h1>"
    "<p>Naloxone reverses hypotension.</p></body></html>"
)


def test_read_prints_what_a_file_is_read_as(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    arguments = ["--project", str(tmp_path / "p"), "read", str(tmp_path / "a.html")]
    assert main([*arguments, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["text"] == "Tau\n\nNaloxone reverses hypotension."
    assert {"title", "ids", "sections", "warnings"} <= document.keys()


def test_read_prints_each_paper_of_a_list_and_what_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = (
        "Title,Abstract,DOI\nTau,Naloxone reverses hypotension.,10.1000/a\nPain,,10.1000/b\n,,x\n"
    )
    (tmp_path / "a.csv").write_text(table)
    arguments = ["--project", str(tmp_path / "p"), "read", str(tmp_path / "a.csv")]
    assert main([*arguments, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["ids"] for line in out.splitlines()] == [
        ["DOI:10.1000/a"],
        ["DOI:10.1000/b"],
    ]
    assert "2 papers read, 1 record left out." in err


def test_extraction_of_a_page_never_quotes_a_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    arguments = ["--project", str(tmp_path / "p"), "prompt", "--schema", "chemical_disease"]
    assert main([*arguments, "--input", str(tmp_path / "a.html")]) == 0
    prompt = capsys.readouterr().out
    assert "Naloxone" in prompt
    assert "Aspirin treats" not in prompt


def test_a_paper_is_not_cleared_of_its_retraction_by_leaving_out_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = ["--project", str(tmp_path / "p"), "documents"]
    (tmp_path / "a.txt").write_text("Naloxone reverses hypotension.")
    assert main([*documents, "add", str(tmp_path / "a.txt")]) == 0
    capsys.readouterr()
    assert main([*documents, "list"]) == 0
    name = json.loads(capsys.readouterr().out)["id"]
    retracted = [*documents, "retracted", name, "--curator", "0000-0002-1825-0097"]
    assert main([*retracted, "--because", "Data were fabricated."]) == 0
    with pytest.raises(SystemExit):
        main(retracted)
    assert main([*retracted, "--because", "  "]) == 1  # blanks say nothing
    assert main([*documents, "list"]) == 0
    assert json.loads(capsys.readouterr().out)["retracted"]
    assert main([*retracted, "--remove"]) == 0
    assert main([*documents, "list"]) == 0
    assert not json.loads(capsys.readouterr().out)["retracted"]
