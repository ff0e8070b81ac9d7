"""Words of a text that fold to a name and are not meant as that name."""

from __future__ import annotations

import pytest

from core.grounding.index.name_lookup import NameHit
from core.grounding.match.acceptance import acceptable
from core.grounding.readers.record import SynonymScope
from core.grounding.recognise.species import HUMAN


def hit(id: str, text: str, scope: SynonymScope = SynonymScope.LABEL) -> NameHit:
    return NameHit(id, text, text, scope)


def test_patient_count_is_not_read_as_a_disease_type():
    fourth = hit("MONDO:0012775", "thrombocytopenia 4")
    assert not acceptable("thrombocytopenia in 4", fourth)
    assert acceptable("thrombocytopenia 4", fourth)


def test_english_words_are_no_amino_acids_and_no_crabs():
    assert not acceptable("met", hit("CHEBI:16643", "Met", SynonymScope.RELATED))
    assert not acceptable("cancer", hit("NCBITaxon:6754", "Cancer"))
    assert acceptable("Cancer", hit("NCBITaxon:6754", "Cancer"))


@pytest.mark.parametrize("number", ["10-6", "10‑6", "10–6", "10.6"])
def test_a_number_is_not_a_name_that_is_written_with_other_signs(number: str) -> None:
    assert not acceptable(number, hit("UO:0000293", "10^[6]", SynonymScope.EXACT))
    assert acceptable("10^[6]", hit("UO:0000293", "10^[6]", SynonymScope.EXACT))


def test_a_ribosomal_rna_is_not_an_element_by_its_atomic_number() -> None:
    sulfur = NameHit("CHEBI:26833", "sulfur atom", "16S", SynonymScope.RELATED)
    isotope = NameHit("CHEBI:36927", "carbon-14 atom", "14C", SynonymScope.RELATED)
    assert not acceptable("16S", sulfur)
    assert acceptable("14C", isotope)


def of_human(symbol: str) -> NameHit:
    return hit("HGNC:1", symbol)._replace(taxon=HUMAN)


@pytest.mark.parametrize(
    ("written", "symbol"), [("Smad3", "SMAD3"), ("MyD88", "MYD88"), ("RhoA", "RHOA")]
)
def test_a_humans_protein_is_written_in_its_own_way(written: str, symbol: str) -> None:
    assert acceptable(written, of_human(symbol))
    assert not acceptable(written, hit("CHEBI:1", symbol))


@pytest.mark.parametrize(
    ("written", "symbol"),
    [
        ("eGFR", "EGFR"),
        ("cAMP", "CAMP"),
        ("ChIP", "CHIP"),
        ("Rest", "REST"),
        ("Ca2", "CA2"),
        ("NETs", "NETS"),
        ("PstI", "PSTI"),
        ("CCl4", "CCL4"),
        ("Fig4", "FIG4"),
        ("Part 1", "PART1"),
    ],
)
def test_what_only_looks_like_a_symbol_is_no_protein(written: str, symbol: str) -> None:
    assert not acceptable(written, of_human(symbol))


def test_a_symbol_of_two_letters_that_was_withdrawn_names_nothing() -> None:
    former = of_human("II")
    assert acceptable("II", former)
    assert not acceptable("II", former._replace(obsolete=True))


def test_the_species_in_which_something_is_found_is_no_part_of_its_name() -> None:
    assert not acceptable("thrombin in human", hit("DRUGBANK:DB11571", "thrombin, human"))
    assert acceptable("human thrombin", hit("DRUGBANK:DB11571", "thrombin, human"))
