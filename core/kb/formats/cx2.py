"""CX2 (https://cytoscape.org/cx/cx2/): a network for Cytoscape and NDEx, columns as in KGX."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from core.kb.entry import KnowledgeBase, settle_labels
from core.kb.formats import kgx
from core.kb.formats.specification import ExportFormat
from core.model import Json

REPRESENTS = "represents"  # what CX2 calls the id of a node
LISTS = ("attributes", "publications", "supporting_text", "qualifiers", kgx.NOTICE, kgx.SAME)
BOOLEANS = ("negated", "is_plain")
NUMBERS = kgx.SUPPORT[1:]


def cx2(kb: KnowledgeBase) -> Iterator[bytes]:
    labels = settle_labels(kb.entries)
    numbers: dict[str, int] = {}
    nodes = []
    node_columns, node_rows = kgx.node_table(kb, labels)
    node_facts = (REPRESENTS, *node_columns[1:])
    for number, row in enumerate(node_rows, 1):
        numbers[row[0]] = number
        nodes.append({"id": number, "v": _facts(node_facts, row)})
    edges = []
    edge_columns, rows = kgx.network_table(kb, labels)
    for number, row in enumerate(rows, 1):
        edge_values = dict(zip(edge_columns, row, strict=True))
        ends = {"s": numbers[edge_values.pop("subject")], "t": numbers[edge_values.pop("object")]}
        facts = {"interaction": edge_values["predicate"], **edge_values}
        edges.append({"id": number, **ends, "v": _facts(tuple(facts), tuple(facts.values()))})
    edge_facts = (
        "interaction",
        *(name for name in edge_columns if name not in ("subject", "object")),
    )
    aspects: list[tuple[str, list[Json]]] = [
        ("attributeDeclarations", [{"nodes": _types(node_facts), "edges": _types(edge_facts),
                                    "networkAttributes": {"name": {"d": "string"}}}]),
        ("networkAttributes", [{"name": kb.base_iri}]),
        ("nodes", nodes),
        ("edges", edges),
    ]  # fmt: skip
    yield b'[{"CXVersion":"2.0","hasFragments":false},\n'
    counts = [{"name": name, "elementCount": len(items)} for name, items in aspects]
    yield _json({"metaData": counts}) + b",\n"
    for name, items in aspects:
        yield f'{{"{name}":[\n'.encode()
        for at, item in enumerate(items):
            yield _json(item) + (b",\n" if at < len(items) - 1 else b"\n")
        yield b"]},\n"
    yield b'{"status":[{"success":true}]}]\n'


def _facts(names: Sequence[str], values: Sequence[str]) -> Json:
    facts: dict[str, Json] = {}
    for name, value in zip(names, values, strict=True):
        if name in BOOLEANS:
            facts[name] = value == "true"
        elif value and name in NUMBERS:
            facts[name] = float(value)
        elif value:
            facts[name] = kgx.split_values(value) if name in LISTS else value
    return facts


def _types(names: Sequence[str]) -> Json:
    kinds = dict.fromkeys(LISTS, "list_of_string") | dict.fromkeys(BOOLEANS, "boolean")
    kinds |= dict.fromkeys(NUMBERS, "double")
    return {name: {"d": kinds.get(name, "string")} for name in names}


def _json(value: Json) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


CX2 = ExportFormat("cx2", "CX2 (Cytoscape, NDEx)", ".cx2", mime="application/json", chunks=cx2)
