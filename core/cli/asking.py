"""The verb that asks the knowledge base: SPARQL, or a question to fill in."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.file_input import stored_text
from core.cli.output import print_note, write_pieces
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.graph import question


FORMATS = ("table", "json", "csv", "tsv", "nt")


def query_arguments(parser: ArgumentParser) -> None:
    from core.kb.query.question_pattern import MOST, PATTERNS

    names = ", ".join(pattern.name for pattern in PATTERNS)
    parser.add_argument("sparql", nargs="?", help="a SPARQL query; - reads it from standard input")
    parser.add_argument("--input", type=Path, help="a file with the query")
    parser.add_argument("--question", metavar="NAME", help=f"a ready-made question: {names}")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="thing, other, relation or paper of the question: an id, or a label",
    )
    parser.add_argument("--list", action="store_true", help="the questions and example queries")
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument(
        "--most",
        type=int,
        default=MOST,
        help="maximum number of rows (default: %(default)s)",
    )


def query(desk: Desk, args: Namespace) -> int:
    """Over what is approved and passes the gate; read-only."""
    from core.services.graph import knowledge_base, question

    if args.list:
        return list_()
    query_answer = question.run_query(desk, _text(desk, args), most=max(1, args.most))
    if args.format == "table":
        print_table(desk, query_answer)
    else:
        if args.format == "nt" and not query_answer.graph:
            raise InputError("Only a graph can be N-Triples.", "Ask with CONSTRUCT.")
        write_pieces([question.answer_file(query_answer, args.format)], None)
    if query_answer.truth is None:
        more = "; there are more" if query_answer.cut else ""
        print_note(f"{counted(len(query_answer.rows), 'row')}{more}")
        for words in query_answer.also:
            print_note(words)
        if not query_answer.rows and not knowledge_base.gate_passage(desk).entries:
            print_note(
                "No approved statement passes the checks yet."
                " `export --held` lists what is missing."
            )
    return 0


def _text(desk: Desk, args: Namespace) -> str:
    from core.services.graph import knowledge_base, question

    if args.question:
        values = dict(
            setting.split("=", 1) if "=" in setting else (setting, "") for setting in args.set
        )
        graph = knowledge_base.approved_graph(desk)
        return question.fill_question(desk, args.question, values, graph)
    if args.input:
        return stored_text(args.input)
    if args.sparql == "-":
        return stored_text("-")
    if args.sparql:
        return str(args.sparql)
    raise InputError("There is nothing to ask.", "Give a query, --input, --question or --list.")


def list_() -> int:
    from core.services.graph import question

    for pattern in question.PATTERNS:
        print(f"--question {pattern.name}\t{pattern.words}")
    for title, text in question.EXAMPLES:
        print(f"\n# {title}\n{text}")
    return 0


def print_table(desk: Desk, query_answer: question.QueryAnswer) -> None:
    """Tab-separated, IRIs as CURIEs."""
    from core.services.graph import question

    if query_answer.truth is not None:
        print("yes" if query_answer.truth else "no")
        return
    print("\t".join(query_answer.columns))
    for row in question.readable_rows(desk, query_answer):
        print("\t".join(" ".join(cell.split()) for cell in row))


VERBS = (
    Verb(
        "query",
        "query the approved statements: in SPARQL, or by a ready-made question",
        query_arguments,
        query,
    ),
)
