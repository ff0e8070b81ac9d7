from __future__ import annotations

import pytest

from core.extraction.quantity import find_quantities
from core.model import Span


@pytest.mark.parametrize(
    ("text", "value", "ucum"),
    [
        ("200 g flour", "200", "g"),
        ("1 1/2 cups milk", "1.5", "[cup_us]"),
        ("½ tsp salt", "0.5", "[tsp_us]"),
        ("two eggs", "2", ""),
        ("1,000 mg", "1000", "mg"),
        ("180 °C", "180", "Cel"),
        ("2-3 carrots", "2-3", ""),
        ("50-mg bolus", "50", "mg"),
    ],
)
def test_numbers_and_units(text: str, value: str, ucum: str) -> None:
    quantity = next(find_quantities(text, Span(0, len(text))))
    assert (quantity.value, quantity.ucum) == (value, ucum)


def test_a_unit_is_a_whole_word() -> None:
    assert next(find_quantities("2 garlic cloves", Span(0, 15))).ucum == ""


def test_digits_inside_a_name_are_no_quantity() -> None:
    assert not list(find_quantities("IL6 and p53", Span(0, 11)))
