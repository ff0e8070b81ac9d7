"""What a parameter of a Python call takes, in words that people read."""

from __future__ import annotations

import ast

import pytest

from core.apis import python_call, python_words
from core.apis.python_call import type_in_words


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        ("int", "a whole number"),
        ("float | None", "a number"),
        ("bool", ""),
        ("Name", "the name of a variable"),
        ("str | list[str]", "a text or texts"),
        ("list[int] | None", "whole numbers"),
        ("Literal['inner', 'outer']", "one of these"),
        ("dict[str, str]", "old and new, as type1=new1, type2=new2"),
    ],
)
def test_type_of_a_slot_is_described_in_plain_words(annotation: str, words: str):
    assert type_in_words(ast.parse(annotation, mode="eval").body) == words


def test_no_parameter_of_a_shipped_call_shows_a_type_of_python():
    descriptions = {
        str(shown_parameter.get("description", ""))
        for call in python_call.CALLS
        for shown_parameter in call.parameters.model_json_schema()["properties"].values()
    }
    assert not {
        text for text in descriptions if "[" in text or "|" in text or text in ("bool", "str")
    }


def test_a_question_names_its_call_though_a_value_is_missing():
    assert python_words.named_by("open a h5ad file") == "anndata-io-read-h5ad"
    assert python_words.named_by("make me a coffee") == ""
