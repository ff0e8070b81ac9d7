"""Abbreviations defined in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.abbreviation import find_abbreviations


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("Levels of tumour necrosis factor (TNF) rose.", "TNF", "tumour necrosis factor"),
        ("We gave TNF (tumour necrosis factor) to mice.", "TNF", "tumour necrosis factor"),
        (
            "heat shock transcription factor 1 (HSF1) acts",
            "HSF1",
            "heat shock transcription factor 1",
        ),
        ("Interleukin-6 (IL-6) was high", "IL-6", "Interleukin-6"),
        (
            "patients with inflammatory bowel disease (IBD; n = 5)",
            "IBD",
            "inflammatory bowel disease",
        ),
        ("non-small cell lung cancer (NSCLC)", "NSCLC", "non-small cell lung cancer"),
        ("transforming growth factor β (TGFβ)", "TGFβ", "transforming growth factor β"),
        (
            "was attenuated adenomatous polyposis coli (AAPC)",
            "AAPC",
            "attenuated adenomatous polyposis coli",
        ),
        ("on combined oral contraceptives (COCs).", "COCs", "combined oral contraceptives"),
        ("effect of phenobarbital (PB: 15 mg)", "PB", "phenobarbital"),
    ],
)
def test_abbreviation_definitions_give_short_and_long_form(
    text: str, short: str, long: str
) -> None:
    definitions = find_abbreviations(text)
    assert definitions[short].long == long
    assert definitions[short].long_span.quote(text) == long
    assert definitions[short].short_span.quote(text) == short


@pytest.mark.parametrize(
    "text", ["It fell (see Fig. 2).", "in mice (n = 12)", "growth (P < 0.05)", "(A)", "end ()"]
)
def test_other_parentheses_define_nothing(text: str) -> None:
    assert find_abbreviations(text) == {}


def test_the_first_definition_counts() -> None:
    text = "atrial fibrillation (AF) … amniotic fluid (AF)"
    assert find_abbreviations(text)["AF"].long == "atrial fibrillation"


@given(st.text(alphabet=st.sampled_from("abcABC ()[]1-.αβ\n"), max_size=120))
def test_spans_are_exact(text: str) -> None:
    for definition in find_abbreviations(text).values():
        assert definition.long_span.quote(text) == definition.long
        assert definition.short_span.quote(text) == definition.short
