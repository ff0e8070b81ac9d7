"""Many questions from a file: rows as they come, trouble as a row, files of several kinds."""

from __future__ import annotations

import threading

import pytest

from core.desk import Desk
from core.errors import InputError, Unreachable
from core.services.genes import batch
from core.store.unit import UnitState
from tests.gene_desk import desk

__all__ = ["desk"]
LMP10 = "What is the official gene symbol of LMP10?"
MEESMANN = "What are genes related to Meesmann corneal dystrophy?"
ADA = "0000-0002-1825-0097"


def finished(desk: Desk, questions: list[str]):
    return desk.runner.wait(batch.start_gene_batch(desk, questions).id, 20)


def test_a_batch_gives_a_row_a_question_in_order(desk: Desk):
    rows = finished(desk, [LMP10, "Who won?", MEESMANN]).result["rows"]
    assert [row["status"] for row in rows] == ["answered", "not understood", "answered"]


def test_trouble_with_one_question_is_its_row(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    def down(*arguments: object, **more: object) -> None:
        raise Unreachable("m is silent.")

    monkeypatch.setattr("core.services.genes.batch.ask_gene_question", down)
    (row,) = finished(desk, [LMP10]).result["rows"]
    assert (row["status"], row["notes"]) == ("failed", ["m is silent."])


def test_failed_gene_questions_are_asked_again_in_a_new_batch(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    def down(desk: Desk, text: str, *arguments: object, **more: object) -> None:
        raise Unreachable("NCBI is down.") if text == LMP10 else InputError("Not a question.")

    with monkeypatch.context() as outage:
        outage.setattr("core.services.genes.batch.ask_gene_question", down)
        job = finished(desk, [LMP10, "Who won?"])
    second = desk.runner.wait(batch.ask_failed_again(desk, job, job.result["rows"]).id, 20)
    assert [row["answer"] for row in second.result["rows"]] == ["PSMB10"]


def test_rows_are_there_before_the_batch_is_done_and_are_not_asked_again(desk: Desk):
    job = finished(desk, [LMP10, MEESMANN])
    begun = type(job)(job.id, job.name, job.arguments)
    assert [row["answer"] for row in batch.gene_batch_rows(desk, begun)] == [
        "PSMB10",
        ["KRT12", "KRT3"],
    ]
    before = desk.network.asked
    options = batch.AskOptions(reuse=False)
    assert batch.row_of(desk, LMP10, options, run=job.arguments["runs"][0])["answer"] == "PSMB10"
    assert desk.network.asked == before


def test_answers_of_a_gene_batch_are_all_sent_to_review(desk: Desk):
    rows = finished(desk, [LMP10, "Who won?", MEESMANN]).result["rows"]
    assert batch.send_answers(desk, rows, ADA) == batch.BatchSendReport(3, 0, 0)
    assert batch.send_answers(desk, rows, ADA).already_known == 3


@pytest.mark.parametrize("questions", [[], [" "], ["x"] * 2001, ["fine?", "x" * 1_000_000]])
def test_empty_oversized_and_overlong_gene_batches_are_refused(desk: Desk, questions: list[str]):
    with pytest.raises(InputError):
        batch.start_gene_batch(desk, questions)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('a?\n\n{"question": "b, c?"}\n', "q.jsonl"),
        ("a?\nb, c?\n", "q.txt"),
        ('id,Question,note\n1,a?,x\n2,"b, c?",y\n3,,z\n', "q.csv"),
        ("a?\tx\nb, c?\ty\n".replace("a?", "question\tnote\na?", 1), "Q.TSV"),
        ('a?\n"b, c?"\n', "q.csv"),
    ],
)
def test_questions_come_from_lines_json_lines_and_tables(text: str, name: str):
    assert [listed.text for listed in batch.listed_questions(text, name)] == ["a?", "b, c?"]


def test_a_table_of_a_country_with_a_decimal_comma_keeps_its_columns():
    (listed,) = batch.listed_questions("patient;question;dose\nP1;a?;1,5\n", "q.csv")
    assert (listed.text, listed.columns) == ("a?", {"patient": "P1", "dose": "1,5"})


@pytest.mark.parametrize(("text", "name"), [("{broken", "q.txt"), ("a,b\n1,2\n", "q.csv")])
def test_a_file_without_questions_says_so(text: str, name: str):
    with pytest.raises(InputError):
        batch.listed_questions(text, name)


def test_a_table_for_spreadsheets_holds_no_formula(desk: Desk):
    row = {
        "question": "=HYPERLINK(1)",
        "answer": ["A", "B"],
        "status": "answered",
        "evidence": [],
        "calls": 2,
        "run": "r",
    }
    assert batch.as_csv([row]).splitlines()[1] == '\'=HYPERLINK(1),"A, B",answered,,,2,r'


TABLE = "id,question,answer\n7,What is the official gene symbol of LMP10?,mine\n=8,Who won?,x\n"


def test_the_columns_of_a_file_stay_with_their_answers(desk: Desk):
    job = desk.runner.wait(
        batch.start_gene_batch(desk, batch.listed_questions(TABLE, "q.csv")).id, 20
    )
    rows = batch.gene_batch_rows(desk, job)
    assert [row["columns"]["id"] for row in rows] == ["7", "=8"]
    lines = batch.as_csv(rows).splitlines()
    assert lines[0].startswith("id,answer (file),question,answer,status")
    assert lines[1].startswith("7,mine,") and "PSMB10" in lines[1]
    assert lines[2].startswith("'=8,x,")


def test_the_columns_show_while_the_batch_runs_and_when_it_is_asked_again(desk: Desk):
    job = desk.runner.wait(
        batch.start_gene_batch(desk, batch.listed_questions(TABLE, "q.csv")).id, 20
    )
    begun = type(job)(job.id, job.name, job.arguments)
    assert batch.gene_batch_rows(desk, begun)[0]["columns"] == {"id": "7", "answer": "mine"}
    failed = [batch.gene_batch_rows(desk, job)[0] | {"status": "failed"}]
    second = desk.runner.wait(batch.ask_failed_again(desk, job, failed).id, 20)
    assert second.result["rows"][0]["columns"]["id"] == "7"


def test_questions_for_blast_wait_side_by_side_and_the_rows_keep_their_order(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    met = threading.Barrier(3)  # passes only when three wait at once

    def asking(desk: Desk, text: str, *arguments: object, run: str = "", **more: object) -> object:
        if "ACGT" in text:
            met.wait(10)
        row = {"question": text, "answer": text[:1], "status": "answered", "run": run}
        return type("Asked", (), {"row": row})

    monkeypatch.setattr("core.services.genes.batch.ask_gene_question", asking)
    aligned = [f"{n}. Align to the human genome: {'ACGTTGCA' * 4}" for n in range(3)]
    rows = finished(desk, [aligned[0], LMP10, *aligned[1:]]).result["rows"]
    assert [row["answer"] for row in rows] == ["0", "W", "1", "2"]


def test_questions_that_were_not_reached_are_asked_by_whoever_takes_the_batch_up(desk: Desk):
    job = batch.start_gene_batch(desk, [LMP10, MEESMANN])
    done = desk.runner.wait(job.id, 20)
    before = desk.network.asked
    first, second = desk.store.units.all(job.id)
    assert (first.state, second.state) == (UnitState.DONE, UnitState.DONE)
    with desk.store.database.writing() as connection:  # as if its process was killed at the second
        connection.exec_driver_sql("UPDATE units SET state = 'waiting' WHERE number = 1")
        connection.exec_driver_sql("UPDATE jobs SET state = 'interrupted', result = NULL")
    desk.runner.resume(job.id)
    assert desk.runner.wait(job.id, 20).result == done.result
    assert desk.network.asked == before
    assert [unit.attempts for unit in desk.store.units.all(job.id)] == [1, 2]
