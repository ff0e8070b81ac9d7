"""What the verb table does."""

from __future__ import annotations

import sys
from argparse import Namespace

from core.cli.file_input import stored_text
from core.cli.literature_run import filter_of, namespace_names, print_note
from core.desk import Desk
from core.services.literature import paper_table
from core.services.settings.models import asked_at


def table(desk: Desk, args: Namespace) -> int:
    """Fill a table and write it; what it could not hold is said on standard error."""
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
    if args.output:
        args.output.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    if filled.passing > len(filled.papers):
        print_note(
            f"{filled.passing:,} papers pass the filter; the table has the {len(filled.papers):,}"
            " nearest to the questions"
        )
    print_note(f"{size}; saved as run {run}")
    return 0
