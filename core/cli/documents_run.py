"""What the verbs read and documents do."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from core.cli.extraction_options import print_note
from core.cli.file_input import packed_bytes, stored_bytes
from core.desk import Desk
from core.documents.files import MOST_WHOLE, expand_folders
from core.errors import GroundworkError, InputError
from core.extraction.json_view import statement_json
from core.model import Curator, JobState, Json
from core.services.documents import intake, mention_words, overview, rereading, upload
from core.services.documents.intake import InputFile
from core.services.documents.overview import DocumentFilter, DocumentOrder, DocumentShow
from core.services.people.orcid import checked_curator
from core.text.count import counted

SHOWS = {show.value or "all": show for show in DocumentShow}


def read(desk: Desk, args: Namespace) -> int:
    """What a file or a paper is read as, a JSON line a paper of a list; what could not be read is
    said on standard error.
    """
    if (
        args.source != "-"
        and not Path(args.source).is_file()
        and upload.is_paper_identifier(args.source)
    ):
        read_documents = [upload.document_by_id(desk, args.source, args.references)]
    else:
        name = "" if args.source == "-" else args.source
        read_documents = upload.documents_in_file(name, stored_bytes(args.source), args.references)
    for document in read_documents:
        for warning in document.warnings:
            print(f"groundwork: {warning}", file=sys.stderr)
    readable = [d for d in read_documents if d.text] or read_documents[:1]
    if len(readable) > 1 and args.format == "json":
        for document in readable:
            _print(document.json())
    elif args.format == "json":
        print(json.dumps(readable[0].json(), ensure_ascii=False, indent=1))
    else:
        print("\n\n-----\n\n".join(document.text for document in readable))
    if len(read_documents) > 1:
        left = len(read_documents) - len(readable)
        print_note(f"{counted(len(readable), 'paper')} read, {counted(left, 'record')} left out.")
    return 0


def run(desk: Desk, args: Namespace) -> int:
    """What the action says, as JSON lines; the status is 1 where something did not come about."""
    match args.action:
        case "list":
            filter = DocumentFilter(
                args.find, args.tag, args.assigned, args.year, show=SHOWS[args.show]
            )
            order = DocumentOrder(args.order)
            for row in overview.list_documents(desk, filter, order, limit=max(args.limit, 0)):
                _print(row_json(row))
        case "add":
            return _add(desk, args)
        case "show":
            _print(row_json(overview.document_row(desk, args.document)))
        case "runs":
            for document_run in rereading.runs_of(desk, args.document):
                _print(
                    {
                        "run": document_run.id,
                        "schema": document_run.schema,
                        "engine": document_run.engine,
                        "model": document_run.model,
                        "time": document_run.time,
                        "curator": document_run.curator,
                        "finished": document_run.finished,
                    }
                )
        case "tag":
            overview.set_tags(desk, args.document, args.tag, _person(args))
        case "assign":
            overview.assign_document(desk, args.document, args.to, _person(args))
        case "retracted":
            if not args.remove and not args.because.strip():
                raise InputError(
                    "The notice is empty.", "Give the text of the notice, or use --remove."
                )
            notice = "" if args.remove else args.because
            overview.mark_withdrawn(desk, args.document, notice, _person(args))
        case "mention":
            said: Json = {"document": args.document, "quote": args.quote, "start": args.start}
            said |= {"term": args.term}
            _print(mention_words.correct_row(desk, said, _person(args), args.remember))
        case "again":
            return _again(desk, args)
    return 0


def row_json(row: overview.DocumentRow) -> Json:
    return {
        "id": row.id,
        "title": row.title,
        "ids": list(row.ids),
        "year": row.year,
        "journal": row.journal,
        "texts": list(row.kinds),
        "runs": row.runs,
        "statements": {str(state): n for state, n in row.counts.items()},
        "curators": list(row.curators),
        "assigned": row.assigned,
        "tags": list(row.tags),
        "added": row.created,
        "retracted": row.withdrawn,
    }


def _add(desk: Desk, args: Namespace) -> int:
    """A JSON line for each identifier and file, in order, as it ended."""
    curator = checked_curator(args.curator, "").orcid if args.curator else ""
    if args.retry:
        job = intake.retry_intake(desk, args.retry)
    else:
        words = [source for source in args.source if not Path(source).exists()]
        paths = [Path(source) for source in args.source if Path(source).exists()]
        job = intake.start_intake(
            desk,
            "\n".join(words),
            _files(paths),
            schema=args.schema,
            engine=args.engine,
            curator=curator,
        )
    print_note(f"job {job.id}")
    ended = desk.runner.wait(job.id)
    items = intake.intake_items(desk, job.id)
    for item in items:
        _print(
            {
                "name": item.name,
                "status": str(item.state),
                "message": item.words,
                "documents": list(item.documents),
            }
        )
    if ended.state is not JobState.DONE:
        raise GroundworkError(f"The import is {ended.state}. {ended.error}")
    if batch := str((ended.result or {}).get("batch") or ""):
        desk.runner.wait(batch)
        print_note(f"batch {batch}: the list of it is printed by batch --schema … --resume {batch}")
    bad = sum(item.state != "done" for item in items)
    if bad:
        print_note(f"{counted(bad, 'item')} could not be added. Try again with --retry {job.id}.")
    return 1 if bad else 0


def _files(paths: list[Path]) -> Iterator[InputFile]:
    """Each file of the paths, read when it is asked for."""
    for path in expand_folders(paths):
        yield InputFile(path.name, packed_bytes(path, MOST_WHOLE))


def _again(desk: Desk, args: Namespace) -> int:
    """A JSON object: statements that are new, gone, changed, the same, and rejected before."""
    curator = checked_curator(args.curator, "").orcid if args.curator else ""
    job = rereading.read_again(desk, args.document, args.schema, args.engine, curator)
    ended = desk.runner.wait(job.id)
    if ended.state is not JobState.DONE:
        raise GroundworkError(f"The reading is {ended.state}. {ended.error}")
    apart = rereading.compare_with_review(desk, str(job.arguments["run"]))
    difference_json = {
        "run": job.arguments["run"],
        "new": [statement_json(statement, ()) for statement in apart.new],
        "gone": [statement_json(statement, ()) for statement in apart.gone],
        "changed": [
            {"before": statement_json(before, ()), "after": statement_json(after, ())}
            for before, after in apart.changed
        ],
        "same": [statement.id for statement in apart.same],
        "rejected_before": [
            {
                "id": returning.statement.id,
                "reason": returning.reason,
                "curator": returning.curator,
                "time": returning.time,
            }
            for returning in apart.returning
        ],
    }
    print(json.dumps(difference_json, ensure_ascii=False, indent=1))
    return 0


def _person(args: Namespace) -> Curator:
    if not args.curator:
        raise InputError("Whose change is this?", "Give --curator with your ORCID iD.")
    return checked_curator(args.curator, "")


def _print(row: Json) -> None:
    print(json.dumps(row, ensure_ascii=False))
