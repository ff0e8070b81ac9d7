"""Verbs on what literature says: answer, evidence."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb

PASSAGES = 5  # that an answer rests on


ENGINES = ("auto", "model", "extractive")


def answer_arguments(parser: ArgumentParser) -> None:
    from core.literature.ranking.registry import DEFAULT_MODE, mode_names

    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument("question", nargs="?", default="", help="one question")
    parser.add_argument(
        "--input", default="", help="JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument(
        "--mode", choices=mode_names(), default=DEFAULT_MODE, help="how passages are ranked"
    )
    parser.add_argument(
        "-k",
        type=int,
        default=PASSAGES,
        help=f"number of passages to answer from (default {PASSAGES})",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="auto: the model where one is configured, the best sentences elsewhere",
    )
    parser.add_argument("--model", default="", help="the model, such as llama3.1@ollama")
    parser.add_argument(
        "--after",
        default="",
        metavar="RUN",
        help="the question follows up this answer, over the same passages",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "jsonl"),
        default="text",
        help="output format (default: text)",
    )


def evidence_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="a statement")
    parser.add_argument(
        "--namespace", required=True, help="where to look; several namespaces with commas"
    )
    parser.add_argument("-k", type=int, default=10, help="passages (default 10)")
    parser.add_argument(
        "--add", default="", metavar="CHUNK", help="add this passage's sentence as evidence"
    )
    parser.add_argument("--curator", default="", help="your ORCID iD, for --add")


VERBS = (
    Verb(
        "answer",
        "answer a question from a namespace, citing every sentence",
        answer_arguments,
        LazyRun("literature_answers_run:answer"),
    ),
    Verb(
        "evidence",
        "find passages that may prove a statement",
        evidence_arguments,
        LazyRun("literature_answers_run:evidence"),
    ),
)
