"""The SPIRES engine: GeneratePrompt, CompletePrompt, ParseCompletion, recursion, Ground, id check
(SPIRES §3).
"""

from __future__ import annotations

from dataclasses import replace

from core.extraction.assemble import assemble_extraction
from core.extraction.block import Block
from core.extraction.budget import BudgetMeter, Limits
from core.extraction.engine import Check, Progress, never_stop, no_progress
from core.extraction.guidance import PLAIN, Guidance
from core.extraction.mention_grounding import Grounding
from core.extraction.spires.prompt import class_of, spires_prompt
from core.extraction.spires.recursion import Recursion
from core.extraction.tree import Extraction
from core.llm.completer import Completer
from core.model import Problem
from core.schema.definition import Schema


class Spires:
    """Fills a class by asking a model one question an object."""

    name = "spires"

    def __init__(
        self,
        completer: Completer,
        *,
        grounding: Grounding | None = None,
        limits: Limits | None = None,
        check: Check = never_stop,
        progress: Progress = no_progress,
        guidance: Guidance = PLAIN,
    ):
        self.completer, self.grounding, self.guidance = completer, grounding, guidance
        self.meter = BudgetMeter(limits or Limits())
        self.check, self.progress = check, progress

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction:
        block, problems = self.fill(schema, cls, text, place=place)
        extraction = assemble_extraction(schema, block, text, self.grounding)
        return replace(extraction, problems=problems + extraction.problems)

    def fill(
        self, schema: Schema, cls: str, text: str, *, place: str = ""
    ) -> tuple[Block, tuple[Problem, ...]]:
        """What the model says, before it is looked up in the text and the vocabularies."""
        cls = class_of(schema, cls).name

        def prompt_of(schema: Schema, cls: str, words: str, *, context: str = "") -> str:
            is_whole_text = words == text
            beside = self.guidance.first if is_whole_text else self.guidance.everywhere
            return spires_prompt(schema, cls, words, context=context, beside=beside)

        work = Recursion(
            schema,
            self.completer,
            prompt_of,
            self.meter,
            check=self.check,
            progress=self.progress,
            place=place,
        )
        block = work.run(cls, text)
        return block, tuple(sorted(work.problems, key=lambda p: (p.where, p.code, p.message)))
