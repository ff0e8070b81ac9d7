"""A quantity with a unit, and the variable that has it."""

from __future__ import annotations

import pytest

from core.extraction.builtin.measurement import measurements
from core.model import Span


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("the temperature was 66 °C", [("temperature", "66")]),
        ("a temperature of 66 °C and 68 °C", [("temperature", "66"), ("temperature", "68")]),
        ("the temperature rose in spring 2019", []),
        ("temperature and 16 types of genes", []),
        ("a temperature of 66", []),
        ("a temperature of 66 °C and 5 m", [("temperature", "66")]),  # another quantity
        ("temperature in the lake, 5 km away", []),
    ],
)
def test_a_number_is_a_measurement_with_a_unit_and_a_variable(
    text: str, read: list[tuple[str, str]]
) -> None:
    at = text.index("temperature")
    found = measurements(text, Span(0, len(text)), [Span(at, at + len("temperature"))])
    assert [(span.quote(text), quantity.value) for span, quantity in found] == read


@pytest.mark.parametrize("text", ["soil (pH 7.8) was", "the pH was 7.8", "a pH of 7.8"])
def test_ph_is_measured_in_no_unit(text: str) -> None:
    at = text.index("pH")
    found = measurements(text, Span(0, len(text)), [Span(at, at + 2)])
    assert [quantity.value for _, quantity in found] == ["7.8"]
