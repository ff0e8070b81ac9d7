"""The verb table: fill a table of papers and questions, with a quote in every cell."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.cli.literature import (
    filter_arguments,
    filter_of,
    input_lines,
    namespace_names,
    print_note,
)
from core.cli.verb import Verb
from core.desk import Desk
from core.services.literature import paper_table
from core.services.settings.models import asked_at

ENGINES = ("auto", "model", "extractive")


def table_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help="one column each")
    parser.add_argument("--input", default="", help="a file of questions, one per line, or -")
    parser.add_argument(
        "--documents",
        nargs="+",
        action="extend",
        default=[],
        metavar="ID",
        help="only these papers, such as PMID:123 (default: all that the filter lets pass)",
    )
    parser.add_argument(
        "--engine", choices=ENGINES, default="auto", help="who answers (default: a model if set)"
    )
    parser.add_argument("--model", default="", help="asked in place of the project's")
    parser.add_argument("--format", choices=tuple(paper_table.FORMATS), default="csv")
    parser.add_argument("--output", type=Path, help="a file, else standard output")
    filter_arguments(parser)


def table(desk: Desk, args: Namespace) -> int:
    """Fill a table and write it; what it could not hold is said on standard error."""
    lines = [*args.questions, *(input_lines(args.input) if args.input else ())]
    questions = paper_table.read_questions("\n".join(lines))
    run = paper_table.begin_table(
        desk,
        namespace_names(args),
        questions,
        filter_of(args),
        documents=args.documents,
        engine=args.engine,
        model=args.model,
    )
    begun = paper_table.stored_table(desk, run)
    size = f"{len(begun.papers):,} papers × {len(questions)} questions"
    if args.engine != "extractive" and (where := asked_at(desk, "answers", args.model)):
        print_note(f"{size}: passages of each paper will be sent to {where}")
    filled = paper_table.fill_table(desk, run)
    text = paper_table.table_file(filled, args.format)
    if args.output:
        args.output.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    if filled.passing > len(filled.papers):
        print_note(
            f"{filled.passing:,} papers pass the filter; the table has the {len(filled.papers):,}"
            " nearest to the questions"
        )
    print_note(f"{size}; kept as run {run}")
    return 0


VERBS = (
    Verb(
        "table",
        "fill a table of papers and questions, with a quote in every cell",
        table_arguments,
        table,
    ),
)
