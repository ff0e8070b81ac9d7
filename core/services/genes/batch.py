"""Many gene questions from a file: one job, one run a question, a row each as soon as it is
answered.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError, NotFound, RemoteError
from core.genes.answer import AnswerStatus
from core.genes.question.question import MAX_QUESTION
from core.jobs.runner import JobContext, register
from core.model import Job, Json
from core.services.genes import statement
from core.services.genes.options import AskOptions
from core.services.genes.questions import Check, Tell, ask, view
from core.text.clean import clean

BATCH = "gene questions"
MAX_BATCH = 2000
COLUMNS = ("question", "questions", "query", "text")  # of a table, the first that is there
TABLES = {"csv": ",", "tsv": "\t"}


def start(
    desk: Desk, questions: Sequence[str], options: AskOptions | None = None, curator: str = ""
) -> Job:
    """Ask many questions, one after the other, in the background. Raises InputError for none, too
    many or one that is too long.
    """
    given = [one.strip() for one in questions if one.strip()]
    if not given:
        raise InputError("There is no question yet.", "Write one a line, or choose a file.")
    if len(given) > MAX_BATCH:
        raise InputError(
            f"There are {len(given):,} questions; at most {MAX_BATCH:,} are asked at once.",
            "Split them.",
        )
    for number, text in enumerate(given, 1):
        if len(text) > MAX_QUESTION:
            raise InputError(
                f"Question {number} has {len(text):,} characters; at most {MAX_QUESTION:,} are"
                " taken."
            )
    runs = [desk.new_id() for _ in given]
    return desk.runner.start(
        BATCH,
        {"questions": given, "runs": runs, "options": to_json(options or AskOptions())},
        curator,
    )


def again(desk: Desk, job: Job, rows: Sequence[Json], curator: str = "") -> Job:
    """A batch of the questions of this one that failed, asked in the same way."""
    failed = [str(row["question"]) for row in rows if row["status"] == AnswerStatus.FAILED]
    return start(desk, failed, from_json(AskOptions, job.arguments["options"]), curator)


@register(BATCH)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: Desk = context.context
    options: AskOptions = from_json(AskOptions, arguments["options"])
    total = len(arguments["questions"])
    rows = []
    for number, (text, run) in enumerate(
        zip(arguments["questions"], arguments["runs"], strict=True)
    ):
        context.progress(number, total, text[:100])
        tell = partial(context.progress, number, total)
        rows.append(row_of(desk, text, options, context.job.curator, run, context.check, tell))
    context.progress(total, total, "done")
    return {"rows": rows}


def row_of(
    desk: Desk,
    text: str,
    options: AskOptions,
    curator: str = "",
    run: str = "",
    check: Check = lambda: None,
    tell: Tell = lambda words: None,
) -> Json:
    """One question of many: trouble is a row of its own, so that the others go on. A resumed batch
    asks again only what failed or was not reached.
    """
    known = _known(desk, run)
    if known and known["status"] != AnswerStatus.FAILED:
        return known
    try:
        return ask(desk, text, options, curator=curator, run=run, check=check, tell=tell).row
    except InputError as error:
        return _trouble(text, AnswerStatus.NOT_UNDERSTOOD, run, str(error))
    except RemoteError as error:
        return _trouble(text, AnswerStatus.FAILED, run, str(error))


def _known(desk: Desk, run: str) -> Json:
    """The row of a run that has an answer; None before."""
    try:
        return view(desk, run).row
    except NotFound:
        return None


def _trouble(text: str, status: AnswerStatus, run: str, why: str) -> Json:
    return {
        "question": text,
        "answer": "",
        "status": str(status),
        "evidence": [],
        "calls": 0,
        "run": run,
        "notes": [why],
    }


def rows(desk: Desk, job: Job) -> list[Json]:
    """A row for each question that is answered so far, in order; all of them once the job is
    done.
    """
    if job.result:
        return list(job.result["rows"])
    return [row for run in job.arguments["runs"] if (row := _known(desk, run))]


@dataclass(frozen=True, slots=True)
class SentAll:
    """What sending a batch did: statements that are new and known, and values that were held
    back.
    """

    new: int = 0
    known: int = 0
    held: int = 0


def send(desk: Desk, rows: Iterable[Json], curator: str) -> SentAll:
    """Send what each answered question claims to review; held back is what cannot be proven, as for
    one question.
    """
    new = known = held = 0
    for row in rows:
        if row["status"] == AnswerStatus.ANSWERED:
            answer = view(desk, row["run"]).answer
            found = statement.claims(desk, row["run"], answer)
            held += len(found.held)
            if found.proposed:
                sent = desk.store.statements.propose(found.proposed, row["run"], curator)
                new, known = new + len(sent.new), known + len(sent.known)
    return SentAll(new, known, held)


def recent(desk: Desk, limit: int = 10) -> list[Job]:
    """Batches asked in this project, newest first."""
    return desk.store.jobs.find(name=BATCH, limit=limit)


# ------------------------------------------------------------------ reading and writing files
def questions_of(text: str, name: str = "") -> list[str]:
    """The questions of a file: one a line; JSON lines with `question`; of a table (by the file's
    name) the column `question`, or its only one. Raises InputError.
    """
    if separator := TABLES.get(name.rpartition(".")[2].lower()):
        return _of_table(list(csv.reader(io.StringIO(text), delimiter=separator)))
    return [one for line in text.splitlines() if (one := _of_line(line).strip())]


def _of_line(line: str) -> str:
    if not line.lstrip().startswith("{"):
        return line
    try:
        return str(json.loads(line).get("question", ""))
    except ValueError as error:
        raise InputError(
            f"This line is not JSON: {line[:60]}", "Write one question a line."
        ) from error


def _of_table(table: list[list[str]]) -> list[str]:
    head = [one.strip().casefold() for one in table[0]] if table else []
    if place := next((head.index(name) for name in COLUMNS if name in head), -1) + 1:
        return [
            row[place - 1].strip()
            for row in table[1:]
            if len(row) >= place and row[place - 1].strip()
        ]
    if all(len(row) <= 1 for row in table):
        return [row[0].strip() for row in table if row and row[0].strip()]
    raise InputError("The table has no column of questions.", "Call one of its columns: question.")


def decoded(raw: bytes) -> str:
    """An uploaded file as text. Raises InputError for what is no text."""
    return clean(raw)


FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins so


def as_csv(rows: Iterable[Json]) -> str:
    """The rows for a spreadsheet; a cell that it would take for a formula gets an apostrophe before
    it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("question", "answer", "status", "records", "notes", "calls", "run"))
    for row in rows:
        answer = ", ".join(row["answer"]) if isinstance(row["answer"], list) else row["answer"]
        records = " ".join(dict.fromkeys(one["record"] for one in row["evidence"]))
        cells = (row["question"], answer, row["status"], records, " ".join(row.get("notes", [])))
        writer.writerow((*map(_cell, cells), row["calls"], row["run"]))
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def as_lines(rows: Iterable[Json]) -> str:
    """The rows as JSON lines, as the command line prints them."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
