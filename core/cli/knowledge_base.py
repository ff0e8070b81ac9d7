"""Verbs on the knowledge base: export what was approved, import what others have."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb


def export_arguments(parser: ArgumentParser) -> None:
    from core.kb.formats.registry import FORMATS

    parser.add_argument("--format", choices=FORMATS, default="ttl", help="default: ttl")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")
    parser.add_argument(
        "--release", metavar="NUMBER", help="export this release instead of the current state"
    )
    parser.add_argument(
        "--held",
        action="store_true",
        help="list everything that is held back, one per line; without --output, only that",
    )
    parser.add_argument(
        "--sign",
        type=Path,
        metavar="KEY.pem",
        help="an RSA key without a pass phrase: each nanopublication is signed and named by its"
        " digest",
    )


def import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help="Turtle (.ttl), N-Triples (.nt), JSON-LD (.jsonld), KGX or a bundle (.zip),"
        " SSSOM (.tsv), or a draft (.json, .jsonl, .yaml)",
    )
    parser.add_argument(
        "--curator", default="", help="your ORCID iD, to be named as the person who proposed it"
    )
    parser.add_argument(
        "--decisions",
        action="store_true",
        help="also import the decisions in a bundle of this knowledge base",
    )


def check_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--shapes",
        action="store_true",
        help="print the schemas' requirements as SHACL, without checking",
    )


VERBS: tuple[Verb, ...] = (
    Verb(
        "check",
        "check approved statements against the schemas",
        check_arguments,
        LazyRun("knowledge_base_run:check"),
    ),
    Verb(
        "export",
        "export the approved statements that pass the gate",
        export_arguments,
        LazyRun("knowledge_base_run:export"),
    ),
    Verb(
        "import",
        "import a file's statements as proposals",
        import_arguments,
        LazyRun("knowledge_base_run:import_"),
    ),
)
