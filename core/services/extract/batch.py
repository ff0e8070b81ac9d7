"""Many documents in one job: each is a unit with a run and a state of its own, and one that fails
does not end the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from core.codec import write_noun
from core.desk import Desk
from core.errors import InputError, Refused
from core.extraction.registry import engine_spec
from core.extraction.spires.prompt import class_of
from core.jobs.pool import processes_for, run_units
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
    resolve,
)
from core.services.shared.unit_task import DaskCluster, command, environment
from core.store.unit import Unit, UnitEntry, UnitState
from core.text.clean import clean, text_version
from core.text.count import counted

JOB = "extract batch"
TOGETHER = 100  # documents taken in with one transaction
WAITING_TOGETHER = 8  # documents that wait for a model at once

BatchDocument, BatchStatus = Unit, UnitState


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
    documents: Iterable[tuple[str, str | bytes]],
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
) -> Job:
    """Write down a job, take in its documents (id, text), and begin to read them all.

    A document whose text cannot be used is a refused unit. Raises InputError for no documents, and
    for a schema or class that cannot be used.
    """
    name, options = resolve(desk, engine), checked_options(options)
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

    def entry(number: int, id: str, text: str | bytes) -> UnitEntry:
        try:
            draft = text_version("", clean(text))
        except InputError as error:
            return UnitEntry(Unit("", number, id, state=UnitState.REFUSED, message=str(error)))
        document = Document(id or f"doc:{draft.sha[:16]}")
        entered = Entered(found, chosen, document, draft, folder)
        run = made_run(desk, entered, name, curator, options, versions=versions)
        return UnitEntry(Unit("", number, id or document.id, run.id), document, draft, run)

    with desk.runner.preparing(JOB, {"schema": schema, "engine": name}, curator) as job:
        number = 0
        everything = chain(first, rows)
        while part := list(islice(everything, TOGETHER)):
            entries = [entry(number + n, id, text) for n, (id, text) in enumerate(part)]
            desk.store.units.take_in(job.id, entries)
            number += len(part)
            job.progress(0, number, f"{number:,} documents taken in")
        job.arguments["documents"] = number
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
    """One document: its extraction, kept with the unit's state."""
    found = extracted(desk, desk.store.runs.get(unit.run), check)
    kept = (("extraction", write_noun(found)),)
    failed = [problem for problem in found.problems if problem.severity == "error"]
    if failed:
        said = f"{len(failed)} of its questions failed: {failed[0].message}"
        return UnitResult(UnitState.PARTLY, said, kept)
    return UnitResult(UnitState.DONE, counted(len(found.mentions), "mention"), kept)


def items(desk: Desk, job: Job, limit: int = 1_000_000, offset: int = 0) -> Sequence[Unit]:
    """The documents of a batch with their state, as far as it has come."""
    if "items" in (job.arguments or {}) and not desk.store.units.all(job.id, 1):
        _adopt(desk, job)
    return desk.store.units.all(job.id, limit, offset)


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
