"""One-call mode: the endpoint fills the whole tree as JSON of a schema made from the LinkML class.

Not in the paper. An endpoint that cannot hold an answer to a schema is noticed, and SPIRES asks its
questions instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.errors import (
    BadAnswer,
    ContextExceeded,
    OverBudget,
    RateLimited,
    RemoteError,
    Unauthorised,
    Unreachable,
)
from core.extraction.assemble import assemble_extraction
from core.extraction.block import Block, ParsedAnswer
from core.extraction.budget import BudgetMeter, Limits
from core.extraction.engine import Check, Progress, never_stop, no_progress
from core.extraction.guidance import PLAIN, Guidance
from core.extraction.mention_grounding import Grounding
from core.extraction.one_call.json_schema import json_schema
from core.extraction.spires.engine import Spires
from core.extraction.spires.parse import parse_answer
from core.extraction.spires.prompt import asked_slots, class_of
from core.extraction.tree import Extraction
from core.llm.completer import Completer, Message, Reply, Request, capabilities_of
from core.llm.token_count import tokens_in
from core.llm.unfinished import unfinished_problem, whole_part
from core.model import Problem, Severity
from core.schema.definition import RangeKind, Schema, Slot

SHORT = 600  # characters: where not even they fit, the schema is what is too long
INSTRUCTION = (
    "Extract what the text below states, as JSON of the given schema. Use the words of the text."
    " Leave out what the text does not state: null, or an empty list."
)


class OneCall:
    """Fills a class by one question whose answer is JSON; falls back to SPIRES."""

    name = "one-call"

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
        self.spires = Spires(
            completer,
            grounding=grounding,
            limits=limits,
            check=check,
            progress=progress,
            guidance=guidance,
        )
        self.meter: BudgetMeter = self.spires.meter
        self.check, self.progress = check, progress

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction:
        cls = class_of(schema, cls).name
        self.check()
        if not self._supported():
            return self._fall_back(
                schema, cls, text, place, why="The endpoint does not enforce a JSON Schema."
            )
        try:
            reply = self._ask(schema, cls, text, place)
            parsed = parse_answer(schema, cls, whole_part(reply)[0], source=text)
        except (RateLimited, Unauthorised, Unreachable):
            raise
        except ContextExceeded as error:
            if len(text) > SHORT:  # shorter parts of it may fit
                raise
            return self._fall_back(schema, cls, text, place, why=str(error))
        except RemoteError as error:
            return self._fall_back(schema, cls, text, place, why=str(error))
        if not parsed.blocks and any(p.code in ("no-answer", "unplaced") for p in parsed.problems):
            return self._fall_back(
                schema, cls, text, place, why="The answer was not JSON of the schema."
            )
        if parsed.blocks and all(only_words(schema, block) for block in parsed.blocks):
            try:
                return self._fall_back(
                    schema,
                    cls,
                    text,
                    place,
                    why="The answer was words where objects were asked for.",
                )
            except OverBudget:
                pass  # what was read is kept, and what could not be read is told
        return self._assemble_reply(schema, cls, text, parsed, reply=reply)

    def _supported(self) -> bool:
        """What the completer has found out about its endpoint so far."""
        return capabilities_of(self.completer).schema

    def _ask(self, schema: Schema, cls: str, text: str, place: str) -> Reply:
        shape = json_schema(schema, cls)
        words = f"{INSTRUCTION}\n\n{self.guidance.first}Text:\n{text}\n\n===\n"
        if not self.meter.take(tokens_in(words) + tokens_in(str(shape))):
            raise OverBudget(
                "The run's budget does not allow a single call.",
                "Raise the budget or shorten the text.",
            )
        limit = self.meter.limits.max_tokens
        request = Request(
            (Message("user", words),),
            response_schema=shape,
            max_tokens=limit,
            path=place,
            strict=True,
        )
        reply = self.completer.complete(request)
        self.meter.add(reply.usage.tokens_out)
        self.progress(1, 1)
        if not reply.text.strip():
            raise BadAnswer("The model gave no answer.")
        return reply

    def _assemble_reply(
        self, schema: Schema, cls: str, text: str, parsed: ParsedAnswer, *, reply: Reply
    ) -> Extraction:
        extraction = assemble_extraction(
            schema, parsed.as_one_block(schema.classes[cls]), text, self.grounding
        )
        problem = unfinished_problem(reply, dropped=whole_part(reply)[1])
        cut = (problem,) if problem else ()
        unread = tuple(problem for block in parsed.blocks for problem in plain_words(schema, block))
        return replace(extraction, problems=cut + parsed.problems + unread + extraction.problems)

    def _fall_back(
        self, schema: Schema, cls: str, text: str, place: str, *, why: str
    ) -> Extraction:
        extraction = self.spires.extract(schema, cls, text, place=place)
        note = Problem(
            "fell-back", f"One call did not work here, so SPIRES was used. {why}", Severity.NOTE
        )
        return replace(extraction, problems=(note, *extraction.problems))


def nested_objects(schema: Schema, block: Block) -> Iterator[tuple[Slot, str | Block]]:
    """What the answer has where the schema asks for objects of more fields."""
    for slot in schema.definition(block.cls).slots:
        cls = schema.classes.get(slot.range)
        if slot.kind is RangeKind.OBJECT and slot.recurse and cls is not None and asked_slots(cls):
            yield from ((slot, item) for item in block.get(slot.name))


def only_words(schema: Schema, block: Block) -> bool:
    """Whether there are only words where objects were asked for: no relation can be read from
    them.
    """
    items = [item for _, item in nested_objects(schema, block)]
    return bool(items) and all(isinstance(item, str) for item in items)


def plain_words(schema: Schema, block: Block) -> Iterator[Problem]:
    """A problem for each place with words instead of an object, at any depth."""
    for slot, item in nested_objects(schema, block):
        if isinstance(item, Block):
            yield from plain_words(schema, item)
        else:
            expected = "relation" if schema.classes[slot.range].is_claim else "fields"
            yield Problem(
                "unplaced", f"{slot.name}: no {expected} could be read from “{item[:200]}”."
            )
