"""Every format, read by a tool of its own community: no reader of ours is used here.

What a tool checks beyond reading stands in the tests of its format: the classes of the Biolink
model (test_kgx), HermiT (test_owlready, test_reasoner), signatures (test_nanopub_signature), the
rules of Neo4j's import (test_networks), and the pages that specify phenotype.hpoa and GPAD, for
which no reader installs (test_annotations).
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import owlready2
import pandas as pd
import pyhornedowl
import pyoxigraph as ox
import pytest
from ndex2.cx2 import RawCX2NetworkFactory
from rdflib import OWL, RDF, Dataset, Graph, URIRef
from rocrate.rocrate import ROCrate

from core.kb.formats.registry import FORMATS
from core.kb.rdf.iri import BIOLINK
from core.model import Literal
from tests.core.kb.formats.test_annotations import ROLE, SIGN
from tests.core.kb.formats.test_sssom import SAME
from tests.core.kb.formats.test_turtle import VARIED, kb

CLAIMS = (*VARIED, SAME, SIGN, ROLE)
TIED = sum(not isinstance(claim.object, Literal) for claim in CLAIMS)
THINGS = 9  # that the statements name: classes of the ontology
ASSOCIATION = BIOLINK + "Association"
Read = Callable[[bytes, Path], int]  # how many of what is counted a tool finds in a file


def by_rdflib(kind: str) -> Read:
    def count(content: bytes, file: Path) -> int:
        graph = Graph().parse(data=content, format=kind)
        return len(set(graph.subjects(RDF.type, URIRef(ASSOCIATION))))

    return count


def by_oxigraph(kind: ox.RdfFormat) -> Read:
    def count(content: bytes, file: Path) -> int:
        store = ox.Store()
        store.bulk_load(content, format=kind)
        query = f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ ?s a <{ASSOCIATION}> }}"
        return int(next(iter(store.query(query)))["n"].value)

    return count


def by_owlready(content: bytes, file: Path) -> int:
    world = owlready2.World()
    world.get_ontology("http://test.example/").load(fileobj=io.BytesIO(content))
    return len(list(world.classes()))


def by_horned_owl(syntax: str) -> Read:
    def count(content: bytes, file: Path) -> int:
        return len(pyhornedowl.open_ontology(content.decode(), syntax).get_classes())

    return count


def by_rdflib_classes(content: bytes, file: Path) -> int:
    graph = Graph().parse(data=content, format="turtle")
    return len(set(graph.subjects(RDF.type, OWL.Class)))


def by_pandas(inner: str = "", separator: str = "\t", comment: str = "") -> Read:
    def count(content: bytes, file: Path) -> int:
        if inner:
            content = zipfile.ZipFile(io.BytesIO(content)).read(inner)
        lines = content.decode().splitlines(keepends=True)
        table = "".join(line for line in lines if not comment or not line.startswith(comment))
        rows = pd.read_csv(io.StringIO(table), sep=separator, dtype=str, header=None)
        return len(rows)

    return count


def by_sssom(content: bytes, file: Path) -> int:
    from sssom.parsers import parse_sssom_table

    return len(parse_sssom_table(str(file)).df)


def by_nanopub(content: bytes, file: Path) -> int:
    heads = Dataset()
    heads.parse(data=content, format="trig")
    kind = URIRef("http://www.nanopub.org/nschema#Nanopublication")
    return len({subject for subject, _, _, _ in heads.quads((None, RDF.type, kind, None))})


def by_networkx(content: bytes, file: Path) -> int:
    return int(nx.read_graphml(io.BytesIO(content), force_multigraph=True).number_of_edges())


def by_ndex2(content: bytes, file: Path) -> int:
    return len(RawCX2NetworkFactory().get_cx2network(str(file)).get_edges())


def by_rocrate(content: bytes, file: Path) -> int:
    crate = ROCrate(file)
    log = crate.get("groundwork/statements.jsonl")
    return len(Path(crate.source, log.id).read_text().splitlines()) if crate.name else 0


# Format → each tool with what it is to find: statements, classes, or rows with their header.
READERS: dict[str, list[tuple[str, Read, int]]] = {
    "ttl": [
        ("rdflib", by_rdflib("turtle"), len(CLAIMS)),
        ("Oxigraph", by_oxigraph(ox.RdfFormat.TURTLE), len(CLAIMS)),
    ],
    "nt": [
        ("rdflib", by_rdflib("nt"), len(CLAIMS)),
        ("Oxigraph", by_oxigraph(ox.RdfFormat.N_TRIPLES), len(CLAIMS)),
    ],
    "jsonld": [
        ("rdflib", by_rdflib("json-ld"), len(CLAIMS)),
        ("Oxigraph", by_oxigraph(ox.RdfFormat.JSON_LD), len(CLAIMS)),
    ],
    "owl": [("rdflib", by_rdflib_classes, THINGS)],
    "ofn": [("horned-owl", by_horned_owl("ofn"), THINGS)],
    "rdfxml": [
        ("owlready2", by_owlready, THINGS),
        ("horned-owl", by_horned_owl("owl"), THINGS),
    ],
    "kgx": [("pandas", by_pandas("edges.tsv"), TIED + 1)],
    "tsv": [("pandas", by_pandas(), len(CLAIMS) + 1)],
    "sssom": [("sssom-py", by_sssom, 1)],
    "nanopub": [("rdflib", by_nanopub, len(CLAIMS))],
    "hpoa": [("pandas", by_pandas(comment="#"), 2)],
    "gpad": [("pandas", by_pandas(comment="!"), 1)],
    "graphml": [("networkx", by_networkx, TIED)],
    "cx2": [("ndex2", by_ndex2, TIED)],
    "neo4j": [("pandas", by_pandas("relationships.csv", ","), TIED + 1)],
    "bundle": [("ro-crate-py", by_rocrate, len(CLAIMS))],
}


@pytest.mark.parametrize("export_format", FORMATS.values(), ids=lambda spec: spec.name)
def test_the_tools_of_its_community_read_all_of_it(export_format, tmp_path):
    if export_format.name not in READERS:
        pytest.skip("No tool of its community reads this format here yet.")
    content = export_format.write(kb(*CLAIMS))
    file = tmp_path / f"kb{export_format.suffix}"
    file.write_bytes(content)
    for tool, count, expected in READERS[export_format.name]:
        assert count(content, file) == expected, tool
