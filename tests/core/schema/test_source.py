"""YAML read without trust."""

from __future__ import annotations

import pytest

from core.schema.source import MAX_SCHEMA, BadSchema, read_source


def test_content_and_lines() -> None:
    source = read_source("name: a\nclasses:\n  A:\n    attributes:\n      b: {range: string}\n")
    assert source.data == {
        "name": "a",
        "classes": {"A": {"attributes": {"b": {"range": "string"}}}},
    }
    assert source.line("classes", "A", "attributes", "b", "range") == 5
    assert source.line("classes", "A", "nowhere") == 3


def test_words_stay_words() -> None:
    source = read_source(
        "description: No\nenums: {E: {permissible_values: {NO: {}, 1: {}, 2024-01-01:"
        " {}}}}\nrequired: yes"
    )
    assert source.data["description"] == "No"
    assert list(source.data["enums"]["E"]["permissible_values"]) == ["NO", "1", "2024-01-01"]
    assert source.data["required"] is True


def test_merged_parts_are_read() -> None:
    assert read_source("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}").data["b"] == {"x": 1, "y": 3}


def test_a_key_written_twice_is_reported() -> None:
    problem = read_source("a: 1\nb: 2\na: 3").problems[0]
    assert (problem.code, problem.where) == ("duplicate-key", "line 3")


BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BOMB, "yaml-bomb"),
        ("a: &a\n  b: *a\n", "yaml-bomb"),
        ("a: " + "[" * 500 + "]" * 500, "yaml-bomb"),
        ("a: " + "{b: " * 5000, "yaml-bomb"),
        ("just words", "not-a-schema"),
        ("- a\n- b", "not-a-schema"),
        ("", "not-a-schema"),
        ("a: b: c", "bad-yaml"),
        ("a: [1, 2", "bad-yaml"),
        ("a:\n\t- b", "bad-yaml"),
        ("a: 1\n---\nb: 2", "bad-yaml"),
        ("a: *nowhere", "bad-yaml"),
        ("a: !!python/object/apply:os.system [ls]", "bad-yaml"),
        ("? [a, b]\n: c", "bad-yaml"),
        ("a: \x07", "bad-yaml"),
        ("a\0b: c", "bad-yaml"),
        ("a: " + "x" * MAX_SCHEMA, "bad-yaml"),
    ],
)
def test_broken_and_bomb_yaml_is_refused_with_its_code(text: str, code: str) -> None:
    with pytest.raises(BadSchema) as refused:
        read_source(text, "mine.yaml")
    assert refused.value.code == code
    assert "mine.yaml" in str(refused.value)


def test_the_line_is_named() -> None:
    with pytest.raises(BadSchema, match="line 3"):
        read_source("a: 1\nb: 2\nc: d: e\n")
