"""Keywords: WeiseEule's syntax, and matching that is safe for symbols."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.literature.index.tokens import text_units
from core.literature.query.keyword import (
    Keyword,
    fix_keywords,
    keyword_pattern,
    keyword_spans,
    merge_keywords,
    parse_query,
)
from core.model import Span


def words(question) -> list[tuple[str, bool]]:
    return [(keyword.text, keyword.fixed) for keyword in question.keywords]


def test_a_plain_question_names_no_keywords():
    assert parse_query("What does  p53 do?").text == "What does p53 do?"
    assert parse_query("What does p53 do?").keywords == ()


def test_stars_name_primary_and_secondary_keywords():
    question = parse_query("#What does **p53** do in *cell cycle* and *apoptosis*?")
    assert words(question) == [("p53", True), ("cell cycle", False), ("apoptosis", False)]
    assert question.text == "What does p53 do in cell cycle and apoptosis?"
    assert not question.strict


def test_two_hashes_require_the_primary_keywords():
    question = parse_query("##Is **MOF** in the **NSL complex**?")
    assert question.strict and words(question) == [("MOF", True), ("NSL complex", True)]


def test_a_keyword_starred_both_ways_is_primary():
    assert words(parse_query("#*tau* and **tau**")) == [("tau", True)]


def spans_in(keyword: Keyword, text: str) -> list[Span]:
    return keyword_spans([keyword], text)[keyword.text]


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("AROM+", "the AROM+ cells"),
        ("AROM+ cells", "the AROM+ cells"),
        ("Ca2+", "influx of Ca2+."),
        ("β-catenin", "beta-catenin and"),
        ("beta catenin", "β-catenin"),
        ("IL-10", "IL10"),
        ("IL10", "an IL-10 level"),
        ("IL-10", "IL 10"),
        ("p53", "(p53)"),
        ("TNF-α", "TNF alpha"),
        ("acute renal failure", "acute-renal failure"),
        ("mutation", "many mutations"),
        ("HLA-B*27", "HLA-B*27 carriers"),
    ],
)
def test_a_keyword_is_found_however_it_is_written(keyword, text):
    assert keyword_pattern(keyword).search(text)


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("AROM", "CHROMATIN AROMA"),
        ("IL-1", "IL-10"),
        ("p53", "p530"),
        ("10", "3.10"),
        ("renal failure", "renalfailure"),
        ("a.c", "abc"),
        ("(", "anything (here)?"[:8]),
    ],
)
def test_a_keyword_is_not_found_inside_another_thing(keyword, text):
    assert not keyword_pattern(keyword).search(text)


@pytest.mark.parametrize(
    ("symbol", "spelled_out"),
    [("NF-κB", "NFkB"), ("TGF-β1", "TGFB1"), ("TNF-α", "TNFa"), ("IL-10", "IL10")],
)
def test_a_symbol_is_one_with_and_without_greek_letters(symbol, spelled_out):
    assert spans_in(Keyword(symbol), f"the {spelled_out} path") == [Span(4, 4 + len(spelled_out))]
    assert spans_in(Keyword(spelled_out), f"the {symbol} path") == [Span(4, 4 + len(symbol))]


def test_case_is_distinguished_when_asked():
    assert spans_in(Keyword("Trp53"), "TRP53 and Trp53") != spans_in(
        Keyword("Trp53", case=True), "TRP53 and Trp53"
    )
    assert [s.start for s in spans_in(Keyword("Trp53", case=True), "TRP53 and Trp53")] == [10]


def test_spans_are_offsets_into_the_text_and_do_not_overlap():
    text = "Mutations of IL-10: an IL10 mutation."
    spans = spans_in(Keyword("IL-10", synonyms=("IL-10 mutation",)), text)
    assert [span.quote(text) for span in spans] == ["IL-10", "IL10 mutation"]


def test_a_regular_expression_in_a_keyword_is_text():
    assert spans_in(Keyword("(a+)+$"), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!") == []
    assert len(spans_in(Keyword(".*"), "a .* b")) <= 1


def test_chips_are_fixed_added_and_merged():
    chips = fix_keywords((Keyword("tau"), Keyword("MAPT")), ["TAU", "kinase"])
    assert [(c.text, c.fixed) for c in chips] == [("tau", True), ("MAPT", False), ("kinase", True)]
    merged = merge_keywords(chips, ["tau", "MAPT"])
    assert [(c.text, c.synonyms) for c in merged] == [("tau", ("MAPT",)), ("kinase", ())]


@pytest.mark.parametrize("query", ["10^6", "10⁶", "10<sup>6</sup>"])
@pytest.mark.parametrize("text", ["of 10^6 cells", "of 10⁶ cells", "of 10(6) cells"])
def test_a_power_of_ten_is_found_in_every_spelling(query, text):
    keyword = Keyword(parse_query(query).text)
    assert [span.quote(text) for span in spans_in(keyword, text)] == [text.split()[1]]
    assert set(text_units(parse_query(query).text)) == set(text_units(text)) - {"cell"}


@pytest.mark.parametrize("text", ["of 106 cells", "of 10^-6 cells", "of 10^65 cells", "10 6"])
def test_a_power_of_ten_is_not_another_number(text):
    assert spans_in(Keyword("10^6"), text) == []
    assert "10^6" not in text_units(text)


@given(
    st.lists(
        st.sampled_from(
            ["tau", "TAU-kinase", "IL-10", "il", "10", "β", "ß", "mutations", "(", ".", "2"]
        )
    ),
    st.sampled_from(["tau", "tau kinase", "IL-10", "mutation", "β", "il 10 10"]),
)
def test_a_keyword_is_found_where_its_units_stand_in_a_row(words, keyword):
    text = " ".join(words)
    whole = text_units(text)
    row = text_units(keyword)
    stands = any(whole[at : at + len(row)] == row for at in range(len(whole)))
    assert not stands or spans_in(Keyword(keyword), text)


@pytest.mark.parametrize("typed", ["5 x 10^6 cells", "5 X 10⁶ cells", "5x10<sup>6</sup> cells"])
def test_the_x_of_a_power_of_ten_is_a_sign(typed):
    assert parse_query(typed).text == "5 × 10^6 cells"


@pytest.mark.parametrize("typed", ["x chromosome in 10 women", "factor X 10 days later"])
def test_an_x_elsewhere_is_a_word(typed):
    assert parse_query(typed).text == typed
