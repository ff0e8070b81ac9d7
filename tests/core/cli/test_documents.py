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


def test_extraction_of_a_page_never_quotes_a_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    arguments = ["--project", str(tmp_path / "p"), "prompt", "--schema", "chemical_disease"]
    assert main([*arguments, "--input", str(tmp_path / "a.html")]) == 0
    prompt = capsys.readouterr().out
    assert "Naloxone" in prompt
    assert "Aspirin treats" not in prompt
