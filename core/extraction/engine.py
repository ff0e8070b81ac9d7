"""What every extraction engine is: how it is made, what it is given, and what a run will take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.extraction.budget import Limits
from core.extraction.guidance import PLAIN, Guidance

if TYPE_CHECKING:
    from core.extraction.mention_grounding import Grounding
    from core.extraction.tree import Extraction
    from core.grounding.grounder import Grounder
    from core.llm.completer import Completer
    from core.schema.definition import Schema

Check = Callable[[], None]  # raises Stopped when a person pressed Stop
Progress = Callable[[int, int], None]  # calls answered, calls known so far


def never_stop() -> None:
    """The stop check of work that cannot be stopped."""


def no_progress(finished: int, total: int) -> None:
    """The progress of work that is not watched."""


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
    guidance: Guidance = PLAIN


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will about take: its first questions (`roots`, one a part of the text) and those
    that their answers lead to (`nested`), with tokens in and out. `least` and `most` are the fewest
    and the most calls that the text gives reason to expect, `fewest_in` to `most_out` the same of
    tokens (in without the first questions, whose length is known); the variances say how far single
    texts of this length lie from these figures (calls², tokens²; 0 where nothing is known), and
    `close` is the share of such texts that were within a factor of 1.3 of the tokens, where they
    are those that are most likely.
    """

    roots: int = 0
    root_in: int = 0
    root_out: int = 0
    nested: float = 0  # a mean of earlier runs need not be whole
    nested_in: int = 0
    nested_out: int = 0
    least: int = 0
    most: int = 0
    calls_variance: float = 0.0
    tokens_variance: float = 0.0
    fewest_in: int = 0
    fewest_out: int = 0
    most_in: int = 0
    most_out: int = 0
    close: float = 0.0

    @property
    def calls(self) -> int:
        return round(self.roots + self.nested)

    @property
    def tokens_in(self) -> int:
        return self.root_in + self.nested_in

    @property
    def tokens_out(self) -> int:
        return self.root_out + self.nested_out

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, other_estimate: Estimate) -> Estimate:
        ours, theirs = astuple(self), astuple(other_estimate)
        return Estimate(*(a + b for a, b in zip(ours, theirs, strict=True)))

    def _asked_share(self, expected: int, calls: int) -> float:
        """The share of so many expected calls, the first questions aside, that a limit allows."""
        nested = expected - self.roots
        return min(1.0, max(0, calls - self.roots) / nested) if nested > 0 else 1.0

    def within(self, calls: int, tokens: int) -> Estimate:
        """As far as the limits of a run let it come: first questions go before what they lead to,
        and tokens go with calls.
        """
        roots = min(self.roots, calls)
        nested = max(0, min(self.nested, calls - roots))
        share = nested / self.nested if self.nested else 0.0
        root_share = roots / self.roots if self.roots else 0.0
        cut = replace(
            self,
            roots=roots,
            root_in=round(self.root_in * root_share),
            root_out=round(self.root_out * root_share),
            nested=nested,
            nested_in=round(self.nested_in * share),
            nested_out=round(self.nested_out * share),
            least=min(self.least, calls),
            most=min(self.most, calls),
            fewest_in=round(self.fewest_in * self._asked_share(self.least, calls)),
            most_in=round(self.most_in * self._asked_share(self.most, calls)),
        )
        over = cut.tokens / tokens if tokens else 0.0
        if over <= 1 or not cut.nested_in + cut.nested_out:
            return cut
        room = max(0.0, tokens - cut.root_in - cut.root_out) / (cut.nested_in + cut.nested_out)
        return cut.within(max(cut.roots, cut.roots + int(cut.nested * room)), 0)


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
