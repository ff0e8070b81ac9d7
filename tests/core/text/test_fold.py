"""Text folded for comparison."""

from __future__ import annotations

import pytest

from core.text.fold import fold_text, fold_with_offsets
from core.text.quote import find_whole_words


@pytest.mark.parametrize(
    ("one_spelling", "another"),
    [
        ("COX-2", "cox2"),
        ("TNF-α", "TNF alpha"),
        ("Sjögren’s", "Sjogren's"),
        ("10⁶ cells", "10^6 cells"),
        ("10¹² cells", "10^12 cells"),
        ("10⁻⁶ M", "10^-6 M"),
        ("10⁻⁶ M", "10^−6 M"),
        ("10–20 mg", "10-20 mg"),
        ("Ca²⁺", "Ca2+"),
        ("Cl⁻ channel", "Cl-channel"),
        ("non－small\u00a0cell", "nonsmall cell"),
        ("e\u0301tude", "étude"),
    ],
)
def test_spellings_of_the_same_words_fold_alike(one_spelling: str, another: str) -> None:
    assert fold_text(one_spelling) == fold_text(another)


@pytest.mark.parametrize(
    ("one_number", "another"),
    [
        ("10⁶", "106"),
        ("10^6", "106"),
        ("10⁻⁶", "10⁶"),
        ("10^-6", "10^6"),
        ("10-20", "1020"),
        ("10–20", "1020"),
    ],
)
def test_different_numbers_never_fold_alike(one_number: str, another: str) -> None:
    assert fold_text(one_number) != fold_text(another)


def test_a_quote_with_another_number_is_not_found_but_for_spelling() -> None:
    text = "We injected 10⁶ cells into each mouse."
    assert find_whole_words(text, "10^6 cells").kind == "folded"
    assert find_whole_words(text, "106 cells").kind != "folded"


def test_offsets_lead_back_to_the_characters_of_a_number() -> None:
    text = "a 10⁻⁶ b"
    folded = fold_with_offsets(text)
    place = folded.text.index("10^-6")
    assert (folded.origin[place], folded.origin[place + 4]) == (2, 5)


def test_offsets_skip_what_is_dropped_and_repeat_for_a_letter_that_becomes_a_word() -> None:
    assert fold_with_offsets("a-β c").text == "abetac"
    assert fold_with_offsets("a-β c").origin == (0, 2, 2, 2, 2, 4)
    assert fold_with_offsets("").origin == ()
