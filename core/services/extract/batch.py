"""Many documents in one job: each is a unit with a run and a state of its own, and one that fails
does not end the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice

from core.codec import write_noun
from core.desk import Desk
from core.errors import InputError, OverBudget, Refused
from core.extraction.registry import engine_spec
from core.extraction.spires.prompt import class_of
from core.jobs.pool import processes_for, run_units, spoken_duration
from core.jobs.runner import JobContext, register
from core.jobs.units import UnitResult, register_units
from core.model import Document, Job, Json, Run
from core.schema.catalogue import find_file
from core.services.extract.run import (
    Entered,
    RunOptions,
    checked_options,
    extracted,
    find_schema,
    made_run,
    resolve_engine,
)
from core.services.shared.unit_task import DaskCluster, command, environment
from core.store import CallTotals
from core.store.unit import Unit, UnitEntry, UnitState
from core.text.clean import clean_text, text_version
from core.text.count import counted

JOB = "extract batch"
TOGETHER = 100  # documents taken in with one transaction
WAITING_TOGETHER = 8  # documents that wait for a model at once

BatchDocument, BatchStatus = Unit, UnitState
BatchText = tuple[str, str | bytes] | tuple[str, str | bytes, str]  # id, text, a file's name


@dataclass(frozen=True, slots=True)
class RecentRun:
    """An earlier extraction and how its text begins."""

    run: Run
    words: str


def recent(desk: Desk, limit: int) -> list[RecentRun]:
    """Earlier extractions of the project, newest first."""
    return [
        RecentRun(
            run,
            " ".join(desk.store.documents.text(run.text_version, run.document).text[:70].split()),
        )
        for run in desk.store.runs.find("extract", limit=limit)
    ]


def start(
    desk: Desk,
    schema: str,
    documents: Iterable[BatchText],
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
    dollars: float = 0.0,
) -> Job:
    """Write down a job, take in its documents, and begin to read them all. No further document is
    begun once the batch has cost so many US `dollars` (0: no limit).

    A document whose text cannot be used is a refused unit. Raises InputError for no documents, and
    for a schema or class that cannot be used.
    """
    name, options = resolve_engine(desk, engine), checked_options(options)
    found = find_schema(desk, schema)
    chosen = class_of(found, cls).name
    folder = str(find_file(schema, desk.schemas).parent.resolve())
    versions = desk.shelf.versions()
    rows = iter(documents)
    first = list(islice(rows, 1))
    if not first:
        raise InputError(
            "There are no documents.",
            "Give a file of JSON lines {id, text}, a folder, or text files.",
        )

    def entry(number: int, id: str, text: str | bytes, title: str = "") -> UnitEntry:
        try:
            draft = text_version("", clean_text(text))
        except InputError as error:
            refused = Unit("", number, title or id, state=UnitState.REFUSED, message=str(error))
            return UnitEntry(refused)
        document = Document(id or f"doc:{draft.sha[:16]}", title)
        entered = Entered(found, chosen, document, draft, folder)
        run = made_run(desk, entered, name, curator, options, versions=versions)
        shown = title or id or document.id
        return UnitEntry(Unit("", number, shown, run.id), document, draft, run)

    with desk.runner.preparing(JOB, {"schema": schema, "engine": name}, curator) as job:
        number = 0
        everything = chain(first, rows)
        while part := list(islice(everything, TOGETHER)):
            entries = [entry(number + n, *row) for n, row in enumerate(part)]
            desk.store.units.take_in(job.id, entries)
            number += len(part)
            job.progress(0, number, f"{number:,} documents taken in")
        job.arguments["documents"] = number
        set_limit(desk, job.id, dollars)
    return desk.store.jobs.get(job.id)


@register(JOB)
def work(context: JobContext, arguments: Json) -> Json:
    """The job. Resumed, it goes on with the documents that have no result yet, or failed."""
    desk: Desk = context.context
    units = desk.store.units
    if "items" in arguments:  # written before units had rows of their own
        _adopt(desk, context.job)
    elif "documents" not in arguments:
        raise InputError(
            "The app ended while the documents of this batch were taken in, so some are missing.",
            "Start the batch again with all of them.",
        )
    units.free(context.job.id)
    units.retry(context.job.id)
    waiting = units.counts(context.job.id)[UnitState.WAITING]
    computes = not engine_spec(arguments.get("engine", "spires")).needs_model
    counts = run_units(
        context,
        units,
        threads=1 if computes else min(WAITING_TOGETHER, desk.settings.model_parallel),
        processes=processes_for(waiting) if computes else 0,
        command=command(desk, context.job.id),
        environment=environment(desk),
        cluster=DaskCluster(desk) if desk.settings.scheduler and waiting > 1 else None,
    )
    return {str(state): count for state, count in counts.items() if count}


@register_units(JOB)
def read(desk: Desk, unit: Unit, check: Callable[[], None]) -> UnitResult:
    """One document: its extraction, kept with the unit's state. Raises OverBudget once the batch
    has cost what it may.
    """
    if (limit := limit_of(desk, unit.job)) and (spent := totals(desk, unit.job).cost) >= limit:
        raise OverBudget(
            f"Not read: the batch has cost ${spent:.2f} of ${limit:.2f}.",
            "Raise the limit and try again.",
        )
    extraction = extracted(desk, desk.store.runs.get(unit.run), check)
    kept = (("extraction", write_noun(extraction)),)
    failed = [problem for problem in extraction.problems if problem.severity == "error"]
    if failed:
        said = f"{len(failed)} of its questions failed: {failed[0].message}"
        return UnitResult(UnitState.PARTLY, said, kept)
    return UnitResult(UnitState.DONE, counted(len(extraction.mentions), "mention"), kept)


def items(desk: Desk, job: Job, limit: int = 1_000_000, offset: int = 0) -> Sequence[Unit]:
    """The documents of a batch with their state, as far as it has come."""
    if "items" in (job.arguments or {}) and not desk.store.units.all(job.id, 1):
        _adopt(desk, job)
    return desk.store.units.all(job.id, limit, offset)


def totals(desk: Desk, job: str) -> CallTotals:
    """Calls, tokens and cost of a batch so far; `unpriced` counts calls of unknown price."""
    return desk.store.calls.usage(job=job)


def set_limit(desk: Desk, job: str, dollars: float) -> None:
    """The most that a batch may cost, in US dollars; 0 is no limit."""
    if dollars < 0:
        raise InputError("A limit in dollars is 0 or more.")
    desk.store.project.set(f"batch limit {job}", float(dollars))


def limit_of(desk: Desk, job: str) -> float:
    return float(desk.store.project.get(f"batch limit {job}", 0.0))


def totals_line(desk: Desk, job: Job) -> str:
    """What a batch has cost and taken so far, in words."""
    used, limit = totals(desk, job.id), limit_of(desk, job.id)
    if not used.calls:
        return ""
    seconds = _elapsed(job.created, job.heartbeat)
    parts = [
        counted(used.calls, "call"),
        f"{used.tokens_in + used.tokens_out:,} tokens",
        f"${used.cost:.3f}" + (f" of ${limit:.2f}" if limit else ""),
        f"{used.unpriced:,} of unknown price" if used.unpriced else "",
        f"{used.reused:,} from the record" if used.reused else "",
        f"{spoken_duration(seconds)} since it began" if seconds else "",
    ]
    return " · ".join(part for part in parts if part)


def _elapsed(began: str, last: str) -> float:
    try:
        return (datetime.fromisoformat(last) - datetime.fromisoformat(began)).total_seconds()
    except ValueError:
        return 0.0


def retry(desk: Desk, job: str) -> Job:
    """Read the documents again that failed. Raises Refused when none did."""
    counts = desk.store.units.counts(job)
    if not counts[UnitState.FAILED] + counts[UnitState.PARTLY]:
        raise Refused("No document of this batch failed.", "There is nothing to try again.")
    return desk.runner.resume(job, done_too=True)


def _adopt(desk: Desk, job: Job) -> None:
    """Units of a batch that was started by an earlier version of the app."""
    if desk.store.units.all(job.id, 1):
        return
    known = desk.store.runs.result(job.id, "batch") or {}
    rows = []
    for number, item in enumerate(job.arguments["items"]):
        state = known.get(item["run"], item)
        rows.append(
            Unit(
                job.id,
                number,
                item["id"],
                item["run"],
                UnitState(state["status"]),
                state["message"],
            )
        )
    desk.store.units.add(rows)
