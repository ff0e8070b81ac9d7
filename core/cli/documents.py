"""Verbs on documents: read, documents (docs/command-line.md)."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.extraction_options import engine_argument
from core.cli.file_input import packed_bytes, stored_bytes
from core.cli.output import print_json, print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Curator, DocumentOrder, DocumentShow, JobState, Json
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.documents import overview
    from core.services.documents.intake import InputFile
    from core.store import PaperPair, SourceRecord


SHOWS = {show.value or "all": show for show in DocumentShow}


def read_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source", help="a file, - for standard input, PMID:…, PMCID:…, DOI:…, or their address"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="output format (default: text)",
    )
    parser.add_argument(
        "--references",
        action="store_true",
        help="also the reference list and what the publisher adds, as sections of their kind",
    )


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    _list_arguments(actions.add_parser("list", help="list documents as JSON lines"))
    _add_arguments(actions.add_parser("add", help="add papers by identifier, file or folder"))
    for name, help in (
        ("show", "show everything known about one document"),
        ("runs", "list the extractions of one document, newest first"),
    ):
        actions.add_parser(name, help=help).add_argument("document", help="any of its ids")
    looking = actions.add_parser(
        "looked",
        help="say that you looked at what a document's source was read as, so that its statements"
        " can be sent",
    )
    looking.add_argument("document", help="any of its ids")
    _curator(looking)
    _label_actions(actions)
    _same_actions(actions)
    _mention_arguments(
        actions.add_parser("mention", help="say which words of a text stand for a term")
    )
    _reread_arguments(
        actions.add_parser(
            "again", help="read a text again, and list what is new, gone and changed"
        )
    )


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--find", default="", help="words of title, ids, journal or tags")
    parser.add_argument("--tag", default="", help="only documents with this tag")
    parser.add_argument(
        "--assigned", default="", metavar="ORCID", help="only those assigned to this person"
    )
    parser.add_argument("--year", default="", help="only those published in this year")
    parser.add_argument(
        "--show",
        choices=tuple(SHOWS),
        default="all",
        help="only those with statements to review (waiting), with all decided (decided), without"
        " statements (none), never extracted from (unread), or retracted or deleted (withdrawn)",
    )
    parser.add_argument(
        "--order",
        choices=[str(order) for order in DocumentOrder],
        default="newest",
        help="sort order (default: newest)",
    )
    parser.add_argument("--limit", type=int, default=0, help="maximum number (0: all)")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("source", nargs="*", help="PMIDs, PMC ids, DOIs, files or folders")
    parser.add_argument("--schema", default="", help="then extract by this schema, in a batch")
    engine_argument(parser)
    parser.add_argument(
        "--retry", default="", metavar="JOB", help="try again what failed in this job"
    )
    _curator(parser)


def _label_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    """What a curator notes of a document: tags, whose it is, that it was retracted."""
    tagging = actions.add_parser("tag", help="replace a document's tags with these")
    tagging.add_argument("document", help="any of its ids")
    tagging.add_argument("tag", nargs="*", help="its tags from now on; none removes all")
    _curator(tagging)
    assigning = actions.add_parser("assign", help="assign a document to a curator")
    assigning.add_argument("document", help="any of its ids")
    assigning.add_argument("to", metavar="ORCID", help='the curator\'s ORCID iD; "" for nobody')
    _curator(assigning)
    retracting = actions.add_parser(
        "retracted", help="mark a paper as retracted, or take the mark back"
    )
    retracting.add_argument("document", help="any of its ids")
    mark = retracting.add_mutually_exclusive_group(required=True)
    mark.add_argument("--because", default="", metavar="WORDS", help="what the notice says")
    mark.add_argument("--remove", action="store_true", help="take the mark back")
    _curator(retracting)


def _same_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    """Which records are one paper."""
    listing = actions.add_parser(
        "pairs", help="list pairs of papers that may be one, with the reasons, as JSON lines"
    )
    listing.add_argument(
        "--show",
        choices=("ask", "decided", "related", "all"),
        default="ask",
        help="those to decide, those that a curator decided, papers that belong together and are"
        " not one (preprints, corrections), or all (default: ask)",
    )
    actions.add_parser(
        "merged", help="list records that were taken for a paper that was there, with the reasons"
    )
    sources = actions.add_parser("sources", help="list what each source said of a paper")
    sources.add_argument("document", help="any of its ids")
    for name, help in (
        ("same", "say that two papers are one"),
        ("different", "say that two papers are not one; takes back `same`"),
    ):
        saying = actions.add_parser(name, help=help)
        saying.add_argument("first", help="any id of the one")
        saying.add_argument("second", help="any id of the other")
        saying.add_argument("--note", default="", help="why")
        _curator(saying)
    apart = actions.add_parser("apart", help="undo a merge: make a record a paper of its own")
    apart.add_argument("record", type=int, help="its number, as `merged` lists it")
    apart.add_argument("--note", default="", help="why")
    _curator(apart)


def _mention_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("document", help="any of its ids")
    parser.add_argument("--quote", required=True, help="the words, exactly as in the text")
    parser.add_argument("--start", type=int, help="where they start, if they occur twice")
    parser.add_argument("--term", required=True, help="a CURIE")
    parser.add_argument(
        "--remember", action="store_true", help="these words mean this term in other texts, too"
    )
    _curator(parser)


def _reread_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("document", help="any of its ids")
    parser.add_argument("--schema", required=True, help="a schema's name or file")
    engine_argument(parser)
    _curator(parser)


def _curator(parser: ArgumentParser) -> None:
    parser.add_argument("--curator", default="", help="your ORCID iD")


def read(desk: Desk, args: Namespace) -> int:
    """What a file or a paper is read as, a JSON line a paper of a list; what could not be read is
    said on standard error.
    """
    from core.services.documents import upload

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
            print_note(f"{warning}")
    readable = [d for d in read_documents if d.text] or read_documents[:1]
    if len(readable) > 1 and args.format == "json":
        for document in readable:
            print_line(document.json())
    elif args.format == "json":
        print_json(readable[0].json(), indent=1)
    else:
        print("\n\n-----\n\n".join(document.text for document in readable))
    if len(read_documents) > 1:
        left = len(read_documents) - len(readable)
        print_note(f"{counted(len(readable), 'paper')} read, {counted(left, 'record')} left out.")
    return 0


def run(desk: Desk, args: Namespace) -> int:
    """What the action says, as JSON lines; the status is 1 where something did not come about."""
    from core.services.documents import marking_row, overview, rereading, text_reading
    from core.services.documents.overview import DocumentFilter

    match args.action:
        case "list":
            filter = DocumentFilter(
                args.find, args.tag, args.assigned, args.year, show=SHOWS[args.show]
            )
            order = DocumentOrder(args.order)
            for row in overview.list_documents(desk, filter, order, limit=max(args.limit, 0)):
                print_line(row_json(row))
        case "add":
            return _add(desk, args)
        case "show":
            print_line(_shown(desk, args.document))
        case "looked":
            seen = text_reading.look_at_reading(desk, args.document, _person(args).orcid)
            print_line({"document": args.document, "looked_at": list(seen.warnings)})
        case "runs":
            for document_run in rereading.runs_of(desk, args.document):
                print_line(
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
            print_line(marking_row.correct_row(desk, said, _person(args), args.remember))
        case "again":
            return _again(desk, args)
        case _:
            _same(desk, args)
    return 0


def _same(desk: Desk, args: Namespace) -> None:
    """The actions on which records are one paper."""
    from core.identity.judge import Identity
    from core.services.documents import same_papers

    match args.action:
        case "pairs":
            for pair in same_papers.paper_pairs(desk, same_papers.PairShow(args.show)):
                print_line(_pair_json(pair))
        case "merged":
            _print_records(desk, same_papers.merged_records(desk))
        case "sources":
            _print_records(desk, same_papers.source_records(desk, args.document))
        case "apart":
            own = same_papers.take_apart(desk, args.record, _person(args), args.note)
            print_line({"document": own})
        case "same" | "different":
            outcome = Identity(args.action)
            pair = same_papers.say_of_pair(
                desk, args.first, args.second, outcome, curator=_person(args), note=args.note
            )
            print_line(_pair_json(pair))


def _pair_json(pair: PaperPair) -> Json:
    said = asdict(pair) | {"reasons": list(pair.reasons)}
    return {name: value for name, value in said.items() if name != "number"}


def _print_records(desk: Desk, records: Sequence[SourceRecord]) -> None:
    statuses = desk.store.document_overview.notices([record.document for record in records])
    for record in records:
        print_line(_record_json(record) | {"status": statuses.get(record.document, "")})


def _record_json(record: SourceRecord) -> Json:
    said = {name: value for name, value in (record.body or {}).items() if name != "sections"}
    return {
        "record": record.number,
        "document": record.document,
        "namespace": record.namespace,
        "title": record.title,
        "ids": list(record.ids),
        "said": said,
        "merged": record.merged,
        "score": record.score,
        "reasons": list(record.reasons),
        "added": record.added,
    }


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
        "status": row.status,
    }


def _shown(desk: Desk, document: str) -> Json:
    """A document with the papers that belong to it."""
    from core.services.documents import overview, same_papers

    row = overview.document_row(desk, document)
    related = [asdict(paper) for paper in same_papers.related_papers(desk, row.id)]
    return row_json(row) | {"related": related}


def _add(desk: Desk, args: Namespace) -> int:
    """A JSON line for each identifier and file, in order, as it ended."""
    from core.services.documents import intake
    from core.services.people.orcid import checked_curator

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
        print_line(
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
    from core.documents.files import MOST_WHOLE, expand_folders
    from core.services.documents.intake import InputFile

    for path in expand_folders(paths):
        yield InputFile(path.name, packed_bytes(path, MOST_WHOLE))


def _again(desk: Desk, args: Namespace) -> int:
    """A JSON object: statements that are new, gone, changed, the same, and rejected before."""
    from core.extraction.json_view import statement_json
    from core.services.documents import rereading
    from core.services.people.orcid import checked_curator

    curator = checked_curator(args.curator, "").orcid if args.curator else ""
    job = rereading.read_again(desk, args.document, args.schema, args.engine, curator=curator)
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
    print_json(difference_json, indent=1)
    return 0


def _person(args: Namespace) -> Curator:
    from core.services.people.orcid import checked_curator

    if not args.curator:
        raise InputError("Whose change is this?", "Give --curator with your ORCID iD.")
    return checked_curator(args.curator, "")


VERBS = (
    Verb("read", "show how a file or a paper is read", read_arguments, read),
    Verb("documents", "add papers and texts; list, tag, assign and reread them", arguments, run),
)
