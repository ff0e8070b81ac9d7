"""Verbs on documents: read, documents (docs/architecture.md, The command line)."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction

from core.cli.choices import DOCUMENT_ORDERS, DOCUMENT_SHOWS
from core.cli.verb import LazyRun, Verb
from core.services.extract.engines import engine_choices


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
    _label_actions(actions)
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
        choices=DOCUMENT_SHOWS,
        default="all",
        help="only those with statements to review (waiting), with all decided (decided), without"
        " statements (none), never extracted from (unread), or retracted or deleted (withdrawn)",
    )
    parser.add_argument(
        "--order",
        choices=DOCUMENT_ORDERS,
        default="newest",
        help="sort order (default: newest)",
    )
    parser.add_argument("--limit", type=int, default=0, help="maximum number (0: all)")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("source", nargs="*", help="PMIDs, PMC ids, DOIs, files or folders")
    parser.add_argument("--schema", default="", help="then extract by this schema, in a batch")
    parser.add_argument(
        "--engine",
        choices=engine_choices(),
        default="auto",
        help="auto: SPIRES with a model, else built-in",
    )
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
    parser.add_argument(
        "--engine",
        choices=engine_choices(),
        default="auto",
        help="auto: SPIRES with a model, else built-in",
    )
    _curator(parser)


def _curator(parser: ArgumentParser) -> None:
    parser.add_argument("--curator", default="", help="your ORCID iD")


VERBS = (
    Verb(
        "read", "show how a file or a paper is read", read_arguments, LazyRun("documents_run:read")
    ),
    Verb(
        "documents",
        "add papers and texts; list, tag, assign and reread them",
        arguments,
        LazyRun("documents_run:run"),
    ),
)
