"""A model's sentence that says other than the passage that it quotes exactly."""

from __future__ import annotations

import pytest

from core.literature.answers.answer import read_answer
from core.literature.answers.carried import Carried, sentence_support
from core.literature.answers.soundness import soundness
from core.literature.chunk import Chunk

ASKED = "We aimed to test whether zinc prevents the common cold."
HIGHER = "Mortality was higher with dopamine than with noradrenaline."
ALIKE = "Fluoxetine was as effective as imipramine in depression."
RELIEVED = "Lithium caused tremor in two men; propranolol relieved it."
PLACEBO = "Stroke was more frequent with placebo than with aspirin."


def carried(passage: str, sentence: str) -> Carried:
    chunk = Chunk("PMID:1@0", "PMID:1", passage)
    answer = read_answer(f'{sentence} [1]: "{passage.rstrip(".")}".', [chunk])
    (one,) = answer.sentences
    held = sentence_support(one, {chunk.id: chunk}).carried
    assert soundness([answer], [chunk]).certain is (held is Carried.WHOLE)
    return held


@pytest.mark.parametrize(
    ("passage", "sentence"),
    [
        (ASKED, "Zinc prevents the common cold"),
        ("We hypothesised that zinc prevents colds.", "Zinc prevents colds"),
        ("Zinc may prevent the common cold.", "Zinc prevents the common cold"),
        ("Zinc prevents the common cold.", "Zinc does not prevent the common cold"),
        ("Zinc was given to children with vomiting.", "Zinc causes vomiting"),
        ("Zinc shortened the common cold by one day.", "Zinc prolongs the common cold"),
        (HIGHER, "Mortality was lower with dopamine than with noradrenaline"),
        (HIGHER, "Mortality was higher with noradrenaline than with dopamine"),
        (ALIKE, "Fluoxetine was more effective than imipramine in depression"),
        ("Aspirin reduced stroke in men.", "Aspirin reduced stroke in women"),
        ("Aspirin reduced stroke in mice.", "Aspirin prevents stroke in humans"),
        (RELIEVED, "Propranolol caused tremor"),
        ("BRCA1 mutations were found in five families.", "BRCA1 mutations cause ovarian cancer"),
        ("All patients survived.", "All patients died"),
        ("The drug was safe and well tolerated.", "The drug was unsafe"),
    ],
)
def test_an_exact_quote_does_not_carry_what_it_does_not_say(passage: str, sentence: str) -> None:
    assert carried(passage, sentence) is Carried.NOT


@pytest.mark.parametrize(
    ("passage", "sentence"),
    [
        ("Zinc may prevent the common cold.", "Zinc may prevent the common cold"),
        ("Zinc and placebo did not differ in pain.", "Zinc was no better than placebo in pain"),
        (
            "Deaths from leukaemia were reduced by imatinib.",
            "Imatinib increased leukaemia survival",
        ),
        ("PTEN loss increased AKT activity.", "PTEN reduces AKT activity"),
        ("Zinc did not prevent the common cold.", "Zinc does not prevent the common cold"),
        ("Zinc shortened the common cold by one day.", "Zinc shortens the common cold"),
        (HIGHER, "Dopamine raised mortality compared with noradrenaline"),
        (PLACEBO, "Stroke was less frequent with aspirin than with placebo"),
        (ALIKE, "Fluoxetine was as effective in depression as imipramine"),
        (RELIEVED, "Lithium caused tremor, which propranolol relieved"),
        ("It is well known that aspirin prevents stroke.", "Aspirin prevents stroke"),
        ("MDM2 inhibits TP53.", "TP53 is inhibited by MDM2"),
        (
            "Metformin improved insulin sensitivity in women with PCOS.",
            "Metformin improves insulin sensitivity in PCOS",
        ),
        (
            "Dexamethasone reduced mortality among patients receiving oxygen.",
            "Dexamethasone lowers mortality in patients who receive oxygen",
        ),
    ],
)
def test_a_paraphrase_is_carried(passage: str, sentence: str) -> None:
    assert carried(passage, sentence) is Carried.WHOLE
