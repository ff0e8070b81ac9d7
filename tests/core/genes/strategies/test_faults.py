"""Whatever fault the stand-in makes, wherever: the answer is right, or it failed; it is never a
wrong *not found*.
"""

from __future__ import annotations

import pytest

from core.genes.answer import AnswerStatus
from core.genes.strategies.planner import answer

ASKED = {
    "What is the official gene symbol of LMP10?": "PSMB10",
    "Which chromosome is PSMB10 on?": "chr16",
    "Is PSMB10 a protein-coding gene?": "Yes",
    "Which gene is SNP rs1217074595 associated with?": "LINC01270",
    "Which chromosome does SNP rs1217074595 locate on human genome?": "chr20",
}


@pytest.mark.parametrize("fault", ["500", "503", "drop", "429", "cut", "html", "badjson"])
@pytest.mark.parametrize("before", [0, 1, 2])
@pytest.mark.parametrize("times", [1, 12])
def test_a_fault_never_makes_a_wrong_answer(stand_in, fault: str, before: int, times: int):
    for text, expected in ASKED.items():
        stand_in.faults(",".join(["ok"] * before + [fault] * times))
        gene_answer = answer(stand_in.ncbi(), text)
        assert gene_answer.text == expected or (
            gene_answer.status is AnswerStatus.FAILED and gene_answer.text == ""
        )
        assert gene_answer.status is not AnswerStatus.FAILED or any(
            "again" in note or "Check" in note for note in gene_answer.notes
        )
        assert times > 1 or gene_answer.text == expected


@pytest.mark.parametrize("fault", ["500", "drop", "429"])
def test_a_gene_that_the_stand_in_does_not_know_is_not_found_once_it_answers(stand_in, fault: str):
    stand_in.faults(f"{fault},{fault}")
    assert (
        answer(stand_in.ncbi(), "Which chromosome is ZZTOP9 on?").status is AnswerStatus.NOT_FOUND
    )
