"""Why an answer ended early, and what helps."""

from __future__ import annotations

import pytest

from core.llm.completer import Reply
from core.llm.unfinished import unfinished_problem


@pytest.mark.parametrize(
    ("finish", "code", "helps"),
    [
        ("length", "cut-answer", "Allow more tokens"),
        ("cut", "broken-off", "Run it again"),
        ("runaway", "runaway-answer", "another model"),
    ],
)
def test_unfinished_reply_has_a_hint_for_its_finish_reason(
    finish: str, code: str, helps: str
) -> None:
    reply = Reply("half an", finish=finish)
    problem = unfinished_problem(reply, "triples[0]")
    assert problem is not None and not reply.whole
    assert (problem.code, problem.where) == (code, "triples[0]") and helps in problem.hint


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "eos"])
def test_a_whole_answer_has_no_problem(finish: str) -> None:
    assert unfinished_problem(Reply("whole", finish=finish)) is None
