"""What a sentence says of a mention decides which list it fills."""

from __future__ import annotations

import pytest

from core.extraction.builtin.slot_constraints import fitting_mentions, said_of_another
from core.model import Span
from core.schema.definition import ClassDefinition, RangeKind, Slot


def slot(name: str, uri: str = "x:y", description: str = "") -> Slot:
    return Slot(
        name, "Thing", RangeKind.ENTITY, uri, name, description=description, multivalued=True
    )


KINDS = slot("subclass_of", "rdfs:subClassOf")
GIVEN, WARNED = slot("drugs"), slot("contraindications")
SUBJECT = Span(0, len("Orlan disease"))
ROOT = ClassDefinition("Disease", is_entity=True, slots=(KINDS, GIVEN, WARNED))


def kept(text: str, words: str, of: Slot) -> bool:
    start = text.index(words)
    return bool(
        fitting_mentions(text, ROOT, of, [Span(start, start + len(words))], subject=SUBJECT)
    )


def test_entity_is_not_a_subclass_of_itself() -> None:
    assert not kept("Orlan disease\nIt is a disorder of bone.", "Orlan disease", KINDS)


def test_a_group_is_named_by_is_a_or_type_of() -> None:
    assert kept("Orlan disease\nIt is a rare inherited bone disorder.", "bone disorder", KINDS)
    assert kept("Orlan disease\nIt is thought a type of bone disorder.", "bone disorder", KINDS)
    assert not kept(
        "Orlan disease\nGrowth is normal, unlike in bone disorder.", "bone disorder", KINDS
    )


def test_contraindicated_drug_fills_the_contraindications_slot_only() -> None:
    text = "Orlan disease\nVeratin is contraindicated. Amlor is given daily."
    assert (kept(text, "Veratin", GIVEN), kept(text, "Veratin", WARNED)) == (False, True)
    assert (kept(text, "Amlor", GIVEN), kept(text, "Amlor", WARNED)) == (True, False)


def test_measured_drug_level_does_not_fill_a_treatment_slot() -> None:
    text = "Orlan disease\nVeratin was given daily. Serum amlor rose. Veratin levels were given."
    treating = slot("drug_treatments", description="the drugs that treat the disease")
    assert kept(text, "Veratin", treating)
    assert not kept(text, "amlor", treating)
    end = text.rindex("Veratin")
    assert not fitting_mentions(text, ROOT, treating, [Span(end, end + 7)], subject=SUBJECT)


@pytest.mark.parametrize(
    "harm",
    [
        "Treatment leads to tremor.",
        "Tremor is an adverse effect.",
        "Veratin reduced tremor.",
        "Veratin prevented tremor.",
        "No patient developed tremor.",
        "None of them had tremor.",
    ],
)
def test_a_symptom_is_not_taken_from_a_sentence_on_treatment_or_harm(harm: str) -> None:
    symptoms = slot("symptoms", description="the symptoms and signs of the disease")
    assert kept("Orlan disease\nIt presents with tremor.", "tremor", symptoms)
    word = "Tremor" if "Tremor" in harm else "tremor"
    assert not kept(f"Orlan disease\n{harm}", word, symptoms)


def test_negated_mention_fills_no_slot() -> None:
    text = "Orlan disease\nVeratin did not help. Amlor failed. Solbex was given daily."
    assert [kept(text, name, GIVEN) for name in ("Veratin", "Amlor", "Solbex")] == [
        False, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "of_another"),
    [
        ("Veratin was given in Mertz disease.", True),
        ("Mertz disease responded to veratin.", True),
        ("Veratin was given in Orlan disease and Mertz disease.", False),
        ("Unlike muscle loss, it is a form of Mertz disease, and veratin helps.", False),
        ("Patients were given veratin.", False),
    ],
)
def test_a_sentence_on_another_disease_fills_no_list(sentence: str, of_another: bool) -> None:
    text = f"Orlan disease is rare. {sentence}"
    names = [
        [Span(at, at + len(name)) for at in range(len(text)) if text.startswith(name, at)]
        for name in ("Orlan disease", "Mertz disease")
    ]
    at = text.lower().index("veratin")
    own, others = names
    span = Span(at, at + 7)
    assert said_of_another(text, GIVEN, span, own, others=others) is of_another


def test_a_symptom_may_be_a_disease_and_stand_beside_others() -> None:
    symptoms = slot("symptoms")
    text = "Orlan disease is rare. Mertz disease and tremor are seen. Mertz disease brings tremor."
    mertz = [Span(at, at + 13) for at in range(len(text)) if text.startswith("Mertz", at)]
    tremor = [Span(at, at + 6) for at in range(len(text)) if text.startswith("tremor", at)]
    own = [Span(0, 13)]
    assert [said_of_another(text, symptoms, span, own, others=mertz) for span in tremor] == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Orlan disease\nVariants of ABC1 were found.", True),
        ("Orlan disease\nABC1 was sequenced and no variant was found.", False),
        ("Orlan disease\nNo mutation of ABC1 was found.", False),
        ("Orlan disease\nNo variant of DEF2 was found, but ABC1 was mutated.", True),
    ],
)
def test_a_gene_without_a_variant_is_not_the_gene_of_the_disease(text: str, fits: bool) -> None:
    assert kept(text, "ABC1", slot("genes", description="the genes that cause it")) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Veratin\nIt acts on ABC1.", True),
        ("Veratin\nIt raises ABC1 secretion.", False),
        ("Veratin\nABC1 levels fell.", False),
    ],
)
def test_measured_quantity_is_not_a_target(text: str, fits: bool) -> None:
    targets = slot("targets", description="the genes and proteins that the drug acts on directly")
    assert kept(text, "ABC1", targets) is fits


def test_a_gene_of_a_disease_that_is_only_likened_to_the_subject_is_not_its_own() -> None:
    text = "ABC causes Amlor disease, which resembles Orlan disease."
    gene, amlor, orlan = (
        Span(text.index(words), text.index(words) + len(words))
        for words in ("ABC", "Amlor disease", "Orlan disease")
    )
    assert said_of_another(text, slot("genes"), gene, [orlan], others=[amlor])
    assert not said_of_another(
        text.replace("resembles", "is no"), slot("genes"), gene, [orlan], others=[]
    )
