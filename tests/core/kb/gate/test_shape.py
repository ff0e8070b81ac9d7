"""Every export keeps the gate's promises, checked by SHACL."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.kb.formats.turtle import turtle
from core.kb.gate.shape import shape_problems
from tests.core.kb.formats.test_turtle import CLAIM, VARIED, entry, kb


def test_an_export_has_no_problems():
    assert shape_problems(turtle(kb(*VARIED))) == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (replace(kb(CLAIM), draft=True), "undecided"),
        (replace(kb(), entries=(replace(entry(CLAIM), approvals=()),)), "A person approved it"),
        (replace(kb(), entries=(replace(entry(CLAIM), evidence=()),)), "rests on evidence"),
    ],
    ids=["draft", "nobody approved", "no evidence"],
)
def test_a_broken_promise_is_named(changed, says):
    assert any(says in problem.message for problem in shape_problems(turtle(changed)))
