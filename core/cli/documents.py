"""Verb on documents: read (docs/architecture.md, The command line)."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.cli.extraction_options import stored
from core.cli.verb import Verb
from core.desk import Desk
from core.services.documents import upload


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


def read(desk: Desk, args: Namespace) -> int:
    """What a file or a paper is read as; what could not be read is said on standard error."""
    if args.source != "-" and not Path(args.source).is_file() and upload.is_identifier(args.source):
        document = upload.document_by_id(desk, args.source, args.references)
    else:
        name = "" if args.source == "-" else args.source
        document = upload.document_of(name, stored(args.source), args.references)
    for warning in document.warnings:
        print(f"groundwork: {warning}", file=sys.stderr)
    if args.format == "json":
        print(json.dumps(document.json(), ensure_ascii=False, indent=1))
    else:
        print(document.text)
    return 0


VERBS = (Verb("read", "what a file or a paper is read as", read_arguments, read),)
