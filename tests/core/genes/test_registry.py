"""A new kind of question, or a new strategy, is one file and one line in its registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluation import gene_benchmark
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.error_class import ErrorClass, classify_error
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.understand import understand_question
from core.genes.session import NcbiSession
from core.genes.strategies import planner
from core.genes.strategies.registry import STRATEGIES
from core.genes.strategies.strategy import Strategy
from core.ncbi.client import Ncbi
from core.ncbi.example import ExampleFetcher
from core.services.genes import questions
from core.services.genes.statement import FILE
from core.services.genes.strategy import strategy_of

ROOT = Path(__file__).resolve().parents[3]


def plan(session: NcbiSession) -> GeneAnswer:
    return session.answer(AnswerStatus.ANSWERED, session.question.subject)


DUMMY = GeneKind(
    "dummy",
    Topic.GENE,
    "What is the dummyness of TP53?",
    plan,
    "AliasClaim",
    ("gene",),
    words=r"\bdummyness\b",
)


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> GeneKind:
    monkeypatch.setattr(KINDS, "_joined", {**KINDS, DUMMY.name: DUMMY})
    return DUMMY


def test_a_registered_kind_is_understood_and_answered(dummy: GeneKind):
    assert understand_question(dummy.example).kind == "dummy"
    answer = planner.answer(Ncbi(ExampleFetcher()), dummy.example)
    assert (answer.kind, answer.text) == ("dummy", "TP53")


def test_a_registered_kind_is_among_the_examples(dummy: GeneKind):
    assert questions.example_questions()["dummy"] == dummy.example


def test_a_registered_kind_has_its_error_class(dummy: GeneKind):
    wrong = GeneAnswer("", "dummy", AnswerStatus.NOT_FOUND, subject="TP53")
    assert classify_error(wrong, ["x"]) is ErrorClass.API


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_names_a_claim_of_the_schema_and_has_an_example_that_selects_it(kind: GeneKind):
    assert not kind.claim or f"  {kind.claim}:" in (ROOT / "schemas" / FILE).read_text("utf-8")
    assert understand_question(kind.example).kind == kind.name


def test_a_registered_strategy_is_offered(monkeypatch: pytest.MonkeyPatch):
    strategy = Strategy("dummy", "Dummy", needs_model=False, answer=planner.STRATEGY.answer)
    monkeypatch.setitem(STRATEGIES, "dummy", strategy)
    assert strategy_of("dummy") is strategy and "dummy" in gene_benchmark.STRATEGIES
