"""Sentences, windows and chunks."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Span
from core.text.sentence import (
    overlapping_pieces,
    sentence_at,
    sentence_context,
    sentence_windows,
    split_sentences,
)

TEXTS = st.text(alphabet=st.sampled_from("abE1 .!?\n-()\"'α,;:µ\t中。"), max_size=300) | st.text(
    max_size=200
)


def split(text: str) -> list[str]:
    return [span.quote(text) for span in split_sentences(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Growth of E. coli was slow.",
        "Levels rose 3.5 fold (Fig. 2A).",
        "Smith et al. showed it, i.e. the effect, in mice.",
        "Doses (e.g. 5 mg) were given at 0.5 mg/kg vs. placebo.",
        "Dr. J. Watson and F. H. Crick wrote it.",
        "Streptomyces sp. strain A7 grew.",
        "It was given i.v. and p.o. to rats.",
        "See no. 5 of vol. 3.",
    ],
)
def test_a_stop_inside_a_sentence_does_not_end_it(sentence: str) -> None:
    assert split(sentence + " The next one follows.") == [sentence, "The next one follows."]


def test_gene_names_may_begin_a_sentence() -> None:
    assert split("It was lost. p53 was kept. mTOR rose.") == [
        "It was lost.",
        "p53 was kept.",
        "mTOR rose.",
    ]


def test_a_number_goes_with_what_it_numbers() -> None:
    assert split("Two aims. 1. To see. 2. To know.") == ["Two aims.", "1. To see.", "2. To know."]


def test_a_unit_does_not_begin_a_sentence() -> None:
    assert len(split("We gave 5 mg. kg(-1). min(-1) of it.")) == 1


def test_vitamin_d_may_end_a_sentence() -> None:
    assert split("They lacked vitamin D. The others did not.")[0] == "They lacked vitamin D."


def test_headings_and_list_items_stand_alone() -> None:
    text = "Ingredients\n- 2 cups flour\n- 1 egg\n\nMethod\n1. Mix. Stir well.\n2. Bake."
    assert split(text) == [
        "Ingredients", "- 2 cups flour", "- 1 egg", "Method", "1. Mix.", "Stir well.", "2. Bake.",
    ]  # fmt: skip


def test_sentence_wrapped_over_two_lines_stays_one() -> None:
    text = (
        "This is a long line of an abstract that was wrapped at a column\nand goes on here. Second."
    )
    assert len(split(text)) == 2


@given(TEXTS)
def test_no_character_is_lost_and_none_is_in_two_sentences(text: str) -> None:
    covered = [i for span in split_sentences(text) for i in range(span.start, span.end)]
    assert covered == sorted(set(covered))
    assert {i for i, c in enumerate(text) if not c.isspace()} <= set(covered)


@given(TEXTS)
def test_sentences_have_no_outer_space(text: str) -> None:
    assert all(quote and quote == quote.strip() for quote in split(text))


@given(TEXTS, st.integers(1, 5), st.integers(0, 4))
def test_windows_hold_every_sentence(text: str, size: int, overlap: int) -> None:
    runs = sentence_windows(text, size, overlap)
    assert all(
        any(r.start <= s.start and s.end <= r.end for r in runs) for s in split_sentences(text)
    )


@given(TEXTS, st.integers(1, 60), st.integers(0, 30))
def test_chunks_lose_nothing_and_cut_no_word(text: str, characters: int, overlap: int) -> None:
    pieces = overlapping_pieces(text, characters, overlap)
    covered = {i for span in pieces for i in range(span.start, span.end)}
    assert {i for i, c in enumerate(text) if not c.isspace()} <= covered
    for offset in {edge for span in pieces for edge in (span.start, span.end)}:
        assert offset in (0, len(text)) or not (
            text[offset - 1].isalnum() and text[offset].isalnum()
        )


def test_chunks_end_with_sentences_where_they_can() -> None:
    text = "One two three four. Five six seven eight. Nine ten eleven."
    assert [c.quote(text) for c in overlapping_pieces(text, 45, 0)] == [
        "One two three four. Five six seven eight.", "Nine ten eleven.",
    ]  # fmt: skip


def test_the_last_sentence_is_in_a_window() -> None:
    text = "A b. C d. E f. G h. I j."
    assert [w.quote(text) for w in sentence_windows(text.replace(" b", "bb"), 2, 0)][-1].endswith(
        "j."
    )


def test_the_sentence_of_a_span_and_its_neighbours() -> None:
    text = "First one here. Second one here. Third one here."
    span = Span(text.index("Second"), text.index("Second") + 3)
    assert sentence_at(text, span).quote(text) == "Second one here."
    assert [s.quote(text) for s in sentence_context(text, span)] == [
        "First one here.",
        "Second one here.",
        "Third one here.",
    ]


def test_a_million_characters_are_cut_whole() -> None:
    text = "The drug (Fig. 2) lowered IL-6 by 3.5 fold in E. coli infected mice. " * 15_000
    assert len(split_sentences(text)) == 15_000
    assert overlapping_pieces(text, 2000, 200)[-1].end == len(text.rstrip())


def test_a_long_run_without_spaces_is_not_a_trap() -> None:
    assert overlapping_pieces("x" * 100_000, 1000, 100) == [Span(0, 100_000)]
    assert len(overlapping_pieces("x-" * 50_000, 1000, 100)) < 200


PROSE = (
    "Prednisone was given to twelve rats for a week and none of them gained weight in that time,"
    " which is odd."
)


@pytest.mark.parametrize(
    "title",
    [
        "Steroids",
        "Adverse effects and benefits of common drugs: a teaching text",
        (
            "Long use of steroids in old rats, and what became of their bones in the years that"
            " came after it was stopped"
        ),
    ],
)
def test_a_title_without_a_full_stop_stands_alone(title: str) -> None:
    assert split(f"{title}\n{PROSE}") == [title, PROSE]
    assert split(f"{title}\n\n{PROSE}") == [title, PROSE]
    assert split(f"{title}\nThe rats slept.") == [title, "The rats slept."]


def test_a_heading_stands_alone_in_a_page_of_wrapped_lines() -> None:
    lines = textwrap.wrap(PROSE * 3, 70)
    assert split("\n".join([*lines, "What we saw", *lines])).count("What we saw") == 1


@pytest.mark.parametrize("width", [38, 50, 72, 90])
def test_lines_wrapped_in_mid_sentence_join_before_names_too(width: int) -> None:
    names = (
        "We saw that Prednisone and Warfarin with Ibuprofen gave Tim's rats less Factor X and more"
        " of Wnt than before. "
    )
    text = (names + "Later on p53 rose in all of the rats that had been given it by mouth. ") * 4
    assert len(split("\n".join(textwrap.wrap(text, width)))) == 8


def test_lines_of_a_list_without_marks_stand_alone() -> None:
    items = [
        "Patients with chronic kidney disease",
        "Children below the age of twelve",
        "Pregnant women and mothers",
    ]
    assert split("\n".join(items)) == items


def test_a_single_capital_after_a_word_or_a_number_is_not_an_initial() -> None:
    assert len(split("It blocks complex I. Inhibition of it kills.")) == 2
    assert len(split("The site lies at 8.6 E. Samples were taken.")) == 2
    assert len(split("It was 12 mg/L. DNA was read.")) == 2
    assert len(split("It was shown by J. Watson and by F. H. Crick. They agreed.")) == 2
