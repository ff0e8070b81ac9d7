"""Answers that ended early: why, and what helps. A limit on tokens, a connection that broke off and
a model that does not come to an end are three things, and each is helped by something else.
"""

from __future__ import annotations

from dataclasses import replace

from core.llm.completer import Reply
from core.model import Problem
from core.text.elision import without_unfinished

MORE_TOKENS = "Allow more tokens for an answer on Settings, or ask about a shorter text."
ASK_AGAIN = "Run it again: only what is missing is asked again."


MOST = 80  # characters of a value that is named


def whole_part(reply: Reply) -> tuple[str, str]:
    """The text of a reply, and the unfinished value at its end that was taken off it."""
    return (reply.text, "") if reply.whole else without_unfinished(reply.text)


def unfinished_problem(reply: Reply, where: str = "", dropped: str = "") -> Problem | None:
    """Why a reply is not whole; None for one that is. `dropped` is its unfinished last value."""
    problem = _of_finish(reply, where)
    if problem is None or not dropped:
        return problem
    words = dropped if len(dropped) <= MOST else dropped[: MOST - 1].rstrip() + "…"
    return replace(problem, message=f"{problem.message} Unfinished, and left out: “{words}”.")


def _of_finish(reply: Reply, where: str) -> Problem | None:
    if reply.finish == "length":
        message = "The model's answer is cut off; its end is missing."
        return Problem("cut-answer", message, where=where, hint=MORE_TOKENS)
    if reply.finish == "cut":
        message = "The connection broke off during the model's answer; its end is missing."
        return Problem("broken-off", message, where=where, hint=ASK_AGAIN)
    if reply.finish == "runaway":
        message = "The model did not stop writing and was stopped; what it had written was kept."
        return Problem("runaway-answer", message, where=where, hint="Choose another model.")
    return None
