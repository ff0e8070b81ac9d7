"""The field that was asked for, no coarser: arms and bands, levels of HGVS names, consequences,
former symbols, positions on an assembly. Records are made up, in the form of today's esummary.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.genes.answer import AnswerStatus
from core.genes.question.understand import understand_question
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene, snp

PARTLY, ANSWERED = AnswerStatus.PARTLY, AnswerStatus.ANSWERED


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


@pytest.mark.parametrize(
    ("question", "status", "answer_text"),
    [
        ("Is AAA1 on the long arm of chromosome 7?", ANSWERED, "Yes (7q31.2)"),
        ("Is AAA1 on the short arm of chromosome 7?", ANSWERED, "No (7q31.2)"),
        ("Is AAA1 on the long arm of chromosome 17?", ANSWERED, "No (7q31.2)"),
        ("Is AAA1 located on 7q31?", ANSWERED, "Yes (7q31.2)"),
        ("Is AAA1 located on 7q3?", ANSWERED, "Yes (7q31.2)"),  # region 3 of the long arm
        ("Is AAA1 on 7q32?", ANSWERED, "No (7q31.2)"),
        ("Is AAA1 located on 7q31.2?", ANSWERED, "Yes (7q31.2)"),
        ("Is AAA1 located on 7q31.21?", PARTLY, "7q31.2"),
        ("Is AAA1 on chromosome 7?", ANSWERED, "Yes (chr7)"),
    ],
)
def test_an_arm_or_band_that_is_claimed_is_compared_with_the_band(
    served: Served, question: str, status: AnswerStatus, answer_text: str
):
    answer = served(question, gene=[gene("1", "AAA1")])
    assert (answer.status, answer.text) == (status, answer_text)
    assert answer.values[0].field in ("/result/1/maplocation", "/result/1/chromosome")


@pytest.mark.parametrize(
    ("question", "status", "answer_text"),
    [
        ("Is AAA1 on 7q31?", ANSWERED, "Yes (7q31.1-q31.3)"),
        ("Is AAA1 on 7q31.2?", PARTLY, "7q31.1-q31.3"),
        ("Is AAA1 on 7q31.1?", PARTLY, "7q31.1-q31.3"),
    ],
)
def test_a_range_of_bands_lies_inside_as_a_whole_or_is_reported(
    served: Served, question: str, status: AnswerStatus, answer_text: str
):
    answer = served(question, gene=[gene("1", "AAA1", maplocation="7q31.1-q31.3")])
    assert (answer.status, answer.text) == (status, answer_text)


def test_without_a_band_only_the_chromosome_is_reported(served: Served):
    answer = served("Is AAA1 on 7q31?", gene=[gene("1", "AAA1", maplocation="")])
    assert (answer.status, answer.text) == (PARTLY, ["chr7"])


NAMES = "NC_000007.14:g.150G>A,NM_000001.2:c.20G>A,NP_000001.1:p.Glu7Lys"
VARIANT = snp(
    "5", docsum=f"HGVS={NAMES}|SEQ=[G/A]|LEN=1|GENE=AAA1:1",
    fxn_class="missense_variant,coding_sequence_variant",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer_text"),
    [
        ("What amino acid change does rs5 cause?", "NP_000001.1:p.Glu7Lys"),
        ("What is the cDNA change of rs5?", "NM_000001.2:c.20G>A"),
        ("What is the genomic notation of rs5?", "NC_000007.14:g.150G>A"),
        ("What are the HGVS names of rs5?", NAMES.split(",")),
        (
            "What is the molecular consequence of rs5?",
            ["missense_variant", "coding_sequence_variant"],
        ),
    ],
)
def test_the_requested_level_of_a_variant_is_given(
    served: Served, question: str, answer_text: str | list[str]
):
    answer = served(question, snp=[VARIANT])
    assert (answer.status, answer.text) == (ANSWERED, answer_text)


def test_a_variant_outside_of_proteins_has_no_amino_acid_change(served: Served):
    answer = served("What amino acid change does rs5 cause?", snp=[snp("5")])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_former_symbols_come_with_all_other_names_and_a_note_that_none_is_marked(served: Served):
    answer = served(
        "What are previous symbols of AAA1?", gene=[gene("1", "AAA1", otheraliases="OLD1, OLD2")]
    )
    assert (answer.status, answer.text) == (PARTLY, ["OLD1", "OLD2"])
    assert any("unmarked" in note for note in answer.notes)


def test_a_position_on_an_assembly_is_coordinates():
    assert (
        understand_question("I need the GRCh38 position of MECP2").kind == "coordinates of a gene"
    )
    assert (
        understand_question("What is the position of MECP2 on hg19?").kind
        == "coordinates of a gene"
    )


@pytest.mark.parametrize(
    ("question", "service"),
    [
        ("Which pathway does MTOR act in?", "Reactome"),
        ("What drugs target BRAF?", "DGIdb and ChEMBL"),
        ("What are the paralogs of HBA1?", "Ensembl"),
    ],
)
def test_question_beyond_ncbi_names_the_service_that_answers_it(question: str, service: str):
    assert (
        service in understand_question(question).why
        and "Other APIs" in understand_question(question).why
    )
