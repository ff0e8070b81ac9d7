"""The verbs on many texts: `batch` extracts, `compare` sets two readings side by side."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core import COMMAND
from core.cli.extraction_options import (
    asks_of,
    curator_of,
    options,
    rounded,
    run_arguments,
    send_all_to_review,
)
from core.cli.file_input import stored_bytes
from core.cli.output import print_json, print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Job, JobState, Json
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.extract import batch as extraction_batch
    from core.services.extract.batch import BatchText


EVERY = 10.0  # seconds between two lines of progress


def compare_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("left", help="a run or a batch")
    parser.add_argument(
        "right", help="another run over the same text, or batch over the same texts"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of the output")


def batch_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser, schema_needed=False)
    parser.add_argument(
        "--input",
        nargs="+",
        default=[],
        help="papers or lists of papers in any format, JSON lines {id, text}, or folders of them",
    )
    parser.add_argument(
        "--resume", default="", metavar="JOB", help="continue a batch that ended early"
    )
    parser.add_argument(
        "--dollars",
        type=float,
        default=0.0,
        metavar="N",
        help="start no further document once the batch has cost this many US dollars (0: no"
        " limit); it may cost more by one document",
    )
    parser.add_argument(
        "--provider",
        action="store_true",
        help="through the endpoint's batch interface: cheaper, and may take a day",
    )
    parser.add_argument(
        "--retry",
        action="store_true",
        help="with --resume: try again what failed or was read with something missing",
    )
    parser.add_argument("--estimate", action="store_true", help="only estimate what it would take")
    parser.add_argument(
        "--first-question",
        action="store_true",
        help="ask only the first question about each text, and say what the batch takes with those"
        " they lead to",
    )
    parser.add_argument(
        "--last", action="store_true", help="run after all other jobs of the project"
    )


def compare(desk: Desk, args: Namespace) -> int:
    """Both readings in figures: what both say, what only one says, cost, time and precision."""
    from core.services.extract import compare as comparison

    comparison_of_runs = comparison.compare_runs(desk, args.left, args.right)
    if args.format == "json":
        value = asdict(replace(comparison_of_runs, statements=()))
        value["statements"] = comparison.statement_rows(comparison_of_runs)
        for name, side in (("left", comparison_of_runs.left), ("right", comparison_of_runs.right)):
            value[name]["precision"] = side.precision
        print_json(value)
        return 0
    print(
        f"{counted(comparison_of_runs.texts, 'text')}\t{comparison_of_runs.left.title}\t"
        f"{comparison_of_runs.right.title}"
    )
    for row in comparison.comparison_rows(comparison_of_runs):
        print("\t".join(row))
    for pair in comparison.statement_rows(comparison_of_runs):
        print("\t".join((f"{pair['document']}: {pair['kind']}", pair["left"], pair["right"])))
    return 0


def batch(desk: Desk, args: Namespace) -> int:
    """A JSON line for each document, in order: its status, run and draft. Status 1 when any was not
    read, or not in full.
    """
    from core.services.extract import batch as extraction_batch
    from core.services.extract import draft as extraction_draft
    from core.services.extract import left_out, result, spending

    curator = curator_of(args)
    if not (args.schema or args.resume):
        raise InputError("No schema is named.", "Give --schema, or --resume a batch.")
    if args.estimate:
        return _print_estimate(desk, args)
    job = _resumed(desk, args) if args.resume else _started(desk, args, curator)
    print_note(f"batch {job.id}")
    ended = _ended(desk, job.id)
    if args.first_question and ended.state is JobState.DONE:
        print_json(asdict(left_out.counted_batch(desk, job.id)))
        return 0
    failed = 0
    for item in extraction_batch.batch_items(desk, ended):
        draft: Json = {}
        if item.state in ("done", "partly"):
            reading = result.result_of_run(desk, item.run)
            draft = extraction_draft.as_json(reading)
            if args.send or args.send_incomplete:
                send_all_to_review(desk, reading, args, curator)
        failed += item.state != "done"
        row = {"id": item.name, "status": str(item.state), "message": item.message, "run": item.run}
        print_line(row | {name: value for name, value in draft.items() if name not in row})
    if ended.state is not JobState.DONE:
        can_go_on = "documents" in ended.arguments or "items" in ended.arguments
        raise GroundworkError(
            f"The batch is {ended.state}. {ended.error}",
            f"Continue with --resume {job.id}." if can_go_on else "",
        )
    if words := spending.totals_line(desk, ended):
        print_note(words)
    if failed:
        unread = extraction_batch.unread_documents(desk, ended.id)
        print_note(_unread_words(unread, ended.id, spending.limit_words(desk, ended.id)))
    return 1 if failed else 0


def _print_estimate(desk: Desk, args: Namespace) -> int:
    from core.services.extract.batch import batch_text_content
    from core.services.extract.budget import preview_many

    texts = [batch_text_content(row) for row in documents(args.input)]
    budget = preview_many(
        desk, args.schema, texts, engine=args.engine, options=options(args), provider=args.provider
    )
    print_json(rounded(asdict(budget)))
    return 0


def _resumed(desk: Desk, args: Namespace) -> Job:
    from core.services.extract import batch as extraction_batch
    from core.services.extract import spending

    if args.dollars:
        spending.set_limit(desk, args.resume, args.dollars)
    if args.retry:
        return extraction_batch.retry_batch(desk, args.resume)
    return desk.runner.resume(args.resume)


def _started(desk: Desk, args: Namespace, curator: str) -> Job:
    from core.services.extract import batch as extraction_batch
    from core.services.settings import models

    if where := asks_of(desk, args.engine, args.model):
        print_note(f"the texts will be sent to {where}")
    if args.provider:
        model = args.model or desk.settings.model_for("extraction")
        print_note(models.batch_price_words(desk, model))
    return extraction_batch.start_batch(
        desk,
        args.schema,
        documents(args.input),
        engine=args.engine,
        cls=args.cls,
        curator=curator,
        options=replace(options(args), calls=1) if args.first_question else options(args),
        dollars=args.dollars,
        provider=args.provider,
        last=args.last,
    )


def _unread_words(unread: extraction_batch.UnreadDocuments, job: str, limit: str) -> str:
    """What was not read or only in part, and which command helps; `limit` says what a limit in
    dollars left out.
    """
    words = [
        f"{counted(number, 'document')} {reason}."
        for number, reason in (
            (unread.failed, "failed"),
            (unread.partly, "read with something missing"),
            (unread.refused, "without a text that can be read"),
        )
        if number
    ]
    command = f"{COMMAND} batch --resume {job} --retry"
    if unread.left:
        words += [limit, f"Continue with a higher limit: {command} --dollars N"]
    elif unread.again:
        words.append(f"Try them again: {command}")
    return " ".join(words)


def _ended(desk: Desk, job_id: str) -> Job:
    """The batch when it has ended; meanwhile what it has done and cost is said now and then."""
    from core.services.extract import spending

    while True:
        begun = time.monotonic()
        job = desk.runner.wait(job_id, EVERY)
        if job.state not in (JobState.QUEUED, JobState.RUNNING):
            return job
        if time.monotonic() - begun < EVERY / 2:  # another process works on it
            return job
        used = spending.totals_line(desk, job)
        print_note(" · ".join(filter(None, [f"{job.done:,} of {job.total:,} documents", used])))


def documents(names: list[str]) -> Iterator[BatchText]:
    """Every document in these files and folders; each record of a list is one, and what is left out
    of a list is said.
    """
    if not names:
        raise InputError("There are no documents.", "Give --input files, or --resume a batch.")
    for name in names:
        if name != "-" and Path(name).is_dir():
            for path in sorted(
                p for p in Path(name).iterdir() if p.is_file() and not p.name.startswith(".")
            ):
                yield from _documents_of_file(str(path))
        else:
            yield from _documents_of_file(name)


def _documents_of_file(name: str) -> Iterator[BatchText]:
    from core.services.documents.batch_file import read_file
    from core.services.extract.batch import PaperText

    file_name = "" if name == "-" else Path(name).name
    try:
        data = stored_bytes(name)
    except InputError as error:
        if name != "-" and not Path(name).is_file():
            raise
        yield PaperText(f"file:{file_name}", name=f"file:{file_name}", refused=str(error))
        return
    plain_name = file_name.casefold().removesuffix(".gz")
    is_lines = plain_name.endswith((".jsonl", ".ndjson"))
    if is_lines or (plain_name.endswith(".json") and not _is_one_value(data)):
        yield from lines(name, data)
        return
    batch_file = read_file(file_name, data, f"file:{file_name}" if file_name else "", titled=False)
    if batch_file.note:
        print_note(batch_file.note)
    yield from batch_file.texts


def _is_one_value(data: bytes) -> bool:
    """Whether JSON is one list or document (BioC, PubTator), and not {id, text} a line."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) or not {"text", "abstract"} & value.keys()


def lines(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text = row["text"] if "text" in row else f"{row['title']}\n{row['abstract']}"
            yield str(row.get("id") or (f"PMID:{row['pmid']}" if "pmid" in row else "")), str(text)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"{name}, line {number}: not a document.", "Each line is JSON with id and text."
            ) from error


VERBS = (
    Verb("compare", "compare two readings of the same texts", compare_arguments, compare),
    Verb("batch", "extract statements from many documents as a job", batch_arguments, batch),
)
