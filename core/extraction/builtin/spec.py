"""The built-in engine for the registry. It is imported when it is made: lists of engines are shown
where none works.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from core.extraction.budget import Limits
from core.extraction.builtin import NAME
from core.extraction.engine import Engine, EngineParts, EngineSpec, Estimate

if TYPE_CHECKING:
    from core.grounding.grounder import Grounder
    from core.schema.definition import Schema
    from core.support.reading.pair_features import Kinds


def kinds_in(grounder: Grounder) -> Kinds:
    """All broader terms of a term, as the vocabularies say; none where they have no hierarchy."""

    from core.grounding.index.lexicon import IS_A

    def kinds(id: str) -> frozenset[str]:
        return frozenset(
            above
            for lexicon in grounder.vocabulary_registry.lexicons((id.partition(":")[0],))
            if lexicon.has_hierarchy
            for above in lexicon.ancestors(id, (IS_A,))
        )

    return lru_cache(maxsize=50_000)(kinds)


def _make(parts: EngineParts) -> Engine:
    from core.extraction.builtin.engine import DictionaryEngine
    from core.extraction.builtin.taught_judge import judge_for
    from core.grounding.recognise.recogniser import Recogniser
    from core.support.reading.rule_table import rules_for

    return DictionaryEngine(
        Recogniser(parts.grounder),
        parts.check,
        parts.progress,
        rules=rules_for(parts.folders),
        kinds=kinds_in(parts.grounder),
        judge=judge_for(parts.folders),
    )


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
    reads_whole=True,
)
