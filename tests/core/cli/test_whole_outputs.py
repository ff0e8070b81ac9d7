"""Every JSON that verbs print says whether it is complete and what is missing; where it makes
claims, whether they are supported.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import NotFound
from core.literature.ranking import narrowed
from core.model import Json
from tests.core.cli.test_extraction import run
from tests.core.services.extracting import CURATOR, FIRST, TEXT, project

PAPERS = (
    {"id": "PMID:1", "title": "Tau", "text": "Kinase Q phosphorylates tau. It rains in Peru."},
    {"id": "PMID:2", "title": "Bread", "text": "Bread is baked. Kinase R is not baked."},
)
KEYLESS = ("--engine", "extractive", "--format", "jsonl")
EXTRACT = ("extract", "--schema", "trial", "--engine", "builtin", "--input", "@text.txt")
# What each verb is asked, and whether its answer makes claims of its own.
OUTPUTS = {
    "extract": (EXTRACT, True),
    "parse": (
        ("parse", "--schema", "trial", "--completion", "@answer.txt", "--input", "@text.txt"),
        False,
    ),
    "statements": (("statements",), True),
    "search": (("search", "tau", "Kinase Q", "--format", "jsonl"), False),
    "search nothing": (("search", "tau", "--input", "@nothing.jsonl"), False),
    "answer": (("answer", "tau", "Does Kinase Q act on tau?", *KEYLESS), True),
    "no answer": (("answer", "tau", "Who eats quokkas?", *KEYLESS), True),
    "recommend": (("recommend", "tau", "Kinase Q and tau.", "--format", "jsonl"), False),
    "recommend nothing": (
        ("recommend", "tau", "Tau. Of the.", "--by", "sentence", "--format", "jsonl"),
        False,
    ),
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk, _ = project(tmp_path)
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "answer.txt").write_text(FIRST, "utf-8")
    (tmp_path / "papers.jsonl").write_text("\n".join(map(json.dumps, PAPERS)), "utf-8")
    (tmp_path / "nothing.jsonl").write_text('{"id": "1", "text": "of the"}\n', "utf-8")
    run(desk, *EXTRACT, "--send", "--curator", CURATOR)
    run(desk, "namespace", "create", "tau")
    run(desk, "namespace", "add", "tau", "@papers.jsonl")
    yield desk
    desk.close()


def rows_of(printed: str) -> list[Json]:
    try:
        whole = json.loads(printed)
    except ValueError:
        return [json.loads(line) for line in printed.splitlines() if line.strip()]
    return whole if isinstance(whole, list) else [whole]


@pytest.mark.parametrize("name", OUTPUTS)
def test_every_output_says_what_it_lacks(
    name: str, desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    command, makes_claims = OUTPUTS[name]
    run(desk, *command)
    rows = rows_of(capsys.readouterr().out)
    assert rows
    for row in rows:
        assert isinstance(row["complete"], bool)
        assert row["complete"] or row["missing"]
        if makes_claims:
            assert row["supported"] in (True, False, "partly")


def test_what_was_not_searched_is_not_complete(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    for name in ("search nothing", "recommend nothing"):
        run(desk, *OUTPUTS[name][0])
        rows = rows_of(capsys.readouterr().out)
        assert [row["complete"] for row in rows][-1] is False, name


def test_passages_that_were_not_looked_into_are_missing(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(narrowed, "LOOKED_INTO", 1)
    (tmp_path / "asked.jsonl").write_text('{"id": "1", "text": "Kinase"}\n', "utf-8")
    for asked in (("Kinase",), ("--input", "@asked.jsonl")):
        capsys.readouterr()
        run(desk, "search", "tau", *asked, "--by", "sentence", "--format", "jsonl")
        (row,) = rows_of(capsys.readouterr().out)
        assert not row["complete"]
        assert "1 of 2" in row["missing"][0]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_namespace_that_there_is_not_is_an_error_for_sentences_too(desk: Desk, form: str) -> None:
    with pytest.raises(NotFound):
        run(desk, "recommend", "nosuch", "Tau.", "--by", "sentence", "--format", form)


def test_a_refusal_is_not_certain(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    run(desk, *OUTPUTS["no answer"][0])
    (row,) = rows_of(capsys.readouterr().out)
    assert (row["status"], row["certain"], row["supported"]) == ("unknown", False, False)


def test_an_answer_with_an_elision_is_incomplete(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answer.txt").write_text(FIRST.rstrip() + "; … (12 more)\n", "utf-8")
    capsys.readouterr()
    run(desk, *OUTPUTS["parse"][0])
    (row,) = rows_of(capsys.readouterr().out)
    assert not row["complete"]
    assert "elided" in {problem["code"] for problem in row["problems"]}
    assert "12 more" not in json.dumps(row["object"])


def test_words_of_the_text_are_no_elision(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("Aspirin relieves migraine (5 more months).", "utf-8")
    (tmp_path / "answer.txt").write_text("title: migraine (5 more months)\n", "utf-8")
    capsys.readouterr()
    run(desk, *OUTPUTS["parse"][0])
    (row,) = rows_of(capsys.readouterr().out)
    assert "elided" not in {problem["code"] for problem in row["problems"]}


def test_a_cut_answer_names_the_value_that_was_dropped(tmp_path: Path) -> None:
    from core.services.extract import draft, result
    from core.services.extract.run import start_run

    desk, model = project(tmp_path)
    complete = model.complete
    model.complete = lambda *asked: replace(  # type: ignore[method-assign]
        complete(*asked), text="triples: aspirin TREATS migraine; ibuprofen TRE", finish="length"
    )
    view = result.wait_for_job(desk, start_run(desk, "trial", TEXT, engine="spires"))
    body = draft.as_json(view)
    assert not body["complete"]
    assert any("ibuprofen TRE" in problem["message"] for problem in body["problems"])
    assert "ibuprofen TRE" not in json.dumps(body["object"])
    table = list(csv.DictReader(io.StringIO(draft.render_run(desk, view, "csv"))))
    assert {row["complete"] for row in table} <= {"no"}
    desk.close()
