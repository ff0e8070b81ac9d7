"""What the verb query does."""

from __future__ import annotations

import sys
from argparse import Namespace

from core.cli.file_input import stored_text
from core.desk import Desk
from core.errors import InputError
from core.services.graph import knowledge_base, question
from core.text.count import counted


def query(desk: Desk, args: Namespace) -> int:
    """Over what is approved and passes the gate; read-only."""
    if args.list:
        return list_()
    query_answer = question.run_query(desk, _text(desk, args), most=max(1, args.most))
    if args.format == "table":
        print_table(desk, query_answer)
    else:
        if args.format == "nt" and not query_answer.graph:
            raise InputError("Only a graph can be N-Triples.", "Ask with CONSTRUCT.")
        sys.stdout.buffer.write(question.answer_file(query_answer, args.format))
        sys.stdout.flush()
    if query_answer.truth is None:
        more = "; there are more" if query_answer.cut else ""
        print(f"groundwork: {counted(len(query_answer.rows), 'row')}{more}", file=sys.stderr)
        if not query_answer.rows and not knowledge_base.gate_passage(desk).entries:
            print(
                "groundwork: No approved statement passes the checks yet."
                " `export --held` lists what is missing.",
                file=sys.stderr,
            )
    return 0


def _text(desk: Desk, args: Namespace) -> str:
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
    for pattern in question.PATTERNS:
        print(f"--question {pattern.name}\t{pattern.words}")
    for title, text in question.EXAMPLES:
        print(f"\n# {title}\n{text}")
    return 0


def print_table(desk: Desk, query_answer: question.QueryAnswer) -> None:
    """Tab-separated, IRIs as CURIEs."""
    if query_answer.truth is not None:
        print("yes" if query_answer.truth else "no")
        return
    print("\t".join(query_answer.columns))
    for row in question.readable_rows(desk, query_answer):
        print("\t".join(" ".join(cell.split()) for cell in row))
