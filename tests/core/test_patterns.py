"""No regular expression of the code may backtrack without bound.

Every literal pattern is read from the source and analysed by regexploit, which finds repetitions
that can share the same characters. What it reports is tried on texts built to be the worst: twice
the text may take four times as long (a search from every place), not eight times or a square.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

regexploit = pytest.importorskip("regexploit.redos")
from regexploit.ast.sre import SreOpParser  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CALLS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
WORST = 200  # characters of a text built to be the worst
LEAST = 400  # patterns: fewer means that the search below does not find them


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in CALLS
            and node.args
        ):
            yield node


def patterns() -> Iterator[tuple[str, str, int]]:
    """Place, pattern and flags of every pattern that constants of its module make up."""
    for path in sorted((ROOT / "core").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "import re\n" not in source:
            continue
        module = importlib.import_module(
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        )
        for call in calls(ast.parse(source)):
            try:
                code = compile(ast.Expression(call.args[0]), str(path), "eval")
                pattern = eval(code, dict(vars(module)))
            except NameError:
                continue  # made of what a function is given: escaped words, or a pattern by RE2
            flags = 0
            if isinstance(pattern, re.Pattern):
                pattern, flags = pattern.pattern, pattern.flags
            for word in [*call.args[1:], *(k.value for k in call.keywords if k.arg == "flags")]:
                if "re." in ast.unparse(word) and "(" not in ast.unparse(word):
                    flags |= int(eval(ast.unparse(word), {"re": re}))
            if isinstance(pattern, str):
                yield f"{path.relative_to(ROOT)}:{call.lineno}", pattern, flags


def worst_texts(pattern: str, flags: int) -> list[str]:
    """Texts that make the pattern try every way, by the repetitions that share characters."""
    parsed = SreOpParser().parse_sre(pattern, flags)
    found = []
    for redos in regexploit.find(parsed):
        repeated = redos.repeated_character.example()
        prefix = "".join(_example(part) for part in redos.prefix_sequence.elements)
        found += [prefix + repeated * WORST + end for end in ("", "\x00", "!")]
    return found


def _example(part: object) -> str:
    try:
        return str(part.example())  # type: ignore[attr-defined]
    except Exception:
        return ""


def seconds(pattern: re.Pattern[str], text: str, size: int) -> float:
    """The least of three runs on the first `size` characters and the last one."""
    worst = text[:size] + text[-1:]
    times = []
    for _ in range(3):
        began = time.process_time()
        pattern.search(worst)
        times.append(time.process_time() - began)
    return min(times)


def test_no_pattern_backtracks_without_bound():
    seen = {(pattern, flags): place for place, pattern, flags in patterns()}
    slow = []
    for (pattern, flags), place in seen.items():
        compiled = re.compile(pattern, flags)
        for text in worst_texts(pattern, flags):
            exponential = seconds(compiled, text, 24) > 0.05
            if exponential or (
                (long := seconds(compiled, text, WORST)) > 0.002
                and long > 6 * seconds(compiled, text, WORST // 2)
            ):
                slow.append(f"{place}: {pattern[:100]!r}")
                break
    assert len(seen) >= LEAST
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize("pattern", ["^(a+)+$", r"\([^()]*,[^()]*,[^()]*\)"])
def test_check_notices_patterns_that_backtrack(pattern):
    assert worst_texts(pattern, 0)
