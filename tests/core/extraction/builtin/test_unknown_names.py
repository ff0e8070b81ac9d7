"""Names that no vocabulary has, by their place and their shape."""

from __future__ import annotations

import pytest

from core.extraction.builtin.unknown_names import unknown_name_problems, unknown_names
from core.grounding.constraint.constraint import Constraint
from core.model import Category, Span

KINDS = {
    "Disease": Constraint(("mondo",), category=Category.DISEASE),
    "Chemical": Constraint(("chebi",), category=Category.CHEMICAL),
    "Gene": Constraint(("hgnc",), category=Category.GENE),
    "Cell": Constraint(("cl",), category=Category.CELL),
    "Organism": Constraint(("ncbitaxon",), category=Category.ORGANISM),
    "Variant": Constraint((), category=Category.VARIANT),
}


def names(text: str, *taken: Span) -> list[str]:
    return [group.spans[0].quote(text) for group in unknown_names(text, KINDS, taken)]


def test_drug_is_recognised_by_its_ending():
    text = "Trastuzumab and osimertinib, then trastuzumab; etanercept and semaglutide."
    groups = unknown_names(text, KINDS, ())
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
    assert unknown_names("trastuzumab", {"Disease": KINDS["Disease"]}, ()) == []


def test_page_lists_mentions_without_a_term():
    text = "Trastuzumab helps."
    [problem] = unknown_name_problems(text, unknown_names(text, KINDS, ()))
    assert "Trastuzumab" in problem.message
    assert unknown_name_problems(text, []) == []


@pytest.mark.parametrize(
    ("text", "cls", "words"),
    [
        ("Belzutifan inhibits EPAS1.", "Chemical", "Belzutifan"),
        ("We saw zelorane-induced nephritis.", "Chemical", "zelorane"),
        ("Kestrel2 expression fell and the ZNX14 inhibitor helped.", "Gene", "ZNX14"),
        ("The inhibitor veloxorine, was given.", "Chemical", "veloxorine"),
        ("We gave TAK-788 and AZD9291.", "Chemical", "TAK-788"),
        ("A mutation, F508del, was found.", "Variant", "F508del"),
        ("Zelorane-induced cholinergic syndrome rose.", "Disease", "cholinergic syndrome"),
        ("We grew QX-29 cells.", "Cell", "QX-29"),
        ("Into the KLM-ZT-468 cell line it went.", "Cell", "KLM-ZT-468"),
        ("The strain PAO1 grew.", "Organism", "PAO1"),
        ("In QRX1-deficient mice it rose.", "Gene", "QRX1"),
        ("They showed that morvidone blocks pain.", "Chemical", "morvidone"),
    ],
)
def test_a_name_in_the_place_of_an_end_is_a_mention(text: str, cls: str, words: str):
    groups = unknown_names(text, KINDS, ())
    assert (cls, words) in [(group.cls, group.spans[0].quote(text)) for group in groups]


@pytest.mark.parametrize(
    "text",
    [
        "Exercise-induced asthma and drug-induced rash.",
        "Treatment inhibits growth. Hypoxia activates HIF.",
        "However, patients treated with it improved.",
        "The trial NCT01234567 and series GSE12345 were used.",
        "The receptor antagonist treatment was stopped.",
        "An enzyme inhibitor was used; the agonist response fell.",
        "Drug-induced apoptosis rose.",
        "Many CD4 cells, T cells and 12 cells died; strain differences were small.",
        "Inflammation causes pain. Smoking causes cancer.",
    ],
)
def test_everyday_words_in_the_same_places_are_none(text: str):
    assert names(text) == []
