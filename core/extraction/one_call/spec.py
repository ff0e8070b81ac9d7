"""One-call mode for the registry."""

from __future__ import annotations

from core.extraction.engine import Engine, EngineParts, EngineSpec, Estimate, Limits
from core.extraction.one_call.engine import OneCall
from core.extraction.spires.spec import model_of
from core.schema.definition import Schema

SCHEMA_TOKENS = 1000  # the JSON Schema and the answer, about


def _make(parts: EngineParts) -> Engine:
    return OneCall(model_of(parts), parts.grounding, parts.limits, parts.check, parts.progress)


def _estimate(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    return Estimate(1, len(text) // 2 + SCHEMA_TOKENS, 1, 1)


SPEC = EngineSpec(
    OneCall.name,
    "One call",
    "answered by a language model in one call",
    needs_model=True,
    counts="answers",
    make=_make,
    estimate=_estimate,
)
