"""The verb triage: papers judged, listed in the order to judge them, exported and counted."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.choices import PAPER_SET_FORMATS, READING_ORDERS
from core.cli.literature import filter_arguments
from core.cli.verb import LazyRun, Verb
from core.literature.triage.verdict import PaperVerdict


def triage_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument(
        "action",
        choices=("judge", "export", "counts", "next", "flow"),
        help="judge: record judgements; export: write them; counts: how many of each; next: papers"
        " to read; flow: the PRISMA diagram",
    )
    parser.add_argument("document", nargs="?", default="", help="for judge: the paper")
    parser.add_argument(
        "verdict", nargs="?", default="", help=f"for judge: {', '.join(PaperVerdict)}"
    )
    parser.add_argument("--reason", default="", help="why")
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument(
        "--input", default="", help="for judge: JSON lines {document, verdict, reason}, or -"
    )
    parser.add_argument(
        "--format",
        choices=(*PAPER_SET_FORMATS, "references", "svg", "json"),
        default="csv",
        help="of export (references: the included papers in --style); of flow: csv, svg or json",
    )
    parser.add_argument(
        "--style",
        default="apa",
        help="of references: a style of citationstyles.org (default apa; needs the extra"
        " citations)",
    )
    parser.add_argument("--output", type=Path, help="a file, else standard output")
    parser.add_argument("--question", default="", help="for next: what the review asks")
    parser.add_argument(
        "--order",
        choices=READING_ORDERS,
        default=READING_ORDERS[0],
        help="for next: likely ones first, those the model is unsure of, or as they were added",
    )
    parser.add_argument("-k", type=int, default=20, help="for next: papers (default 20)")
    filter_arguments(parser)


VERBS = (
    Verb(
        "triage",
        "judge papers, and export the judgements",
        triage_arguments,
        LazyRun("triage_run:triage_papers"),
    ),
)
