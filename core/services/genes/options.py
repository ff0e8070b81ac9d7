"""How a gene question is to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.genes.strategies import PLANNER, WITH_TOOLS
from core.model import Json

__all__ = ["PLANNER", "WITH_TOOLS"]


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How to ask. `mask` is decoding's; `api` names an API agent (with the way tools: one more
    tool); `model` is asked in place of the project's; `edits` maps a step's place to the tool and
    arguments that a person put there; `replay` is a run whose record answers.
    """

    way: str = PLANNER
    mask: str = "full"
    api: str = ""
    reuse: bool = True
    replay: str = ""
    edits: Mapping[str, Json] = field(default_factory=dict)
    live: bool = False  # decoding: run the demonstrations on the network too
    model: str = ""
    links: bool = True  # false where the address is known to serve no links between records

    @property
    def name(self) -> str:
        """The way in words: a web API that is asked by itself has no planner."""
        return f"API {self.api}" if self.api and self.way == PLANNER else self.way
