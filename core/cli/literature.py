"""Verbs on literature: namespace, search (docs/architecture.md, The command line)."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.literature.query.keyword import Keyword, LiteratureQuery, fix_keywords, parse_query
from core.literature.query.plan import SearchOptions
from core.literature.ranking.registry import DEFAULT, mode_names
from core.literature.ranking.search import Searcher, SearchHit, SearchResults
from core.model import Json
from core.services.literature import curation, namespaces, update

ACTIONS = ("create", "add", "update", "list", "delete", "vectors")


def say(words: str) -> None:
    print(f"groundwork: {words}", file=sys.stderr)


# ------------------------------------------------------------------ namespace


def namespace_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS)
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
    parser.add_argument("--query", default="", help="a PubMed query, for create")
    parser.add_argument("--since", default="", help="published from (YYYY/MM/DD)")
    parser.add_argument("--until", default="", help="published to (YYYY/MM/DD)")
    parser.add_argument("--reviews", choices=("with", "without", "only"), default="with")
    parser.add_argument(
        "--full-text", action="store_true", help="PMC open-access full text where it exists"
    )
    parser.add_argument("--chunk-size", type=int, help="characters (default 2000)")
    parser.add_argument("--chunk-overlap", type=int, help="characters (default 200)")


def namespace(desk: Desk, args: Namespace) -> int:
    if args.action == "list":
        for one in namespaces.namespaces(desk):
            count = desk.store.namespaces.count_members(one.name)
            print(f"{one.name}\t{count}\t{one.query.get('terms', '')}\t{one.updated}")
        return 0
    if not args.name:
        raise InputError("Name the namespace.", "For example: namespace create lung")
    actions = {
        "create": _create,
        "add": _add,
        "update": _update,
        "delete": _delete,
        "vectors": _vectors,
    }
    return actions[args.action](desk, args)


def _create(desk: Desk, args: Namespace) -> int:
    query = None
    if args.query:
        query = {
            "terms": args.query,
            "since": args.since,
            "until": args.until,
            "reviews": args.reviews,
        }
        query["full_text"] = args.full_text
    sizes = {"chunk_size": args.chunk_size, "chunk_overlap": args.chunk_overlap}
    settings = {name: value for name, value in sizes.items() if value is not None} or None
    namespaces.create(desk, args.name, query, settings)
    return _add(desk, args) if args.files else 0


def _add(desk: Desk, args: Namespace) -> int:
    if not args.files:
        raise InputError(
            "Name the files to add.", "Files, folders, or JSON lines {id, title, text}."
        )
    if args.name not in {one.name for one in namespaces.namespaces(desk)}:
        namespaces.create(desk, args.name)
    added = namespaces.add_files(desk, args.name, args.files)
    for problem in added.problems:
        say(f"{problem.where}: {problem.message} {problem.hint}".strip())
    index = namespaces.index_of(desk, args.name)
    say(
        f"{args.name}: {added.read:,} papers read, {added.changed:,} new or changed, {len(index):,}"
        " chunks"
    )
    return 0 if added.read or not added.problems else 1


def _update(desk: Desk, args: Namespace) -> int:
    report = update.update(desk, args.name)
    print(json.dumps(report, ensure_ascii=False))
    return 0


def _vectors(desk: Desk, args: Namespace) -> int:
    """Article vectors for recommendations."""
    kept = curation.import_vectors(desk, args.name, args.files)
    say(f"{args.name}: vectors of {kept:,} papers are kept")
    return 0


def _delete(desk: Desk, args: Namespace) -> int:
    namespaces.delete(desk, args.name)
    return 0


# ------------------------------------------------------------------ search


def search_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; several with commas")
    parser.add_argument(
        "query", nargs="?", default="", help="a question; `#` begins WeiseEule's manual syntax"
    )
    parser.add_argument(
        "--input", default="", help="JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument("--mode", choices=mode_names(), default=DEFAULT)
    parser.add_argument(
        "--fixed",
        nargs="+",
        action="extend",
        default=[],
        metavar="WORD",
        help="keywords that chunks must hold to come first",
    )
    parser.add_argument("-k", type=int, default=10, help="chunks for each query (default 10)")
    parser.add_argument("--format", choices=("json", "jsonl"), default="")
    parser.add_argument(
        "--no-repair",
        action="store_true",
        help="leave words that the corpus does not hold as typed",
    )
    parser.add_argument(
        "--no-expand", action="store_true", help="leave abbreviations that the corpus defines alone"
    )


def search(desk: Desk, args: Namespace) -> int:
    if args.k < 1:
        raise InputError("-k is at least 1.")
    if not args.query and not args.input:
        raise InputError("Give a query, or --input with JSON lines {id, text}.")
    searcher = namespaces.searcher(desk, [name for name in args.namespace.split(",") if name])
    options = SearchOptions(repair=not args.no_repair, expand=not args.no_expand)
    mode = args.mode
    if args.query:
        match = searcher.search(
            _question({"text": args.query}, args.fixed, searcher, mode), mode, args.k, options
        )
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
    return _many(searcher, args, mode, options)


def _many(searcher: Searcher, args: Namespace, mode: str, options: SearchOptions) -> int:
    """One line a query, in order; a query with nothing to look for has no results."""
    rows = []
    for row in queries(args.input):
        try:
            question = _question(row, args.fixed, searcher, mode)
            found = searcher.search(question, mode, args.k, options).results
        except InputError as error:
            say(f"query {row.get('id', '')}: {error}")
            found = ()
        line = {"id": row.get("id", ""), "results": [result_json(one) for one in found]}
        rows.append(line) if args.format == "json" else print_line(line)
    if args.format == "json":
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    return 0


def _question(row: Json, fixed: list[str], searcher: Searcher, mode: str) -> LiteratureQuery:
    """A query; a line may bring its own `keywords` and `fixed` ones."""
    question = parse_query(str(row["text"]))
    keywords = question.keywords
    if not keywords and isinstance(row.get("keywords"), list):
        keywords = tuple(
            Keyword(str(word)) for word in dict.fromkeys(row["keywords"]) if str(word).strip()
        )
    own = row.get("fixed") if isinstance(row.get("fixed"), list) else []
    wanted = [*fixed, *map(str, own or [])]
    if wanted and not keywords:
        keywords = searcher.plan(question, mode).keywords
    return LiteratureQuery(question.text, fix_keywords(keywords, wanted), question.strict)


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


def _tell(found: SearchResults) -> None:
    for repair in found.repairs:
        say(
            f"no chunk holds {repair.word!r}; {repair.instead!r} is looked for instead (--no-repair"
            " leaves it)"
        )
    for one in found.expanded:
        say(
            f"{one.keyword!r} is also looked for as {one.instead!r}, as {one.chunks:,} chunks say"
            " (--no-expand: not)"
        )
    for problem in found.problems:
        say(f"{problem.message} {problem.hint}".strip())


def print_line(value: Json) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def queries(name: str) -> Iterator[Json]:
    for number, line in enumerate(_lines(name), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = (
                {"id": str(number), "text": line.strip()}
                if not line.lstrip().startswith("{")
                else None
            )
        row = {"id": str(number), "text": row} if isinstance(row, str | int | float) else row
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise InputError(
                f"Line {number} of {name} is no query.", "Each line is an object {id, text}."
            )
        yield row


def _lines(name: str) -> Iterator[str]:
    if name == "-":
        yield from sys.stdin
        return
    path = Path(name)
    if not path.is_file():
        raise InputError(
            f"There is no file {name}.", "Give a file of JSON lines, or - for standard input."
        )
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8")
        ) as stream:
            yield from stream
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(
            f"{name} is damaged, or is not text in UTF-8.", "Save it as UTF-8, or get it again."
        ) from error


VERBS = (
    Verb("namespace", "collections of papers to search", namespace_arguments, namespace),
    Verb("search", "passages of a namespace, ranked", search_arguments, search),
)
