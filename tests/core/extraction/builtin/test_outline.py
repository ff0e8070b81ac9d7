from __future__ import annotations

from core.extraction.builtin import outline

RECIPE = """Lentil soup

Ingredients
- 200 g lentils
- 1 onion, chopped

Method
1. Chop the onion.
2. Simmer for 20 minutes.
"""


def quotes(text: str, name: str) -> list[str]:
    return [span.quote(text) for span in outline.list_items(text, (name,))]


def test_list_lines_belong_to_the_heading_above() -> None:
    assert quotes(RECIPE, "ingredients") == ["200 g lentils", "1 onion, chopped"]


def test_a_heading_may_say_a_slot_in_other_words() -> None:
    assert quotes(RECIPE, "steps") == ["Chop the onion.", "Simmer for 20 minutes."]


def test_an_inline_list_is_split() -> None:
    assert quotes("Ingredients: 1 onion; 2 carrots.", "ingredients") == ["1 onion", "2 carrots"]


def test_no_heading_no_items() -> None:
    assert quotes(RECIPE, "utensils") == []


def test_the_title_is_the_first_line() -> None:
    assert outline.title_line("\n" + RECIPE).quote("\n" + RECIPE) == "Lentil soup"


def test_a_value_stands_after_its_name() -> None:
    text = "Soil sample\nSite name: Lake Oro\n"
    site = outline.value_after(text, outline.Span(0, len(text)), ("site_name",))
    assert site is not None
    assert site.quote(text) == "Lake Oro"
