"""A rule is what marked examples share between their two ends."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.learning.rule_of_examples import ExamplePattern, pattern_of_examples


@pytest.mark.parametrize(
    ("first", "second", "direction", "pattern"),
    [
        ("<A> abrogates [B].", "<C> is abrogating the [D].", "S…O", "abrogat*"),
        ("<A> abrogates [B].", "<C> also abrogated [D].", "S…O", "~be abrogat*"),
        ("<A> puts a brake on [B].", "<C> put a strong brake on [D].", "S…O", "~be brake on"),
        ("<A> not only relieves [B].", "<C> relieved [D].", "S…O", "~be reliev*"),
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
        ["<A> controls [B].", "<C> contrasts [D]."],
    ],
)
def test_examples_that_share_nothing_make_no_rule(examples: list[str]) -> None:
    with pytest.raises(InputError):
        pattern_of_examples(examples)


@pytest.mark.parametrize("denied", ["did not relieve", "never relieved", "failed to relieve"])
def test_an_example_that_denies_makes_no_rule(denied: str) -> None:
    with pytest.raises(InputError, match="denies"):
        pattern_of_examples(["<A> relieves [B].", f"<C> {denied} [D]."])
