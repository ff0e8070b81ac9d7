"""Runs of one character in a model's answer, as a repeating model or an attacker writes them."""

import pytest

from core.extraction import assemble, literal
from core.extraction.spires import triple_rows

LENGTH = 100_000  # a pattern that begins anew at each place takes minutes


@pytest.mark.parametrize("run", [" ", "\t", "-", "=", " -", " | "])
def test_a_long_run_without_an_arrow_is_not_a_link(run):
    assert "x" in triple_rows.LINK.split("a" + run * LENGTH + "x")[-1]


def test_a_long_run_of_spaces_joins_no_items():
    text = "a" + " " * LENGTH + "x"

    assert assemble.AND.split(text) == [text]


def test_a_long_run_of_digits_is_not_a_fraction():
    assert literal.FRACTION.search("1" * LENGTH) is None


@pytest.mark.parametrize("words", ["1" * 5_000 + "/2", "1/" + "3" * 5_000, "1" * 30 + "/3"])
def test_a_fraction_too_long_to_be_one_is_not_a_number(words):
    assert literal.read_number(words) is None


def test_fractions_and_links_are_read_as_before():
    assert str(literal.read_number("1 1/2")) == "1.5"
    assert triple_rows.LINK.split("a -->  b => c | d") == ["a", "b", "c", "d"]
