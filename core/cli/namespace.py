"""The verb namespace: collections of papers made, filled, updated and deleted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from core.cli.file_input import stored_text
from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.text.count import counted


def namespace_arguments(parser: ArgumentParser) -> None:
    from core.documents.readers.table import COLUMNS

    parser.add_argument(
        "action",
        choices=("create", "add", "update", "list", "delete", "vectors", "embed"),
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


def namespace(desk: Desk, args: Namespace) -> int:
    from core.services.literature import namespaces

    if args.action == "list":
        for entry in namespaces.list_namespaces(desk):
            count = desk.store.namespaces.count_members(entry.name)
            print(f"{entry.name}\t{count}\t{entry.query.get('terms', '')}\t{entry.updated}")
        return 0
    if not args.name:
        raise InputError("Name the namespace.", "For example: namespace create lung")
    actions = {
        "create": _create,
        "add": _add,
        "update": _update,
        "delete": _delete,
        "vectors": _vectors,
        "embed": _embed,
    }
    return actions[args.action](desk, args)


def _create(desk: Desk, args: Namespace) -> int:
    from core.services.literature import namespaces

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
    namespaces.create_namespace(desk, args.name, query=query, settings=settings)
    return _add(desk, args) if args.files else 0


def _add(desk: Desk, args: Namespace) -> int:
    from core.services.literature import namespaces

    if args.ids:
        return _add_identified(desk, args)
    if not args.files:
        raise InputError(
            "Name the files to add.", "Files, folders, or JSON lines {id, title, text}."
        )
    if args.name not in {entry.name for entry in namespaces.list_namespaces(desk)}:
        namespaces.create_namespace(desk, args.name)
    added = namespaces.add_files(desk, args.name, args.files, columns=_columns(args.column))
    for problem in added.problems:
        print_note(f"{problem.where}: {problem.message} {problem.hint}".strip())
    index = namespaces.open_index_of(desk, args.name)
    print_note(f"{args.name}: {added.counts}; {counted(len(index), 'chunk')} now")
    return 0 if added.read or not added.problems else 1


def _add_identified(desk: Desk, args: Namespace) -> int:
    """A report as JSON; 1 when a word names no paper, or a paper that NCBI does not have."""
    from core.services.literature import identified, namespaces

    if args.name not in {entry.name for entry in namespaces.list_namespaces(desk)}:
        namespaces.create_namespace(desk, args.name)
    words = args.ids
    if words == "-" or Path(words).is_file():
        words = stored_text(words)
    report = identified.add_identified(desk, args.name, words, args.full_text)
    print_line(report)
    return 1 if report["missing"] or report["strange"] else 0


def _columns(column_words: Sequence[str]) -> dict[str, str]:
    """`title=Titel` as {"title": "Titel"}. Raises InputError."""
    from core.documents.readers.table import COLUMNS

    chosen = {}
    for words in column_words:
        field, sign, column = words.partition("=")
        if not sign or field not in COLUMNS:
            raise InputError(
                f"{words[:60]!r} is not the name of a column.",
                f"Write FIELD=NAME; fields: {', '.join(COLUMNS)}.",
            )
        chosen[field] = column
    return chosen


def _update(desk: Desk, args: Namespace) -> int:
    from core.services.literature import update

    report = update.update_namespace(desk, args.name)
    print_line(report)
    return 0


def _vectors(desk: Desk, args: Namespace) -> int:
    """Article vectors for recommendations."""
    from core.services.literature import article_vectors

    paper_count = article_vectors.import_vectors(desk, args.name, args.files)
    print_note(f"{args.name}: vectors of {paper_count:,} papers were stored")
    return 0


def _embed(desk: Desk, args: Namespace) -> int:
    """The vectors of all passages, by the configured embedding model."""
    from core.services.literature import embedding

    if where := embedding.embedding_place(desk):
        print_note(f"{args.name}: its passages will be sent to {where}")
    count = embedding.make_vectors(desk, args.name)
    print_note(f"{args.name}: {count:,} passages have a vector")
    return 0


def _delete(desk: Desk, args: Namespace) -> int:
    from core.services.literature import namespaces

    namespaces.delete_namespace(desk, args.name)
    return 0


VERBS = (
    Verb(
        "namespace",
        "create, fill and update collections of papers to search",
        namespace_arguments,
        namespace,
    ),
)
