"""The RDF/XML is read by rdflib, owlready2 and horned-owl as what the other syntaxes say."""

from __future__ import annotations

import io

import pytest
from rdflib import OWL, Graph, URIRef
from rdflib.compare import isomorphic

from core.kb.owl.formats.owl_functional import OWL_FUNCTIONAL
from core.kb.owl.formats.owl_rdf_xml import OWL_RDF_XML, split_name
from core.kb.owl.ontology import owl
from core.model import Literal, Statement, Term
from tests.core.kb.formats.test_turtle import HOSTILE
from tests.core.kb.owl.test_ontology import CLAIMS, SOUP, kb, slot

HARD = "a < b & c > \"d\" 'e'\r\n\ttab \u2028 é 𝛼 ]]>"
NOTED = (*CLAIMS, Statement(SOUP, slot("note"), Literal(HARD)))
NUMBERED = Statement(SOUP, Term("ex:363698007", "finding site"), Literal("soup"))


def parsed(content: bytes) -> Graph:
    return Graph().parse(data=content, format="xml")


@pytest.mark.parametrize("draft", [False, True])
def test_rdflib_reads_the_same_graph_as_the_turtle(draft):
    knowledge = kb(*NOTED, draft=draft)
    content = OWL_RDF_XML.write(knowledge)
    assert isomorphic(parsed(content), Graph().parse(data=owl(knowledge), format="turtle"))
    assert (b"<!-- DRAFT" in content) == draft
    assert content == OWL_RDF_XML.write(knowledge)


def test_hostile_words_stay_words():
    knowledge = kb(*CLAIMS, Statement(SOUP, slot("note"), Literal(f"{HOSTILE}\x00\x0b")))
    assert len(parsed(OWL_RDF_XML.write(knowledge))) == len(Graph().parse(data=owl(knowledge)))


def test_horned_owl_reads_the_axioms_of_the_functional_syntax(tmp_path):
    horned = pytest.importorskip("pyhornedowl")

    def axioms(content: bytes, suffix: str, syntax: str) -> list[str]:
        file = tmp_path / f"kb{suffix}"
        file.write_bytes(content)
        read = horned.open_ontology_from_file(str(file), syntax)
        return sorted(str(axiom.component) for axiom in read.get_axioms())

    knowledge = kb()
    written = axioms(OWL_RDF_XML.write(knowledge), ".owl", "rdf")
    assert len(written) > 10
    assert written == axioms(OWL_FUNCTIONAL.write(knowledge), ".ofn", "ofn")


def test_owlready_reads_as_many_triples_as_were_written():
    owlready2 = pytest.importorskip("owlready2")
    content = OWL_RDF_XML.write(kb())
    world = owlready2.World()
    world.get_ontology("http://example.org/loaded#").load(fileobj=io.BytesIO(content))
    own = {URIRef("http://anonymous"), URIRef("http://example.org/loaded")}  # owlready2's own
    loaded = [subject for subject in world.as_rdflib_graph().subjects() if subject not in own]
    assert len(loaded) == len(parsed(content))
    assert {cls.name for cls in world.classes()} >= {"n1-soup", "Dish", "FOODON_00001264"}


def test_a_property_without_an_xml_name_gets_one_that_is_tied_to_it():
    knowledge = kb(*CLAIMS, NUMBERED)
    graph = parsed(OWL_RDF_XML.write(knowledge))
    old = URIRef("https://example.org/kitchen/363698007")
    (new,) = [subject for subject, _, _ in graph.triples((None, None, old))]
    assert split_name(new)[1] and len(list(graph.triples((None, new, None)))) == 1
    assert {str(property_type) for property_type in graph.objects(new)} >= {
        str(old),
        str(OWL.AnnotationProperty),
    }
    assert any(problem.code == "owl-xml-name" for problem in OWL_RDF_XML.remarks(knowledge))


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://purl.obolibrary.org/obo/RO_0002233", "RO_0002233"),
        ("http://snomed.info/id/363698007", ""),
        ("https://example.org/a%201", ""),
        ("https://example.org/9-lives", "lives"),
        ("urn:x:", ""),
    ],
)
def test_an_iri_is_split_before_its_xml_name(iri, name):
    assert split_name(iri) == (iri[: len(iri) - len(name)], name)
