import time

import pytest

from core.text.pattern import find_word, pattern_matches, why_unusable


def test_pattern_that_backtracks_in_python_is_matched_in_linear_time():
    began = time.monotonic()
    assert not pattern_matches("^(a+)+$", "a" * 20_000 + "!")
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "[", "(?:(?:a{900}){900}){900}"])
def test_pattern_that_cannot_be_checked_says_why_and_excludes_nothing(pattern):
    assert why_unusable(pattern)
    assert pattern_matches(pattern, "anything")


def test_pattern_of_an_identifier_is_checked():
    assert pattern_matches(r"^GO:\d{7}$", "GO:0008150")
    assert not pattern_matches(r"^GO:\d{7}$", "GO:815")


def test_found_word_has_offsets_in_code_points_and_touches_no_letter():
    assert find_word(r"^\d+ mg$", "éé15 mg, 10 mg", 0, 14) == (9, 14)
    assert find_word("5", "15 5", 1, 4) == (3, 4)
    assert find_word("5", "15", 1, 2) is None
