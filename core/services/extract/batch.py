"""Many documents in one job: each has a run and a status of its own, and one that fails does not
end the others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from core.desk import Desk
from core.errors import GroundworkError, InputError, Stopped
from core.jobs.runner import JobContext, register
from core.model import Job, Json, Run
from core.services.extract.run import RunOptions, checked_options, enter, extract, new_run, resolve
from core.text.count import counted

JOB = "extract batch"
TOGETHER = 3  # documents being read at once


class BatchStatus(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    PARTLY = "partly"  # some of its questions failed
    FAILED = "failed"
    REFUSED = "refused"  # its text cannot be used


@dataclass(frozen=True, slots=True)
class BatchDocument:
    """One document of a batch. `run` is empty while its text was refused."""

    id: str
    run: str = ""
    status: BatchStatus = BatchStatus.WAITING
    message: str = ""


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
    """Take in documents (id, text) and begin a job that reads them all."""
    name, options = resolve(desk, engine), checked_options(options)
    items: list[BatchDocument] = []
    for id, text in documents:
        try:
            entered = enter(desk, schema, text, id, cls)
        except InputError as error:
            if not items and "schema" in str(error).casefold():
                raise
            items.append(BatchDocument(id, status=BatchStatus.REFUSED, message=str(error)))
            continue
        items.append(BatchDocument(id, new_run(desk, entered, name, curator, options).id))
    if not items:
        raise InputError(
            "There are no documents.",
            "Give a file of JSON lines {id, text}, a folder, or text files.",
        )
    return desk.runner.start(
        JOB, {"schema": schema, "items": [asdict(item) for item in items]}, curator
    )


@register(JOB)
def work(context: JobContext, arguments: Json) -> Json:
    """The job. Resumed, it goes on with the documents that have no result yet."""
    desk: Desk = context.context
    items = [read_item(item) for item in arguments["items"]]
    known = desk.store.runs.result(context.job.id, "batch") or {}
    items = [
        replace(item, **status_of(known[item.run])) if item.run in known else item for item in items
    ]
    lock, state = threading.Lock(), dict(known)

    def one(item: BatchDocument) -> BatchDocument:
        if (
            item.status not in (BatchStatus.WAITING, BatchStatus.FAILED, BatchStatus.PARTLY)
            or not item.run
        ):
            return item
        context.check()
        done = read(desk, item, context)
        with lock:
            state[item.run] = asdict(done)
            desk.store.runs.save_result(context.job.id, state, "batch")
            context.progress(len(state), len(items), f"{done.id}: {done.status}")
        return done

    with ThreadPoolExecutor(TOGETHER, thread_name_prefix="batch") as pool:
        finished = list(pool.map(one, items))
    return {"items": [asdict(item) for item in finished]}


def read(desk: Desk, item: BatchDocument, context: JobContext) -> BatchDocument:
    """One document; what goes wrong with it becomes its status."""
    try:
        found = extract(desk, desk.store.runs.get(item.run), context.check)
    except Stopped:
        raise
    except GroundworkError as error:
        return replace(item, status=BatchStatus.FAILED, message=str(error))
    failed = [problem for problem in found.problems if problem.severity == "error"]
    if failed:
        return replace(
            item,
            status=BatchStatus.PARTLY,
            message=f"{len(failed)} of its questions failed: {failed[0].message}",
        )
    return replace(item, status=BatchStatus.DONE, message=counted(len(found.mentions), "mention"))


def items(desk: Desk, job: Job) -> Sequence[BatchDocument]:
    """The documents of a batch with their status, as far as it has come."""
    known = desk.store.runs.result(job.id, "batch") or {}
    given = [read_item(item) for item in job.arguments["items"]]
    return [
        replace(item, **status_of(known[item.run])) if item.run in known else item for item in given
    ]


def read_item(value: Json) -> BatchDocument:
    return BatchDocument(value["id"], value["run"], BatchStatus(value["status"]), value["message"])


def status_of(value: Json) -> dict[str, Json]:
    return {"status": BatchStatus(value["status"]), "message": value["message"]}
