"""What a writer says was left out, and an answer that ends in the middle of a value."""

from __future__ import annotations

import json

import pytest

from core.text.elision import without_elision, without_unfinished


@pytest.mark.parametrize(
    ("words", "kept", "said"),
    [
        ("… (12 more)", "", "(12 more)"),
        ("eczema and 12 others", "eczema", "and 12 others"),
        ("TNF [truncated]", "TNF", "[truncated]"),
        ("interleukin 6 (IL-6)", "interleukin 6 (IL-6)", ""),
        ("5 more weeks of therapy", "5 more weeks of therapy", ""),
    ],
)
def test_words_for_what_was_left_out_are_no_value(words: str, kept: str, said: str) -> None:
    assert without_elision(words) == (kept, said)


@pytest.mark.parametrize(
    ("words", "kept", "said"),
    [
        ("therapy (2 more years of follow-up)", "therapy (2 more years of follow-up)", ""),
        ("drug (5 more months)", "drug (5 more months)", ""),
        ("TNF (20 other genes); IL-6 and 12 others", "TNF (20 other genes); IL-6", "and 12 others"),
        ("response [omitted data in 2 patients]", "response [omitted data in 2 patients]", ""),
        ("TNF (21 other genes)", "TNF", "(21 other genes)"),
        ("TNF, …", "TNF", "…"),
    ],
)
def test_what_stands_in_the_text_is_its_own_words(words: str, kept: str, said: str) -> None:
    source = (
        "A drug (5 more months) after therapy (2 more years of follow–up) raised TNF (20 other"
        " Genes) … and a response [omitted data in 2 patients]."
    )
    assert without_elision(words, source) == (kept, said)


@pytest.mark.parametrize(
    ("answer", "kept", "dropped"),
    [
        ("genes: PAH; GC", "genes: PAH", "GC"),
        ("genes: PAH; GCH1\nsymptoms: seiz", "genes: PAH; GCH1\nsymptoms:", "seiz"),
        ("genes: PA", "genes:", "PA"),
        ("genes: PAH; GCH1\n", "genes: PAH; GCH1\n", ""),
        ("description: It is rare.", "description: It is rare.", ""),
    ],
)
def test_the_unfinished_last_value_of_lines_is_dropped(
    answer: str, kept: str, dropped: str
) -> None:
    assert without_unfinished(answer) == (kept, dropped)


@pytest.mark.parametrize(
    ("answer", "kept", "dropped"),
    [
        ('{"genes": ["PAH", "GC', {"genes": ["PAH"]}, "GC"),
        ('```json\n{"genes": ["PAH"', {"genes": ["PAH"]}, ""),
        ('{"a": [{"name": "x", "value": 12', {"a": [{"name": "x"}]}, "12"),
        ('{"a": [{"name": "x"}, {"na', {"a": [{"name": "x"}, {}]}, "na"),
        ('{"a": "x\\"y', {}, 'x\\"y'),
        ('{"a": 1}', {"a": 1}, ""),
    ],
)
def test_json_that_was_cut_can_be_read_up_to_its_last_whole_value(
    answer: str, kept: object, dropped: str
) -> None:
    mended, unfinished = without_unfinished(answer)
    assert (json.loads(mended), unfinished) == (kept, dropped)
