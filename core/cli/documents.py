"""Verbs on documents: read, documents (docs/architecture.md, The command line)."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb
from core.services.documents.overview import DocumentOrder, DocumentShow
from core.services.extract.engines import engine_choices

SHOWS = {show.value or "all": show for show in DocumentShow}


def read_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source", help="a file, - for standard input, PMID:…, PMCID:…, DOI:…, or their address"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--references",
        action="store_true",
        help="also the reference list and what the publisher adds, as sections of their kind",
    )


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    listing = actions.add_parser("list", help="documents as JSON lines")
    listing.add_argument("--find", default="", help="words of title, ids, journal or tags")
    listing.add_argument("--tag", default="")
    listing.add_argument("--assigned", default="", metavar="ORCID")
    listing.add_argument("--year", default="")
    listing.add_argument("--show", choices=tuple(SHOWS), default="all")
    listing.add_argument(
        "--order", choices=[str(order) for order in DocumentOrder], default="newest"
    )
    listing.add_argument("--limit", type=int, default=0, help="maximum number (0: all)")
    adding = actions.add_parser("add", help="add papers by identifier, file or folder")
    adding.add_argument("source", nargs="*", help="PMIDs, PMC ids, DOIs, files or folders")
    adding.add_argument("--schema", default="", help="then extract by this schema, in a batch")
    adding.add_argument("--engine", choices=engine_choices(), default="auto")
    adding.add_argument("--retry", default="", metavar="JOB", help="try again what failed")
    _curator(adding)
    for name, help in (
        ("show", "everything known about one document"),
        ("runs", "the extractions of one document, newest first"),
    ):
        actions.add_parser(name, help=help).add_argument("document", help="any of its ids")
    tagging = actions.add_parser("tag", help="replace a document's tags with these")
    tagging.add_argument("document")
    tagging.add_argument("tag", nargs="*")
    _curator(tagging)
    assigning = actions.add_parser("assign", help="assign a document to a curator")
    assigning.add_argument("document")
    assigning.add_argument("to", metavar="ORCID", help='"" for nobody')
    _curator(assigning)
    retracting = actions.add_parser("retracted", help="mark a paper as retracted")
    retracting.add_argument("document")
    retracting.add_argument(
        "--because", default="", help="the retraction notice;  removes the mark"
    )
    _curator(retracting)
    mention = actions.add_parser("mention", help="say which words of a text stand for a term")
    mention.add_argument("document")
    mention.add_argument("--quote", required=True, help="the words, exactly as in the text")
    mention.add_argument("--start", type=int, help="where they start, if they occur twice")
    mention.add_argument("--term", required=True, help="a CURIE")
    mention.add_argument(
        "--remember", action="store_true", help="these words mean this term in other texts, too"
    )
    _curator(mention)
    again = actions.add_parser("again", help="read a text again: what is new, gone, changed")
    again.add_argument("document")
    again.add_argument("--schema", required=True)
    again.add_argument("--engine", choices=engine_choices(), default="auto")
    _curator(again)


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
