"""Verbs on articles to cite: recommend, and the vectors that go beyond a namespace's papers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core import COMMAND
from core.cli.file_input import stored_text
from core.cli.literature import namespace_names, queries
from core.cli.literature_answers import print_rows
from core.cli.output import print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError, NothingToSearch
from core.model import Json, status_mark

if TYPE_CHECKING:
    from core.services.literature import curation


def recommend_arguments(parser: ArgumentParser) -> None:
    from core.literature.triage.citation import FORMATS

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
        choices=("tsv", "json", "jsonl", *FORMATS),
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


def recommend(desk: Desk, args: Namespace) -> int:
    """Articles to cite for a text that one has written."""
    from core.services.literature import article_vectors, curation
    from core.services.literature.recommendation_table import FORMATS

    if not args.text and not args.input:
        raise InputError("Give a text, or --input with a file.")
    if args.k < 1:
        raise InputError("-k must be at least 1.")
    if args.beyond and (where := article_vectors.paragraph_goes_to(desk)):
        print_note(f"the text will be sent to {where}")
    if args.format in FORMATS:
        return _print_file(desk, args)
    rows: list[Json] = []
    for id, words in _paragraphs(args):
        spaces = namespace_names(args)
        missing: list[str] = []
        try:
            articles = curation.recommended_articles(desk, spaces, words, k=args.k)
        except NothingToSearch as error:
            if args.by != "sentence":
                raise
            articles, missing = [], [f"It was not searched: {error}"]
        results = [
            {
                "document": recommended.document,
                "title": recommended.chunk.title,
                "year": recommended.chunk.year,
                "score": recommended.score,
                "held": recommended.coverage,
                "chunk": recommended.chunk.id,
                "summary": recommended.summary,
                "citation": status_mark(recommended.chunk.status)
                + _citation(desk, spaces, recommended, args.style),
                "status": recommended.chunk.status,
            }
            for recommended in articles
        ]
        row: Json = {"id": id, "text": words, "results": results}
        row |= {"complete": not missing, "missing": missing}
        rows.append(row | (_beyond(desk, args, words, articles) if args.beyond else {}))
    if args.format != "tsv":
        print_rows(rows, args.format)
        return 0
    print("id\tdocument\ttitle\tyear\tscore\tcitation\tstatus")
    for row in rows:
        for result in row["results"]:
            names = ("document", "title", "year", "score", "citation", "status")
            cells = [row["id"], *(result[name] for name in names)]
            print("\t".join(" ".join(str(cell).split()) for cell in cells))
        for article in row.get("beyond", ()):
            print(
                "\t".join((row["id"], article["document"], "", "", str(article["cosine"]), "", ""))
            )
    return 0


def _print_file(desk: Desk, args: Namespace) -> int:
    """The file that the page's buttons give: a table, or references to read into a library."""
    from core.services.literature.recommendation_table import (
        recommendation_file,
        recommendation_rows,
    )

    if args.beyond:
        raise InputError(
            f"Articles beyond the namespaces are not written as {args.format}.",
            "Leave out --beyond, or choose --format tsv, json or jsonl.",
        )
    spaces, by_sentence = namespace_names(args), args.by == "sentence"
    rows = [
        row
        for _, words in _texts(args)
        for row in recommendation_rows(desk, spaces, words, by_sentence=by_sentence, k=args.k)
    ]
    print(recommendation_file(desk, spaces, rows, args.format), end="")
    return 0


def _citation(
    desk: Desk, spaces: Sequence[str], recommended: curation.RecommendedArticle, style: str
) -> str:
    from core.services.literature import curation, triage
    from core.services.literature.reference_style import references

    if not style:
        return curation.citation_line(recommended.chunk)
    return references(triage.known_citations(desk, spaces, [recommended.document]), style)[0]


def _beyond(
    desk: Desk, args: Namespace, words: str, articles: Sequence[curation.RecommendedArticle]
) -> Json:
    """Articles of the project's own vectors, and what stood for the text."""
    from core.services.literature import article_vectors

    spaces = namespace_names(args)
    near = article_vectors.nearest_articles(desk, spaces, words, articles, k=args.beyond)
    if near is None:
        raise InputError(
            "The project has no article vectors.", f"Import some: {COMMAND} vectors FILE …"
        )
    by = near.model or f"the nearest known articles ({', '.join(near.anchors) or 'none'})"
    print_note(f"beyond these namespaces, by {by}")
    beyond = [{"document": a.document, "cosine": a.cosine} for a in near.articles]
    return {"beyond": beyond, "beyond_by": by}


def _texts(args: Namespace) -> list[tuple[str, str]]:
    if args.text:
        return [("1", args.text)]
    if args.input.endswith((".jsonl", ".jsonl.gz")):
        return [(str(row.get("id", "")), str(row["text"])) for row in queries(args.input)]
    return [("1", stored_text(args.input))]


def _paragraphs(args: Namespace) -> Iterator[tuple[str, str]]:
    from core.text.sentence import split_sentences

    for id, text in _texts(args):
        if args.by == "paragraph":
            yield id, text
            continue
        for place, span in enumerate(split_sentences(text), start=1):
            yield f"{id}.{place}", span.quote(text)


def vectors(desk: Desk, args: Namespace) -> int:
    """Keep vectors of articles, whether or not they are papers of the project."""
    from core.services.literature import article_vectors

    if args.files:
        article_vectors.import_vectors(desk, article_vectors.EVERY, args.files, args.query_model)
    kept = article_vectors.kept_vectors(desk)
    if kept is None:
        print_note("no article vectors were imported yet")
        print("0\t0\t")
        return 0
    print(f"{len(kept)}\t{kept.length}\t{kept.query_model}")
    return 0


VERBS = (
    Verb("recommend", "recommend articles to cite for a text", recommend_arguments, recommend),
    Verb(
        "vectors",
        "import article vectors made elsewhere, for recommendations",
        vectors_arguments,
        vectors,
    ),
)
