"""How an answer went wrong, as GeneGPT classes it (§3.4): E1 wrong API, E2 wrong arguments, E3
answer not extracted, E4 not answerable from the records, O other. What the trace does not tell is
for a person to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.kinds.registry import KINDS
from core.genes.strategies.toolbox import KNOWN


class ErrorClass(StrEnum):
    API = "E1"
    ARGUMENTS = "E2"
    EXTRACTION = "E3"
    UNANSWERABLE = "E4"
    OTHER = "O"


ERROR_DESCRIPTIONS = {
    ErrorClass.API: "the wrong tool or database was used",
    ErrorClass.ARGUMENTS: "the right tool was used with wrong arguments",
    ErrorClass.EXTRACTION: "the answer was in a record and was not taken from it",
    ErrorClass.UNANSWERABLE: "no record that was read contains the answer",
    ErrorClass.OTHER: "something else, such as a service that failed",
}


def classify_error(answer: GeneAnswer, gold: Sequence[str]) -> ErrorClass:
    """The class of a wrong answer, as far as the trace tells. `gold` is what should have been
    answered.
    """
    if answer.status is AnswerStatus.FAILED:
        return ErrorClass.OTHER
    if any(trace_holds(answer, value) for value in gold):
        return ErrorClass.EXTRACTION
    if answer.steps and answer.steps[-1].status == "failed":
        return ErrorClass.OTHER
    sent_steps = [step for step in answer.steps if step.status != "refused"]
    known_tool_refused = any(
        step.status == "refused" and step.tool in KNOWN for step in answer.steps
    )
    kind = KINDS.get(answer.kind)
    if kind and not {_place(step) for step in sent_steps} & set(kind.needs):
        return ErrorClass.ARGUMENTS if known_tool_refused else ErrorClass.API
    if known_tool_refused or (
        answer.subject and not any(_names(step, answer.subject) for step in sent_steps)
    ):
        return ErrorClass.ARGUMENTS
    return ErrorClass.UNANSWERABLE


def _place(step: AnswerStep) -> str:
    """The database that a step asked."""
    return "blast" if step.tool.startswith("blast") else str(step.arguments.get("db") or "gene")


def _names(step: AnswerStep, subject: str) -> bool:
    """Whether a step asks about the subject: its words, id or sequence stand in the arguments."""
    argument_text = " ".join(str(argument) for argument in step.arguments.values()).casefold()
    words = re.findall(r"\w+", subject.casefold().removeprefix("rs"))
    return step.tool == "blast_get" or all(word in argument_text for word in words)


def trace_holds(answer: GeneAnswer, value: str) -> bool:
    """Whether a record of the trace holds `value` as a word."""
    value_pattern = re.compile(rf"(?<![\w-]){re.escape(value.removeprefix('chr'))}(?![\w-])")
    return any(
        value_pattern.search(record.text(name))
        for step in answer.steps
        for record in step.records
        for name in record.values
    )
