"""Names that are written in short by a rule."""

from __future__ import annotations

import pytest

from core.grounding.match.reading import reading, readings


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("b-catenin", "beta-catenin"),
        ("a-tubulin", "alpha-tubulin"),
        ("b-thalassemia", "beta-thalassemia"),
        ("IFN-g", "IFN-gamma"),
        ("TNF-a", "TNF-alpha"),
        ("IL-1b", "IL-1-beta"),
        ("PKCalpha", "PKC-alpha"),
        ("PPARgamma2", "PPAR-gamma2"),
        ("C7-deficient", "complement component 7 deficiency"),
        ("C2 deficiency", "complement component 2 deficiency"),
    ],
)
def test_short_ways_of_writing_are_read_as_the_name(words: str, name: str) -> None:
    assert reading(words) == name


@pytest.mark.parametrize(
    "words", ["b-cell", "d-glucose", "beta-catenin", "c-jun", "alpha", "alphabet", "IFN", "C10"]
)
def test_other_words_stand_for_themselves(words: str) -> None:
    assert not reading(words)


def test_a_text_says_where_they_stand() -> None:
    text = "Nuclear b-catenin rose with IFN-g, not T-b-cateninlike."

    assert [(text[start:end], name) for start, end, name in readings(text)] == [
        ("b-catenin", "beta-catenin"),
        ("IFN-g", "IFN-gamma"),
    ]
