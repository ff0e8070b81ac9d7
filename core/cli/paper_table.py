"""The verb table: fill a table of papers and questions, with a quote in every cell."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.cli.file_input import stored_text
from core.cli.literature import filter_arguments, filter_of, namespace_names
from core.cli.literature_answers import ENGINES
from core.cli.output import print_note, write_text
from core.cli.verb import Verb
from core.desk import Desk


def table_arguments(parser: ArgumentParser) -> None:
    from core.literature.answers.paper_table import FORMATS

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
        "--engine",
        choices=ENGINES,
        default="auto",
        help="what answers (auto: a model if one is configured)",
    )
    parser.add_argument("--model", default="", help="asked in place of the project's")
    parser.add_argument(
        "--format", choices=tuple(FORMATS), default="csv", help="output format (default: csv)"
    )
    parser.add_argument("--output", type=Path, help="a file, else standard output")
    filter_arguments(parser)


def table(desk: Desk, args: Namespace) -> int:
    """Fill a table and write it; what it could not hold is said on standard error."""
    from core.services.literature import paper_table
    from core.services.settings.models import asked_at

    lines = [*args.questions, *(stored_text(args.input).split("\n") if args.input else ())]
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
    write_text(text, args.output)
    if filled.passing > len(filled.papers):
        print_note(
            f"{filled.passing:,} papers pass the filter; the table has the {len(filled.papers):,}"
            " nearest to the questions"
        )
    print_note(f"{size}; saved as run {run}")
    return 0


VERBS = (
    Verb(
        "table",
        "fill a table of papers and questions, with a quote in every cell",
        table_arguments,
        table,
    ),
)
