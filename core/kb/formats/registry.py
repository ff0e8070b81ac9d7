"""The export formats: one file each, and a line here; other packages add theirs."""

from __future__ import annotations

from core.errors import InputError
from core.kb.formats.bundle import BUNDLE
from core.kb.formats.cx2 import CX2
from core.kb.formats.gpad import GPAD
from core.kb.formats.graphml import GRAPHML
from core.kb.formats.hpoa import HPOA
from core.kb.formats.jsonld import JSONLD
from core.kb.formats.kgx import KGX
from core.kb.formats.nanopub import NANOPUB
from core.kb.formats.neo4j import NEO4J
from core.kb.formats.ntriples import NTRIPLES
from core.kb.formats.specification import ExportFormat
from core.kb.formats.sssom import SSSOM
from core.kb.formats.table import TABLE
from core.kb.formats.turtle import TURTLE
from core.optional_part import optional_module
from core.plugins import Registry

_OWL = optional_module("core.kb.owl.formats")  # OWL may be left out
FORMATS: Registry[ExportFormat] = Registry(
    "groundwork.formats",
    ExportFormat,
    (
        TURTLE,
        NTRIPLES,
        JSONLD,
        *(_OWL.FORMATS if _OWL else ()),
        KGX,
        TABLE,
        SSSOM,
        NANOPUB,
        HPOA,
        GPAD,
        GRAPHML,
        CX2,
        NEO4J,
        BUNDLE,
    ),
)


def format_named(name: str) -> ExportFormat:
    """The format, or InputError with the names there are."""
    export_format = FORMATS.get(name.lower().lstrip("."))
    if export_format is None:
        raise InputError(
            f"There is no export format {name!r}.",
            f"Use one of: {', '.join(FORMATS)}.",
        )
    return export_format
