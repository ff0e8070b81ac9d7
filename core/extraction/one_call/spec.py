"""One-call mode for the registry."""

from __future__ import annotations

import json

from core.extraction.engine import (
    Engine,
    EngineParts,
    EngineSpec,
    Estimate,
    Limits,
    estimate_tokens,
)
from core.extraction.one_call.engine import INSTRUCTION, OneCall
from core.extraction.one_call.json_schema import json_schema
from core.extraction.spires.prompt import class_of
from core.extraction.spires.spec import model_of
from core.schema.definition import Schema

SCHEMA_TOKENS = 1000  # the JSON Schema and the answer, about


def _make(parts: EngineParts) -> Engine:
    return OneCall(model_of(parts), parts.grounding, parts.limits, parts.check, parts.progress)


def _estimate(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    return Estimate(1, len(text) // 2 + SCHEMA_TOKENS, 1, 1)


def _overhead(schema: Schema, cls: str) -> int:
    shape = json.dumps(json_schema(schema, class_of(schema, cls).name), ensure_ascii=False)
    return estimate_tokens(INSTRUCTION) + estimate_tokens(shape)


SPEC = EngineSpec(
    OneCall.name,
    "One call",
    "answered by a language model in one call",
    needs_model=True,
    counts="answers",
    make=_make,
    estimate=_estimate,
    overhead=_overhead,
)
