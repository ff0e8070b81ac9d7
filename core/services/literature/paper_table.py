"""Tables over papers: made from papers that pass a filter, filled in the background, kept with a
run a question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from core.codec import from_json, to_json
from core.desk_parts import HasEngineJobs, HasEngines, HasJobs, HasProjectModels, HasStore
from core.errors import InputError, NotFound
from core.jobs.runner import JobContext, register_job
from core.literature.answers.certainty import QuestionWeight, QuestionWeights, question_weights
from core.literature.answers.paper_table import (
    FORMATS,
    NOT_STATED,
    PaperTable,
    TableColumn,
    TablePaper,
    cell_text,
    cell_words,
    passages_read,
)
from core.literature.chunk import Chunk
from core.literature.index.chunking import ChunkSize, cut_into_chunks
from core.literature.index.tokens import asked_units
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.plan import QueryPlan
from core.literature.ranking.search import Searcher
from core.literature.triage.paper_filter import NO_FILTER, PaperFilter
from core.model import Job, Json, Run
from core.services.literature import answer, paper_choice, screening, searching
from core.store import Member

__all__ = [
    "FORMATS",
    "MOST_PAPERS",
    "MOST_QUESTIONS",
    "NOT_STATED",
    "PaperTable",
    "begin_table",
    "cell_text",
    "cell_words",
    "chosen_papers",
    "fill_table",
    "read_questions",
    "start_table",
    "stored_table",
    "stored_tables",
    "table_file",
]

JOB = "paper table"
KIND = "paper table"  # of a run
MODE = "table"  # of the runs of its columns
MOST_PAPERS, MOST_QUESTIONS, LONGEST = 200, 10, 300
MOST_LISTED = 20  # tables made before
Progress = Callable[[int, int, str], None]


def _nobody(done: int, total: int, message: str = "") -> None:
    return None


# ------------------------------------------------------------------ what is asked


def read_questions(text: str) -> list[str]:
    """The questions of a text, one a line, each once. Raises InputError for too many, too long or
    none.
    """
    questions = list(dict.fromkeys(" ".join(line.split()) for line in text.splitlines()))
    questions = [question for question in questions if question]
    if not questions:
        raise InputError("A table needs at least one question.", "Write one per line.")
    if len(questions) > MOST_QUESTIONS:
        raise InputError(
            f"A table takes {MOST_QUESTIONS} questions; these are {len(questions)}.",
            "Make a second table for the others.",
        )
    if long := next((question for question in questions if len(question) > LONGEST), ""):
        raise InputError(
            f"The question “{long[:60]}…” has {len(long):,} characters; at most {LONGEST} fit.",
            "Make it shorter: it is the heading of a column.",
        )
    return questions


def chosen_papers(
    desk: HasEngines, names: Sequence[str], only: PaperFilter = NO_FILTER, about: str = ""
) -> tuple[list[str], int]:
    """The papers of a table and how many pass the filter: all of these, or the first MOST_PAPERS
    by their best passage for `about` (as they were added, where it says nothing).
    """
    admitted = paper_choice.admitted_papers(desk, names, only)
    if len(admitted) <= MOST_PAPERS:
        return admitted, len(admitted)
    try:
        ordered = screening.by_keywords(desk, names, about, admitted)
    except InputError:
        ordered = admitted
    return ordered[:MOST_PAPERS], len(admitted)


def begin_table(
    desk: HasEngineJobs,
    names: Sequence[str],
    questions: Sequence[str],
    only: PaperFilter = NO_FILTER,
    *,
    documents: Sequence[str] = (),
    engine: str = "auto",
    model: str = "",
    curator: str = "",
) -> str:
    """Keep a table with its papers and questions, nothing asked yet: its run. `documents` in place
    of those that pass the filter. Raises InputError, NotFound and SettingsError.
    """
    questions = read_questions("\n".join(questions))
    papers, passing = list(documents), len(documents)
    if not papers:
        papers, passing = chosen_papers(desk, names, only, " ".join(questions))
    members = desk.store.namespaces.members_of(names, papers)
    if missing := [id for id in papers if id not in members]:
        raise NotFound(f"{missing[0][:80]} is in none of these namespaces.", "Add the paper first.")
    if not papers:
        raise InputError("No paper passes the filter.", "Show all again, or add papers.")
    chunks = {id: _chunks_of(desk, names, members[id]) for id in papers}
    searcher = searching.namespace_searcher(desk, names)
    columns = [
        _begin_column(desk, question, chunks, searcher, engine=engine, model=model, curator=curator)
        for question in questions
    ]
    first_column = desk.store.runs.get(columns[0])
    settings = {"namespaces": list(names), "questions": questions, "columns": columns}
    run = Run(
        desk.new_id(),
        KIND,
        first_column.engine,
        model=first_column.model,
        settings={**settings, "passing": passing},
        created=desk.clock(),
        curator=curator,
    )
    desk.store.runs.add(run)
    rows = [to_json(_paper(id, chunks[id])) for id in papers]
    desk.store.runs.save_result(run.id, {"papers": rows})
    return run.id


def _begin_column(
    desk: HasProjectModels,
    question: str,
    chunks: dict[str, list[Chunk]],
    searcher: Searcher,
    *,
    engine: str,
    model: str,
    curator: str,
) -> str:
    """The run of a question with the passages of each paper that bear most on it."""
    plan = _planned(searcher, question)
    weights = question_weights(plan) if plan else _even(question)
    weight = QuestionWeight(question, weights)
    passages = [
        chunk for paper_chunks in chunks.values() for chunk in passages_read(paper_chunks, weight)
    ]
    return answer.begin_answer(
        desk,
        question,
        passages,
        per_paper=True,
        engine=engine,
        mode=MODE,
        curator=curator,
        model=model,
        plan=plan,
        with_withdrawn=True,  # a row of its own, marked
    )


def _planned(searcher: Searcher, question: str) -> QueryPlan | None:
    try:
        return searcher.plan(LiteratureQuery(question))
    except InputError:
        return None


def _even(question: str) -> QuestionWeights:
    """Every word as rare as the others, where the corpus says nothing of them."""
    return QuestionWeights(dict.fromkeys(asked_units(question), 1.0), 1.0)


def _chunks_of(desk: HasStore, names: Sequence[str], member: Member) -> list[Chunk]:
    home = next(iter(desk.store.namespaces.holders(names, member.document.id)), names[0])
    cutting = ChunkSize.of(desk.store.namespaces.get(home).settings)
    return list(cut_into_chunks(member.text, member.body, member.document.title, cutting))


def _paper(id: str, chunks: Sequence[Chunk]) -> TablePaper:
    first_chunk = chunks[0] if chunks else Chunk(id, id, "")
    return TablePaper(id, first_chunk.title, first_chunk.year, first_chunk.journal)


# ------------------------------------------------------------------ filling


def fill_table(desk: HasProjectModels, run: str, progress: Progress = _nobody) -> PaperTable:
    """Ask what is not answered yet, a question after the other; each is stored when complete."""
    table = desk.store.runs.get(run)
    columns, questions = table.settings["columns"], table.settings["questions"]
    papers = len((desk.store.runs.result(run) or {}).get("papers", ()))
    cells = papers * len(columns)
    for place, (column, question) in enumerate(zip(columns, questions, strict=True)):
        if not answer.kept_answer(desk, column).answers:
            tell = partial(_tell, progress, place * papers, cells, question)
            answer.answer_run(desk, column, on_part=tell)
    progress(cells, cells, "done")
    return stored_table(desk, run)


def _tell(progress: Progress, before: int, cells: int, question: str, done: int, _: int) -> None:  # noqa: PLR0917
    progress(before + done, cells, question)


def start_table(desk: HasJobs, run: str, curator: str = "") -> Job:
    return desk.runner.start(JOB, {"run": run}, curator)


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    fill_table(context.context, arguments["run"], context.progress)
    return {"run": arguments["run"]}


# ------------------------------------------------------------------ what was filled


def stored_table(desk: HasStore, run: str) -> PaperTable:
    """A table as far as it is filled. Raises NotFound."""
    table_run = desk.store.runs.get(run)
    if table_run.kind != KIND:
        raise NotFound(f"The run {run[:80]} is not a table.")
    rows: list[Json] = (desk.store.runs.result(run) or {}).get("papers", [])
    known: list[TablePaper] = [from_json(TablePaper, row) for row in rows]
    notices = desk.store.document_overview.notices([paper.document for paper in known])
    papers = tuple(replace(p, status=notices.get(p.document, "")) for p in known)
    columns, waiting = [], 0
    for id, question in zip(
        table_run.settings["columns"], table_run.settings["questions"], strict=True
    ):
        kept = answer.kept_answer(desk, id)
        answers = {cited_answer.document: cited_answer for cited_answer in kept.answers}
        waiting += not answers
        columns.append(TableColumn(question, id, answers, kept.chunks))
    return PaperTable(
        run, papers, tuple(columns), passing=int(table_run.settings["passing"]), waiting=waiting
    )


def stored_tables(desk: HasStore, names: Sequence[str]) -> list[Run]:
    """The tables over these namespaces, the newest first."""
    known_names = set(names)
    runs = desk.store.runs.find(KIND, limit=MOST_LISTED)
    return [run for run in runs if known_names.issuperset(run.settings.get("namespaces", ()))]


def table_file(table: PaperTable, form: str) -> str:
    """The table as csv, md or json."""
    if form not in FORMATS:
        raise InputError(
            f"{form[:20]!r} is not a table format.", f"Use one of {', '.join(FORMATS)}."
        )
    return FORMATS[form](table)
