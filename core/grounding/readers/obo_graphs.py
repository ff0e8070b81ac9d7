"""OBO Graphs JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.curie import contract_iri
from core.errors import InputError
from core.grounding.readers.record import Name, Reading, Scope, TermRecord, identifier
from core.grounding.readers.source import open_unpacked

SUFFIXES = (".json",)
REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
_SCOPES = {
    "hasExactSynonym": Scope.EXACT,
    "hasNarrowSynonym": Scope.NARROW,
    "hasBroadSynonym": Scope.BROAD,
    "hasRelatedSynonym": Scope.RELATED,
}


def fits(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"graphs"' in head


def read(path: Path, reading: Reading) -> Iterator[TermRecord]:
    for graph in _graphs(path):
        meta = graph.get("meta") or {}
        reading.name = reading.name or str(graph.get("id") or "").rsplit("/", 1)[-1].split(".")[0]
        reading.version = reading.version or _version(meta)
        edges = _edges(graph)
        for node in graph.get("nodes") or []:
            if isinstance(node, dict) and node.get("type", "CLASS") == "CLASS":
                yield from _node(node, edges, reading)


def _graphs(path: Path) -> list[dict[str, Any]]:
    try:
        with open_unpacked(path) as file:
            content = json.load(file)
    except (ValueError, EOFError, OSError, RecursionError) as error:
        raise InputError(
            f"{path.name} is not complete JSON: {str(error)[:120]}.", "Download it again."
        ) from error
    graphs = content.get("graphs") if isinstance(content, dict) else None
    if not isinstance(graphs, list) or not all(isinstance(graph, dict) for graph in graphs):
        raise InputError(f"{path.name} is JSON, but not OBO Graphs: it has no list of graphs.")
    return graphs


def _version(meta: dict[str, Any]) -> str:
    values = [
        v.get("val", "")
        for v in meta.get("basicPropertyValues") or []
        if v.get("pred", "").endswith("versionInfo")
    ]
    return str(values[0] if values else meta.get("version") or "")


def _edges(graph: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    edges_from: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in graph.get("edges") or []:
        if target := curie(str(edge.get("obj", ""))):
            edges_from[str(edge.get("sub", ""))].append((str(edge.get("pred", "")), target))
    return edges_from


def _node(
    node: dict[str, Any], edges: dict[str, list[tuple[str, str]]], reading: Reading
) -> Iterator[TermRecord]:
    iri, meta = str(node.get("id", "")), node.get("meta") or {}
    id = curie(iri)
    if not id:
        if node.get("lbl"):
            reading.trouble("malformed-id", f"{iri[:80]!r} has no known prefix.", iri[:80])
        return
    values = {
        str(v.get("pred")): str(v.get("val", "")) for v in meta.get("basicPropertyValues") or []
    }
    own = edges.get(iri, [])
    yield TermRecord(
        id,
        str(node.get("lbl") or ""),
        tuple(
            Name(str(s.get("val")), _SCOPES[s["pred"]])
            for s in meta.get("synonyms") or []
            if s.get("pred") in _SCOPES
        ),
        tuple(target for relation, target in own if relation == "is_a"),
        tuple(
            (curie(relation) or relation, target) for relation, target in own if relation != "is_a"
        ),
        obsolete=bool(meta.get("deprecated")),
        replaced_by=curie(values.get(REPLACED_BY, "")),
        definition=str((meta.get("definition") or {}).get("val", "")),
        where=iri,
    )


def curie(text: str) -> str:
    """The CURIE of an IRI, or of what is one already; empty when the prefix is not known."""
    if text.startswith(("http://", "https://")):
        if contracted := contract_iri(text):
            return contracted
        local = text.rsplit("/", 1)[-1].rsplit("#", 1)[-1]
        return identifier(local.replace("_", ":", 1)) if local.count("_") == 1 else ""
    return identifier(text)
