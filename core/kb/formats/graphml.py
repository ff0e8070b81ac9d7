"""GraphML (http://graphml.graphdrawing.org): nodes and edges for Cytoscape, Gephi, yEd, networkx.

The columns are those of KGX: several values in one are separated by a bar, and `is_plain` says
which edges may be drawn without qualification. `support` says what the evidence of an edge does to
it, `notice` names papers that were retracted, if any, and `same_as` the other ids of a thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from core.kb.entry import KnowledgeBase, settle_labels
from core.kb.formats import kgx
from core.kb.formats.specification import ExportFormat
from core.kb.rdf.fact import utf8_safe

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""
ENDS = ("id", "subject", "object")  # what an edge element says itself
BATCH = 1_000  # elements in a piece
# Characters that XML 1.0 cannot hold, not even escaped
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml(kb: KnowledgeBase) -> Iterator[bytes]:
    labels = settle_labels(kb.entries)
    node_columns, nodes = kgx.node_table(kb, labels)
    edge_columns, edges = kgx.network_table(kb, labels)
    yield (HEAD + "".join(_keys(node_columns, edge_columns))).encode()
    yield f'<graph id={_quoted(kb.base_iri)} edgedefault="directed">\n'.encode()
    yield from _pieces(_node(node_columns, row) for row in nodes)
    yield from _pieces(_edge(edge_columns, row) for row in edges)
    yield b"</graph>\n</graphml>\n"


def _keys(node_columns: Sequence[str], edge_columns: Sequence[str]) -> Iterator[str]:
    for target, columns in (("node", node_columns), ("edge", edge_columns)):
        for name in columns:
            if name not in ENDS:
                yield (
                    f'<key id="{target}.{name}" for="{target}" attr.name="{name}"'
                    ' attr.type="string"/>\n'
                )


def _node(columns: Sequence[str], row: Sequence[str]) -> str:
    facts = _facts("node", columns, row)
    return f"<node id={_quoted(row[0])}>{facts}</node>\n"


def _edge(columns: Sequence[str], row: Sequence[str]) -> str:
    edge_values = dict(zip(columns, row, strict=True))
    facts = _facts("edge", columns, row)
    ends = f"source={_quoted(edge_values['subject'])} target={_quoted(edge_values['object'])}"
    return f"<edge id={_quoted(edge_values['id'])} {ends}>{facts}</edge>\n"


def _facts(target: str, columns: Sequence[str], row: Sequence[str]) -> str:
    return "".join(
        f'<data key="{target}.{name}">{escape(_xml(value))}</data>'
        for name, value in zip(columns, row, strict=True)
        if value and name not in ENDS
    )


def _xml(words: str) -> str:
    """Control signs that XML forbids become U+FFFD."""
    return _NOT_XML.sub("\ufffd", utf8_safe(words))


def _quoted(words: str) -> str:
    return quoteattr(_xml(words))


def _pieces(elements: Iterator[str]) -> Iterator[bytes]:
    batch: list[str] = []
    for element in elements:
        batch.append(element)
        if len(batch) == BATCH:
            yield "".join(batch).encode()
            batch = []
    yield "".join(batch).encode()


GRAPHML = ExportFormat(
    "graphml",
    "GraphML (Cytoscape, Gephi)",
    ".graphml",
    mime="application/graphml+xml",
    chunks=graphml,
)
