"""Questions are understood in free wording, or said not to be."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.genes.question.question import EXAMPLES, Kind, understand

SEQUENCE = "ATTCTGCCTTTAGTAATTTGATGACAGAGACTTCTTGG"


@pytest.mark.parametrize("kind", list(EXAMPLES))
def test_the_example_of_each_kind_is_of_that_kind(kind: Kind):
    assert understand(EXAMPLES[kind]).kind is kind


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        ("LMP10 is an alias of which gene?", Kind.ALIAS, "LMP10"),
        ('Give me the approved symbol for "beta2i"', Kind.ALIAS, "beta2i"),
        ("What gene is ENSG00000141510.12?", Kind.CONVERSION, "ENSG00000141510"),
        ("On what chromosome does BRCA1 lie?", Kind.GENE_LOCATION, "BRCA1"),
        ("rs1217074595 position", Kind.SNP_LOCATION, "rs1217074595"),
        ("In which gene does rs1217074595 lie?", Kind.SNP_GENE, "rs1217074595"),
        ("What does the gene near rs1217074595 do?", Kind.SNP_FUNCTION, "rs1217074595"),
        ("Does TP53 encode a protein?", Kind.CODING, "TP53"),
        (
            "What is the genetic cause of Haim-Munk syndrome?",
            Kind.DISEASE_GENES,
            "Haim-Munk syndrome",
        ),
        (
            "On which chromosomes are the genes that cause achromatopsia?",
            Kind.DISEASE_LOCATIONS,
            "achromatopsia",
        ),
        (f"Map this sequence to hg38:\n>mine\n{SEQUENCE.lower()}", Kind.HUMAN_ALIGNMENT, SEQUENCE),
        (f"What species is this DNA from? {SEQUENCE}", Kind.SPECIES_ALIGNMENT, SEQUENCE),
    ],
)
def test_free_wording(text: str, kind: Kind, subject: str):
    found = understand(text)
    assert (found.kind, found.subject) == (kind, subject)


def test_another_species_is_noticed():
    assert understand("Which chromosome is the mouse gene Trp53 on?").species == "mouse"


@pytest.mark.parametrize(
    "text", ["Who won the world cup?", "How many exons does TP53 have?", SEQUENCE, "rs12"]
)
def test_what_is_not_understood_says_why(text: str):
    found = understand(text)
    assert found.kind is Kind.UNKNOWN and found.why.endswith(".")


@pytest.mark.parametrize("text", ["", " \n", "x" * 30_000])
def test_no_question_is_an_input_error(text: str):
    with pytest.raises(InputError):
        understand(text)
