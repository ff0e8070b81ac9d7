"""GraphML, CX2 and Neo4j CSV, read by other tools or by the rules of their specification."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from dataclasses import replace

import networkx as nx
from ndex2.cx2 import RawCX2NetworkFactory

from core.kb.entry import KnowledgeBase
from core.kb.formats.cx2 import CX2
from core.kb.formats.graphml import GRAPHML
from core.kb.formats.kgx import KGX, join_values, split_values
from core.kb.formats.neo4j import NEO4J
from core.model import Literal, Term
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


def test_ndex2_reads_the_cx2_with_all_statements_between_things():
    network = RawCX2NetworkFactory().get_cx2network(json.loads(CX2.write(kb(*VARIED))))
    tied = [claim for claim in VARIED if not isinstance(claim.object, Literal)]
    assert len(network.get_edges()) == len(tied)
    aspirin = network.lookup_node_id_by_name("aspirin")
    assert network.get_node(aspirin)["v"]["represents"] == "CHEBI:15365"


def neo4j_tables(
    knowledge: KnowledgeBase | None = None,
) -> tuple[zipfile.ZipFile, dict[str, list[dict[str, str]]]]:
    archive = zipfile.ZipFile(io.BytesIO(NEO4J.write(knowledge or kb(*VARIED))))
    tables = {
        name: list(csv.DictReader(io.StringIO(archive.read(name).decode())))
        for name in archive.namelist()
        if name.endswith(".csv")
    }
    return archive, tables


def test_neo4j_relationships_start_and_end_in_nodes():
    _, tables = neo4j_tables()
    known = [row["id:ID"] for row in tables["nodes.csv"]]
    assert len(known) == len(set(known))
    edges = tables["relationships.csv"]
    assert edges and all({row[":START_ID"], row[":END_ID"]} <= set(known) for row in edges)
    assert {"TREATS"} <= {row[":TYPE"] for row in edges}
    assert PAIN.id in known


# https://neo4j.com/docs/operations-manual/current/import/#import-tool-header-format
NEO4J_TYPES = r"(string|boolean|byte|short|int|long|float|double|char|point|date|datetime)(\[\])?"
NEO4J_COLUMN = re.compile(rf":LABEL|:TYPE|:START_ID|:END_ID|\w+:ID|\w+(:{NEO4J_TYPES})?")


def test_neo4j_headers_are_of_the_types_that_its_import_knows():
    _, tables = neo4j_tables()
    for name, needed in (
        ("nodes.csv", {"id:ID", ":LABEL"}),
        ("relationships.csv", {":START_ID", ":END_ID", ":TYPE"}),
    ):
        header = tables[name][0].keys()
        assert needed <= header
        assert all(NEO4J_COLUMN.fullmatch(column) for column in header)
        for row in tables[name]:
            assert None not in row and all(row[column] for column in needed)
            booleans = {row[column] for column in header if column.endswith(":boolean")}
            assert booleans <= {"true", "false"}


def test_the_import_command_in_the_zip_names_every_table_of_it():
    archive, tables = neo4j_tables()
    command = archive.read("import.sh").decode()
    assert "neo4j-admin database import full" in command
    assert set(re.findall(r"--(?:nodes|relationships)=(\S+)", command)) == set(tables)
    assert "--array-delimiter='|'" in command


def test_unpacked_neo4j_files_are_readable_by_everyone():
    archive, _ = neo4j_tables()
    assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o100644}


def test_edges_that_rest_on_a_retracted_paper_say_so_and_other_files_have_no_such_column():
    whole = kb(CLAIM)
    retracted = replace(whole, notices={"PMID:1": "retracted"})
    notice = "PMID:1: retracted"

    ((_, _, edge),) = nx.read_graphml(io.BytesIO(GRAPHML.write(retracted))).edges(data=True)
    assert edge["notice"] == notice
    network = RawCX2NetworkFactory().get_cx2network(json.loads(CX2.write(retracted)))
    (cx2_edge,) = network.get_edges().values()
    assert cx2_edge["v"]["notice"] == [notice]
    (relationship,) = neo4j_tables(retracted)[1]["relationships.csv"]
    assert relationship["notice:string[]"] == notice
    assert all(re.fullmatch(NEO4J_COLUMN, column) for column in relationship)

    for written in (GRAPHML, CX2, NEO4J):
        assert b"notice" not in written.write(whole)
        assert written.write(replace(whole, notices={"PMID:2": "retracted"})) == written.write(
            whole
        )


def test_denial_with_only_a_broader_biolink_predicate_keeps_its_own_relation():
    phosphorylates = Term("RO:0002447", "phosphorylates")
    denied = kb(replace(CLAIM, predicate=phosphorylates, negated=True))
    graph = nx.read_graphml(io.BytesIO(GRAPHML.write(denied)))
    ((_, _, edge),) = graph.edges(data=True)
    assert (edge["predicate"], edge["negated"]) == ("RO:0002447", "true")
    (edges,) = (part["edges"] for part in json.loads(CX2.write(denied)) if "edges" in part)
    assert (edges[0]["v"]["interaction"], edges[0]["v"]["negated"]) == ("RO:0002447", True)
    (row,) = neo4j_tables(denied)[1]["relationships.csv"]
    assert (row[":TYPE"], row["negated:boolean"]) == ("RO_0002447", "true")
    assert not any(format.remarks(denied) for format in (GRAPHML, CX2, NEO4J))


def test_programs_read_a_label_as_it_is() -> None:
    """A spreadsheet's guard is for tables that people open."""
    label = '=SUM(A1) | 16|A "x"'
    knowledge = kb(replace(CLAIM, subject=replace(ASPIRIN, label=label)))
    nodes = neo4j_tables(knowledge)[1]["nodes.csv"]
    assert label in {row["name"] for row in nodes}
    kgx = zipfile.ZipFile(io.BytesIO(KGX.write(knowledge))).read("nodes.tsv").decode()
    assert label in {line.split("\t")[2] for line in kgx.splitlines()}


def test_a_bar_in_a_list_of_cx2_is_the_texts_own() -> None:
    values = ["rs1|rs2", "IL-6"]
    assert split_values(join_values(values)) == values
