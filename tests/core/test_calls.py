"""Calls can be read: what comes after the fourth argument says what it is.

Positional are the columns of a table, parts of a condition and other rows of equals, for which
Python has no names, and what Streamlit and `partial` hand on by place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
MOST = 4  # arguments by place
OF_A_THOUSAND = 1  # calls with six or more; the models of the house have 0 to 2.6


def positional_counts(source: str) -> Iterator[int]:
    """How many arguments each call of a module gives by place."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield len(node.args)


def definitions(source: str) -> Iterator[tuple[str, int]]:
    """Each function of a module, and how many arguments it takes by place beside `self`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            yield node.name, len(names) - (names[:1] in (["self"], ["cls"]))


def test_calls_with_six_unnamed_arguments_are_rare() -> None:
    counts = [count for path in CODE for count in positional_counts(path.read_text("utf-8"))]
    many = sum(count >= 6 for count in counts)
    assert 1000 * many / len(counts) <= OF_A_THOUSAND


def test_functions_that_take_more_than_four_arguments_by_place_only_become_fewer() -> None:
    wide = [
        f"{path.relative_to(ROOT)} {name}"
        for path in CODE
        for name, count in definitions(path.read_text("utf-8"))
        if count > MOST
    ]
    assert len(wide) <= WIDE, wide


WIDE = 44  # handed on by place: callbacks of Streamlit, `partial`, and families with one signature


@pytest.mark.parametrize(
    ("source", "counts"),
    [("f(1, 2, 3)", [3]), ("f(1, b=2)", [1]), ("f(g(1, 2), *rest)", [2, 2])],
)
def test_arguments_by_place_are_counted(source: str, counts: list[int]) -> None:
    assert list(positional_counts(source)) == counts


def test_self_is_no_argument_of_a_caller() -> None:
    source = "class A:\n    def f(self, a, b, *, c): ...\ndef g(a): ..."
    assert sorted(definitions(source)) == [("f", 2), ("g", 1)]
