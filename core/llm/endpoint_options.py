"""How an endpoint is asked: its key and address, how long it may be silent, how often tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.llm.connection import MAIN, Connection


def _at_once() -> None:
    """The turn of a request where no pace is kept."""


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """Seconds throughout. `first` is how long an answer may take to begin (or to come, where it
    comes whole), `between` how long it may be silent once it has begun. `streams`: answers are
    taken as they are written also where nobody watches, so that silence is told from slowness.
    `retries` are further tries after trouble that may pass, `parallel` the requests under way at
    once, `max_tokens` those of an answer (0: the endpoint decides), `context` the tokens that the
    model reads at once (0: nobody knows). `take_turn` waits until the next request may go out.

    `title` is the model's name for people and the record, where it is not the endpoint's own;
    `variables` are those that hold the endpoint's key and address: hints name them.
    """

    key: str = field(default="", repr=False)
    url: str = ""
    title: str = ""
    variables: tuple[str, str] = Connection(MAIN).variables
    first: float = 60.0
    between: float = 30.0
    retries: int = 3
    parallel: int = 8
    max_tokens: int = 0
    context: int = 0
    streams: bool = False
    take_turn: Callable[[], object] = field(default=_at_once, repr=False)
