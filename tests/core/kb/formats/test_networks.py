"""GraphML, CX2 and Neo4j CSV, read by other tools or by the rules of their specification."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace

import networkx as nx

from core.kb.formats.cx2 import CX2
from core.kb.formats.graphml import GRAPHML
from core.kb.formats.neo4j import NEO4J
from core.model import Literal
from tests.core.kb.formats.test_turtle import ASPIRIN, CLAIM, PAIN, VARIED, kb


def test_networkx_reads_the_graphml_with_all_statements_between_things():
    graph = nx.read_graphml(io.BytesIO(GRAPHML.write(kb(*VARIED))), force_multigraph=True)
    tied = [claim for claim in VARIED if not isinstance(claim.object, Literal)]
    assert graph.number_of_edges() == len(tied)
    assert graph.nodes["CHEBI:15365"]["category"] == "biolink:ChemicalEntity"


def test_graphml_takes_control_signs_and_markup_as_words():
    label = 'a\x01b</node>"&'
    graph = nx.read_graphml(
        io.BytesIO(GRAPHML.write(kb(replace(CLAIM, subject=replace(ASPIRIN, label=label)))))
    )
    assert graph.nodes["CHEBI:15365"]["name"] == 'a\ufffdb</node>"&'


def test_cx2_counts_what_it_holds_and_edges_end_in_nodes():
    parts = json.loads(CX2.write(kb(*VARIED)))
    assert parts[0]["CXVersion"] == "2.0" and parts[-1] == {"status": [{"success": True}]}
    aspects = {name: items for part in parts[1:] for name, items in part.items()}
    counts = {entry["name"]: entry["elementCount"] for entry in aspects["metaData"]}
    assert all(len(aspects[name]) == count for name, count in counts.items())
    known = {node["id"] for node in aspects["nodes"]}
    assert aspects["edges"] and all({e["s"], e["t"]} <= known for e in aspects["edges"])
    declared = aspects["attributeDeclarations"][0]
    assert all(set(n["v"]) <= set(declared["nodes"]) for n in aspects["nodes"])
    assert all(set(e["v"]) <= set(declared["edges"]) for e in aspects["edges"])


def test_neo4j_relationships_start_and_end_in_nodes():
    archive = zipfile.ZipFile(io.BytesIO(NEO4J.write(kb(*VARIED))))

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(archive.read(name).decode())))

    known = [row["id:ID"] for row in rows("nodes.csv")]
    assert len(known) == len(set(known))
    edges = rows("relationships.csv")
    assert edges and all({row[":START_ID"], row[":END_ID"]} <= set(known) for row in edges)
    assert {"TREATS"} <= {row[":TYPE"] for row in edges}
    assert b"neo4j-admin database import full" in archive.read("import.sh")
    assert PAIN.id in known
