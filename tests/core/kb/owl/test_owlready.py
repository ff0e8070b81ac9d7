"""The ontology is read by owlready2, a reader of others."""

from __future__ import annotations

import io

import pytest
from rdflib import Graph

from core.kb.owl.ontology import owl
from tests.core.kb.owl.test_ontology import kb

owlready2 = pytest.importorskip("owlready2")


def test_owlready_finds_the_classes_that_the_turtle_declares():
    graph = Graph().parse(data=owl(kb()), format="turtle")
    declared = {
        str(row[0])
        for row in graph.query(
            "SELECT ?c { ?c a <http://www.w3.org/2002/07/owl#Class> FILTER isIRI(?c) }"
        )
    }
    world = owlready2.World()
    ontology = world.get_ontology("http://example.org/loaded#")
    ontology.load(fileobj=io.BytesIO(graph.serialize(format="nt", encoding="utf-8")))
    assert declared and {cls.iri for cls in world.classes()} >= declared
