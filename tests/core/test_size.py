"""Modules and functions are short enough to be read (docs/architecture.md, Size of modules)."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
LOOK_AGAIN, FUNCTION = 500, 60  # lines

# Modules above LOOK_AGAIN that were looked at again, and the one subject that each holds.
LOOKED_AT = {
    "core/evaluation/bc5cdr.py": "one evaluation: what is read of annotated texts, and its table",
    "core/extraction/builtin/filler.py": "one class: how each kind of slot is filled from a text",
}


def test_every_module_states_its_subject() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in CODE
        if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert silent == []


def test_a_long_module_was_looked_at_again() -> None:
    lines = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in CODE}
    assert {name for name, count in lines.items() if count > LOOK_AGAIN} == LOOKED_AT.keys()


def test_every_function_is_read_in_one_look() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in CODE
        if "migrations" not in path.parts  # written once, never read as a whole
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= FUNCTION
    ]
    assert too_long == []
