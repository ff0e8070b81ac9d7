"""Questions are understood in free wording, or said not to be."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.genes.kinds.kind import GeneKind
from core.genes.kinds.registry import KINDS
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question

SEQUENCE = "ATTCTGCCTTTAGTAATTTGATGACAGAGACTTCTTGG"


@pytest.mark.parametrize("kind", list(KINDS.values()), ids=lambda kind: kind.name)
def test_the_example_of_each_kind_is_of_that_kind(kind: GeneKind):
    assert understand_question(kind.example).kind == kind.name


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        ("LMP10 is an alias of which gene?", QuestionKind.ALIAS, "LMP10"),
        ('Give me the approved symbol for "beta2i"', QuestionKind.ALIAS, "beta2i"),
        ("What gene is ENSG00000141510.12?", QuestionKind.CONVERSION, "ENSG00000141510"),
        ("On what chromosome does BRCA1 lie?", QuestionKind.GENE_LOCATION, "BRCA1"),
        ("rs1217074595 position", QuestionKind.SNP_LOCATION, "rs1217074595"),
        ("In which gene does rs1217074595 lie?", QuestionKind.SNP_GENE, "rs1217074595"),
        ("What does the gene near rs1217074595 do?", QuestionKind.SNP_FUNCTION, "rs1217074595"),
        ("Does TP53 encode a protein?", QuestionKind.CODING, "TP53"),
        (
            "What is the genetic cause of Haim-Munk syndrome?",
            QuestionKind.DISEASE_GENES,
            "Haim-Munk syndrome",
        ),
        (
            "On which chromosomes are the genes that cause achromatopsia?",
            QuestionKind.DISEASE_LOCATIONS,
            "achromatopsia",
        ),
        (
            f"Map this sequence to hg38:\n>mine\n{SEQUENCE.lower()}",
            QuestionKind.HUMAN_ALIGNMENT,
            SEQUENCE,
        ),
        (f"What species is this DNA from? {SEQUENCE}", QuestionKind.SPECIES_ALIGNMENT, SEQUENCE),
    ],
)
def test_free_wordings_give_kind_and_subject(text: str, kind: QuestionKind, subject: str):
    understood = understand_question(text)
    assert (understood.kind, understood.subject) == (kind, subject)


def test_another_species_is_noticed():
    assert understand_question("Which chromosome is the mouse gene Trp53 on?").species == "mouse"


@pytest.mark.parametrize("text", ["Who won the world cup?", SEQUENCE, "rs12"])
def test_question_that_is_not_understood_gives_the_reason(text: str):
    understood = understand_question(text)
    assert understood.kind == QuestionKind.UNKNOWN and understood.why.endswith(".")


@pytest.mark.parametrize("text", ["", " \n", "x" * 30_000])
def test_empty_gene_question_is_an_input_error(text: str):
    with pytest.raises(InputError):
        understand_question(text)


@pytest.mark.parametrize("words", ["hbb e6v", "what does braf v600e do"])
def test_a_change_in_small_letters_is_declined_as_a_change_and_not_as_a_gene(words: str):
    question = understand_question(words)
    assert question.kind is QuestionKind.UNKNOWN
    assert "of amino acids" in question.why and "clinical significance" in question.why
