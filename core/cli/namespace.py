"""The verb namespace: collections of papers made, filled, updated and deleted."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb
from core.documents.readers.table import COLUMNS

ACTIONS = ("create", "add", "update", "list", "delete", "vectors", "embed")


def namespace_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=ACTIONS,
        help="create and update search PubMed; add reads files or ids; vectors imports article"
        " vectors made elsewhere; embed makes vectors with the project's model",
    )
    parser.add_argument("name", nargs="?", default="", help="the namespace")
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        help=(
            "files, folders or JSON lines {id, title, text}, gzipped or not; for vectors: MedCPT's"
            " .npy and .json"
        ),
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="FIELD=NAME",
        help=f"of tables: which column contains a field ({', '.join(COLUMNS)})",
    )
    parser.add_argument(
        "--ids",
        default="",
        help="for add: PMIDs, PMC ids, DOIs or addresses, or a file of them, or - (standard input)",
    )
    parser.add_argument("--query", default="", help="a PubMed query, for create")
    parser.add_argument("--since", default="", help="published from (YYYY/MM/DD)")
    parser.add_argument("--until", default="", help="published to (YYYY/MM/DD)")
    parser.add_argument(
        "--reviews",
        choices=("with", "without", "only"),
        default="with",
        help="review articles (default: with)",
    )
    parser.add_argument(
        "--full-text", action="store_true", help="PMC open-access full text where it exists"
    )
    parser.add_argument("--chunk-size", type=int, help="characters (default 2000)")
    parser.add_argument("--chunk-overlap", type=int, help="characters (default 200)")


VERBS = (
    Verb(
        "namespace",
        "create, fill and update collections of papers to search",
        namespace_arguments,
        LazyRun("namespace_run:namespace"),
    ),
)
