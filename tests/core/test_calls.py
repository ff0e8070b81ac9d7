"""Calls can be read: what comes after the fourth argument says what it is.

Positional are the columns of a table, parts of a condition and other rows of equals, for which
Python has no names, and what Streamlit and `partial` hand on by place. Definitions are held by
ruff (PLR0917 in `pyproject.toml`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
OF_A_THOUSAND = 1  # calls with six or more; the models of the house have 0 to 2.6


def positional_counts(source: str) -> Iterator[int]:
    """How many arguments each call of a module gives by place."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield len(node.args)


def test_calls_with_six_unnamed_arguments_are_rare() -> None:
    counts = [count for path in CODE for count in positional_counts(path.read_text("utf-8"))]
    many = sum(count >= 6 for count in counts)
    assert 1000 * many / len(counts) <= OF_A_THOUSAND


@pytest.mark.parametrize(
    ("source", "counts"),
    [("f(1, 2, 3)", [3]), ("f(1, b=2)", [1]), ("f(g(1, 2), *rest)", [2, 2])],
)
def test_arguments_by_place_are_counted(source: str, counts: list[int]) -> None:
    assert list(positional_counts(source)) == counts
