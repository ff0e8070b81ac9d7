"""What every extraction engine is, and the limits it keeps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.extraction.mention_grounding import Grounding
from core.extraction.tree import Extraction
from core.grounding.grounder import Grounder
from core.llm.completer import Completer
from core.schema.definition import Schema

Check = Callable[[], None]  # raises Stopped when a person pressed Stop
Progress = Callable[[int, int], None]  # calls answered, calls known so far


def never_stop() -> None:
    """The check of work that nobody can stop."""


def no_progress(done: int, total: int) -> None:
    """The progress of work that nobody watches."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one run may go. `depth` counts nested questions below the first; tokens are in and
    out together.
    """

    depth: int = 5
    calls: int = 300
    tokens: int = 1_000_000
    parallel: int = 24
    context: bool = False  # nested questions carry the sentence that their words stand in
    max_tokens: int = 0  # of one answer; 0 leaves it to the endpoint


class Meter:
    """Counts calls and tokens of one run against its limits; shared by all chunks of a text, safe
    in threads.
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        self.calls = self.tokens = 0
        self._lock = threading.Lock()

    def take(self, tokens: int) -> bool:
        """Whether one more call of about so many tokens fits; if so it is counted."""
        with self._lock:
            if self.calls + 1 > self.limits.calls or self.tokens + tokens > self.limits.tokens:
                return False
            self.calls += 1
            self.tokens += tokens
            return True

    def add(self, tokens: int) -> None:
        """Tokens beyond those that were estimated."""
        with self._lock:
            self.tokens += tokens


def estimate_tokens(text: str) -> int:
    """Four characters a token."""
    return len(text) // 4 + 1


def no_overhead(schema: Schema, cls: str) -> int:
    """The overhead of an engine that asks nothing."""
    return 0


class Engine(Protocol):
    """Fills class `cls` of a schema from a text. `place` is put before the path of every call
    (`chunk[2]/`).

    Raises the RemoteError tree when the first question fails, OverBudget, and Stopped; everything
    else is a Problem inside the result.
    """

    @property
    def name(self) -> str: ...

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction: ...


@dataclass(frozen=True, slots=True)
class EngineParts:
    """What a run hands to an engine: vocabularies, limits, and a recorded model where it needs one.

    `grounding` asks for terms as the schema's slots allow them; `grounder` is the vocabularies.
    """

    grounder: Grounder
    grounding: Grounding
    limits: Limits
    completer: Completer | None = None
    folders: tuple[Path, ...] = ()  # of schemas, and of what stands beside them
    check: Check = never_stop
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls that a run will about make, and the fewest and the most that the text gives reason to
    expect; tokens in and out together.
    """

    calls: int = 0
    tokens: int = 0
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine as pages, command line, settings, comparison and evaluation know it.

    `title` and `note` are for people. `counts` is what its progress counts. `make` builds it for
    one run; `estimate` says what one part of a text will take (schema, class, text, limits).
    `names_objects`: the run grounds the names of its objects, as the engine does not.
    `reads_whole`: a long text is never cut into parts. `overhead` is the tokens of a question
    without its text (schema, class).
    """

    name: str
    title: str
    note: str
    needs_model: bool
    counts: str
    make: Callable[[EngineParts], Engine]
    estimate: Callable[[Schema, str, str, Limits], Estimate]
    names_objects: bool = False
    reads_whole: bool = False
    overhead: Callable[[Schema, str], int] = no_overhead
