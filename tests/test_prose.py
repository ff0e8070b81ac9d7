"""Tests hold what the app does; how it words a message stands in one place, the code.

A test that repeats a sentence of the app must be edited with it. So a test asserts the code of a
problem, the class of an error, the stored row, a key or a number, and of a message at most three
words that tell it from others. The tests whose subject is the sentence itself keep it, once; they
are counted here, and there are not to be more of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CEILING = 48  # 46 on 2026-11-28; only ever lower it: a test has other ways to say what it means
IN_A_ROW = 4
# A string in the call of any other function is what the test puts in, not what it expects.
COMPARING = {"any", "all", "startswith", "endswith", "count", "search", "match", "fullmatch"}

DOCSTRING = re.compile(r'"""[\s\S]*?"""')
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
STRINGS_BESIDE_EACH_OTHER = re.compile(r'"\s*\n\s*[fr]{0,2}"')
FIELD = re.compile(r"\{[^{}]*\}")  # of an f-string

Words = tuple[str, ...]


def words_in_a_row(text: str) -> set[Words]:
    """Every four words that follow one another; a number, a sign or an address ends the row."""
    tokens = [word.strip(".,;:!?()[]{}\"'*`“”…|^$") for word in text.replace("\\", "").split()]
    rows = zip(*(tokens[start:] for start in range(IN_A_ROW)), strict=False)
    return {row for row in rows if all(word[:1].isalpha() for word in row)}


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def is_name(text: str) -> bool:
    """Whether it is the value of a closed set (`genes of a disease`), not a sentence."""
    return text[:1].islower() and text[-1:].isalpha()


def sentences_of_the_app() -> tuple[set[Words], set[str]]:
    """The rows of words in its strings, without docstrings; and the strings that are names. Read
    from the source as text: to parse the whole app would take four times as long.
    """
    rows, names = set[Words](), set[str]()
    for path in [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        source = DOCSTRING.sub("", path.read_text(encoding="utf-8"))
        for text in STRING.findall(STRINGS_BESIDE_EACH_OTHER.sub("", source)):
            rows |= words_in_a_row(FIELD.sub(" 0 ", text))
            if is_name(text):
                names.add(text)
    return rows, names


def expected_strings(node: ast.AST) -> Iterator[str]:
    """The strings of an assertion that are compared with something."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        parts = ast.iter_child_nodes(node) if called in COMPARING else [node.func]
        for part in parts:
            yield from expected_strings(part)
    else:
        for part in ast.iter_child_nodes(node):
            yield from expected_strings(part)


def expected_of_test(test: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(test):
        if isinstance(node, ast.Assert):
            yield from expected_strings(node.test)
        elif isinstance(node, ast.keyword) and node.arg == "match":
            yield from strings(node.value)


def repeated_sentences() -> list[str]:
    rows, names = sentences_of_the_app()
    found = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                expected = [text for text in expected_of_test(node) if text not in names]
                if any(words_in_a_row(text) & rows for text in expected):
                    found.append(f"{path.relative_to(ROOT)}::{node.name}")
    return found


def test_a_sentence_of_an_assertion_is_seen_and_its_input_is_not() -> None:
    test = ast.parse(
        'def test_it():\n    assert ask("Which gene is this one?") == "No gene is called so."'
    ).body[0]
    assert isinstance(test, ast.FunctionDef)
    assert list(expected_of_test(test)) == ["No gene is called so."]
    assert words_in_a_row("1 of 3 was not read; try again.") == {
        ("was", "not", "read", "try"),
        ("not", "read", "try", "again"),
    }


def test_no_more_tests_repeat_the_sentences_of_the_app() -> None:
    found = repeated_sentences()
    assert len(found) <= CEILING, "\n".join(found)
