"""Public names mean one thing each, read from the code itself."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def public_classes() -> dict[str, list[str]]:
    places = defaultdict(list)
    for folder in ("core", "pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(str(path.relative_to(ROOT)))
    return places


def test_no_two_public_classes_share_a_name() -> None:
    assert {name: where for name, where in public_classes().items() if len(where) > 1} == {}
