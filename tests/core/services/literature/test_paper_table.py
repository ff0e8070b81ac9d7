"""Tables over papers: every cell quotes its own paper, and half a table is called half."""

from __future__ import annotations

import csv
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, NotFound
from core.literature.answers.answer import read_answer
from core.literature.chunk import Chunk
from core.literature.triage.paper_filter import PaperFilter
from core.llm.completer import OnText, Reply, Request
from core.model import JobState
from core.services.literature import namespaces, paper_table, triage
from core.settings import Settings

QUESTIONS = ["Which kinase phosphorylates tau?", "How many mice were studied?"]
ROWS = (
    {
        "id": "PMID:1",
        "title": "Kinase Q in mice",
        "text": "Kinase Q phosphorylates tau. We studied 42 mice.",
        "year": "2019",
    },
    {"id": "PMID:2", "title": "=Bread", "text": "Bread | flour is baked at noon.", "year": "2021"},
    *({"id": f"PMID:{n}", "title": f"Note {n}", "text": f"Stone {n} lies."} for n in range(3, 30)),
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    papers = tmp_path / "papers.jsonl"
    papers.write_text("\n".join(map(json.dumps, ROWS)))
    opened = open_desk(Settings(project=tmp_path / "project"))
    namespaces.create_namespace(opened, "tau")
    namespaces.add_files(opened, "tau", [papers])
    yield opened
    opened.close()


def filled(desk: Desk, **options: object) -> paper_table.PaperTable:
    documents = ("PMID:1", "PMID:2")
    run = paper_table.begin_table(desk, ["tau"], QUESTIONS, documents=documents, **options)  # type: ignore[arg-type]
    return paper_table.fill_table(desk, run)


def test_a_cell_quotes_its_own_paper_or_says_that_it_is_not_stated(desk: Desk) -> None:
    table = filled(desk)
    kinase, mice = table.columns
    assert paper_table.cell_text(kinase.answers["PMID:1"]).startswith("Kinase Q phosphorylates tau")
    assert paper_table.cell_text(mice.answers["PMID:1"]).endswith("We studied 42 mice.")
    assert paper_table.cell_text(kinase.answers["PMID:2"]).startswith(paper_table.NOT_STATED)
    for column in table.columns:
        for document, answer in column.answers.items():
            cited = {chunk for sentence in answer.sentences for chunk in sentence.chunks}
            assert all(chunk.startswith(f"{document}@") for chunk in cited)


def test_a_table_is_written_so_that_a_spreadsheet_and_a_program_read_it(desk: Desk) -> None:
    table = filled(desk)
    first, second = list(csv.DictReader(io.StringIO(paper_table.table_file(table, "csv"))))
    assert first[QUESTIONS[0]].startswith("Kinase Q phosphorylates tau")
    assert first[f"{QUESTIONS[0]} – where"] == "PMID:1@0 (exact)"
    assert second["title"] == "'=Bread"  # no formula
    kept = json.loads(paper_table.table_file(table, "json"))
    assert kept["papers"][0]["cells"][0]["status"] == "answered"
    assert kept["papers"][1]["cells"][1]["status"] == "unknown"
    lines = paper_table.table_file(table, "md").splitlines()
    assert len(lines) == 4 and all(line.replace("\\|", "").count("|") == 5 for line in lines)
    with pytest.raises(InputError, match="not a table"):
        paper_table.table_file(table, "exe")


def test_a_table_holds_the_papers_that_pass_the_filter(desk: Desk) -> None:
    triage.judge_paper(desk, "tau", "PMID:2", "include")
    run = paper_table.begin_table(
        desk, ["tau"], QUESTIONS, PaperFilter(verdicts=frozenset({"include"}))
    )
    assert [p.document for p in paper_table.stored_table(desk, run).papers] == ["PMID:2"]
    with pytest.raises(InputError, match="No paper passes"):
        paper_table.begin_table(desk, ["tau"], QUESTIONS, PaperFilter(since=2090))
    with pytest.raises(NotFound):
        paper_table.begin_table(desk, ["tau"], QUESTIONS, documents=["PMID:999"])


def test_the_nearest_papers_are_taken_and_the_rest_counted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper_table, "MOST_PAPERS", 2)
    papers, passing = paper_table.chosen_papers(desk, ["tau"], about="Who bakes bread?")
    assert papers[0] == "PMID:2" and len(papers) == 2 and passing == len(ROWS)


@pytest.mark.parametrize(
    "text, message", [(" \n", "at least one"), ("a\n" * 1 + "x" * 400, "characters")]
)
def test_questions_that_make_no_table_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        paper_table.read_questions(text)
    with pytest.raises(InputError, match="takes 10"):
        paper_table.read_questions("\n".join(f"Question {n}?" for n in range(11)))


class Model:
    """Quotes the first passage; fails at the `fails`th call."""

    model = "m"

    def __init__(self, fails: int = 0):
        self.fails, self.calls = fails, 0

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.calls += 1
        if self.calls == self.fails:
            raise RuntimeError("the plug was pulled")
        words = "Kinase Q" if "Kinase Q" in request.messages[1].content else "Bread"
        return Reply(f'It says "{words}" [1].')


def test_an_interrupted_table_continues_where_it_stopped(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, working = Model(fails=4), Model()
    monkeypatch.setattr(Desk, "completer", lambda *_, **__: failing)
    run = paper_table.begin_table(desk, ["tau"], QUESTIONS, documents=["PMID:1", "PMID:2"])
    with pytest.raises(RuntimeError):
        paper_table.fill_table(desk, run)
    half = paper_table.stored_table(desk, run)
    assert half.waiting == 1 and set(half.columns[0].answers) == {"PMID:1", "PMID:2"}
    monkeypatch.setattr(Desk, "completer", lambda *_, **__: working)
    job = desk.runner.wait(paper_table.start_table(desk, run).id, 20)
    assert job.state is JobState.DONE and (job.done, job.total) == (4, 4)
    assert working.calls == 1  # three were on record
    whole = paper_table.stored_table(desk, run)
    assert whole.waiting == 0
    assert paper_table.cell_text(whole.columns[1].answers["PMID:2"]) == 'It says "Bread".'
    assert [stored_table.id for stored_table in paper_table.stored_tables(desk, ["tau"])] == [run]


class Meeting(Model):
    """Answers only when it is asked of two papers at once."""

    def __init__(self) -> None:
        super().__init__()
        self.met = threading.Barrier(2, timeout=20)

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.met.wait()
        return super().complete(request, on_text)


def test_a_model_is_asked_of_several_papers_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Desk, "completer", lambda *_, **__: meeting)
    meeting = Meeting()
    run = paper_table.begin_table(desk, ["tau"], QUESTIONS, documents=["PMID:1", "PMID:2"])
    table = paper_table.fill_table(desk, run)
    assert table.waiting == 0 and list(table.columns[0].answers) == ["PMID:1", "PMID:2"]
    assert paper_table.cell_text(table.columns[0].answers["PMID:1"]) == 'It says "Kinase Q".'


def test_a_cell_of_a_model_says_when_it_quotes_nothing_of_its_paper() -> None:
    chunk = Chunk("PMID:2@0", "PMID:2", "Bread is baked at noon.")
    for answer_text in ('It says "Kinase Q" [1].', "It says much [1].", "It says much."):
        cell = paper_table.cell_text(read_answer(answer_text, [chunk]))
        assert cell.startswith("not proven: It says")
    assert paper_table.cell_text(read_answer('"Bread is baked" [1].', [chunk])).startswith('"Bread')
