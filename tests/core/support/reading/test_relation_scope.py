"""How far a verb of a relation reaches: not to what only came before, to the means by which a thing
is done, to a name in apposition, nor past a denial that is of another verb.
"""

from __future__ import annotations

import pytest

from core.model import Span
from core.support.reading.predicate import Predicate
from core.support.reading.relation import Relation, pair_relations

KNOWN = ("INDUCES", "TREATS", "PREVENTS", "EXACERBATES", "INHIBITS", "ACTIVATES", "PHOSPHORYLATES")


def place(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


def joined(
    text: str, predicate: str, subjects: str | list[str], objects: str | list[str]
) -> list[Relation]:
    mine = [subjects] if isinstance(subjects, str) else subjects
    theirs = [objects] if isinstance(objects, str) else objects
    return pair_relations(
        text,
        Span(0, len(text)),
        [place(text, words) for words in mine],
        [place(text, words) for words in theirs],
        predicates=(Predicate(predicate),),
    )


def objects_of(text: str, predicate: str, subject: str, *objects: str) -> list[str]:
    return [way.object.quote(text) for way in joined(text, predicate, subject, list(objects))]


def test_condition_from_the_history_is_neither_worsened_nor_prevented() -> None:
    text = "Veratin worsened tremor in two patients with epilepsy."
    assert objects_of(text, "EXACERBATES", "Veratin", "tremor", "epilepsy") == ["tremor"]
    text = "Veratin failed to prevent seizures after head injury."
    assert objects_of(text, "PREVENTS", "Veratin", "seizures", "head injury") == ["seizures"]


def test_a_drug_to_be_avoided_treats_nothing() -> None:
    assert not joined("Avoid veratin in patients with tremor.", "TREATS", "veratin", "tremor")


def test_disease_that_only_describes_the_cells_is_not_an_outcome() -> None:
    assert not joined("Veratin induces death of leukemic cells.", "INDUCES", "Veratin", "leukemic")
    assert joined("Veratin induces leukemia.", "INDUCES", "Veratin", "leukemia")


def test_a_channel_named_after_what_it_carries_is_not_that() -> None:
    text = "ABC phosphorylates the anion channel DEF."
    assert objects_of(text, "PHOSPHORYLATES", "ABC", "anion", "DEF") == ["DEF"]


def test_a_name_in_apposition_does_nothing() -> None:
    text = "Expression of ABC, a homologue of XYZ, reduced the activity of DEF."
    ways = joined(text, "INHIBITS", ["ABC", "XYZ"], "DEF")
    assert [way.subject.quote(text) for way in ways] == ["ABC"]


def test_the_means_by_which_a_thing_is_done_are_no_object() -> None:
    assert not joined("ABC inhibits it by taking ubiquitin from DEF.", "INHIBITS", "ABC", "DEF")


def test_effect_of_withdrawal_is_not_an_effect_of_the_drug() -> None:
    text = "Veratin reduced ataxia; its withdrawal may provoke tremor."
    assert objects_of(text, "INDUCES", "Veratin", "tremor") == []
    text = "Veratin is safe but its abrupt withdrawal causes tremor."
    assert objects_of(text, "INDUCES", "Veratin", "tremor") == []


def test_failure_in_mutants_negates_no_general_relation() -> None:
    assert not joined("In Xyz-/- mice ABC did not induce DEF.", "ACTIVATES", "ABC", "DEF")
    assert joined("In mice ABC did not induce DEF.", "ACTIVATES", "ABC", "DEF")[0].negated


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("Veratin was not given because it may itself aggravate tremor.", False),
        ("Veratin does not aggravate tremor.", True),
    ],
)
def test_a_reason_is_not_denied_with_what_it_is_a_reason_for(text: str, negated: bool) -> None:
    assert [way.negated for way in joined(text, "EXACERBATES", "Veratin", "tremor")] == [negated]


def test_a_finding_that_was_then_treated_is_not_an_effect_of_the_treatment() -> None:
    text = "Tremor was seen in six men and was treated with veratin."
    assert not joined(text, "INDUCES", "veratin", "Tremor")


def test_no_case_of_denies() -> None:
    text = "No case of tremor was attributable to veratin."
    assert [way.negated for way in joined(text, "INDUCES", "veratin", "tremor")] == [True]


def test_no_effect_on_an_effect_does_not_deny_that_one() -> None:
    text = "Solbex had no effect on veratin-induced tremor."
    (way,) = joined(text, "INDUCES", ["Solbex", "veratin"], "tremor")
    assert (way.subject.quote(text), way.negated) == ("veratin", False)


def test_having_no_effect_on_is_regulating_denied() -> None:
    (way,) = joined("PTEN had no effect on AKT1.", "REGULATES", "PTEN", "AKT1")
    assert way.negated


@pytest.mark.parametrize("denied", [False, True])
def test_superior_in_a_condition_treats_it(denied: bool) -> None:
    text = f"Veratin was {'not ' if denied else ''}superior to placebo in tremor."
    (way,) = joined(text, "TREATS", "Veratin", "tremor")
    assert way.negated is denied


def test_halves_of_a_fused_gene_do_nothing_by_themselves() -> None:
    for text in ("Veratin inhibits BCR-ABL1.", "Veratin inhibits the BCR::ABL1 kinase."):
        assert not joined(text, "INHIBITS", "Veratin", ["BCR", "ABL1"])
    assert not joined("BCR-ABL1 activates STAT5A.", "ACTIVATES", ["BCR", "ABL1"], "STAT5A")
    assert joined(
        "Veratin inhibits the TP53-MDM2 interaction.", "INHIBITS", "Veratin", ["TP53", "MDM2"]
    )


def test_what_inhibits_the_development_of_a_condition_prevents_it() -> None:
    text = "Veratin inhibits the development of tremor."
    assert not joined(text, "INDUCES", "Veratin", "tremor")
    assert joined(text, "PREVENTS", "Veratin", "tremor")


@pytest.mark.parametrize(
    "text",
    [
        "In tremor, veratin was not effective.",
        "In tremor, veratin was less effective than placebo.",
        "Veratin increased adverse outcomes in patients with tremor.",
        "Veratin prolonged QT and decreased survival in patients with tremor.",
    ],
)
def test_what_does_no_good_is_no_plain_treatment(text: str) -> None:
    assert not any(way.plain for way in joined(text.lower(), "TREATS", "veratin", "tremor"))


@pytest.mark.parametrize(
    "text",
    [
        "tremor did not improve after discontinuation of veratin.",
        "tremor improved despite discontinuation of veratin.",
    ],
)
def test_what_stayed_when_a_drug_was_stopped_says_nothing_of_it(text: str) -> None:
    assert not joined(text, "INDUCES", "veratin", "tremor")


@pytest.mark.parametrize("aside", ["", " (K179M)", ", a mutant,"])
def test_of_an_aside_nothing_is_plainly_denied(aside: str) -> None:
    (way,) = joined(f"AKT1{aside} does not inhibit GSK3B.", "INHIBITS", "AKT1", "GSK3B")
    assert (way.negated, way.plain) == (True, not aside)


def test_not_completely_is_no_plain_denial() -> None:
    ways = joined("AKT1 does not completely inhibit GSK3B.", "INHIBITS", "AKT1", "GSK3B")
    assert not any(way.plain for way in ways)
