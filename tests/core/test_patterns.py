"""No regular expression of the code may backtrack without bound.

Every pattern, also of bytes and in tables, is read from the source and analysed by regexploit,
which finds repetitions that can share the same characters. What it reports is tried on texts built
to be the worst: twice the text may take four times as long (a search from every place), not eight
times or a square.
"""

from __future__ import annotations

import ast
import copy
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
CODE = [*sorted((ROOT / "core").rglob("*.py")), *sorted((ROOT / "pages").rglob("*.py"))]
PATTERN = re.compile(r"\\[bwdsSW]|\(\?[:<=!P]|\]\+|\]\*|\]\{")  # what texts that are none have not
WORST = 200  # characters of a text built to be the worst
TABLE = re.compile(r"\bphrases\(")
MAY_HOLD_ONE = re.compile(rf"{PATTERN.pattern}|\bre\.|{TABLE.pattern}")  # a module without has none
LEAST = 400  # patterns: fewer means that the search below does not find them


def calls(nodes: list[ast.AST]) -> Iterator[ast.Call]:
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in CALLS
            and node.args
        ):
            yield node


class Parser(SreOpParser):  # type: ignore[misc]
    """Reads what gives nothing back (`a*+`) as if it did: what it makes of the worst texts is seen
    when the pattern itself is tried on them.
    """

    def from_POSSESSIVE_REPEAT(self, *repeat: object) -> object:
        return self.from_MAX_REPEAT(*repeat)


class Placeholders(ast.NodeTransformer):
    """What a function puts into a pattern is one letter: `rf"\\b{symbol}\\b"` is `\\bx\\b`."""

    def __init__(self, names: dict[str, object]):
        self.names = names

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        try:
            value = eval(compile(ast.Expression(node.value), "", "eval"), dict(self.names))
        except Exception:
            value = "x"
        return ast.copy_location(ast.Constant(str(value)), node)


def value_of(node: ast.expr, names: dict[str, object]) -> object:
    """What an expression of a module is, None where it is not known before the code runs."""
    filled = ast.fix_missing_locations(Placeholders(names).visit(copy.deepcopy(node)))
    try:
        return eval(compile(ast.Expression(filled), "", "eval"), dict(names))
    except Exception:
        return None  # a table's entry (its text is looked at as such), or a pattern by RE2


def tables_in(nodes: list[ast.AST]) -> Iterator[ast.Call]:
    """The calls of `phrases`, which makes one pattern of a table's rows."""
    for node in nodes:
        match node:
            case ast.Call(ast.Name("phrases")):
                yield node


def texts_in(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The texts that look like patterns, such as the rows of a table of them."""
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            written = ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            written = in_text(node.value)
        else:
            continue
        if PATTERN.search(written):
            yield node


def modules(saying: re.Pattern[str]) -> Iterator[tuple[Path, list[ast.AST], dict[str, object]]]:
    """Place, nodes and names of every module of the code that says such words."""
    for path in CODE:
        text = path.read_text(encoding="utf-8")
        if not saying.search(text):
            continue
        place = path.relative_to(ROOT)
        name = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
        runs = path.stem in ("__main__", "env") or path.parent.name == "pages"  # when imported
        names = {"re": re} if runs else dict(vars(importlib.import_module(name)))
        yield place, list(ast.walk(ast.parse(text))), names


def patterns() -> Iterator[tuple[str, str, int]]:
    """Place, pattern and flags of every pattern in the code: those that a call of `re` names, those
    made of tables, and every text that looks like one.
    """
    for place, nodes, names in modules(MAY_HOLD_ONE):
        for call in tables_in(nodes):
            table = value_of(call, names)
            if isinstance(table, re.Pattern):
                yield f"{place}:{call.lineno}", table.pattern, table.flags
        for call in calls(nodes):
            pattern, flags = value_of(call.args[0], names), 0
            if isinstance(pattern, re.Pattern):
                pattern, flags = pattern.pattern, pattern.flags
            for word in [*call.args[1:], *(k.value for k in call.keywords if k.arg == "flags")]:
                if "re." in ast.unparse(word) and "(" not in ast.unparse(word):
                    flags |= int(eval(ast.unparse(word), {"re": re, "case": False}))
            if isinstance(pattern, str | bytes):
                yield f"{place}:{call.lineno}", in_text(pattern), flags
        for node in texts_in(nodes):
            pattern = value_of(node, names)
            if isinstance(pattern, str | bytes) and compiles(in_text(pattern)):
                yield f"{place}:{node.lineno}", in_text(pattern), re.IGNORECASE


def in_text(pattern: str | bytes) -> str:
    """A pattern of bytes as one of text: what repeats does so in both."""
    return pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern


def compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False  # a part of one, or no pattern
    return True


def worst_texts(pattern: str, flags: int) -> list[str]:
    """Texts that make the pattern try every way, by the repetitions that share characters."""
    parsed = Parser().parse_sre(pattern, flags)
    texts = []
    for redos in regexploit.find(parsed):
        repeated = redos.repeated_character.example()
        prefix = "".join(_example(part) for part in redos.prefix_sequence.elements)
        texts += [prefix + repeated * WORST + end for end in ("", "\x00", "!")]
    return texts


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
