from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from core.model import Category, Literal, Modality, Node, Outcome, Qualifier, State, Statement, Term
from pages.components.shared.style import ON_PRIMARY_DARK, stylesheet
from pages.components.shared.term import (
    CATEGORY_COLOURS,
    OUTCOME_ICONS,
    STATE_ICONS,
    curie_html,
    statement_html,
    statement_label,
    term_html,
    thing_label,
)

ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
PAIN = Term("", "pain", Category.DISEASE)


def test_a_relation_named_in_capitals_reads_as_words():
    statement = Statement(ASPIRIN, Term("RO:0002200", "HAS_FEATURE", Category.RELATION), PAIN)
    assert statement_label(statement) == "aspirin has feature pain"
    assert ">has feature<" in statement_html(statement)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other_colour: str) -> float:
    high, low = sorted((luminance(colour), luminance(other_colour)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("category", list(Category))
def test_every_category_has_a_colour_that_can_be_read(category: Category) -> None:
    assert contrast(CATEGORY_COLOURS[category].light, "#FFFFFF") >= 4.5
    assert contrast(CATEGORY_COLOURS[category].dark, "#121818") >= 4.5


def test_no_two_categories_share_a_colour() -> None:
    assert len({colour.light for colour in CATEGORY_COLOURS.values()}) == len(Category)


def test_every_outcome_and_state_has_an_icon_of_its_own() -> None:
    assert set(OUTCOME_ICONS) == set(Outcome)
    assert len(set(STATE_ICONS.values())) == len(State)


def test_a_label_comes_first_then_its_id_with_a_link() -> None:
    html = term_html(ASPIRIN)
    assert html.index("aspirin") < html.index("CHEBI:15365")
    assert 'href="https://' in html


def test_a_term_without_id_says_so() -> None:
    assert "no id" in term_html(PAIN)


@pytest.mark.parametrize(
    "label", ['"><img src=x onerror=alert(1)>', "</script><script>", "a & b\n<b>"]
)
def test_labels_and_ids_are_escaped(label: str) -> None:
    assert "<img" not in term_html(Term("", label)) and "<script" not in term_html(Term("", label))
    assert "<img" not in curie_html(label) and "<b>" not in curie_html(label)


def test_a_negated_hypothesis_shows_both() -> None:
    statement = Statement(
        ASPIRIN, Term("", "treats"), PAIN, negated=True, modality=Modality.HYPOTHESIS
    )
    assert "not" in statement_html(statement) and "hypothesis" in statement_html(statement)
    assert statement_label(statement) == "aspirin NOT treats pain (hypothesis)"


def test_qualifiers_are_spelled_out() -> None:
    statement = Statement(
        ASPIRIN,
        Term("", "treats"),
        PAIN,
        qualifiers=(Qualifier("object_qualifier", Literal("severe")),),
    )
    assert "object qualifier: " in statement_html(statement)


def test_nodes_and_literals_have_words() -> None:
    assert thing_label(Node("n1-1", "Ingredient", "200 g lentils")) == "200 g lentils [Ingredient]"
    assert thing_label(Literal("200", "xsd:decimal", "g")) == "200 g"


def test_the_words_of_a_main_button_can_be_read_in_the_dark():
    config = (Path(__file__).resolve().parents[4] / ".streamlit/config.toml").read_text()
    theme = tomllib.loads(config)["theme"]["dark"]
    assert contrast(ON_PRIMARY_DARK, theme["primaryColor"]) >= 4.5
    assert ON_PRIMARY_DARK in stylesheet(True)
    assert ON_PRIMARY_DARK not in stylesheet(False)
