"""The verb search (docs/command-line.md), and how queries are read."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.cli.file_input import stored_text
from core.cli.output import print_json, print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Json
from core.text.count import counted

if TYPE_CHECKING:
    from core.literature.query.keyword import LiteratureQuery
    from core.literature.query.plan import SearchOptions
    from core.literature.ranking.search import Searcher, SearchHit, SearchResults
    from core.literature.triage.paper_filter import PaperFilter


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
    from core.literature.triage.paper_filter import UNJUDGED

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


def namespace_names(args: Namespace) -> list[str]:
    return [name for name in args.namespace.split(",") if name]


def filter_of(args: Namespace) -> PaperFilter:
    from core.literature.triage.paper_filter import PaperFilter

    several = (args.journal, args.type, args.text, args.verdicts, args.section)
    return PaperFilter(args.from_year, args.to_year, *map(frozenset, several))


def say_what_is_embedded(desk: Desk, mode: str) -> None:
    """Where a ranking by meaning sends what it compares."""
    from core.services.literature.embedding import embedding_place

    if where := embedding_place(desk, mode):
        print_note(f"the question, and passages that have no vector yet, will be sent to {where}")


def search(desk: Desk, args: Namespace) -> int:
    from core.literature.query.plan import SearchOptions
    from core.services.literature import paper_choice, searching
    from core.services.settings.models import asked_at

    if args.k < 1:
        raise InputError("-k must be at least 1.")
    if not args.query and not args.input:
        raise InputError("Give a query, or --input with JSON lines {id, text}.")
    if args.model and args.keywords_by != "model":
        raise InputError(
            "--model is only used with --keywords-by model.", "Add --keywords-by model."
        )
    if args.keywords_by == "model" and (where := asked_at(desk, "keywords", args.model)):
        print_note(f"{'the question' if args.query else 'each question'} will be sent to {where}")
    say_what_is_embedded(desk, args.mode)
    spaces = namespace_names(args)
    searcher = searching.namespace_searcher(desk, spaces)
    only = paper_choice.passage_filter(desk, spaces, filter_of(args))
    options = SearchOptions(not args.no_repair, not args.no_expand, not args.no_names, only=only)
    if args.query:
        question = _question(desk, {"text": args.query}, args, searcher)
        match = _hits(desk, searcher, question, args, options=options)
        _tell(match)
        results = [result_json(result) for result in match.results]
        whole = _completeness(_not_looked_into(match))
        if args.format == "jsonl":
            print_line({"id": "", "results": results} | whole)
        else:  # a bare list has no place of its own for what the search did not look into
            print_json([result | whole for result in results], indent=1)
        return 0
    return _many(desk, searcher, args, options)


def _many(desk: Desk, searcher: Searcher, args: Namespace, options: SearchOptions) -> int:
    """One line a query, in order; one with nothing to look for has no results and says so."""
    rows = []
    for row in queries(args.input):
        try:
            question = _question(desk, row, args, searcher)
            match = _hits(desk, searcher, question, args, options=options)
            hits, missing = match.results, _not_looked_into(match)
        except InputError as error:
            print_note(f"query {row.get('id', '')}: {error}")
            hits, missing = (), [f"It was not searched: {error}"]
        line = {"id": row.get("id", ""), "results": [result_json(hit) for hit in hits]}
        line |= _completeness(missing)
        rows.append(line) if args.format == "json" else print_line(line)
    if args.format == "json":
        print_json(rows, indent=1)
    return 0


def _completeness(missing: list[str]) -> Json:
    return {"complete": not missing, "missing": missing}


def _not_looked_into(match: SearchResults) -> list[str]:
    """What a narrowed search says of the passages that it did not check."""
    return [problem.message for problem in match.problems if problem.code == "first-passages"]


def _hits(
    desk: Desk,
    searcher: Searcher,
    question: LiteratureQuery,
    args: Namespace,
    *,
    options: SearchOptions,
) -> SearchResults:
    from core.literature.ranking.narrowed import LOOKED_INTO, NamingFilter, narrowed_results
    from core.services.literature import searching

    naming = NamingFilter(tuple(args.naming), tuple(args.thing))
    if args.by == "passage" and not naming:
        return searcher.search(question, args.mode, args.k, options)
    passages = searcher.search(question, args.mode, LOOKED_INTO, options)
    names_of = searching.names_known(desk).in_text
    return narrowed_results(passages, naming, names_of, sentences=args.by == "sentence", k=args.k)


def _question(desk: Desk, row: Json, args: Namespace, searcher: Searcher) -> LiteratureQuery:
    """A query; a line may bring its own `keywords` and `fixed` ones. Keywords that were typed stand
    before those that a model would name.
    """
    from core.literature.query.keyword import Keyword, LiteratureQuery, fix_keywords, parse_query
    from core.services.literature.searching import keywords_by_model

    question = parse_query(str(row["text"]))
    keywords = question.keywords
    if not keywords and isinstance(row.get("keywords"), list):
        keywords = tuple(
            Keyword(str(word)) for word in dict.fromkeys(row["keywords"]) if str(word).strip()
        )
    if not keywords and args.keywords_by == "model":
        keywords, problems = keywords_by_model(desk, question.text, args.model)
        for problem in problems:
            print_note(problem.message)
    own = row.get("fixed") if isinstance(row.get("fixed"), list) else []
    fixed_words = [*args.fixed, *map(str, own or [])]
    if fixed_words and not keywords:
        keywords = searcher.plan(question, args.mode).keywords
    return LiteratureQuery(question.text, fix_keywords(keywords, fixed_words), question.strict)


def result_json(result: SearchHit) -> Json:
    chunk = result.chunk
    more = {
        "section": chunk.section,
        "start": chunk.start,
        "kind": chunk.kind,
        "parts": dict(result.parts),
    }
    more |= {"status": chunk.status}
    return {
        "chunk": chunk.id,
        "document": chunk.document,
        "score": result.score,
        "counts": dict(result.counts),
        "coverage": result.coverage,
        "text": chunk.text,
    } | {name: value for name, value in more.items() if value}


def _tell(search_results: SearchResults) -> None:
    for repair in search_results.repairs:
        print_note(
            f"no passage contains {repair.word!r}; {repair.instead!r} is searched for instead"
            " (--no-repair turns this off)"
        )
    for thing in search_results.named_things:
        if thing.names:
            more = f" and {len(thing.names) - 3} more" if len(thing.names) > 3 else ""
            print_note(
                f"{thing.keyword!r} is {thing.id} ({thing.kind}), also searched for as"
                f" {', '.join(thing.names[:3])}{more} (--no-names turns this off)"
            )
    for expansion in search_results.expanded:
        print_note(
            f"{expansion.keyword!r} is also searched for as {expansion.instead!r}, as defined in"
            f" {counted(expansion.chunks, 'passage')} (--no-expand turns this off)"
        )
    for problem in search_results.problems:
        print_note(f"{problem.message} {problem.hint}".strip())


def queries(name: str) -> Iterator[Json]:
    for number, line in enumerate(stored_text(name).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = (
                {"id": str(number), "text": line.strip()}
                if not line.lstrip().startswith("{")
                else None
            )
        row = {"id": str(number), "text": row} if isinstance(row, str | int | float) else row
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise InputError(
                f"Line {number} of {name} is not a query.", "Each line is an object {id, text}."
            )
        yield row


VERBS = (Verb("search", "search a namespace: passages, best first", search_arguments, search),)
