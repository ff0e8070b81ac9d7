"""Features that a text about one disease gives to its patients."""

from __future__ import annotations

import pytest

from core.extraction.builtin.patient_features import has_patients, patient_features
from core.model import Span
from core.text.sentence import split_sentences

TITLE = "Orlan disease is rare. "


def features(sentence: str, *others: str) -> list[tuple[str, bool]]:
    """The features of the words "fits" and "tremor", with whether they are denied."""
    text = TITLE + sentence

    def places(word: str) -> list[Span]:
        lower = text.lower()
        return [Span(at, at + len(word)) for at in range(len(text)) if lower.startswith(word, at)]

    relations = patient_features(
        text,
        tuple(split_sentences(text)),
        Span(0, len("Orlan disease")),
        "HAS_FEATURE",
        features=sorted([*places("fits"), *places("tremor")], key=lambda span: span.start),
        others=[span for other in others for span in places(other)],
    )
    return [(relation.object.quote(text).lower(), relation.negated) for relation in relations]


@pytest.mark.parametrize(
    "sentence",
    [
        "Affected children have fits and tremor.",
        "Boys present at 3 to 5 years with fits and tremor.",
        "Other features are fits and tremor.",
        "It is characterised by fits and tremor.",
        "Fits are common, and tremor is often severe.",
    ],
)
def test_finding_in_patients_is_a_feature_of_their_disease(sentence: str) -> None:
    assert features(sentence) == [("fits", False), ("tremor", False)]


def test_a_feature_that_is_denied_is_denied() -> None:
    assert features("Affected children have fits, although tremor is absent.")[0] == ("fits", False)
    assert features("Not all patients have fits.") == [("fits", False)]
    assert features("Tremor is not a feature.") == [("tremor", True)]
    assert features("Tremor is absent.") == [("tremor", True)]
    assert features("Both had fits; neither had tremor.") == [("fits", False), ("tremor", True)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Veratin caused fits in patients with it.",
        "Patients with fits were treated at once.",
        "Unlike others, patients have no fits.",
        "Fits were measured for a year.",
        "Unaffected siblings had fits.",
        "Healthy controls never had fits.",
        "Patients with fits had tremor.",
    ],
)
def test_a_sentence_on_treatment_or_on_nothing_of_the_kind_gives_none(sentence: str) -> None:
    assert features(sentence) == []


def test_a_sentence_on_another_disease_gives_none() -> None:
    assert features("In brass palsy patients have fits.", "brass palsy") == []


def test_a_sign_that_is_also_a_disease_has_no_patients_of_its_own() -> None:
    for name, expected in [("Intellectual disability", False), ("Spinal muscular atrophy", True)]:
        place = Span(0, len(name))
        assert has_patients(f"{name} is rare.", place, {place}) is expected
        assert has_patients(f"{name} is rare.", place, set())
