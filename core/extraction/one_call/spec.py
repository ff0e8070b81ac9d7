"""One-call mode for the registry; imported when it is made."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from core.extraction.budget import Limits
from core.extraction.engine import Engine, EngineParts, EngineSpec, Estimate
from core.extraction.spires.prompt import class_of
from core.extraction.spires.spec import model_of
from core.llm.token_count import tokens_in

if TYPE_CHECKING:
    from core.schema.definition import Schema

ANSWER, SHARE = 100, 0.2  # tokens of an answer, about: so many, and a share of the text's

EMPTY, LONG = 10, 4  # tokens of an answer that states nothing; of a long one, as a multiple


def _make(parts: EngineParts) -> Engine:
    from core.extraction.one_call.engine import OneCall

    return OneCall(
        model_of(parts),
        grounding=parts.grounding,
        limits=parts.limits,
        check=parts.check,
        progress=parts.progress,
        guidance=parts.guidance,
    )


def _estimate(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    prompt_tokens = _overhead(schema, cls) + tokens_in(text)
    answered = ANSWER + round(SHARE * tokens_in(text))
    estimated = Estimate(1, prompt_tokens, answered, least=1, most=1)
    estimated = replace(estimated, fewest_out=EMPTY, most_out=LONG * answered)
    return estimated.within(limits.calls, limits.tokens)


def _overhead(schema: Schema, cls: str) -> int:
    from core.extraction.one_call.engine import INSTRUCTION
    from core.extraction.one_call.json_schema import json_schema

    shape = json.dumps(json_schema(schema, class_of(schema, cls).name), ensure_ascii=False)
    return tokens_in(INSTRUCTION) + tokens_in(shape)


SPEC = EngineSpec(
    "one-call",
    "One call",
    "answered by a language model in one call",
    needs_model=True,
    counts="answers",
    make=_make,
    estimate=_estimate,
    overhead=_overhead,
)
