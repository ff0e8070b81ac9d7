"""Where in the text of a stored answer a field stands."""

from __future__ import annotations

import pytest

from core.text.json_pointer import pointer_span

TEXT = '{"a": {"b/c": [1, {"d": "PSMB10, \\"x\\""}], "e": "PSMB10"},\n "f": [[], "last"]}'


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/a/b~1c/0", "1"),
        ("/a/b~1c/1/d", '"PSMB10, \\"x\\""'),
        ("/a/e", '"PSMB10"'),
        ("/f/1", '"last"'),
        ("/f/0", "[]"),
    ],
)
def test_the_value_at_a_pointer(pointer: str, value: str):
    span = pointer_span(TEXT, pointer)
    assert span is not None and span.quote(TEXT) == value


@pytest.mark.parametrize("pointer", ["/a/nothing", "/f/7", "/a/e/deeper", "line 3", ""])
def test_a_pointer_to_nothing_falls_back_to_the_words(pointer: str):
    span = pointer_span(TEXT, pointer, "last")
    assert span is not None and span.quote(TEXT) == "last"
    assert pointer_span(TEXT, pointer, "las") is None and pointer_span(TEXT, pointer) is None


@pytest.mark.parametrize("text", ['{"a": {"b": ', "<xml/>", "", "[" * 50_000])
def test_broken_answers_have_no_place(text: str):
    assert pointer_span(text, "/a/b") is None
