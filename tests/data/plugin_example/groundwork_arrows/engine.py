"""An engine for curators' own notes: `lithium -> INDUCES -> nephropathy`, one relation a line."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import InputError
from core.extraction.assemble import assemble_extraction
from core.extraction.block import Block
from core.extraction.budget import Limits
from core.extraction.engine import Engine, EngineParts, EngineSpec, Estimate
from core.extraction.mention_grounding import Grounding
from core.extraction.tree import Extraction
from core.schema.definition import Schema


@dataclass(frozen=True, slots=True)
class ArrowEngine:
    grounding: Grounding  # finds terms as the schema's classes allow them
    name: str = "arrows"

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction:
        root = schema.definition(cls or schema.root)
        slot = next((s for s in root.slots if _holds_claims(schema, s.range)), None)
        if slot is None:
            raise InputError(f"{root.name} has no slot for relations.", "Use another schema.")
        claims = []
        for line in text.splitlines():
            words = [part.strip() for part in line.split("->")]
            if len(words) == 3 and all(words):
                ends = zip(("subject", "predicate", "object"), words, strict=True)
                claims.append(Block(slot.range, tuple((name, (said,)) for name, said in ends)))
        found = Block(root.name, ((slot.name, tuple(claims)),))
        return assemble_extraction(schema, found, text, self.grounding)


def _holds_claims(schema: Schema, name: str) -> bool:
    return name in schema.classes and schema.classes[name].is_claim


def _make(parts: EngineParts) -> Engine:
    return ArrowEngine(parts.grounding)


def _estimate(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    return Estimate()  # it calls no model


ARROWS = EngineSpec(
    "arrows",
    "Notes with arrows",
    "read from lines such as: lithium -> INDUCES -> nephropathy",
    needs_model=False,
    counts="lines",
    make=_make,
    estimate=_estimate,
)
