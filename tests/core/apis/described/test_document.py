"""A pasted document: plain data with lines, and nothing that unfolds."""

from __future__ import annotations

import json

import pytest

from core.apis.described.document import parse_document
from core.errors import InputError

BOMB = "a: &a [x, x]\n" + "".join(
    f"{anchor}: &{anchor} [*{last}, *{last}]\n"
    for last, anchor in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_parsed_document_gives_the_line_of_each_value():
    document = parse_document("a:\n  b:\n  - 1\n  - c: x\n")
    assert document.value == {"a": {"b": [1, {"c": "x"}]}}
    assert (document.line(("a", "b", 1, "c")), document.line(("a", "b", 0))) == (4, 3)
    assert document.line(("a", "nothing", "there")) == 1 and document.line(("z",)) == 0


def test_words_stay_words():
    text = "a: yes\nb: on\nc: 2020-01-31\nd: 0123\ne: '7'\nf: 1.5\ng: true\nh:\ni: 1e999"
    read = parse_document(text).value
    assert read == {
        "a": "yes",
        "b": "on",
        "c": "2020-01-31",
        "d": "0123",
        "e": "7",
        "f": 1.5,
        "g": True,
        "h": None,
        "i": "1e999",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: [", "Line 3: this is not YAML"),
        ("a: 1\n b: 2", "Line 2: this is not YAML"),
        ("a: 1\nb: 2\na: 3", "Line 3: 'a' appears twice"),
        ("a:\n  - &x [1]\n  - *x", "Line 2: YAML anchors"),
        (BOMB, "Line 1: YAML anchors"),
        ("a: !!python/object/apply:os.system [x]", "Line 1: YAML tags"),
        ("a: {b: 1, {c}: 2}", "Line 1"),
        ('{"a": 1,\n}', "Line 2: this is not JSON"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ("- a", "not a mapping"),
        ("", "not a mapping"),
        ("[" * 5000, "nested too deeply"),
        ('{"a": ' + "[" * 200_000, "nested too deeply"),
        ("a: " + "x" * 2_000_001, "at most 2,000,000 are read"),
        ("a:\n" + "- x\n" * 200_001, "too long"),
        ("a: \x00", "not YAML"),
    ],
    ids=lambda text: text[:20],
)
def test_unreadable_description_is_reported_with_its_line(text: str, message: str):
    with pytest.raises(InputError, match=message):
        parse_document(text)


def test_json_is_read_as_json():
    assert parse_document(json.dumps({"a": ["\t", 1]}, indent="\t")).value == {"a": ["\t", 1]}
