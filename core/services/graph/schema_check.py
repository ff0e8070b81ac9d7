"""Whether what was approved keeps what the schemas ask: as SHACL to give away, and as a list of the
statements that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.desk_parts import HasProject, HasProjectTerms
from core.kb.gate.gate import GateReport
from core.kb.gate.schema_shape import SchemaMismatch, schema_mismatches, schema_shapes
from core.kb.rdf import iri
from core.model import State
from core.services.graph.knowledge_base import knowledge_base
from core.services.review.authority import loadable_schemas, prefixes_of_schemas
from core.services.vocabularies.prefix_context import said_prefixes

__all__ = ["SchemaMismatch"]


def shapes(desk: HasProject) -> str:
    """What the project's schemas ask, as SHACL in Turtle."""
    known_schemas = loadable_schemas(desk)
    return schema_shapes(
        known_schemas,
        iri.normalised_base(desk.base_iri),
        said_prefixes(desk) | prefixes_of_schemas(known_schemas),
    )


def mismatches(
    desk: HasProjectTerms,
    report: GateReport,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[SchemaMismatch]:
    """The statements that passed the gate and do not keep what a schema asks."""
    yield from schema_mismatches(knowledge_base(desk, report.entries), on_progress)


def review_address(mismatch: SchemaMismatch) -> dict[str, str]:
    """Where the statement is on Review."""
    return {"state": str(State.APPROVED), "id": mismatch.statement.id}
