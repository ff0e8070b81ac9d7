"""Readers: one vocabulary in every format gives the same terms."""

from __future__ import annotations

import json
import sqlite3

import pytest

from core.errors import InputError
from core.grounding.readers import registry
from core.grounding.readers.record import SynonymScope, TermName, VocabularyReading

OBO = """\
format-version: 1.2
data-version: 7
ontology: go

[Term]
id: GO:1
name: root

[Term]
id: GO:2
name: a "small" part
synonym: "piece" EXACT []
synonym: "bit" NARROW []
is_a: GO:1 ! root
alt_id: GO:9

[Term]
id: GO:3
name: obsolete thing
is_obsolete: true
replaced_by: GO:2
"""
OWL = """<?xml version="1.0"?>
<rdf:RDF xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:oio="http://www.geneontology.org/formats/oboInOwl#">
<owl:Ontology rdf:about="http://purl.obolibrary.org/obo/go.owl"><owl:versionInfo>7</owl:versionInfo></owl:Ontology>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/GO_1"><rdfs:label>root</rdfs:label></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/GO_2"><rdfs:label>a "small" part</rdfs:label>
 <oio:hasExactSynonym>piece</oio:hasExactSynonym><oio:hasNarrowSynonym>bit</oio:hasNarrowSynonym>
 <rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/GO_1"/>
 <oio:hasAlternativeId>GO:9</oio:hasAlternativeId></owl:Class>
</rdf:RDF>"""
FUNCTIONAL = """\
Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Ontology(<http://purl.obolibrary.org/obo/go.owl>
Annotation(owl:versionInfo "7")
Declaration(Class(<http://purl.obolibrary.org/obo/GO_1>))
Declaration(Class(<http://purl.obolibrary.org/obo/GO_2>))
AnnotationAssertion(rdfs:label <http://purl.obolibrary.org/obo/GO_1> "root")
AnnotationAssertion(rdfs:label <http://purl.obolibrary.org/obo/GO_2> "a \\"small\\" part"@en)
AnnotationAssertion(oboInOwl:hasExactSynonym <http://purl.obolibrary.org/obo/GO_2> "piece")
AnnotationAssertion(oboInOwl:hasNarrowSynonym <http://purl.obolibrary.org/obo/GO_2> "bit")
AnnotationAssertion(oboInOwl:hasAlternativeId <http://purl.obolibrary.org/obo/GO_2> "GO:9")
SubClassOf(<http://purl.obolibrary.org/obo/GO_2> <http://purl.obolibrary.org/obo/GO_1>)
)
"""
_IRI = "http://purl.obolibrary.org/obo/GO_"
GRAPHS = {
    "graphs": [
        {
            "id": "http://purl.obolibrary.org/obo/go.json",
            "meta": {"version": "7"},
            "nodes": [
                {"id": _IRI + "1", "lbl": "root", "type": "CLASS"},
                {
                    "id": _IRI + "2",
                    "lbl": 'a "small" part',
                    "type": "CLASS",
                    "meta": {
                        "synonyms": [
                            {"pred": "hasExactSynonym", "val": "piece"},
                            {"pred": "hasNarrowSynonym", "val": "bit"},
                        ]
                    },
                },
            ],
            "edges": [{"sub": _IRI + "2", "pred": "is_a", "obj": _IRI + "1"}],
        }
    ]
}


def semantic_sql(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE statements (subject, predicate, object, value)")
    connection.execute("CREATE TABLE edge (subject, predicate, object)")
    rows = [
        ("GO:1", "rdf:type", "owl:Class", None),
        ("GO:1", "rdfs:label", None, "root"),
        ("GO:2", "rdf:type", "owl:Class", None),
        ("GO:2", "rdfs:label", None, 'a "small" part'),
        ("GO:2", "oio:hasExactSynonym", None, "piece"),
        ("GO:2", "oio:hasNarrowSynonym", None, "bit"),
        ("GO:2", "rdfs:subClassOf", "GO:1", None),
        ("obo:go.owl", "owl:versionInfo", None, "7"),
    ]
    connection.executemany("INSERT INTO statements VALUES (?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()


def written(folder, form):
    path = folder / f"go.{form}"
    if form == "db":
        semantic_sql(path)
    else:
        texts = {"obo": OBO, "owl": OWL, "json": json.dumps(GRAPHS), "ofn": FUNCTIONAL}
        path.write_text(texts[form], encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["obo", "owl", "json", "db", "ofn"])
def test_every_format_gives_the_same_term(tmp_path, form):
    reading = VocabularyReading()
    terms = {term.id: term for term in registry.read(written(tmp_path, form), reading)}
    assert (terms["GO:2"].label, terms["GO:2"].parents) == ('a "small" part', ("GO:1",))
    assert terms["GO:2"].names == (
        TermName("piece", SynonymScope.EXACT),
        TermName("bit", SynonymScope.NARROW),
    )
    assert reading.version == "7"


def test_obo_knows_merged_and_obsolete_ids(tmp_path):
    terms = {term.id: term for term in registry.read(written(tmp_path, "obo"), VocabularyReading())}
    assert terms["GO:2"].alternative == ("GO:9",)
    assert (terms["GO:3"].obsolete, terms["GO:3"].replaced_by) == (True, "GO:2")


@pytest.mark.parametrize(
    ("form", "content"), [("json", '{"graphs": [{"nodes": ['), ("owl", OWL[:600])]
)
def test_a_cut_file_is_refused(tmp_path, form, content):
    path = tmp_path / f"go.{form}"
    path.write_text(content)
    with pytest.raises(InputError):
        list(registry.read(path, VocabularyReading()))


def test_the_name_of_a_file_is_what_stands_before_its_endings(tmp_path):
    assert registry.vocabulary_stem(tmp_path / "mesh_desc.tsv.gz") == "mesh_desc"
    assert registry.vocabulary_stem(tmp_path / "doid_2018-07-05.json.gz") == "doid_2018-07-05"
