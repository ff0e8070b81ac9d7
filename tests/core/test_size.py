"""Modules and functions are short enough to be read (docs/architecture.md, Size of modules)."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
MODULE, FUNCTION = 350, 60  # lines


def test_no_module_is_longer_than_one_subject_needs() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in CODE}
    assert {str(path.relative_to(ROOT)): n for path, n in lines.items() if n > MODULE} == {}


def test_every_function_is_read_in_one_look() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in CODE
        if "migrations" not in path.parts  # written once, never read as a whole
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= FUNCTION
    ]
    assert too_long == []
