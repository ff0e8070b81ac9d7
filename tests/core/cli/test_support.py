"""The verb `support`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main


def run(project: Path, *words: str) -> int:
    return main(["--project", str(project), "support", *words])


def test_one_claim_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text("Hydroxychloroquine did not treat COVID-19.")
    claim = ["--subject", "hydroxychloroquine", "--predicate", "TREATS", "--object", "COVID-19"]
    assert run(tmp_path / "p", *claim, "--passage", str(passage)) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "contradicts"
    assert result["probability"] <= 0.2
    assert result["reasons"][0].startswith("the sentence denies")
    assert run(tmp_path / "p", *claim, "--negated", "--passage", str(passage)) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "supports"


def test_rows_are_judged_in_order_and_a_bad_one_gives_its_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": "a", "subject": "lithium", "predicate": "causes", "object": "tremor",
         "passage": "Lithium caused tremor."},
        {"id": "b", "subject": "lithium", "predicate": "causes", "object": "tremor"},
        {"id": "c", "subject": {"label": "lithium"}, "predicate": "biolink:causes",
         "object": {"id": "X:1", "label": "tremor"}, "passage": "The sky is blue."},
    ]  # fmt: skip
    file = tmp_path / "claims.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    assert run(tmp_path / "p", "--input", str(file)) == 1
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["id"] for result in results] == ["a", "b", "c"]
    assert [result.get("verdict") for result in results] == ["supports", None, "silent"]
    assert "no passage" in results[1]["error"]
