"""Where a quote stands: edges of words and characters, limits, and which place is first."""

from __future__ import annotations

import pytest

from core.model import Span
from core.text.quote import QuoteMatch, find_whole_words


def places(text: str, words: str, near_span: Span | None = None) -> list[tuple[int, int]]:
    match = find_whole_words(text, words, near_span=near_span, paraphrase=False)
    return [(span.start, span.end) for span in match.spans]


def test_missing_quote_has_no_score() -> None:
    assert find_whole_words("Aspirin helps.", "heparin") == QuoteMatch((), 0.0, "none")


@pytest.mark.parametrize(
    ("text", "words"), [("rac(+)-catechin", "(+)-catechin"), ("a Ca2+dependent step", "Ca2+")]
)
def test_a_sign_at_the_edge_ends_a_word(text: str, words: str) -> None:
    start = text.index(words)
    assert places(text, words) == [(start, start + len(words))]


@pytest.mark.parametrize("words", ["TNF-a", "TNF-al", "pha level", "pha"])
def test_a_part_of_a_greek_letter_is_not_a_quote(words: str) -> None:
    assert places("the TNFα level", words) == []


@pytest.mark.parametrize("text", ["α", "of α", "α is"])
def test_a_whole_greek_letter_is_found_by_its_name(text: str) -> None:
    start = text.index("α")
    assert places(text, "alpha") == [(start, start + 1)]


@pytest.mark.parametrize("marks", ["\u0300", "\u0301", "\u0301\u0308"])
@pytest.mark.parametrize("letters_after", ["", " clinic"])
def test_accents_that_follow_a_letter_belong_to_the_quote(marks: str, letters_after: str) -> None:
    assert places(f"the cafe{marks}{letters_after}", "CAFE") == [(4, 8 + len(marks))]


@pytest.mark.parametrize("words", ["CAG CAG", "cag cag"])
def test_repeats_are_counted_side_by_side(words: str) -> None:
    assert places("CAG CAG CAG CAG CAG", words) == [(0, 7), (8, 15)]


@pytest.mark.parametrize("words", ["AG CT AG", "ag ct ag"])
def test_a_hit_inside_a_word_hides_no_whole_hit_that_overlaps_it(words: str) -> None:
    assert places("TAG CT AG CT AG", words) == [(7, 15)]


def test_a_hit_one_letter_after_a_false_one_is_found_in_another_spelling() -> None:
    assert places("xa a a", "A A") == [(3, 6)]


def test_quotes_that_touch_are_both_found() -> None:
    assert places("5 %5 %", "5%") == [(0, 3), (3, 6)]


@pytest.mark.parametrize(
    ("text", "words", "count"),
    [
        ("cat. Cat", "cat", 2),
        ("cat. cAt", "cat", 1),
        ("cat. caT", "cat", 1),
        ("ACTH. acth", "ACTH", 1),
        ("COVID. covid", "COVID", 2),
    ],
)
def test_quote_ignores_case_from_five_letters_on(text: str, words: str, count: int) -> None:
    assert len(places(text, words)) == count


def test_the_quote_inside_the_span_nearby_comes_before_one_that_sticks_out() -> None:
    assert places("pain pain pain", "pain", Span(1, 14)) == [(5, 9), (0, 4), (10, 14)]
    assert places("pain pain pain", "pain", Span(4, 13)) == [(5, 9), (0, 4), (10, 14)]


@pytest.mark.parametrize("words", ["pain", "PAIN"])
def test_at_most_500_places_are_kept_and_the_nearest_is_among_them(words: str) -> None:
    spans = places("pain " * 501, words, Span(2500, 2504))
    assert spans[:2] == [(2500, 2504), (0, 4)]
    assert len(spans) == 500
    assert places("pain " * 501, words)[-1] == (499 * 5, 499 * 5 + 4)


def test_respelled_quotes_count_towards_the_500_places() -> None:
    assert len(places("aspirin " * 300 + "Aspirin " * 300, "aspirin")) == 500
