"""How deep JSON is nested: brackets in strings are none, and no text is read twice."""

from __future__ import annotations

import pytest

from core.kb.read.rdf_file import json_depth


@pytest.mark.parametrize(
    ("content", "depth"),
    [
        (b"", 0),
        (b"1", 0),
        (b"[]", 1),
        (b'{"a": [{}, [1, [2]]], "b": {}}', 4),
        (b'["[[[[", "\\"[[[", "\\\\", []]', 2),
        (b'["unfinished [[[', 1),
        (b'["unfinished \\', 1),
        (b"]]]][[", 0),
        (b"[" * 300_000, 300_000),
    ],
)
def test_depth_is_that_of_brackets_outside_strings(content: bytes, depth: int) -> None:
    assert json_depth(content) == depth


def test_string_without_end_is_read_once() -> None:
    assert json_depth(b'"' + b'\\"' * 2_000_000) == 0  # hours, if it were read from each quote
