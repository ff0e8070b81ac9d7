"""OWL 2: the objects of a knowledge base as axioms, by the `owl` annotations of their schemas."""

from __future__ import annotations

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat, at_once
from core.kb.owl.ontology import ontology, owl
from core.model import Problem


def remarks(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """What of the knowledge base no axiom can say."""
    return ontology(kb).problems


OWL = ExportFormat(
    "owl",
    "OWL ontology (Turtle)",
    ".owl.ttl",
    mime="text/turtle",
    chunks=at_once(owl),
    drafts=True,
    remarks=remarks,
)
