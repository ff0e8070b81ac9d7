"""The built-in engine for the registry."""

from __future__ import annotations

from core.extraction.builtin.engine import NAME, DictionaryEngine
from core.extraction.engine import Engine, EngineParts, EngineSpec, Estimate, Limits
from core.grounding.recognise.recogniser import Recogniser
from core.schema.definition import Schema


def _make(parts: EngineParts) -> Engine:
    return DictionaryEngine(Recogniser(parts.grounder), parts.check, parts.progress)


def _estimate(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    return Estimate()


SPEC = EngineSpec(
    NAME,
    "Built-in draft engine (no model)",
    "drafted by vocabularies and rules: check every line",
    needs_model=False,
    counts="characters",
    make=_make,
    estimate=_estimate,
    names_objects=True,
)
