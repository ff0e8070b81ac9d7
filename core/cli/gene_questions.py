"""`ask`: gene questions from the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.file_input import stored_bytes
from core.cli.output import print_json, print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Json
from core.text.clean import clean_text
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.genes import batch
    from core.services.genes import questions as gene_questions


FORMATS = ("md", "json", "jsonl")


SENDS = "gene questions: search words, ids and sequences are sent to NCBI"


def _arguments(parser: ArgumentParser) -> None:
    from core.genes.strategies import PLANNER
    from core.genes.strategies.registry import STRATEGIES

    parser.add_argument("question", nargs="?", help=f"the question ({SENDS})")
    parser.add_argument("--input", help="a file with one question per line; - is standard input")
    parser.add_argument(
        "--way",
        choices=tuple(STRATEGIES),
        default=PLANNER,
        help="how to answer (default: planner, no model)",
    )
    parser.add_argument(
        "--api",
        default="",
        metavar="NAME",
        help="answer by this API agent; with --way tools: names of more tools; python: propose a"
        " call of scanpy or anndata, which is never run",
    )
    parser.add_argument(
        "--model", default="", help="with a way that needs one: the model, such as llama3.1@ollama"
    )
    parser.add_argument("--mask", default="full", help="decoding: full, slim, or six bits")
    parser.add_argument(
        "--live", action="store_true", help="decoding: run the demonstrations on the network too"
    )
    parser.add_argument(
        "--reuse", action="store_true", help="reuse answers of earlier runs to the same requests"
    )
    parser.add_argument(
        "--replay",
        default="",
        metavar="RUN",
        help="replay this run from its record, without a network",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="",
        help="default: json for a question, jsonl for a file",
    )
    parser.add_argument("--send", action="store_true", help="send the values to review")
    parser.add_argument(
        "--send-incomplete",
        action="store_true",
        help="also send an incomplete answer; what is missing is reported",
    )
    parser.add_argument("--curator", default="", help="your ORCID iD")


PYTHON = "python"  # calls of Python libraries, which are proposed


def run(desk: Desk, args: Namespace) -> int:
    from core.genes.answer import AnswerStatus
    from core.services.genes import questions as gene_questions
    from core.services.genes import trace
    from core.services.genes.api_form import python_call_of
    from core.services.genes.options import AskOptions
    from core.services.people.orcid import checked_curator
    from core.services.settings.models import checked_model

    if args.curator:
        args.curator = checked_curator(args.curator, "").orcid
    if args.replay:
        replayed = gene_questions.replay_question(desk, args.replay, args.curator)
        _print(replayed, args.format or "json")
        return int(replayed.answer.status is AnswerStatus.FAILED)
    listed, many = _questions(args)
    if args.api == PYTHON:
        for question in listed:
            print(python_call_of(question.text))
        return 0
    options = AskOptions(
        way=args.way,
        api=args.api,
        mask=args.mask,
        reuse=args.reuse,
        live=args.live,
        model=checked_model(desk, args.model),
    )
    alone = "" if many else listed[0].text
    notice = trace.what_leaves_machine(desk, alone, way=args.way, api=args.api, model=args.model)
    print_note(notice)
    form, rows, good = args.format or ("jsonl" if many else "json"), [], True
    for question in listed:
        text, columns = question.text, dict(question.columns)
        try:
            asked_question = gene_questions.ask_gene_question(
                desk, text, options, curator=args.curator
            )
        except InputError as error:
            if not many:
                raise
            print_note(f"{text[:60]}: {error}")
            print_line(_with(_not_understood(text), columns), flush=True)
            good = False
            continue
        good = good and asked_question.answer.status is not AnswerStatus.FAILED
        if args.send or args.send_incomplete:
            _send(desk, asked_question, args.curator, args.send_incomplete)
        if form == "json" and many:
            rows.append(_with(asked_question.row, columns))
        elif form == "jsonl":
            print_line(_with(asked_question.row, columns), flush=True)
        else:
            _print(asked_question, form)
    if rows:
        print_json(rows)
    return 0 if good else 1


def _not_understood(question: str) -> Json:
    from core.genes.answer import AnswerStatus

    status = str(AnswerStatus.NOT_UNDERSTOOD)
    empty: Json = {"answer": "", "status": status, "evidence": [], "calls": 0, "run": ""}
    return {"question": question} | empty


def _with(row: Json, columns: dict[str, str]) -> Json:
    """A row with the columns that its question had in the file."""
    return row | {"columns": columns} if columns else row


def _questions(args: Namespace) -> tuple[list[batch.ListedQuestion], bool]:
    """The questions, and whether they come from a file."""
    from core.services.genes import batch

    if bool(args.question) == bool(args.input):
        raise InputError("Give a question, or --input FILE.", "Not both.")
    if args.question:
        return [batch.ListedQuestion(args.question)], False
    return batch.listed_questions(clean_text(stored_bytes(args.input)), args.input), True


def _print(asked_question: gene_questions.AskedQuestion, form: str) -> None:
    from core.genes.answer import AnswerStatus

    if form == "md":
        print(asked_question.markdown)
    elif form == "jsonl":
        print_line(asked_question.row, flush=True)
    else:
        print_json(asked_question.row)
    if asked_question.answer.status is AnswerStatus.FAILED:
        print_note(f"{' '.join(asked_question.answer.notes)}")


def _send(
    desk: Desk, asked_question: gene_questions.AskedQuestion, curator: str, incomplete: bool
) -> None:
    from core.genes.answer import AnswerStatus
    from core.services.genes import statement
    from core.services.genes.evidence_row import held_lines

    lacking = asked_question.answer.status is AnswerStatus.INCOMPLETE
    try:
        send_result = statement.send_answer(
            desk, asked_question.run, asked_question.answer, curator, incomplete=incomplete
        )
    except InputError as error:
        print_note(f"{error}")
        if lacking and not incomplete:
            print_note("Add --send-incomplete to send it anyway.")
        return
    if lacking:
        lacks = "; ".join(asked_question.answer.missing) or "it was not read to the end"
        print_note(f"Sent even though it is incomplete: {lacks}.")
    proposal = send_result.proposal
    print_note(
        f"{counted(len(proposal.new), 'new statement')}, {len(proposal.already_known)} known"
    )
    for line in held_lines(send_result.held_back):
        print_note(f"held back: {line}")


VERBS = (Verb("ask", "answer a gene question from NCBI's records", _arguments, run),)
