"""JSON-LD: expanded, with a flat `@graph` sorted by id. No remote context is named, so nothing
needs to be fetched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat
from core.kb.rdf.association import descriptions
from core.kb.rdf.fact import IRI, PLAIN, Fact, values_by_predicate
from core.kb.rdf.node import RDF
from core.kb.rdf.sorting import gather_by_subject

quoted = json.JSONEncoder(ensure_ascii=False).encode


def jsonld(kb: KnowledgeBase) -> Iterator[bytes]:
    """One node after the other, in bounded memory."""
    before = '{\n "@graph": ['
    for subject, facts in gather_by_subject(descriptions(kb)):
        yield f"{before}\n  {node(subject, facts)}".encode()
        before = ","
    yield b'{\n "@graph": []\n}\n' if before != "," else b"\n ]\n}\n"


def node(subject: str, facts: list[Fact]) -> str:
    """A subject with its facts, as `json.dumps(…, indent=1)` writes it two levels deep."""
    members = [f'"@id": {quoted(subject)}']
    for predicate, values in values_by_predicate(facts, RDF.type):
        is_type = predicate == RDF.type
        key = "@type" if is_type else predicate
        value_texts = [
            quoted(text) if is_type else value(text, datatype) for text, datatype in values
        ]
        members.append(f"{quoted(key)}: [\n    {f',{FOUR}'.join(value_texts)}\n   ]")
    return f"{{\n   {f',{THREE}'.join(members)}\n  }}"


THREE, FOUR, FIVE = ("\n" + " " * depth for depth in (3, 4, 5))


def value(text: str, datatype: str) -> str:
    if datatype == IRI:
        return f'{{{FIVE}"@id": {quoted(text)}{FOUR}}}'
    kind = "" if datatype == PLAIN else f'{FIVE}"@type": {quoted(datatype)},'
    return f'{{{kind}{FIVE}"@value": {quoted(text)}{FOUR}}}'


JSONLD = ExportFormat(
    "jsonld", "JSON-LD", ".jsonld", mime="application/ld+json", chunks=jsonld, drafts=True
)
