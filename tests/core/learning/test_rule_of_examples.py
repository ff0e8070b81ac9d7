"""A rule is what marked examples share between their two ends."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.learning.rule_of_examples import ExamplePattern, pattern_of_examples


@pytest.mark.parametrize(
    ("first", "second", "direction", "pattern"),
    [
        ("<A> abrogates [B].", "<C> is abrogating the [D].", "S…O", "abrogat*"),
        ("<A> puts a brake on [B].", "<C> put a strong brake on [D].", "S…O", "brake on"),
        (
            "[B] is under the direct control of <A>.",
            "[D] was under tight control of the kinase <C>.",
            "O…S",
            "under ..2 control of",
        ),
    ],
)
def test_shared_words_are_the_pattern(
    first: str, second: str, direction: str, pattern: str
) -> None:
    assert pattern_of_examples([first, second]) == ExamplePattern(direction, pattern)
    assert pattern_of_examples([second, first]) == ExamplePattern(direction, pattern)


@pytest.mark.parametrize(
    "examples",
    [
        ["<A> abrogates [B]."],
        ["<A> of the [B].", "<C> of the [D]."],
        ["<A> kills [B].", "[D] kills <C>."],
        ["A kills [B].", "<C> kills [D]."],
        ["<A> kills [B] and [E].", "<C> kills [D]."],
        ["<A> kills [B].", "<C> feeds [D]."],
    ],
)
def test_examples_that_share_nothing_make_no_rule(examples: list[str]) -> None:
    with pytest.raises(InputError):
        pattern_of_examples(examples)
