"""Many gene questions from a file: one job, one run a question, a row each as soon as it is
answered.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.codec import from_json, to_json
from core.desk_parts import HasProject, HasProjectJobs, HasProjectModels, HasStore
from core.errors import InputError, NotFound, RemoteError
from core.genes.answer import AnswerStatus
from core.genes.kinds.kind import Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.question import MAX_QUESTION
from core.genes.question.understand import understand_question
from core.genes.strategies import PLANNER
from core.jobs.pool import run_units
from core.jobs.runner import JobContext, register_job
from core.jobs.units import UnitResult, register_units
from core.model import Job, Json
from core.services.genes import statement
from core.services.genes.options import AskOptions
from core.services.genes.questions import Check, Tell, ask_gene_question, stored_answer
from core.services.support.evidence_support import judge_statements
from core.store.unit import JobUnit, UnitState
from core.text.clean import clean_text
from core.text.separated import readable_table

BATCH = "gene questions"
ROW = "answer row"  # the kind of result that a question's run keeps
MOST_SHOWN = 200  # characters of a question in a list of units
MAX_BATCH = 2000
COLUMNS = ("question", "questions", "query", "text")  # of a table, the first that is there
TABLES = {"csv": ",", "tsv": "\t"}


AT_ONCE = 4  # BLAST searches of a batch that wait side by side


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """A question of a file, with the file's other columns."""

    text: str
    columns: Mapping[str, str] = field(default_factory=dict)


def start_gene_batch(
    desk: HasProjectJobs,
    questions: Sequence[str | ListedQuestion],
    options: AskOptions | None = None,
    curator: str = "",
) -> Job:
    """Ask many questions in the background. Raises InputError for none, too many or one that is
    too long.
    """
    listed = [
        question if isinstance(question, ListedQuestion) else ListedQuestion(question)
        for question in questions
    ]
    listed = [
        replace(question, text=question.text.strip())
        for question in listed
        if question.text.strip()
    ]
    if not listed:
        raise InputError("There is no question yet.", "Write one per line, or choose a file.")
    if len(listed) > MAX_BATCH:
        raise InputError(
            f"There are {len(listed):,} questions; at most {MAX_BATCH:,} are asked at once.",
            "Ask them in several batches.",
        )
    for number, question in enumerate(listed, 1):
        if len(question.text) > MAX_QUESTION:
            raise InputError(
                f"Question {number} has {len(question.text):,} characters; at most {MAX_QUESTION:,}"
                " are taken."
            )
    arguments: dict[str, Json] = {
        "questions": [question.text for question in listed],
        "runs": [desk.new_id() for _ in listed],
        "options": to_json(options or AskOptions()),
    }
    if any(question.columns for question in listed):
        arguments["columns"] = [dict(question.columns) for question in listed]
    return desk.runner.start(BATCH, arguments, curator)


def ask_failed_again(
    desk: HasProjectJobs, job: Job, rows: Sequence[Json], curator: str = ""
) -> Job:
    """A batch of the questions of this one that failed, asked in the same way."""
    failed = [
        ListedQuestion(str(row["question"]), row.get("columns") or {})
        for row in rows
        if row["status"] == AnswerStatus.FAILED
    ]
    return start_gene_batch(desk, failed, from_json(AskOptions, job.arguments["options"]), curator)


@register_job(BATCH)
def _work(context: JobContext, arguments: Json) -> Json:
    """The job: a question is a unit. Resumed, it asks what failed or was not reached."""
    desk: HasStore = context.context
    units, job = desk.store.units, context.job.id
    runs_by_text = list(zip(arguments["questions"], arguments["runs"], strict=True))
    if not units.all(job, 1):
        units.add(
            [JobUnit(job, n, text[:MOST_SHOWN], run) for n, (text, run) in enumerate(runs_by_text)]
        )
    units.free(job)
    units.retry(job)
    run_units(context, units, threads=threads_of(desk, arguments), noun="questions")
    row_by_run = desk.store.runs.results(arguments["runs"], ROW)
    lost = {unit.run: unit.message for unit in units.all(job) if unit.run not in row_by_run}
    rows = [
        row_by_run.get(run) or _trouble(text, AnswerStatus.FAILED, run, lost[run])
        for text, run in runs_by_text
    ]
    return {"rows": _with_columns(arguments, rows)}


def threads_of(desk: object, arguments: Json) -> int:
    """Questions with a sequence wait for BLAST side by side; others are asked in turn, so that one
    has the answers that the one before it brought.
    """
    options: AskOptions = from_json(AskOptions, arguments["options"])
    return AT_ONCE if any(_waits(text, options) for text in arguments["questions"]) else 1


@register_units(BATCH, threads_of)
def ask_unit(desk: HasProjectModels, unit: JobUnit, check: Check) -> UnitResult:
    """One question: its row, kept with the unit's state."""
    job = desk.store.jobs.get(unit.job)
    text = str(job.arguments["questions"][unit.number])
    options: AskOptions = from_json(AskOptions, job.arguments["options"])

    def tell(words: str) -> None:
        desk.store.units.say(unit, words)

    tell(text[:MOST_SHOWN])
    row = row_of(desk, text, options, curator=job.curator, run=unit.run, check=check, tell=tell)
    failed = row["status"] == AnswerStatus.FAILED
    state = UnitState.FAILED if failed else UnitState.DONE
    return UnitResult(state, " ".join(row.get("notes", []) if failed else []), ((ROW, row),))


def _waits(text: str, options: AskOptions) -> bool:
    """Whether the question is one for BLAST, answered by rules."""
    if options.way != PLANNER or options.api or len(text) > MAX_QUESTION:
        return False
    kind = KINDS.get(understand_question(text).kind)
    return kind is not None and kind.topic is Topic.SEQUENCE


def _with_columns(arguments: Json, rows: Sequence[Json]) -> list[Json]:
    """The rows, each with the columns that its question had in the file."""
    columns_by_run = dict(zip(arguments["runs"], arguments.get("columns") or [], strict=False))
    return [
        row | {"columns": columns_by_run[row["run"]]} if columns_by_run.get(row["run"]) else row
        for row in rows
    ]


def row_of(  # noqa: PLR0917
    desk: HasProjectModels,
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
    finished_row = _finished_row(desk, run)
    if finished_row and finished_row["status"] != AnswerStatus.FAILED:
        return finished_row
    try:
        return ask_gene_question(
            desk, text, options, curator=curator, run=run, check=check, tell=tell
        ).row
    except InputError as error:
        return _trouble(text, AnswerStatus.NOT_UNDERSTOOD, run, str(error))
    except RemoteError as error:
        return _trouble(text, AnswerStatus.FAILED, run, str(error))


def _finished_row(desk: HasStore, run: str) -> Json:
    """The row of a run that has an answer; None before."""
    try:
        return stored_answer(desk, run).row
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


def gene_batch_rows(desk: HasStore, job: Job) -> list[Json]:
    """A row for each question that is answered so far, in order; all of them once the job is
    done.
    """
    if job.result:
        return list(job.result["rows"])
    finished_rows = [row for run in job.arguments["runs"] if (row := _finished_row(desk, run))]
    return _with_columns(job.arguments, finished_rows)


@dataclass(frozen=True, slots=True)
class BatchSendReport:
    """What sending a batch did: statements that are new and known, and values that were held
    back.
    """

    new: int = 0
    already_known: int = 0
    held_back: int = 0


def send_answers(desk: HasProject, rows: Iterable[Json], curator: str) -> BatchSendReport:
    """Send what each answered question claims to review; held back is what cannot be proven, as for
    one question.
    """
    new = known_count = held_count = 0
    for row in rows:
        if row["status"] == AnswerStatus.ANSWERED:
            answer = stored_answer(desk, row["run"]).answer
            claims = statement.claims_of_answer(desk, row["run"], answer)
            held_count += len(claims.held_back)
            if claims.proposed:
                proposal = desk.store.statements.propose(claims.proposed, row["run"], curator)
                judge_statements(desk, (*proposal.new, *proposal.strengthened))
                new, known_count = (
                    new + len(proposal.new),
                    known_count + len(proposal.already_known),
                )
    return BatchSendReport(new, known_count, held_count)


def recent_gene_batches(desk: HasStore, limit: int = 10) -> list[Job]:
    """Batches asked in this project, newest first."""
    return desk.store.jobs.find(name=BATCH, limit=limit)


# ------------------------------------------------------------------ reading and writing files


def listed_questions(text: str, name: str = "") -> list[ListedQuestion]:
    """The questions of a file with its other columns: one a line; JSON lines with `question`; of a
    table (by the file's name) the column `question`, or its only one. Raises InputError.
    """
    if separator := TABLES.get(name.rpartition(".")[2].lower()):
        head = text.partition("\n")[0]
        if separator not in head and ";" in head:  # CSV where the comma is the decimal sign
            separator = ";"
        with readable_table(name):
            return _of_table(list(csv.reader(io.StringIO(text), delimiter=separator)))
    lines = [_of_line(line) for line in text.splitlines()]
    return [listed_question for listed_question in lines if listed_question.text]


def _of_line(line: str) -> ListedQuestion:
    if not line.lstrip().startswith("{"):
        return ListedQuestion(line.strip())
    try:
        body = json.loads(line)
        others = {str(k): str(v) for k, v in body.items() if k != "question"}
        return ListedQuestion(str(body.get("question", "")).strip(), others)
    except (ValueError, AttributeError, RecursionError) as error:
        raise InputError(
            f"This line is not JSON: {line[:60]}", "Write one question per line."
        ) from error


def _of_table(table: list[list[str]]) -> list[ListedQuestion]:
    head = [cell.strip() for cell in table[0]] if table else []
    folded = [heading.casefold() for heading in head]
    place = next((folded.index(name) for name in COLUMNS if name in folded), -1)
    if place >= 0:
        return [
            ListedQuestion(
                row[place].strip(),
                {name: cell for n, (name, cell) in enumerate(zip(head, row, strict=False))
                 if n != place and name},
            )
            for row in table[1:]
            if len(row) > place and row[place].strip()
        ]  # fmt: skip
    if all(len(row) <= 1 for row in table):
        return [ListedQuestion(row[0].strip()) for row in table if row and row[0].strip()]
    raise InputError("The table has no column of questions.", "Name one of its columns: question.")


def decoded_upload(raw: bytes) -> str:
    """An uploaded file as text. Raises InputError for what is no text."""
    return clean_text(raw)


FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins so


OURS = ("question", "answer", "status", "records", "notes", "calls", "run")


def own_columns(rows: Sequence[Json]) -> dict[str, str]:
    """The file's own columns by their name, each with its heading: one that is called as ours says
    whose it is.
    """
    names = dict.fromkeys(name for row in rows for name in row.get("columns") or {})
    return {name: f"{name} (file)" if name.casefold() in OURS else name for name in names}


def as_csv(rows: Iterable[Json]) -> str:
    """The rows for a spreadsheet, the file's own columns first; a cell that it would take for a
    formula gets an apostrophe before it.
    """
    listed, out = list(rows), io.StringIO()
    own = own_columns(listed)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*map(_cell, own.values()), *OURS))
    for row in listed:
        answer = ", ".join(row["answer"]) if isinstance(row["answer"], list) else row["answer"]
        records = " ".join(dict.fromkeys(evidence["record"] for evidence in row["evidence"]))
        cells = (row["question"], answer, row["status"], records, " ".join(row.get("notes", [])))
        own_cells = [str((row.get("columns") or {}).get(name, "")) for name in own]
        writer.writerow((*map(_cell, (*own_cells, *cells)), row["calls"], row["run"]))
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def as_lines(rows: Iterable[Json]) -> str:
    """The rows as JSON lines, as the command line prints them."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
