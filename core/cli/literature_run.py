"""What the verb search does."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator

from core.cli.file_input import stored_text
from core.desk import Desk
from core.errors import InputError
from core.literature.query.keyword import Keyword, LiteratureQuery, fix_keywords, parse_query
from core.literature.query.plan import SearchOptions
from core.literature.ranking.narrowed import LOOKED_INTO, NamingFilter, narrowed_results
from core.literature.ranking.search import Searcher, SearchHit, SearchResults
from core.literature.triage.paper_filter import PaperFilter
from core.model import Json
from core.services.literature import paper_choice, searching
from core.services.literature.embedding import embedding_place
from core.services.literature.model_keywords import keywords_by_model
from core.services.settings.models import asked_at
from core.text.count import counted


def print_note(words: str) -> None:
    print(f"groundwork: {words}", file=sys.stderr)


def namespace_names(args: Namespace) -> list[str]:
    return [name for name in args.namespace.split(",") if name]


def filter_of(args: Namespace) -> PaperFilter:
    several = (args.journal, args.type, args.text, args.verdicts, args.section)
    return PaperFilter(args.from_year, args.to_year, *map(frozenset, several))


def say_what_is_embedded(desk: Desk, mode: str) -> None:
    """Where a ranking by meaning sends what it compares."""
    if where := embedding_place(desk, mode):
        print_note(f"the question, and passages that have no vector yet, will be sent to {where}")


def search(desk: Desk, args: Namespace) -> int:
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
        match = _hits(desk, searcher, question, args, options)
        _tell(match)
        if args.format == "jsonl":
            print_line({"id": "", "results": [result_json(result) for result in match.results]})
        else:
            sys.stdout.write(
                json.dumps(
                    [result_json(result) for result in match.results], ensure_ascii=False, indent=1
                )
                + "\n"
            )
        return 0
    return _many(desk, searcher, args, options)


def _many(desk: Desk, searcher: Searcher, args: Namespace, options: SearchOptions) -> int:
    """One line a query, in order; a query with nothing to look for has no results."""
    rows = []
    for row in queries(args.input):
        try:
            question = _question(desk, row, args, searcher)
            hits = _hits(desk, searcher, question, args, options).results
        except InputError as error:
            print_note(f"query {row.get('id', '')}: {error}")
            hits = ()
        line = {"id": row.get("id", ""), "results": [result_json(hit) for hit in hits]}
        rows.append(line) if args.format == "json" else print_line(line)
    if args.format == "json":
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    return 0


def _hits(
    desk: Desk,
    searcher: Searcher,
    question: LiteratureQuery,
    args: Namespace,
    options: SearchOptions,
) -> SearchResults:
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


def print_line(value: Json) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


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
