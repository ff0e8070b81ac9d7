"""Finding words in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Span
from core.text.quote import find_whole_words


def quotes(text: str, words: str) -> list[str]:
    return [span.quote(text) for span in find_whole_words(text, words).spans]


def test_every_occurrence_is_found() -> None:
    spans = find_whole_words("TNF rose. TNF fell.", "TNF")
    assert (spans.spans, spans.score, spans.kind) == ((Span(0, 3), Span(10, 13)), 1.0, "exact")


@pytest.mark.parametrize("text", ["concatenated", "scat", "cats", "cat5"])
def test_a_hit_inside_a_word_does_not_count(text: str) -> None:
    assert find_whole_words(text, "cat", paraphrase=False).kind == "none"


def test_il_1_is_not_il_10() -> None:
    assert quotes("IL-10 and IL-1 rose", "IL-1") == ["IL-1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the NF-κB pathway", "NF-kappa B"),
        ("Crohn’s disease", "crohn's disease"),
        ("beta-blocker use", "beta blocker"),
        ("acute\nkidney   injury", "acute kidney injury"),
        ("Sjögren syndrome", "Sjogren syndrome"),
        ("TNFα level", "TNF-alpha"),
        ("non‑small cell", "non-small cell"),
        ("the ASPIRIN group", "aspirin."),
    ],
)
def test_spelling_is_folded(text: str, words: str) -> None:
    spans = find_whole_words(text, words)
    assert spans.kind == "folded"
    assert spans.score == 0.95


def test_exact_quotes_come_before_other_spellings() -> None:
    assert quotes("Aspirin helps; aspirin hurts.", "aspirin") == ["aspirin", "Aspirin"]


def test_a_short_name_in_another_case_is_another_word() -> None:
    assert quotes("ALL is rare. Not all know ALL.", "ALL") == ["ALL", "ALL"]


def test_a_paraphrase_is_scored() -> None:
    text = "In this cohort, inflammation of the large intestine was common. Nothing else was."
    spans = find_whole_words(text, "large intestinal inflammation of the cohort")
    assert spans.kind in ("paraphrase", "none")
    spans = find_whole_words(text, "large intestine inflammation")
    assert spans.kind == "paraphrase"
    assert spans.spans[0].quote(text) == "inflammation of the large intestine"
    assert 0.55 <= spans.score <= 0.9


def test_quote_that_is_not_in_the_text_is_not_found() -> None:
    assert not find_whole_words("Nothing about it here.", "cardiac asystole")


def test_common_words_alone_are_no_paraphrase() -> None:
    assert not find_whole_words("It was the best of the times.", "the of it was in the")


def test_a_place_nearby_is_preferred() -> None:
    text = "pain here; pain there; pain everywhere"
    assert find_whole_words(text, "pain", near_span=Span(11, 21)).spans[0] == Span(11, 15)


@pytest.mark.parametrize("words", ["", "  ", "...", "\n"])
def test_empty_quote_is_found_nowhere(words: str) -> None:
    assert not find_whole_words("some text.", words)


@pytest.mark.parametrize(
    "words", ["HLA-B*27", "{braces}", 'say "it"', "α", "5 mg/kg", "(+)-catechin"]
)
def test_quote_finds_words_with_special_signs(words: str) -> None:
    text = f"with {words} and more"
    assert quotes(text, words)[0] == words


TEXT = st.text(alphabet=st.sampled_from("abAB αβ-'’1.,\n é"), min_size=1, max_size=80)


@given(TEXT, st.text(alphabet=st.sampled_from("abAB α-'1 "), max_size=6))
def test_offsets_are_in_the_text_and_cut_no_word(text: str, words: str) -> None:
    for span in find_whole_words(text, words).spans:
        assert 0 <= span.start < span.end <= len(text)
        assert span.start == 0 or not (
            text[span.start - 1].isalnum() and text[span.start].isalnum()
        )
        assert span.end == len(text) or not (
            text[span.end - 1].isalnum() and text[span.end].isalnum()
        )


@given(TEXT, st.data())
def test_word_taken_from_a_text_is_found_exactly(text: str, data: st.DataObject) -> None:
    words = text.split()
    if words:
        word = data.draw(st.sampled_from(words))
        if any(c.isalnum() for c in word):
            assert find_whole_words(text, word).kind == "exact"
            assert find_whole_words(text, word).spans[0].quote(text) in (word, word.strip("'.,’"))


def test_words_are_found_at_the_end_of_a_million_characters() -> None:
    text = (
        "The drug (Fig. 2) lowered IL-6 by 3.5 fold in E. coli infected mice. " * 15_000
        + "Sjögren’s end."
    )
    assert find_whole_words(text, "Sjogren's end").kind == "folded"
    assert find_whole_words(text, "end of the syndrome of Sjogren").kind in ("paraphrase", "none")
