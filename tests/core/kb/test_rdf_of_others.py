"""RDF of others: associations of any class of Biolink's, reified and plain triples, and
nanopublications are proposals; what is not read is named.
"""

from __future__ import annotations

import pytest

from core.kb.read.rdf import read

HEAD = """
    @prefix biolink: <https://w3id.org/biolink/vocab/> .
    @prefix MESH: <http://id.nlm.nih.gov/mesh/> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix lab: <https://lab.example/> .
    @prefix prov: <http://www.w3.org/ns/prov#> .
"""
LAB = {"lab": "https://lab.example/"}
PUBMED = "http://www.ncbi.nlm.nih.gov/pubmed/"


def claims(text: str, suffix: str = ".ttl"):
    """(subject, predicate, object, negated) → papers; and the messages."""
    found = read((HEAD + text).encode(), LAB, suffix)
    return {
        (s.subject.id, s.predicate.id, s.object.id, s.negated): [
            e.ground.reference for e in evidence
        ]
        for s, evidence in found.proposals
    }, [problem.message for problem in found.problems]


TREATS = ("MESH:D1", "biolink:treats", "MESH:D2", False)


def test_a_plain_triple_of_biolink_is_a_proposal_with_the_labels_of_the_file():
    text = 'MESH:D1 biolink:treats MESH:D2 ; rdfs:label "One" ; biolink:category biolink:Drug .'
    assert claims(text) == ({TREATS: []}, [])
    (statement, _), *_ = read((HEAD + text).encode(), {}).proposals
    assert statement.subject.label == "One"


def test_a_triple_that_an_association_states_or_denies_is_no_second_statement():
    ends = "rdf:subject MESH:D1 ; rdf:predicate biolink:treats ; rdf:object MESH:D2"
    association = f"[] a biolink:Association ; {ends} ; biolink:negated true ."
    assert claims(f"MESH:D1 biolink:treats MESH:D2 . {association}") == (
        {(*TREATS[:3], True): []},
        [],
    )


@pytest.mark.parametrize(
    "kind", ["biolink:Association", "biolink:ChemicalAffectsGeneAssociation", "rdf:Statement"]
)
@pytest.mark.parametrize("ends", ["rdf", "biolink"])
def test_an_association_of_any_class_is_read_with_ends_of_rdf_or_biolink(kind, ends):
    text = f"""[] a {kind} ; {ends}:subject MESH:D1 ; {ends}:predicate biolink:treats ;
        {ends}:object MESH:D2 ; biolink:publications <{PUBMED}7> ."""
    assert claims(text) == ({TREATS: ["PMID:7"]}, [])


@pytest.mark.parametrize(
    "text",
    [
        f"<< MESH:D1 biolink:treats MESH:D2 >> biolink:publications <{PUBMED}7> .",
        f"MESH:D1 biolink:treats MESH:D2 {{| biolink:publications <{PUBMED}7> |}} .",
    ],
)
def test_what_is_said_of_a_triple_is_its_evidence(text):
    assert claims(text) == ({TREATS: ["PMID:7"]}, [])


def test_the_paper_of_a_nanopublication_is_the_evidence_of_its_assertion():
    text = f"""
        lab:assertion {{ MESH:D1 biolink:treats MESH:D2 . }}
        lab:provenance {{ lab:assertion prov:wasDerivedFrom <{PUBMED}7> . }}
    """
    assert claims(text, ".trig") == ({TREATS: ["PMID:7"]}, [])


def test_two_associations_that_say_the_same_bring_the_evidence_of_both():
    ends = "rdf:subject MESH:D1 ; rdf:predicate biolink:treats ; rdf:object MESH:D2"
    text = " ".join(
        f"lab:{n} a biolink:Association ; {ends} ; biolink:publications <{PUBMED}{n}> ."
        for n in (7, 8)
    )
    assert {id: sorted(papers) for id, papers in claims(text)[0].items()} == {
        TREATS: ["PMID:7", "PMID:8"]
    }


def test_predicates_of_others_are_named_with_their_number():
    text = "MESH:D1 biolink:treats MESH:D2 ; lab:worksOn MESH:D3 , MESH:D4 ; rdfs:seeAlso lab:x ."
    found, (message,) = claims(text)
    assert found == {TREATS: []}
    assert "lab:worksOn (2)" in message and "seeAlso" not in message


ENDS = "rdf:subject MESH:D1 ; rdf:predicate biolink:treats ; rdf:object MESH:D2"


def test_a_denial_is_read_however_it_is_spelt_and_what_is_neither_is_named():
    text = f'lab:1 a biolink:Association ; {ENDS} ; biolink:negated "{{}}" .'
    assert list(claims(text.format("True"))[0]) == [(*TREATS[:3], True)]
    found, (message,) = claims(text.format("perhaps"))
    assert not found and "perhaps" in message


def test_both_addresses_of_a_record_of_pubmed_are_one_paper():
    text = f"lab:1 a biolink:Association ; {ENDS} ; biolink:publications <{{}}> ."
    for address in ("https://pubmed.ncbi.nlm.nih.gov/7/", "https://pubmed.ncbi.nlm.nih.gov/7"):
        assert claims(text.format(address))[0] == {TREATS: ["PMID:7"]}


def test_a_triple_that_is_reified_twice_is_one():
    text = "<< MESH:D1 biolink:treats MESH:D2 ~ lab:r >> lab:note 1 , 2 ."
    again = f"{text} {text.replace('note', 'remark')}"
    assert TREATS in claims(again)[0]
