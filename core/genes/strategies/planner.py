"""The planner: classify, plan typed calls, parse in code, verify, answer. No model."""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import Refused, RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer
from core.genes.kinds.coordinates import GRCH37
from core.genes.kinds.kind import GeneKind
from core.genes.kinds.registry import KINDS
from core.genes.question.nearest import nearest_kinds
from core.genes.question.normalisation import mend_typos
from core.genes.question.out_of_scope import other_assembly
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.understand import topic_of, understand_question
from core.genes.session import NcbiSession, OnStep
from core.genes.strategies import PLANNER
from core.genes.strategies.strategy import Strategy, StrategyInput
from core.ncbi.client import Ncbi


def answer(ncbi: Ncbi, text: str, watch: OnStep = lambda step: None) -> GeneAnswer:
    """Answer one question. What is outside its understanding, and what NCBI did not answer, is said
    in the answer.
    """
    return carry_out(ncbi, understand_question(text), watch)


def carry_out(ncbi: Ncbi, question: GeneQuestion, watch: OnStep = lambda step: None) -> GeneAnswer:
    session = NcbiSession(ncbi, question, watch=watch)
    if (read_as := mend_typos(question.text)) != question.text:
        session.note(f"Read as: {read_as[:200]}")
    assembly = other_assembly(question.text)
    placed = question.kind in (QuestionKind.GENE_LOCATION, QuestionKind.SNP_LOCATION)
    of_record = question.kind == QuestionKind.SNP_LOCATION and re.search(GRCH37, assembly, re.I)
    if placed and assembly and not of_record:
        session.note(
            f"Coordinates are those of GRCh38, which NCBI's records give, not of {assembly}."
        )
    kind = KINDS.get(question.kind)
    if kind is None:
        return why_declined(session)
    if question.more:
        return each_name(session, kind)
    try:
        return kind.plan(session)
    except (RemoteError, Refused) as error:
        session.note(str(error))
        return session.answer(AnswerStatus.FAILED)


def why_declined(session: NcbiSession) -> GeneAnswer:
    """Why no rule answers the question, and the questions nearest to it that a rule answers."""
    kinds = nearest_kinds(session.question, topic_of(session.question))
    session.note(
        f"The planner cannot answer this question. {session.question.why} A language model may be"
        " able to: choose “tools” under How to answer, where one is set up."
    )
    answer = session.answer(AnswerStatus.NOT_UNDERSTOOD)
    return replace(answer, nearest=tuple(near_kind.question for near_kind in kinds))


def each_name(session: NcbiSession, kind: GeneKind) -> GeneAnswer:
    """The same question asked of each name; names without an answer are counted."""
    names = (session.question.subject, *session.question.more)
    values: list[str] = []
    answer_values: list[AnswerValue] = []
    without: list[str] = []
    statuses = []
    for number, name in enumerate(names):
        single = replace(session.question, subject=name, more=())
        part = NcbiSession(
            session.ncbi, single, watch=session.watch, prefix=f"name{number}", part=name
        )
        try:
            answer = kind.plan(part)
        except (RemoteError, Refused) as error:
            part.note(str(error))
            answer = part.answer(AnswerStatus.FAILED)
        session.steps += answer.steps
        for lacking in answer.missing:
            session.lack(f"{name}: {lacking}")
        texts = answer.text if isinstance(answer.text, list) else [answer.text]
        good = answer.status in (AnswerStatus.ANSWERED, AnswerStatus.INCOMPLETE)
        session.note(f"{name}: {', '.join(filter(None, texts)) if good else answer.status}.")
        for note in answer.notes:
            session.note(f"{name}: {note}")
        statuses.append(answer.status)
        if good:
            values += [text for text in texts if text not in values]
            answer_values += answer.values
        else:
            without.append(f"{name} {answer.status}")
    if len(without) == len(names):
        same = statuses[0] if len(set(statuses)) == 1 else AnswerStatus.NOT_FOUND
        return session.answer(same)
    if without:
        answered = len(names) - len(without)
        session.lack(f"{answered} of {len(names)} names answered ({', '.join(without)})")
    return session.answer(AnswerStatus.ANSWERED, values, tuple(answer_values))


def _answer(strategy_input: StrategyInput) -> GeneAnswer:
    return answer(strategy_input.ncbi, strategy_input.question, strategy_input.watch)


STRATEGY = Strategy(
    PLANNER, "Planner: rules over NCBI's records, no model", needs_model=False, answer=_answer
)
