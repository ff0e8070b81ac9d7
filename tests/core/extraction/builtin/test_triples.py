"""A relation that a text states several times has every such sentence as evidence, its suppositions
apart.
"""

from __future__ import annotations

from core.extraction.statements import extracted_statements
from core.extraction.tree import Extraction
from core.model import Evidence, Modality, Statement, TextGround
from core.text.clean import text_version
from tests.core.extraction.builtin.test_engine import CLAIMS, extract

TEXT = (
    "Aspirin induces tremor in one. We know it. Aspirin induced tremor in two. We think that"
    " aspirin may cause tremor. Aspirin relieves headache. There was no evidence that aspirin"
    " causes tremor in rats."
)


def claims(extraction: Extraction) -> list[tuple[Statement, list[Evidence]]]:
    return extracted_statements(
        CLAIMS,
        extraction,
        "doc:1",
        text_version("doc:1", TEXT, "pasted"),
        run="run",
        engine="builtin",
    )


def quotes(evidence: list[Evidence]) -> list[str]:
    return [piece.ground.quote for piece in evidence if isinstance(piece.ground, TextGround)]


def test_every_sentence_that_states_a_relation_is_evidence() -> None:
    (evidence,) = [
        proof
        for claim, proof in claims(extract(CLAIMS, TEXT))
        if claim.predicate.label == "INDUCES"
        and not claim.negated
        and claim.modality is Modality.ASSERTED
    ]
    assert quotes(evidence) == ["Aspirin induces tremor in one.", "Aspirin induced tremor in two."]


def test_hypothesis_is_a_separate_statement() -> None:
    claimed = [
        (claim, quotes(proof))
        for claim, proof in claims(extract(CLAIMS, TEXT))
        if claim.modality is not Modality.ASSERTED
    ]
    assert [(claim.modality, sentences) for claim, sentences in claimed] == [
        (Modality.HYPOTHESIS, ["We think that aspirin may cause tremor."])
    ]


def test_a_denial_elsewhere_leaves_a_relation_alone() -> None:
    negated = {
        claim.predicate.label: claim.negated
        for claim, _ in claims(extract(CLAIMS, TEXT))
        if "relieves" in str(claim)
    }
    assert not any(negated.values())
    assert [quotes(proof) for claim, proof in claims(extract(CLAIMS, TEXT)) if claim.negated] == [
        ["There was no evidence that aspirin causes tremor in rats."]
    ]


def quotes_of(text: str) -> list[tuple[bool, list[str]]]:
    statements = extracted_statements(
        CLAIMS,
        extract(CLAIMS, text),
        "doc:1",
        text_version("doc:1", text, "pasted"),
        run="run",
        engine="b",
    )
    return [
        (statement.negated, quotes(evidence))
        for statement, evidence in statements
        if statement.predicate.label == "INDUCES"
    ]


def test_a_pronoun_means_the_subject_with_which_the_sentence_before_begins() -> None:
    text = "Aspirin was given to ten patients. It caused headache."
    assert quotes_of(text) == [(False, [text])]
    denied = "Aspirin is well tolerated. This drug did not cause headache."
    assert quotes_of(denied) == [(True, [denied])]
