"""A quote that leaves the negation of its clause behind."""

from __future__ import annotations

import pytest

from core.model import Span
from core.text.cut_negation import cut_negation


@pytest.mark.parametrize(
    ("text", "quote", "negation"),
    [
        ("There is no evidence that aspirin reduces stroke.", "aspirin reduces stroke", "no"),
        ("Aspirin did not reduce stroke.", "reduce stroke", "not"),
        ("The drug failed to lower pressure.", "lower pressure", "failed to"),
        ("A rise of tau was not seen.", "A rise of tau", "not"),
        ("Neither A nor B reduced pain.", "A nor B reduced pain", "Neither"),
        ("It did not clot, nor did it bleed.", "nor did it bleed", ""),
        ("Ibuprofen hardly lowers fever.", "lowers fever", "hardly"),
        ("The claim that zinc cures colds was refuted.", "zinc cures colds", "refuted"),
        ("No one died; aspirin reduces stroke.", "aspirin reduces stroke", ""),
        ("It did not bleed, but aspirin reduces stroke.", "aspirin reduces stroke", ""),
        ("Aspirin did not reduce stroke.", "Aspirin did not reduce stroke", ""),
        ("Not only did it heal, aspirin reduces stroke.", "aspirin reduces stroke", ""),
        ("He did not die. Aspirin reduces stroke.", "Aspirin reduces stroke", ""),
    ],
)
def test_the_negation_outside_a_quote_is_named(text, quote, negation):
    start = text.index(quote)
    assert cut_negation(text, Span(start, start + len(quote))) == negation
