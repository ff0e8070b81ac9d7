"""JSON-LD: expanded, with a flat `@graph` sorted by id. No remote context is named, so nothing
needs to be fetched.
"""

from __future__ import annotations

import json

from rdflib import Literal as Value

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat, at_once
from core.kb.rdf.association import triples
from core.kb.rdf.node import RDF
from core.kb.rdf.turtle_block import row
from core.model import Json


def jsonld(kb: KnowledgeBase) -> bytes:
    nodes: dict[str, dict[str, list[Json]]] = {}
    for subject, predicate, object_ in sorted(set(triples(kb)), key=row):
        facts = nodes.setdefault(str(subject), {})
        if predicate == RDF.type:
            facts.setdefault("@type", []).append(str(object_))
        else:
            facts.setdefault(str(predicate), []).append(value(object_))
    graph = [{"@id": name} | nodes[name] for name in sorted(nodes)]
    return (
        json.dumps({"@graph": graph}, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    ).encode()


def value(term: object) -> Json:
    if not isinstance(term, Value):
        return {"@id": str(term)}
    return {"@value": str(term)} | ({"@type": str(term.datatype)} if term.datatype else {})


JSONLD = ExportFormat(
    "jsonld", "JSON-LD", ".jsonld", "application/ld+json", at_once(jsonld), drafts=True
)
