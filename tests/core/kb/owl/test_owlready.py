"""The ontology is read by owlready2, a reader of others, from two syntaxes."""

from __future__ import annotations

import io

import pytest
from rdflib import OWL, RDF, Graph, URIRef

from core.kb.owl.ontology import owl
from tests.core.kb.owl.test_ontology import EX, kb

owlready2 = pytest.importorskip("owlready2")


def loaded(syntax: str, **how: str):
    """The Turtle as `syntax`, and what owlready2 makes of it."""
    graph = Graph().parse(data=owl(kb(**how)), format="turtle")
    world = owlready2.World()
    ontology = world.get_ontology("http://example.org/loaded#")
    ontology.load(fileobj=io.BytesIO(graph.serialize(format=syntax, encoding="utf-8")))
    return graph, world


def named(graph: Graph, kind: URIRef) -> set[str]:
    return {
        str(subject) for subject in graph.subjects(RDF.type, kind) if isinstance(subject, URIRef)
    }


@pytest.mark.parametrize("syntax", ["nt", "xml"])
def test_owlready_finds_the_classes_and_properties_that_the_turtle_declares(syntax):
    graph, world = loaded(syntax)
    declared = named(graph, OWL.Class)
    assert declared and {cls.iri for cls in world.classes()} >= declared
    properties = named(graph, OWL.ObjectProperty)
    assert (
        properties
        and {object_property.iri for object_property in world.object_properties()} >= properties
    )


@pytest.mark.parametrize("syntax", ["nt", "xml"])
def test_owlready_reads_a_dish_as_defined_by_its_parts(syntax):
    graph, world = loaded(syntax)
    (dish,) = (world[str(subject)] for subject in graph.subjects(OWL.equivalentClass, None))
    (definition,) = dish.equivalent_to
    assert isinstance(definition, owlready2.And)
    parts = [kind for kind in definition.Classes if isinstance(kind, owlready2.Restriction)]
    assert parts and all(part.property.iri.startswith(EX) for part in parts)


@pytest.mark.parametrize("syntax", ["nt", "xml"])
def test_owlready_finds_the_individuals_of_an_individual_schema(syntax):
    graph, world = loaded(syntax, kind="Individual")
    declared = named(graph, OWL.NamedIndividual)
    assert declared and {individual.iri for individual in world.individuals()} >= declared
