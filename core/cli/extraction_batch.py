"""The verb `batch`: many documents, each with its status."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from core.cli.extraction_options import (
    curator_of,
    options,
    read_bytes,
    report,
    run_arguments,
    say,
    stored,
)
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Job, JobState, Json
from core.services.extract import batch as extraction_batch
from core.services.extract import compare as comparison
from core.services.extract import draft as extraction_draft
from core.services.extract import result
from core.text.count import counted


def batch_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser)
    parser.add_argument(
        "--input",
        nargs="+",
        default=[],
        help="JSON lines {id, text}, text files, or folders of them",
    )
    parser.add_argument(
        "--resume", default="", metavar="JOB", help="go on with a batch that ended early"
    )
    parser.add_argument(
        "--dollars",
        type=float,
        default=0.0,
        metavar="N",
        help="begin no further document once the batch has cost so many US dollars (0: no limit)",
    )
    parser.add_argument(
        "--retry",
        action="store_true",
        help="with --resume: read the documents that failed again, also when the batch is done",
    )


def batch(desk: Desk, args: Namespace) -> int:
    """A JSON line for each document, in order: its status, run and draft. ReadingStatus 1 when any
    did not come about.
    """
    curator = curator_of(args)
    if args.resume:
        if args.dollars:
            extraction_batch.set_limit(desk, args.resume, args.dollars)
        again = extraction_batch.retry if args.retry else resume
        job = again(desk, args.resume)
    else:
        job = extraction_batch.start(
            desk,
            args.schema,
            documents(args.input),
            args.engine,
            args.cls,
            curator,
            options(args),
            args.dollars,
        )
    say(f"batch {job.id}")
    ended = desk.runner.wait(job.id)
    failed = 0
    for item in extraction_batch.items(desk, ended):
        draft: Json = {}
        if item.state in ("done", "partly"):
            found = result.view(desk, item.run)
            draft = extraction_draft.as_json(found)
            if args.send:
                report(
                    result.send_to_review(
                        desk, item.run, curator, include_ungrounded=args.include_ungrounded
                    )
                )
        failed += item.state != "done"
        row = {"id": item.name, "status": str(item.state), "message": item.message, "run": item.run}
        sys.stdout.write(
            json.dumps(row | {k: v for k, v in draft.items() if k not in row}, ensure_ascii=False)
            + "\n"
        )
    if ended.state is not JobState.DONE:
        raise GroundworkError(
            f"The batch is {ended.state}. {ended.error}", f"Go on with --resume {job.id}."
        )
    if words := extraction_batch.totals_line(desk, ended):
        say(words)
    if failed:
        say(f"{counted(failed, 'document')} did not come about whole.")
    return 1 if failed else 0


def compare_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("left", help="a run or a batch")
    parser.add_argument(
        "right", help="another run over the same text, or batch over the same texts"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of the output")


def compare(desk: Desk, args: Namespace) -> int:
    """Both readings in figures: what both say, what only one says, cost, time and precision."""
    found = comparison.compare(desk, args.left, args.right)
    if args.format == "json":
        value = asdict(found)
        for name, side in (("left", found.left), ("right", found.right)):
            value[name]["precision"] = side.precision
        print(json.dumps(value, ensure_ascii=False, indent=2))
        return 0
    print(f"{counted(found.texts, 'text')}\t{found.left.title}\t{found.right.title}")
    for row in comparison.rows(found):
        print("\t".join(row))
    return 0


def resume(desk: Desk, job: str) -> Job:
    return desk.runner.resume(job)


def documents(names: list[str]) -> Iterator[tuple[str, bytes | str]]:
    """(id, text) of every document in these files and folders."""
    if not names:
        raise InputError("There are no documents.", "Give --input files, or --resume a batch.")
    for name in names:
        if Path(name).is_dir():
            for path in sorted(
                p for p in Path(name).iterdir() if p.is_file() and not p.name.startswith(".")
            ):
                yield from documents([str(path)])
        elif Path(name).name.removesuffix(".gz").endswith((".jsonl", ".ndjson", ".json")):
            yield from lines(name, stored(name))
        else:
            yield "" if name == "-" else f"file:{Path(name).name}", words_of(name)


def words_of(name: str) -> bytes:
    """The words of a file; one that cannot be read is passed on as it is, and the batch names it as
    refused.
    """
    try:
        return read_bytes(name)
    except InputError:
        if name != "-" and not Path(name).is_file():
            raise
        return b"\0" if name == "-" else Path(name).read_bytes()


def lines(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text = row["text"] if "text" in row else f"{row['title']}\n{row['abstract']}"
            yield str(row.get("id") or (f"PMID:{row['pmid']}" if "pmid" in row else "")), str(text)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{name}, line {number}: not a document.", "Each line is JSON with id and text."
            ) from error
