"""The SPIRES engine: GeneratePrompt, CompletePrompt, ParseCompletion, recursion, Ground, id check (SPIRES §3)."""

from __future__ import annotations

from dataclasses import replace

from core.extraction.assemble import assemble
from core.extraction.engine import Check, Limits, Meter, Progress, estimate_tokens, never_stop, no_progress
from core.extraction.ground import Grounding
from core.extraction.spires.block import Block
from core.extraction.spires.prompt import asked, class_of, prompt
from core.extraction.spires.recursion import Recursion
from core.extraction.tree import Extraction
from core.llm.completer import Completer
from core.model import Problem
from core.schema.definition import RangeKind, Schema

ITEMS = 6  # how many values of a list to expect, for estimates


class Spires:
    """Fills a class by asking a model one question an object."""

    name = "spires"

    def __init__(
        self,
        completer: Completer,
        grounding: Grounding | None = None,
        limits: Limits | None = None,
        check: Check = never_stop,
        progress: Progress = no_progress,
    ):
        self.completer, self.grounding = completer, grounding
        self.meter = Meter(limits or Limits())
        self.check, self.progress = check, progress

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction:
        block, problems = self.fill(schema, cls, text, place=place)
        found = assemble(schema, block, text, self.grounding)
        return replace(found, problems=problems + found.problems)

    def fill(self, schema: Schema, cls: str, text: str, *, place: str = "") -> tuple[Block, tuple[Problem, ...]]:
        """What the model says, before it is looked up in the text and the vocabularies."""
        cls = class_of(schema, cls).name
        work = Recursion(schema, self.completer, prompt, self.meter, self.check, self.progress, place)
        block = work.run(cls, text)
        return block, tuple(sorted(work.problems, key=lambda p: (p.where, p.code, p.message)))


def estimate(schema: Schema, cls: str, text: str, limits: Limits) -> tuple[int, int]:
    """About how many calls and tokens a run will take, before it starts; six values a list, never above the limits."""

    def below(name: str, depth: int) -> tuple[int, int]:
        calls, tokens = 1, estimate_tokens(prompt(schema, name, "")) + 60
        for slot in asked(schema.classes[name]):
            nests = slot.kind is RangeKind.OBJECT and slot.recurse and slot.range in schema.classes
            if nests and depth < min(limits.depth, 3):
                more, size = below(slot.range, depth + 1)
                many = ITEMS if slot.multivalued and depth == 0 else 2 if slot.multivalued else 1
                calls, tokens = calls + many * more, tokens + many * size
        return calls, tokens

    calls, tokens = below(cls, 0)
    return min(calls, limits.calls), min(tokens + estimate_tokens(text) * 2, limits.tokens)
