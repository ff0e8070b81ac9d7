"""The verb search (docs/architecture.md, The command line), and how queries are read."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb
from core.literature.triage.paper_filter import UNJUDGED
from core.model import Json

KEYWORD_MAKERS = ("rules", "model")


def search_arguments(parser: ArgumentParser) -> None:
    from core.literature.ranking.registry import DEFAULT_MODE, mode_names

    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument(
        "query", nargs="?", default="", help="a question; `#` begins WeiseEule's manual syntax"
    )
    parser.add_argument(
        "--input", default="", help="JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument(
        "--mode",
        choices=mode_names(),
        default=DEFAULT_MODE,
        help=f"how passages are ranked (default: {DEFAULT_MODE})",
    )
    parser.add_argument(
        "--fixed",
        nargs="+",
        action="extend",
        default=[],
        metavar="WORD",
        help="keywords that passages must contain to come first",
    )
    parser.add_argument("-k", type=int, default=10, help="passages for each query (default 10)")
    parser.add_argument(
        "--format",
        choices=("json", "jsonl"),
        default="",
        help="default: json for a question, jsonl for a file",
    )
    _keyword_arguments(parser)
    parser.add_argument(
        "--by",
        choices=("passage", "sentence"),
        default="passage",
        help="single sentences instead of passages",
    )
    _thing_arguments(parser)
    filter_arguments(parser)


def _keyword_arguments(parser: ArgumentParser) -> None:
    """How the keywords of a question are found."""
    parser.add_argument(
        "--no-repair",
        action="store_true",
        help="do not correct words that are not in the corpus",
    )
    parser.add_argument(
        "--no-expand",
        action="store_true",
        help="do not expand abbreviations that the corpus defines",
    )
    parser.add_argument(
        "--no-names",
        action="store_true",
        help="search only for the name as typed, not for its synonyms",
    )
    parser.add_argument(
        "--keywords-by",
        choices=KEYWORD_MAKERS,
        default=KEYWORD_MAKERS[0],
        help="how the keywords of a question are found (default: rules, which need no network)",
    )
    parser.add_argument(
        "--model",
        default="",
        help="with --keywords-by model: the model, such as llama3.1@ollama",
    )


def _thing_arguments(parser: ArgumentParser) -> None:
    """Which things a passage must name."""
    from core.literature.query.named_thing import KINDS

    several: Json = {"nargs": "+", "action": "extend", "default": []}
    parser.add_argument(
        "--naming",
        **several,
        choices=KINDS,
        help="only passages that name a thing of each of these kinds, as the vocabularies know it",
    )
    parser.add_argument(
        "--thing",
        **several,
        metavar="ID",
        help="only passages that name each of these, such as HGNC:1100",
    )


def filter_arguments(parser: ArgumentParser) -> None:
    """Which papers are shown, as `search` and `triage next` take it."""
    several: Json = {"nargs": "+", "action": "extend", "default": []}
    parser.add_argument(
        "--from-year", type=int, default=0, metavar="YEAR", help="only papers of this year or later"
    )
    parser.add_argument(
        "--to-year", type=int, default=0, metavar="YEAR", help="only papers of this year or earlier"
    )
    parser.add_argument("--journal", **several, help="only these journals")
    parser.add_argument("--type", **several, help="only these publication types")
    parser.add_argument(
        "--text", **several, help="only passages of these kinds of text: abstract, full text, text"
    )
    parser.add_argument("--section", **several, help="only passages of these sections")
    verdicts = f"only papers with these verdicts, or {UNJUDGED!r}"
    parser.add_argument("--verdict", **several, dest="verdicts", help=verdicts)


VERBS = (
    Verb(
        "search",
        "search a namespace: passages, best first",
        search_arguments,
        LazyRun("literature_run:search"),
    ),
)
