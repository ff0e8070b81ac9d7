"""The planner: classify, plan typed calls, parse in code, verify, answer. No model."""

from __future__ import annotations

from core.errors import Refused, RemoteError
from core.genes.answer import AnswerStatus, Asking, GeneAnswer, OnStep
from core.genes.kinds.registry import KINDS
from core.genes.question.normalisation import mend
from core.genes.question.out_of_scope import other_assembly
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.understand import understand
from core.genes.strategies.strategy import Strategy, StrategyInput
from core.ncbi.client import Ncbi


def answer(ncbi: Ncbi, text: str, watch: OnStep = lambda step: None) -> GeneAnswer:
    """Answer one question. What is outside its understanding, and what NCBI did not answer, is said
    in the answer.
    """
    return carry_out(ncbi, understand(text), watch)


def carry_out(ncbi: Ncbi, question: GeneQuestion, watch: OnStep = lambda step: None) -> GeneAnswer:
    asking = Asking(ncbi, question, watch=watch)
    if (read := mend(question.text)) != question.text:
        asking.note(f"Read as: {read[:200]}")
    if question.kind in (QuestionKind.GENE_LOCATION, QuestionKind.SNP_LOCATION) and (
        other := other_assembly(question.text)
    ):
        asking.note(f"Coordinates are those of GRCh38, which NCBI's records give, not of {other}.")
    kind = KINDS.get(question.kind)
    if kind is None:
        asking.note(
            f"The planner does not understand this question. {question.why} A model may: choose the"
            " way *tools*."
        )
        return asking.answer(AnswerStatus.NOT_UNDERSTOOD)
    try:
        return kind.plan(asking)
    except (RemoteError, Refused) as error:
        asking.note(str(error))
        return asking.answer(AnswerStatus.FAILED)


def _answer(given: StrategyInput) -> GeneAnswer:
    return answer(given.ncbi, given.question, given.watch)


STRATEGY = Strategy(
    "planner", "Planner: rules over NCBI's records, no model", needs_model=False, answer=_answer
)
