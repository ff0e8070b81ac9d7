"""`ask`: gene questions from the command line."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb
from core.genes.strategies import PLANNER
from core.genes.strategies.registry import STRATEGIES

FORMATS = ("md", "json", "jsonl")


SENDS = "gene questions: search words, ids and sequences are sent to NCBI"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("question", nargs="?", help=f"the question ({SENDS})")
    parser.add_argument("--input", help="a file with one question per line; - is standard input")
    parser.add_argument(
        "--way",
        choices=tuple(STRATEGIES),
        default=PLANNER,
        help="how to answer (default: planner, no model)",
    )
    parser.add_argument(
        "--api",
        default="",
        metavar="NAME",
        help="answer by this API agent; with --way tools: names of more tools; python: propose a"
        " call of scanpy or anndata, which is never run",
    )
    parser.add_argument(
        "--model", default="", help="with a way that needs one: the model, such as llama3.1@ollama"
    )
    parser.add_argument("--mask", default="full", help="decoding: full, slim, or six bits")
    parser.add_argument(
        "--live", action="store_true", help="decoding: run the demonstrations on the network too"
    )
    parser.add_argument(
        "--reuse", action="store_true", help="reuse answers of earlier runs to the same requests"
    )
    parser.add_argument(
        "--replay",
        default="",
        metavar="RUN",
        help="replay this run from its record, without a network",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="",
        help="default: json for a question, jsonl for a file",
    )
    parser.add_argument("--send", action="store_true", help="send the values to review")
    parser.add_argument(
        "--send-incomplete",
        action="store_true",
        help="also send an incomplete answer; what is missing is reported",
    )
    parser.add_argument("--curator", default="", help="your ORCID iD")


VERBS = (
    Verb(
        "ask",
        "answer a gene question from NCBI's records",
        _arguments,
        LazyRun("gene_questions_run:run"),
    ),
)
