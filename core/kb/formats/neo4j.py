"""CSV for Neo4j: nodes and relationships with typed headers, and the command that loads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.kb.entry import KnowledgeBase, settle_labels
from core.kb.formats import kgx
from core.kb.formats.archive import zip_files
from core.kb.formats.separated import write_rows
from core.kb.formats.specification import ExportFormat

# Lists are set apart by a bar: --array-delimiter below.
NODES = ("id:ID", "category", "name", "provided_by", "attributes:string[]", ":LABEL")
RELATIONSHIPS = (
    ":START_ID",
    ":END_ID",
    ":TYPE",
    "id",
    "category",
    "original_predicate",
    "predicate_label",
    "negated:boolean",
    "knowledge_level",
    "agent_type",
    "primary_knowledge_source",
    "publications:string[]",
    "supporting_text:string[]",
    "qualifiers:string[]",
    "modality",
    "is_plain:boolean",
)
NOTICE = f"{kgx.NOTICE}:string[]"  # names retracted papers, where there are any
_TYPED = {  # columns that only some knowledge bases have
    **dict(zip(kgx.SUPPORT, ("support", "support_probability:double"), strict=True)),
    kgx.NOTICE: NOTICE,
}
SAME = f"{kgx.SAME}:string[]"  # other ids of a thing, where any thing has some
COMMAND = """#!/bin/sh
# Loads this export into an empty database. Run it in the folder of the CSV files, with the
# database stopped; see https://neo4j.com/docs/operations-manual/current/import/
neo4j-admin database import full "${1:-neo4j}" --array-delimiter='|' --multiline-fields=true \\
  --nodes=nodes.csv --relationships=relationships.csv
"""


def neo4j(kb: KnowledgeBase) -> Iterator[bytes]:
    labels = settle_labels(kb.entries)
    node_columns, rows = kgx.node_table(kb, labels)
    nodes = (_node(row) for row in rows)
    node_header = (*NODES, SAME) if kgx.SAME in node_columns else NODES
    edge_columns, edges = kgx.network_table(kb, labels)
    header = (*RELATIONSHIPS, *(_TYPED[name] for name in edge_columns if name in _TYPED))
    relationships = (_relationship(edge_columns, row) for row in edges)
    yield from zip_files(
        (
            ("nodes.csv", _csv(node_header, nodes)),
            ("relationships.csv", _csv(header, relationships)),
            ("import.sh", [COMMAND.encode()]),
        )
    )


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    yield from write_rows([header], rows, ",")


def _node(row: Sequence[str]) -> tuple[str, ...]:
    known = len(kgx.NODES)  # the label stands behind them, and other ids behind it
    return (*row[:known], row[1].removeprefix("biolink:"), *row[known:])


def _relationship(columns: Sequence[str], row: Sequence[str]) -> tuple[str, ...]:
    edge_values = dict(zip(columns, row, strict=True))
    start, end, name = (edge_values.pop(column) for column in ("subject", "object", "predicate"))
    # `biolink:treats` becomes TREATS: a type is written without quotes in Cypher then.
    kind = re.sub(r"\W+", "_", name.removeprefix("biolink:")).upper()
    return (start, end, kind, *edge_values.values())


NEO4J = ExportFormat(
    "neo4j",
    "Neo4j (CSV in a ZIP, with its import command)",
    ".neo4j.zip",
    mime="application/zip",
    chunks=neo4j,
)
