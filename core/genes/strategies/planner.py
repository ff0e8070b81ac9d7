"""The planner: classify, plan typed calls, parse in code, verify, answer. No model."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import Refused, RemoteError
from core.genes.answer import Answer, Asking, OnStep, Status
from core.genes.kinds import coding, disease, location, sequence, symbol, variant
from core.genes.question.normalisation import mend
from core.genes.question.out_of_scope import other_assembly
from core.genes.question.question import Kind, Question, understand
from core.ncbi.client import Ncbi

PLANS: dict[Kind, Callable[[Asking], Answer]] = {
    **symbol.KINDS,
    **location.KINDS,
    **coding.KINDS,
    **variant.KINDS,
    **sequence.KINDS,
    **disease.KINDS,
}


def answer(ncbi: Ncbi, text: str, watch: OnStep = lambda step: None) -> Answer:
    """Answer one question. What is outside its understanding, and what NCBI did not answer, is said
    in the answer.
    """
    return carry_out(ncbi, understand(text), watch)


def carry_out(ncbi: Ncbi, question: Question, watch: OnStep = lambda step: None) -> Answer:
    asking = Asking(ncbi, question, watch=watch)
    if (read := mend(question.text)) != question.text:
        asking.note(f"Read as: {read[:200]}")
    if question.kind in (Kind.GENE_LOCATION, Kind.SNP_LOCATION) and (
        other := other_assembly(question.text)
    ):
        asking.note(f"Coordinates are those of GRCh38, which NCBI's records give, not of {other}.")
    plan = PLANS.get(question.kind)
    if plan is None:
        asking.note(
            f"The planner does not understand this question. {question.why} A model may: choose the"
            " way *tools*."
        )
        return asking.answer(Status.NOT_UNDERSTOOD)
    try:
        return plan(asking)
    except (RemoteError, Refused) as error:
        asking.note(str(error))
        return asking.answer(Status.FAILED)
