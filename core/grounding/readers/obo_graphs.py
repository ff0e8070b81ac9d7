"""OBO Graphs JSON."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.curie import is_known_prefix
from core.errors import InputError
from core.grounding.readers.names_told import SYNONYM_PROPERTIES
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
)
from core.grounding.readers.source import DAMAGED, damaged_file_error, not_utf_8, open_unpacked

SUFFIXES = (".json",)
MOST_SAME = 40  # nodes in one set of equivalent ones
REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
_OIO = "http://www.geneontology.org/formats/oboInOwl#"
_ALTERNATIVE, _CONSIDER = f"{_OIO}hasAlternativeId", f"{_OIO}consider"
_SCOPES = {
    "hasExactSynonym": SynonymScope.EXACT,
    "hasNarrowSynonym": SynonymScope.NARROW,
    "hasBroadSynonym": SynonymScope.BROAD,
    "hasRelatedSynonym": SynonymScope.RELATED,
}
_SAME = (
    "http://www.w3.org/2004/02/skos/core#exactMatch", "skos:exactMatch",
    "http://www.w3.org/2002/07/owl#equivalentClass", "http://www.w3.org/2002/07/owl#sameAs",
)  # fmt: skip
_READ = (_ALTERNATIVE, _CONSIDER, REPLACED_BY, *_SAME)


def fits(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"graphs"' in head


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    for graph in _graphs(path):
        meta = _object(graph.get("meta"))
        reading.name = reading.name or str(graph.get("id") or "").rsplit("/", 1)[-1].split(".")[0]
        reading.version = reading.version or _version(meta)
        edges, same = _edges(graph, reading), _same_nodes(graph)
        for node in _objects(graph.get("nodes")):
            kind = node.get("type", "CLASS")
            if kind == "CLASS" or (kind == "PROPERTY" and _is_relation(node)):
                yield from _node(node, edges, reading, same.get(str(node.get("id", "")), ()))
            else:
                reading.ledger.leave("type", str(node.get("propertyType") or kind))


def _is_relation(node: dict[str, Any]) -> bool:
    """Whether a property relates terms, and does not annotate them or give them values."""
    return str(node.get("propertyType", "OBJECT")) == "OBJECT"


def _object(value: Any) -> dict[str, Any]:
    """An object of the file; empty where something else stands in its place."""
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list of the file; whatever else stands in it is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _graphs(path: Path) -> list[dict[str, Any]]:
    try:
        with open_unpacked(path) as file:
            content = json.load(file)
    except UnicodeDecodeError as error:
        raise not_utf_8(path) from error
    except DAMAGED as error:
        raise damaged_file_error(path) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path.name} is not complete JSON: {str(error)[:120]}.", "Download it again."
        ) from error
    graphs = content.get("graphs") if isinstance(content, dict) else None
    if not isinstance(graphs, list) or not all(isinstance(graph, dict) for graph in graphs):
        raise InputError(f"{path.name} is JSON, but not OBO Graphs: it has no list of graphs.")
    return graphs


def _version(meta: dict[str, Any]) -> str:
    values = _values(meta)
    written = (texts[0] for pred, texts in values.items() if pred.endswith("versionInfo"))
    return next(written, str(meta.get("version") or ""))


def _values(meta: dict[str, Any]) -> dict[str, list[str]]:
    """Property → its values, in order."""
    texts: dict[str, list[str]] = defaultdict(list)
    for value in _objects(meta.get("basicPropertyValues")):
        texts[str(value.get("pred"))].append(str(value.get("val", "")))
    return texts


def _edges(graph: dict[str, Any], reading: VocabularyReading) -> dict[str, list[tuple[str, str]]]:
    edges_from: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in _objects(graph.get("edges")):
        if target := reading.curie(str(edge.get("obj", ""))):
            edges_from[str(edge.get("sub", ""))].append((str(edge.get("pred", "")), target))
    return edges_from


def _same_nodes(graph: dict[str, Any]) -> dict[str, list[str]]:
    """Node → the nodes that the graph calls equivalent to it."""
    same: dict[str, list[str]] = defaultdict(list)
    for group in _objects(graph.get("equivalentNodesSets")):
        ids = group.get("nodeIds")
        ids = [str(id) for id in ids[:MOST_SAME]] if isinstance(ids, list) else []
        for id in ids:
            same[id] += [other for other in ids if other != id]
    return same


def _node(
    node: dict[str, Any],
    edges: dict[str, list[tuple[str, str]]],
    reading: VocabularyReading,
    same: Sequence[str],
) -> Iterator[TermRecord]:
    iri, meta = str(node.get("id", "")), _object(node.get("meta"))
    id = reading.curie(iri)
    if not id:
        if node.get("lbl"):
            reading.trouble("malformed-id", f"{iri[:80]!r} has no known prefix.", iri[:80])
        return
    if not node.get("lbl") and not is_known_prefix(id.partition(":")[0]):
        reading.ledger.leave("class without a name", id)
        return
    values = _values(meta)
    own = edges.get(iri, [])
    above = ("is_a", "subPropertyOf")
    yield TermRecord(
        id,
        str(node.get("lbl") or ""),
        tuple(_names(meta, values, reading)),
        parents=tuple(target for relation, target in own if relation in above),
        related=tuple(
            (reading.curie(relation) or relation, target)
            for relation, target in own
            if relation not in above
        ),
        alternative=_curies(values.get(_ALTERNATIVE, []), reading),
        obsolete=bool(meta.get("deprecated")),
        replaced_by=next(iter(_curies(values.get(REPLACED_BY, []), reading)), ""),
        definition=str(_object(meta.get("definition")).get("val", "")),
        where=iri,
        consider=_curies(values.get(_CONSIDER, []), reading),
        relation=node.get("type") == "PROPERTY",
        exact=tuple(dict.fromkeys(_curies([*same, *_texts(values, _SAME)], reading))),
        xrefs=tuple(dict.fromkeys(_xrefs(meta, reading))),
    )


def _texts(values: dict[str, list[str]], properties: Iterable[str]) -> list[str]:
    return [text for name in properties for text in values.get(name, [])]


def _xrefs(meta: dict[str, Any], reading: VocabularyReading) -> Iterator[str]:
    """The ids that a node refers to; what is no id is counted."""
    for xref in _objects(meta.get("xrefs")):
        if id := reading.curie(str(xref.get("val", ""))):
            yield id
        else:
            reading.ledger.leave("property", "xref")


def _names(
    meta: dict[str, Any], values: dict[str, list[str]], reading: VocabularyReading
) -> Iterator[TermName]:
    """A node's synonyms, and the values of other properties that give names; the rest is
    counted.
    """
    for synonym in _objects(meta.get("synonyms")):
        scope = _SCOPES.get(str(synonym.get("pred")))
        if scope and (text := str(synonym.get("val", "")).strip()):
            yield TermName(text, scope)
        else:
            reading.ledger.leave("synonym", str(synonym.get("pred")))
    for predicate, texts in values.items():
        if scope := SYNONYM_PROPERTIES.get(predicate):
            yield from (TermName(text, scope) for text in texts if text.strip())
        elif predicate not in _READ:
            reading.ledger.leave("property", re.split(r"[#/]", predicate)[-1], len(texts))


def _curies(texts: list[str], reading: VocabularyReading) -> tuple[str, ...]:
    return tuple(id for text in texts if (id := reading.curie(text)))
