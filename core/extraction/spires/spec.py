"""SPIRES for the registry; imported when it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import SettingsError
from core.extraction.engine import Engine, EngineParts, EngineSpec
from core.extraction.spires.estimate import estimate_run
from core.extraction.spires.prompt import spires_prompt
from core.llm.token_count import tokens_in

if TYPE_CHECKING:
    from core.llm.completer import Completer
    from core.schema.definition import Schema


def model_of(parts: EngineParts) -> Completer:
    """The model of a run. Raises SettingsError where none is configured any more."""
    if parts.completer is None:
        raise SettingsError(
            "The language model of this run is no longer configured.",
            "Set GROUNDWORK_MODEL and resume.",
        )
    return parts.completer


def _make(parts: EngineParts) -> Engine:
    from core.extraction.spires.engine import Spires

    return Spires(
        model_of(parts),
        grounding=parts.grounding,
        limits=parts.limits,
        check=parts.check,
        progress=parts.progress,
        guidance=parts.guidance,
    )


def _overhead(schema: Schema, cls: str) -> int:
    return tokens_in(spires_prompt(schema, cls, ""))


SPEC = EngineSpec(
    "spires",
    "SPIRES, question by question",
    "answered by a language model, question by question",
    needs_model=True,
    counts="answers",
    make=_make,
    estimate=estimate_run,
    overhead=_overhead,
)
