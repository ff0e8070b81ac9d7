"""What a strategy is: a way to answer a gene question, and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.genes.answer import GeneAnswer
from core.genes.session import OnStep
from core.llm.completer import Completer, Tool
from core.model import Json
from core.ncbi.client import Ncbi
from core.ncbi.record import NcbiRecord


class OutsideTool(Protocol):
    """A tool from outside NCBI, such as an API agent."""

    @property
    def tool(self) -> Tool: ...

    def use(
        self, arguments: Mapping[str, Json], path: str
    ) -> tuple[str, tuple[NcbiRecord, ...], str]:
        """Text for the model, records, and the id of the stored call. Raises the GroundworkError
        tree.
        """


@dataclass(frozen=True, slots=True)
class StrategyInput:
    """What a strategy may use. `completer` makes the model (None where none was asked for),
    `examples` is NCBI as the shipped records know it, `mask` and `live` are decoding's, `extra`
    are API agents that a model may name as tools.
    """

    ncbi: Ncbi
    question: str
    watch: OnStep = lambda step: None
    completer: Completer | None = None
    examples: Ncbi | None = None
    mask: str = "full"
    live: bool = False
    extra: Callable[[], Sequence[OutsideTool]] = tuple


class QuestionAnswering(Protocol):
    def __call__(self, strategy_input: StrategyInput) -> GeneAnswer: ...


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to answer. `title` is what a person chooses it by."""

    name: str
    title: str
    needs_model: bool
    answer: QuestionAnswering
    masked: bool = False  # it takes a mask of documentations and demonstrations
