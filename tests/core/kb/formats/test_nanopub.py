"""One nanopublication for each statement."""

from __future__ import annotations

from dataclasses import replace

import pytest
from nanopub import Nanopub, NanopubConf
from nanopub.utils import MalformedNanopubError
from rdflib import Dataset, Graph, Namespace, URIRef
from rdflib import Literal as Value
from rdflib.namespace import DCTERMS, PROV, RDF, XSD

from core.kb.formats import nanopub as written
from core.kb.formats.nanopub import GRAPH_NAMES, nanopub
from core.kb.rdf import iri, node
from core.model import Literal, Modality, Qualifier, Statement
from tests.core.kb.formats.test_turtle import ANNA, BASE, CLAIM, HOSTILE, QUOTE, VARIED, kb, recipe

NP, OA = Namespace(str(written.NP)), Namespace(str(node.OA))
PERSON = URIRef(iri.ORCID + ANNA)


def parsed(content: bytes) -> Dataset:
    dataset = Dataset()
    dataset.parse(data=content, format="trig")
    return dataset


def part(dataset: Dataset, claim: Statement, name: str) -> Graph:
    return dataset.graph(URIRef(f"{BASE}nanopub/{claim.id}/{name}"))


def test_the_head_names_the_three_parts_and_all_are_there():
    rdf_dataset = parsed(nanopub(kb(CLAIM)))
    whole = URIRef(f"{BASE}nanopub/{CLAIM.id}")
    head = part(rdf_dataset, CLAIM, "head")
    assert (whole, RDF.type, NP.Nanopublication) in head
    named = {
        str(head.value(whole, NP[name]))
        for name in ("hasAssertion", "hasProvenance", "hasPublicationInfo")
    }
    assert named == {f"{whole}/{name}" for name in GRAPH_NAMES[1:]}
    assert all(len(part(rdf_dataset, CLAIM, name)) for name in GRAPH_NAMES)


def test_there_is_one_for_each_statement():
    rdf_dataset = parsed(nanopub(kb(*VARIED)))
    assert len(list(rdf_dataset.quads((None, RDF.type, NP.Nanopublication, None)))) == len(VARIED)


def test_a_plain_claim_is_one_triple():
    (triple,) = part(parsed(nanopub(kb(CLAIM))), CLAIM, "assertion")
    assert triple[1] == URIRef("https://w3id.org/biolink/vocab/treats")


@pytest.mark.parametrize(
    "claim",
    [
        replace(CLAIM, negated=True),
        replace(CLAIM, modality=Modality.HYPOTHESIS),
        replace(CLAIM, qualifiers=(Qualifier("severity_qualifier", Literal("mild")),)),
    ],
    ids=["negated", "hypothesis", "qualified"],
)
def test_nanopub_writes_negated_and_qualified_statements_as_associations(claim):
    rdf_graph = part(parsed(nanopub(kb(claim))), claim, "assertion")
    assert (None, URIRef(iri.BIOLINK + "treats"), None) not in rdf_graph
    assert (None, RDF.type, URIRef(iri.BIOLINK + "Association")) in rdf_graph


def test_the_provenance_holds_the_quote_and_the_paper_of_the_assertion():
    rdf_graph = part(parsed(nanopub(kb(CLAIM))), CLAIM, "provenance")
    claimed = URIRef(f"{BASE}nanopub/{CLAIM.id}/assertion")
    assert (
        claimed,
        PROV.hadPrimarySource,
        URIRef("http://www.ncbi.nlm.nih.gov/pubmed/1"),
    ) in rdf_graph
    evidence = rdf_graph.value(claimed, PROV.wasDerivedFrom)
    assert rdf_graph.value(evidence, OA.exact) == Value(QUOTE)
    assert (claimed, PROV.wasAttributedTo, PERSON) in rdf_graph


def test_the_publication_info_says_who_and_when():
    rdf_graph = part(parsed(nanopub(kb(CLAIM))), CLAIM, "pubinfo")
    whole = URIRef(f"{BASE}nanopub/{CLAIM.id}")
    assert rdf_graph.value(whole, DCTERMS.creator) == PERSON
    assert rdf_graph.value(whole, DCTERMS.created) == Value(
        "2026-01-02T03:04:05Z", datatype=XSD.dateTime
    )


def test_an_unnamed_thing_says_what_it_is():
    claim = next(statement for statement in recipe() if isinstance(statement.object, Literal))
    rdf_graph = part(parsed(nanopub(kb(claim))), claim, "assertion")
    node = URIRef(iri.local_iri(BASE, "node", claim.subject.id))
    assert (node, RDF.type, URIRef(iri.local_iri(BASE, "class", claim.subject.cls))) in rdf_graph


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_come_back_as_words(label):
    claim = replace(CLAIM, subject=replace(CLAIM.subject, label=label))
    assert Value(label) in set(part(parsed(nanopub(kb(claim))), claim, "pubinfo").objects())


def test_the_nanopub_package_accepts_every_one_of_them():
    """Each on its own, as its server takes them: four graphs that speak of each other."""
    rdf_dataset = parsed(nanopub(kb(*VARIED)))
    as_written = NanopubConf(
        add_prov_generated_time=False,
        add_pubinfo_generated_time=False,
        attribute_assertion_to_profile=False,
        attribute_publication_to_profile=False,
    )
    for claim in VARIED:
        alone = Dataset()
        for name in GRAPH_NAMES:
            graph = part(rdf_dataset, claim, name)
            for triple in graph:
                alone.graph(graph.identifier).add(triple)
        checked = Nanopub(rdf=alone, conf=as_written)
        assert str(checked.metadata.np_uri).endswith(f"nanopub/{claim.id}")
        assert checked.is_valid


def test_the_nanopub_package_refuses_one_without_its_provenance():
    rdf_dataset = parsed(nanopub(kb(CLAIM)))
    alone = Dataset()
    for name in GRAPH_NAMES:
        graph = part(rdf_dataset, CLAIM, name)
        for triple in graph if name != "provenance" else ():
            alone.graph(graph.identifier).add(triple)
    with pytest.raises(MalformedNanopubError):
        Nanopub(rdf=alone, conf=NanopubConf()).is_valid  # noqa: B018
