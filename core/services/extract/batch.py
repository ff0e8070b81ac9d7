"""Many documents in one job: each is a unit with a run and a state of its own, and one that fails
does not end the others. What came about whole is sent to review at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TypeAlias

from core.codec import from_json, stored_as, write_noun
from core.desk_parts import (
    HasEngineJobs,
    HasEngines,
    HasFolder,
    HasProject,
    HasProjectJobs,
    HasProjectTerms,
    HasStore,
)
from core.errors import InputError, Refused
from core.extraction.registry import engine_spec
from core.extraction.spires.prompt import class_of
from core.extraction.spires.spec import SPEC as SPIRES
from core.extraction.statements import count_statements
from core.jobs.order import LAST
from core.jobs.pool import processes_for, run_units
from core.jobs.runner import JobContext, register_job
from core.jobs.units import UnitResult, register_units, states_summary
from core.model import Document, Job, Json, Role
from core.schema.catalogue import find_file
from core.services.extract.completeness import find_gaps
from core.services.extract.engines import resolve_engine
from core.services.extract.guidance import ApprovedStatements, relation_names
from core.services.extract.provider_batch import hand_over, is_answered, needs_endpoint
from core.services.extract.result import send_to_review, unseen_reading
from core.services.extract.run import (
    ExtractionInput,
    before_references,
    extract_in_thread,
    made_run,
    schema_of,
    schema_to_run,
)
from core.services.extract.run_options import RunOptions, checked_options
from core.services.extract.spending import await_room, check_price, has_room, set_limit
from core.services.people import roles
from core.services.settings.models import asked_at, learn_from_list
from core.services.shared.unit_task import DaskCluster, worker_command, worker_environment
from core.store.document_notice import NO_DETAILS, DocumentDetails
from core.store.unit import JobUnit, UnitEntry, UnitState
from core.text.clean import clean_text, text_version
from core.text.count import counted

JOB = "extract batch"
TOGETHER = 100  # documents taken in with one transaction
SOME_QUESTIONS = re.compile(r"^\d+ of its questions failed: (?:No answer about “[^”]*”: )?")
QUOTED = re.compile(r" ?“[^”]*” ?")
WAITING_TOGETHER = 8  # documents that wait for a model at once

BatchStatus = UnitState
BatchDocument: TypeAlias = JobUnit


@dataclass(frozen=True, slots=True)
class PaperText:
    """A paper of a batch. `name` is what the batch calls it; `ids` all its identifiers; `details`
    its year, journal and retraction. `refused` says why it has no text that can be read, "" where
    it has one.
    """

    id: str
    text: str = ""
    title: str = ""
    name: str = ""
    ids: tuple[str, ...] = ()
    kind: str = ""
    refused: str = ""
    details: DocumentDetails = NO_DETAILS


# A paper of a list; or id, text (bytes: as they are stored) and perhaps a file's name
BatchText: TypeAlias = PaperText | tuple[str, str | bytes] | tuple[str, str | bytes, str]


def batch_text_content(text: BatchText) -> str | bytes:
    return text.text if isinstance(text, PaperText) else text[1]


def start_batch(
    desk: HasEngineJobs,
    schema: str,
    documents: Iterable[BatchText],
    *,
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
    dollars: float = 0.0,
    provider: bool = False,
    last: bool = False,
) -> Job:
    """Write down a job, take in its documents, and begin to read them all. No further document is
    begun once the batch has cost so many US `dollars` (0: no limit). `provider`: through the batch
    interface of the endpoint, which is cheaper and may take a day. `last`: after every other job
    that waits.

    A document whose text cannot be used is a refused unit. Raises InputError for no documents, for
    a schema or class that cannot be used, and for a limit where the model's price is not known.
    """
    options = checked_options(options)
    name = resolve_engine(desk, engine, options.model)
    if engine_spec(name).needs_model:
        model = options.model or desk.settings.model_for("extraction")
        learn_from_list(desk, model)
        check_price(desk, model, dollars)
    if provider:
        needs_endpoint(desk, name, options.model)
        options = replace(options, reuse=True)  # answers come by the record
    entry = _entry_maker(desk, schema, cls, name, curator=curator, options=options)
    rows = iter(documents)
    first_row = list(islice(rows, 1))
    if not first_row:
        raise InputError(
            "There are no documents.",
            "Give a file of JSON lines {id, text}, a folder, or text files.",
        )
    arguments: dict[str, Json] = {"schema": schema, "engine": name}
    arguments |= {"provider": True, "model": options.model} if provider else {}
    arguments |= {LAST: True} if last else {}
    with desk.runner.preparing(JOB, arguments, curator) as job:
        number = 0
        everything = chain(first_row, rows)
        while part := list(islice(everything, TOGETHER)):
            entries = [entry(number + n, row) for n, row in enumerate(part)]
            desk.store.units.take_in(job.id, entries)
            number += len(part)
            job.progress(0, number, f"{number:,} documents added")
        job.arguments["documents"] = number
        set_limit(desk, job.id, dollars)
    return desk.store.jobs.get(job.id)


def _entry_maker(
    desk: HasEngines, schema: str, cls: str, engine: str, *, curator: str, options: RunOptions
) -> Callable[[int, BatchText], UnitEntry]:
    """What makes a unit of each document, by its number; what all of them share is read once.
    Raises InputError for a schema or class that cannot be used.
    """
    schema_found = schema_to_run(desk, schema)
    chosen = class_of(schema_found, cls).name
    folder = str(find_file(schema, desk.schemas).parent.resolve())
    versions = desk.vocabulary_registry.versions()
    approved = (
        ApprovedStatements(desk, schema_found.name, relation_names(schema_found))
        if options.examples
        else None
    )

    def entry(number: int, row: BatchText) -> UnitEntry:
        paper_text = row if isinstance(row, PaperText) else _as_paper_text(*row)
        unit_title = paper_text.name or paper_text.title or paper_text.id
        if paper_text.refused:
            state = UnitState.REFUSED
            return UnitEntry(
                JobUnit("", number, unit_title, state=state, message=paper_text.refused)
            )
        draft = text_version("", paper_text.text, paper_text.kind)
        document = Document(
            paper_text.id or f"doc:{draft.sha[:16]}", paper_text.title, paper_text.ids
        )
        part = before_references(draft.text)
        entered = ExtractionInput(
            schema_found, chosen, document, text=draft, folder=folder, part=part
        )
        run = made_run(
            desk, entered, engine, curator, options=options, versions=versions, approved=approved
        )
        unit = JobUnit("", number, unit_title or document.id, run.id)
        return UnitEntry(unit, document, draft, run=run, details=paper_text.details)

    return entry


def _as_paper_text(id: str, text: str | bytes, title: str = "") -> PaperText:
    try:
        return PaperText(id, clean_text(text), title)
    except InputError as error:
        return PaperText(id, title=title, refused=str(error))


@register_job(JOB)
def run_batch(context: JobContext, arguments: Json) -> Json:
    """The job. Resumed, it goes on with the documents that have no result yet, or failed."""
    desk: HasProject = context.context
    units = desk.store.units
    if "items" in arguments:  # written before units had rows of their own
        _adopt(desk, context.job)
    elif "documents" not in arguments:
        raise InputError(
            "The app stopped while the documents of this batch were added; some are missing.",
            "Start the batch again with all of them.",
        )
    units.free(context.job.id)
    units.retry(context.job.id)
    if arguments.get("provider"):
        hand_over(context, str(arguments.get("model") or ""))
    waiting = units.counts(context.job.id)[UnitState.WAITING]
    threads = threads_of(desk, arguments)
    counts = run_units(
        context,
        units,
        threads=threads,
        processes=processes_for(waiting) if threads == 1 else 0,
        command=worker_command(desk, context.job.id),
        environment=worker_environment(desk),
        cluster=DaskCluster(desk) if desk.settings.scheduler and waiting > 1 else None,
    )
    return {str(state): count for state, count in counts.items() if count}


def threads_of(desk: HasFolder, arguments: Json) -> int:
    """Documents that wait for a model are read side by side; one that computes holds a core."""
    if not engine_spec(arguments.get("engine", SPIRES.name)).needs_model:
        return 1
    in_a_minute = desk.settings.model_per_minute or WAITING_TOGETHER  # more would only wait
    return min(WAITING_TOGETHER, desk.settings.model_parallel, in_a_minute)


@register_units(JOB, threads_of)
def read_document_of_batch(
    desk: HasEngines, unit: JobUnit, check: Callable[[], None]
) -> UnitResult:
    """One document: its extraction, kept with the unit's state. Once the batch has cost what it
    may, only those are read whose answers are paid for.
    """
    run = desk.store.runs.get(unit.run)
    asks = engine_spec(run.engine).needs_model
    costs = asks and not has_room(desk, unit, run.model) and not is_answered(desk, run, check)
    if costs and (reason := await_room(desk, unit, run.model, check)):
        return UnitResult(UnitState.LEFT, reason)
    extraction = extract_in_thread(desk, run, check=check)
    files = (("extraction", write_noun(extraction)),)
    failed = [problem for problem in extraction.problems if problem.severity == "error"]
    if failed:
        summary = f"{len(failed)} of its questions failed: {failed[0].message}"
        return UnitResult(UnitState.PARTLY, summary, files)
    gaps = find_gaps(extraction.problems, 0, len(extraction.mentions))
    if missing := [gap.says for gap in gaps if gap.lost]:
        return UnitResult(UnitState.PARTLY, " ".join(missing), files)
    statements = count_statements(schema_of(desk, run), extraction, run.document)
    words = f"{counted(len(extraction.mentions), 'mention')}, {counted(statements, 'statement')}"
    return UnitResult(UnitState.DONE, words, files)


def batch_items(
    desk: HasStore, job: Job, limit: int = 1_000_000, offset: int = 0
) -> Sequence[JobUnit]:
    """The documents of a batch with their state, as far as it has come."""
    if "items" in (job.arguments or {}) and not desk.store.units.all(job.id, 1):
        _adopt(desk, job)
    return desk.store.units.all(job.id, limit, offset)


def batch_reader(desk: HasProject, job: Job) -> str:
    """Who reads the documents of a batch, and where a model does so, in words; "" while unknown."""
    name = next((unit.run for unit in batch_items(desk, job, limit=100) if unit.run), "")
    if not name:
        return ""
    run = desk.store.runs.get(name)
    spec = engine_spec(run.engine)
    where = asked_at(desk, "extraction", run.model) if spec.needs_model else ""
    return f"{spec.title}, by {where}" if where else spec.title


@dataclass(frozen=True, slots=True)
class UnreadDocuments:
    """Documents of a batch that have no whole result: those that `failed`, those that were read
    `partly`, those whose text cannot be used (`refused`), and those that were not begun because the
    limit in dollars was reached (`left`).
    """

    failed: int = 0
    partly: int = 0
    refused: int = 0
    left: int = 0

    @property
    def again(self) -> int:
        """Those that can be read again, or now."""
        return self.failed + self.partly + self.left


def tally_words(desk: HasStore, job: str) -> str:
    """`300 documents: 298 done, 2 failed.`"""
    counts = desk.store.units.counts(job)
    return f"{counted(sum(counts.values()), 'document')}: {states_summary(counts)}."


def unread_documents(desk: HasStore, job: str) -> UnreadDocuments:
    counts = desk.store.units.counts(job)
    states = UnitState.FAILED, UnitState.PARTLY, UnitState.REFUSED, UnitState.LEFT
    return UnreadDocuments(*(counts[state] for state in states))


def unread_reasons(desk: HasStore, job: str, most: int = 5) -> list[tuple[str, int]]:
    """Why documents have no result, or a result with something missing, and how many each; what
    most of them have in common first. What a reason is about is left out, so that equal ones are
    counted together; what is not shown is the last row.
    """
    states = UnitState.FAILED, UnitState.PARTLY, UnitState.REFUSED
    units = desk.store.units.all(job)
    reasons = Counter(_without_place(unit.message) for unit in units if unit.state in states)
    rows, rest = reasons.most_common(most), reasons.total()
    rest -= sum(number for _, number in rows)
    return [*rows, ("other reasons, in the table below", rest)] if rest else rows


def _without_place(reason: str) -> str:
    return QUOTED.sub(" … ", SOME_QUESTIONS.sub("Some questions failed: ", reason)).strip()


def retry_batch(desk: HasProjectJobs, job: str, curator: str | None = None) -> Job:
    """Read the documents again that failed or were read in part, and now those that a limit left
    out. Raises Refused when there are none, and Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    if not unread_documents(desk, job).again:
        raise Refused("Every document of this batch was read.", "There is nothing to try again.")
    return desk.runner.resume(job, done_too=True)


def _adopt(desk: HasStore, job: Job) -> None:
    """Units of a batch that was started by an earlier version of the app."""
    if desk.store.units.all(job.id, 1):
        return
    earlier_batch = desk.store.runs.result(job.id, "batch") or {}
    rows = []
    for number, item in enumerate(job.arguments["items"]):
        state = earlier_batch.get(item["run"], item)
        rows.append(
            JobUnit(
                job.id,
                number,
                item["id"],
                run=item["run"],
                state=UnitState(state["status"]),
                message=state["message"],
            )
        )
    desk.store.units.add(rows)


SENDING_JOB = "send batch"


@dataclass(frozen=True, slots=True)
class BatchSending:
    """What was sent: how many statements were new, already in the project, or held back; and how
    many documents were left out because a part of them failed, or because nobody has looked at
    what their source was read as.
    """

    documents: int = 0
    new: int = 0
    already_known: int = field(default=0, metadata=stored_as("known"))
    held_back: int = field(default=0, metadata=stored_as("held"))
    left_out: int = 0


def start_sending(desk: HasProjectJobs, job: str, curator: str) -> Job:
    """Send everything that a batch found and that has its terms. Raises Forbidden for a reader."""
    desk.store.curators.need(curator, Role.CURATOR)
    return desk.runner.start(SENDING_JOB, {"batch": job, "curator": curator}, curator)


@register_job(SENDING_JOB)
def send_batch_to_review(context: JobContext, arguments: Json) -> Json:
    """The job. Run again, it changes nothing: what is in review already stays as it is."""
    desk: HasProjectTerms = context.context
    units = batch_items(desk, desk.store.jobs.get(str(arguments["batch"])))
    counts = dict.fromkeys(("documents", "new", "known", "held", "left_out"), 0)
    for place, unit in enumerate(units):
        context.progress(place, len(units), f"{counts['new']:,} statements sent")
        if unit.state is not UnitState.DONE or unseen_reading(desk, unit.run):
            counts["left_out"] += 1
            continue
        send_result = send_to_review(desk, unit.run, str(arguments["curator"]))
        counts["documents"] += 1
        counts["new"] += len(send_result.new)
        counts["known"] += len(send_result.already_known)
        counts["held"] += len(send_result.held_back)
    context.progress(len(units), len(units), f"{counts['new']:,} statements sent")
    return counts


def sending_result(job: Job) -> BatchSending:
    """What a finished job sent."""
    return from_json(BatchSending, job.result or {})
