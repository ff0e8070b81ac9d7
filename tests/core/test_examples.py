"""The examples in docstrings run, and say what the code does."""

from __future__ import annotations

import ast
import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core/curie.py", "core/grounding", "core/kb", "core/model", "core/text")
FEWEST = 150  # functions with an example


def modules() -> list[str]:
    """Those of the rooms with an example."""
    files = [path for room in ROOMS for path in (ROOT / room, *(ROOT / room).rglob("*.py"))]
    with_example = [path for path in files if path.is_file() and ">>> " in path.read_text("utf-8")]
    return sorted(".".join(p.relative_to(ROOT).with_suffix("").parts) for p in with_example)


def examples(name: str) -> list[doctest.DocTest]:
    """Those that doctest finds; a function that has a second name, as one that remembers its
    answers may, counts once.
    """
    found = doctest.DocTestFinder().find(importlib.import_module(name), name)
    return list({test.docstring: test for test in found if test.examples}.values())


def written(name: str) -> list[str]:
    """The docstrings in a module that show an example, whether doctest finds them or not."""
    tree = ast.parse((ROOT / name.replace(".", "/")).with_suffix(".py").read_text("utf-8"))
    return [
        words
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ">>> " in (words := ast.get_docstring(node) or "")
    ]


@pytest.mark.parametrize("name", modules())
def test_examples_say_what_the_code_does(name: str) -> None:
    tests, told = examples(name), list[str]()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test, out=told.append)
    assert not told, "".join(told)
    assert len(tests) == len(written(name))


def test_no_example_is_lost() -> None:
    assert sum(len(written(name)) for name in modules()) >= FEWEST
