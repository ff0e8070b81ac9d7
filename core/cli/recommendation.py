"""Verbs on articles to cite: recommend, and the vectors that go beyond a namespace's papers."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb


def recommend_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument("text", nargs="?", default="", help="what you have written")
    parser.add_argument(
        "--input", default="", help="a text file, JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument(
        "--by",
        choices=("paragraph", "sentence"),
        default="paragraph",
        help="articles for the whole text, or for each sentence",
    )
    parser.add_argument("-k", type=int, default=10, help="articles (default 10)")
    parser.add_argument(
        "--style",
        default="",
        help="citations in this style of citationstyles.org, such as apa (needs the extra"
        " citations)",
    )
    parser.add_argument(
        "--beyond",
        type=int,
        default=0,
        metavar="N",
        help="also N articles that are in none of these namespaces, by the project's article"
        " vectors (see the verb vectors)",
    )
    parser.add_argument(
        "--format",
        choices=("tsv", "json", "jsonl", "csv", "ris", "bib"),
        default="tsv",
        help="output format (default: tsv); csv, ris and bib are the files that the page gives",
    )


def vectors_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        help="MedCPT's embeds_chunk_N.npy with pmids_chunk_N.json; none: list what is imported",
    )
    parser.add_argument(
        "--query-model",
        default="",
        help="the embedding model that made these vectors, as its endpoint names it; without one,"
        " a text is represented by the nearest known articles",
    )


VERBS = (
    Verb(
        "recommend",
        "recommend articles to cite for a text",
        recommend_arguments,
        LazyRun("recommendation_run:recommend"),
    ),
    Verb(
        "vectors",
        "import article vectors made elsewhere, for recommendations",
        vectors_arguments,
        LazyRun("recommendation_run:vectors"),
    ),
)
