"""Drugs that no vocabulary has, by the ending of their international name."""

from __future__ import annotations

import pytest

from core.extraction.builtin.drug_names import drug_problems, drugs_without_term
from core.grounding.constraint.constraint import Constraint
from core.model import Category, Span

KINDS = {
    "Disease": Constraint(("mondo",), category=Category.DISEASE),
    "Chemical": Constraint(("chebi",), category=Category.CHEMICAL),
}


def names(text: str, *taken: Span) -> list[str]:
    return [group.spans[0].quote(text) for group in drugs_without_term(text, KINDS, taken)]


def test_drug_is_recognised_by_its_ending():
    text = "Trastuzumab and osimertinib, then trastuzumab; etanercept and semaglutide."
    groups = drugs_without_term(text, KINDS, ())
    assert names(text) == ["Trastuzumab", "osimertinib", "etanercept", "semaglutide"]
    assert len(groups[0].spans) == 2 and not groups[0].candidates
    assert {group.cls for group in groups} == {"Chemical"}


@pytest.mark.parametrize(
    "word",
    ["concept", "except", "April", "somatostatin", "cystatin", "gelatin", "alcohol", "cholesterol",
     "protocol", "cocaine", "imidazole", "antibody", "vocabulary", "interferon"],
)  # fmt: skip
def test_words_without_a_drug_ending_are_no_drug_names(word: str):
    assert names(f"The {word} was used.") == []


def test_a_name_that_a_vocabulary_has_is_left_to_it():
    assert names("Trastuzumab helps.", Span(0, 11)) == []


def test_a_schema_without_chemicals_has_no_drugs():
    assert drugs_without_term("trastuzumab", {"Disease": KINDS["Disease"]}, ()) == []


def test_page_lists_mentions_without_a_term():
    text = "Trastuzumab helps."
    [problem] = drug_problems(text, drugs_without_term(text, KINDS, ()))
    assert "Trastuzumab" in problem.message
    assert drug_problems(text, []) == []
