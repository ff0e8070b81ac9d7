"""What the verb ask does."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from core.cli.file_input import stored_bytes
from core.desk import Desk
from core.errors import InputError
from core.genes.answer import AnswerStatus
from core.model import Json
from core.services.genes import batch, statement, trace
from core.services.genes import questions as gene_questions
from core.services.genes.api_form import python_call_of
from core.services.genes.evidence_row import held_lines
from core.services.genes.options import AskOptions
from core.services.people.orcid import checked_curator
from core.services.settings.models import checked_model
from core.text.clean import clean_text
from core.text.count import counted

PYTHON = "python"  # calls of Python libraries, which are proposed


def run(desk: Desk, args: Namespace) -> int:
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
    questions = [question.text for question in listed]
    options = AskOptions(
        way=args.way,
        api=args.api,
        mask=args.mask,
        reuse=args.reuse,
        live=args.live,
        model=checked_model(desk, args.model),
    )
    text = "" if many else questions[0]
    notice = trace.what_leaves_machine(desk, text, args.way, args.api, args.model)
    print(f"groundwork: {notice}", file=sys.stderr, flush=True)
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
            print(f"groundwork: {text[:60]}: {error}", file=sys.stderr)
            _line(
                {
                    "question": text,
                    "answer": "",
                    "status": str(AnswerStatus.NOT_UNDERSTOOD),
                    "evidence": [],
                    "calls": 0,
                    "run": "",
                    **({"columns": columns} if columns else {}),
                }
            )
            good = False
            continue
        good = good and asked_question.answer.status is not AnswerStatus.FAILED
        if args.send or args.send_incomplete:
            _send(desk, asked_question, args.curator, args.send_incomplete)
        if form == "json" and many:
            rows.append(_with(asked_question.row, columns))
        elif form == "jsonl":
            _line(_with(asked_question.row, columns))
        else:
            _print(asked_question, form)
    if rows:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    return 0 if good else 1


def _with(row: Json, columns: dict[str, str]) -> Json:
    """A row with the columns that its question had in the file."""
    return row | {"columns": columns} if columns else row


def _questions(args: Namespace) -> tuple[list[batch.ListedQuestion], bool]:
    """The questions, and whether they come from a file."""
    if bool(args.question) == bool(args.input):
        raise InputError("Give a question, or --input FILE.", "Not both.")
    if args.question:
        return [batch.ListedQuestion(args.question)], False
    return batch.listed_questions(clean_text(stored_bytes(args.input)), args.input), True


def _print(asked_question: gene_questions.AskedQuestion, form: str) -> None:
    if form == "md":
        print(asked_question.markdown)
    elif form == "jsonl":
        _line(asked_question.row)
    else:
        print(json.dumps(asked_question.row, ensure_ascii=False, indent=2))
    if asked_question.answer.status is AnswerStatus.FAILED:
        print(f"groundwork: {' '.join(asked_question.answer.notes)}", file=sys.stderr)


def _line(row: object) -> None:
    print(json.dumps(row, ensure_ascii=False), flush=True)


def _send(
    desk: Desk, asked_question: gene_questions.AskedQuestion, curator: str, incomplete: bool
) -> None:
    lacking = asked_question.answer.status is AnswerStatus.INCOMPLETE
    try:
        send_result = statement.send_answer(
            desk, asked_question.run, asked_question.answer, curator, incomplete
        )
    except InputError as error:
        print(f"groundwork: {error}", file=sys.stderr)
        if lacking and not incomplete:
            print("groundwork: Add --send-incomplete to send it anyway.", file=sys.stderr)
        return
    if lacking:
        lacks = "; ".join(asked_question.answer.missing) or "it was not read to the end"
        print(f"groundwork: Sent even though it is incomplete: {lacks}.", file=sys.stderr)
    proposal = send_result.proposal
    print(
        f"groundwork: {counted(len(proposal.new), 'new statement')},"
        f" {len(proposal.already_known)} known",
        file=sys.stderr,
    )
    for line in held_lines(send_result.held_back):
        print(f"groundwork: held back: {line}", file=sys.stderr)
