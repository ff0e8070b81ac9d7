from __future__ import annotations

from core.model import Category, Span
from pages.components.shared.text import MarkedWords, excerpt, highlighted_html


def test_markup_in_a_text_is_escaped() -> None:
    html = highlighted_html("<script>alert(1)</script> & more", [])
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_mark_carries_category_state_and_words_on_hover() -> None:
    html = highlighted_html(
        "aspirin helps",
        [MarkedWords(Span(0, 7), Category.CHEMICAL, 'a "quoted" title', "ambiguous")],
    )
    assert 'class="gw-mark gw-chemical gw-dashed"' in html
    assert "&quot;quoted&quot;" in html


def test_the_first_and_longer_of_overlapping_marks_stays() -> None:
    html = highlighted_html(
        "renal failure",
        [MarkedWords(Span(0, 5)), MarkedWords(Span(0, 13)), MarkedWords(Span(6, 13))],
    )
    assert html.count("gw-mark") == 1


def test_the_focus_goes_before_overlapping_marks() -> None:
    html = highlighted_html(
        "renal failure", [MarkedWords(Span(0, 13)), MarkedWords(Span(6, 13), focus=True)]
    )
    assert "gw-focus" in html


def test_spans_beyond_the_text_are_clipped() -> None:
    assert highlighted_html("ab", [MarkedWords(Span(1, 99))]).endswith("b</span></div>")


def test_every_character_of_the_text_is_kept() -> None:
    html = highlighted_html("a b c", [(Span(2, 3), Category.GENE, "", "grounded")])
    assert "".join(part.split("<")[0] for part in html.split(">")) == "a b c"


def test_an_excerpt_cuts_at_white_space() -> None:
    words, offset = excerpt("alpha beta gamma delta", Span(11, 16), 7)
    assert words == "alpha beta gamma delta"[offset : offset + len(words)]
    assert not words.startswith(("lpha", "eta"))
