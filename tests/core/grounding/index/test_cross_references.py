"""What a project's own ontologies say of ids that are one thing, and what of it ties nothing."""

from __future__ import annotations

import json
import lzma
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.grounding.index import cross_references
from core.grounding.index.build import build_index
from core.grounding.index.cross_references import CrossReferenceIndex, open_cross_references
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.mapping_index import MappingIndex
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading

HELD = ("MONDO", "DOID", "MESH")
SETS = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tmapping_provider\n"


def index(
    folder: Path, files: dict[str, str], *, held=HELD, mappings: str = ""
) -> CrossReferenceIndex:
    """The index of these vocabularies over these mappings, written `MONDO:1 MESH:1`."""
    sets = folder / "sets"
    sets.mkdir(exist_ok=True)
    rows = "".join(
        f"{pair.split()[0]}\tskos:exactMatch\t{pair.split()[1]}\tsemapv:ManualMappingCuration\tx\n"
        for pair in filter(None, mappings.split(", "))
    )
    (sets / "some.sssom.tsv.xz").write_bytes(lzma.compress((SETS + rows).encode()))
    lexicons = []
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        build_index(folder / name, folder / f"{name}.sqlite", name=name.split(".")[0])
        lexicons.append(Lexicon(folder / f"{name}.sqlite"))
    base = MappingIndex(folder / "compiled", sets)
    return open_cross_references(lexicons, held, base, folder)


def obo(*stanzas: str, head: str = "") -> str:
    """Stanzas `MONDO:1 xref: DOID:1; xref: MESH:1`."""
    terms = []
    for stanza in stanzas:
        id, _, tags = stanza.partition(" ")
        lines = "\n".join(filter(None, map(str.strip, tags.split(";"))))
        terms.append(f"[Term]\nid: {id}\nname: fever {id}\n{lines}\n")
    return f"format-version: 1.2\n{head}\n" + "\n".join(terms)


def test_ids_that_files_refer_to_are_one_thing_over_several_files(tmp_path):
    found = index(
        tmp_path,
        {
            "mondo.obo": obo("MONDO:1 xref: DOID:1"),
            "doid.obo": obo("DOID:1 xref: MESH:D1", "DOID:2"),
        },
    )
    assert sorted(found.group("MESH:D1")) == ["DOID:1", "MESH:D1", "MONDO:1"]
    assert found.group("DOID:2") == {"DOID:2"}
    assert {(row.subject, row.object, row.set) for row in found.rows("DOID:1")} == {
        ("DOID:1", "MESH:D1", "doid"),
        ("MONDO:1", "DOID:1", "mondo"),
    }


@pytest.mark.parametrize(
    ("stanzas", "group"),
    [
        (("MONDO:1 xref: MESH:1; xref: MESH:2",), ["MONDO:1"]),  # one to many
        (("MONDO:1 xref: MESH:1; xref: MESH:2; xref: DOID:1",), ["DOID:1", "MONDO:1"]),
        (("MONDO:1 xref: MESH:1", "MONDO:2 xref: MESH:1"), ["MONDO:1"]),  # many to one
        (("MONDO:1 xref: PMID:1",), ["MONDO:1"]),
        (("MONDO:1 xref: SNOMED:1",), ["MONDO:1"]),  # not here, and nobody else refers to it
        (("MONDO:1 xref: MONDO:2", "MONDO:2"), ["MONDO:1"]),
        (("MONDO:1 xref: MESH:1; is_obsolete: true", "MONDO:9"), ["MONDO:1"]),
        (('MONDO:1 xref: MESH:1 {source="MONDO:relatedTo"}',), ["MONDO:1"]),
        (('MONDO:1 xref: MESH:1 {source="DOID:7"}',), ["MESH:1", "MONDO:1"]),
        (
            ('MONDO:1 xref: MESH:1 {source="MONDO:equivalentTo"}; xref: MESH:2',),
            ["MESH:1", "MONDO:1"],
        ),
        (("MONDO:1 equivalent_to: MESH:1; xref: MESH:2; xref: MESH:3",), ["MESH:1", "MONDO:1"]),
        (("MONDO:1 property_value: skos:exactMatch MESH:1",), ["MESH:1", "MONDO:1"]),
        (("MONDO:1 property_value: skos:closeMatch MESH:1",), ["MONDO:1"]),
        (("MONDO:1 xref: MESH:1 \"heat\"", "MONDO:2 xref: MeSH:2"), ["MESH:1", "MONDO:1"]),
    ],
)  # fmt: skip
def test_sloppy_references_tie_nothing(tmp_path, stanzas, group):
    assert sorted(index(tmp_path, {"mondo.obo": obo(*stanzas)}).group("MONDO:1")) == group


@pytest.mark.parametrize(
    ("head", "tied"),
    [
        ("treat-xrefs-as-equivalent: MESH", True),
        ("treat-xrefs-as-is_a: MESH", False),
        ("treat-xrefs-as-has-subclass: MESH", False),
    ],
)
def test_the_heading_says_what_references_mean(tmp_path, head, tied):
    found = index(tmp_path, {"mondo.obo": obo("MONDO:1 xref: MESH:1", head=head)})
    assert ("MESH:1" in found.group("MONDO:1")) is tied


def test_no_reference_brings_two_ids_of_one_vocabulary_together(tmp_path):
    found = index(
        tmp_path,
        {"doid.obo": obo("DOID:2 xref: MESH:1", "DOID:3 xref: MESH:3")},
        mappings="MONDO:1 MESH:1, MONDO:1 DOID:1, MONDO:3 MESH:3",
    )
    assert sorted(found.group("MESH:1")) == ["DOID:1", "MESH:1", "MONDO:1"]
    assert found.group("DOID:2") == {"DOID:2"}
    assert sorted(found.group("DOID:3")) == ["DOID:3", "MESH:3", "MONDO:3"]
    assert [(count.name, count.ties, count.unused) for count in found.counts()] == [("doid", 1, 1)]


def test_a_ring_of_references_stays_one_thing_and_chains_keep_each_vocabulary_once(tmp_path):
    found = index(
        tmp_path,
        {
            "mondo.obo": obo("MONDO:1 xref: DOID:1", "MONDO:2 xref: DOID:2"),
            "doid.obo": obo("DOID:1 xref: MESH:1", "DOID:2 xref: MESH:2"),
            "mesh.obo": obo("MESH:1 xref: MONDO:2", "MESH:2 xref: MONDO:1"),
        },
    )
    for first, other in (("MONDO:1", "MONDO:2"), ("DOID:1", "DOID:2"), ("MESH:1", "MESH:2")):
        assert other not in found.group(first)
    assert all(found.group(id) == found.group("DOID:1") for id in found.group("DOID:1"))


def test_two_files_that_refer_to_a_vocabulary_that_is_not_here_are_tied_by_it(tmp_path):
    files = {
        "mondo.obo": obo("MONDO:1 xref: UMLS:C1"),
        "doid.obo": obo("DOID:1 xref: UMLS_CUI:C1"),
    }
    assert sorted(index(tmp_path, files).group("MONDO:1")) == ["DOID:1", "MONDO:1", "UMLS:C1"]


OIO = "http://www.geneontology.org/formats/oboInOwl#"
OBO = "http://purl.obolibrary.org/obo/"
SKOS = "http://www.w3.org/2004/02/skos/core#"
GRAPH = {
    "graphs": [
        {
            "nodes": [
                {
                    "id": f"{OBO}MONDO_1",
                    "lbl": "fever",
                    "type": "CLASS",
                    "meta": {
                        "xrefs": [{"val": "DOID:1"}, {"val": "a page"}],
                        "basicPropertyValues": [{"pred": f"{SKOS}exactMatch", "val": "MESH:1"}],
                    },
                },
                {"id": f"{OBO}MONDO_2", "lbl": "chill", "type": "CLASS"},
            ],
            "equivalentNodesSets": [{"nodeIds": [f"{OBO}MONDO_2", f"{OBO}DOID_2"]}],
        }
    ]
}
TURTLE = f"""@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix obo: <{OBO}> .
obo:MONDO_1 a owl:Class ; <http://www.w3.org/2000/01/rdf-schema#label> "fever" ;
    <{OIO}hasDbXref> "DOID:1", "a page" ; <{SKOS}exactMatch> <http://id.nlm.nih.gov/mesh/1> .
obo:MONDO_2 a owl:Class ; <http://www.w3.org/2000/01/rdf-schema#label> "chill" ;
    owl:equivalentClass obo:DOID_2 , [ a owl:Restriction ] .
"""
FUNCTIONAL = f"""Prefix(obo:=<{OBO}>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(<{OBO}x.owl>
Declaration(Class(obo:MONDO_1))
Declaration(Class(obo:MONDO_2))
AnnotationAssertion(rdfs:label obo:MONDO_1 "fever")
AnnotationAssertion(rdfs:label obo:MONDO_2 "chill")
AnnotationAssertion(<{OIO}hasDbXref> obo:MONDO_1 "DOID:1")
AnnotationAssertion(<{SKOS}exactMatch> obo:MONDO_1 <http://id.nlm.nih.gov/mesh/1>)
EquivalentClasses(obo:MONDO_2 obo:DOID_2)
)
"""
CONCEPT = f"""@prefix skos: <{SKOS}> .
@prefix obo: <{OBO}> .
obo:MONDO_1 a skos:Concept ; skos:prefLabel "fever" ; <{OIO}hasDbXref> "DOID:1" ;
    skos:exactMatch <http://id.nlm.nih.gov/mesh/1> .
obo:MONDO_2 a skos:Concept ; skos:prefLabel "chill" ; skos:exactMatch obo:DOID_2 .
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", json.dumps(GRAPH)),
        ("x.ttl", TURTLE),
        ("x.ofn", FUNCTIONAL),
        ("concepts.ttl", CONCEPT),
        (
            "x.obo",
            obo("MONDO:1 xref: DOID:1; equivalent_to: MESH:1", "MONDO:2 equivalent_to: DOID:2"),
        ),
    ],
)
def test_every_format_says_what_it_refers_to(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    terms = {term.id: term for term in registry.read(tmp_path / name, VocabularyReading())}
    assert (terms["MONDO:1"].exact, terms["MONDO:1"].xrefs) == (("MESH:1",), ("DOID:1",))
    assert terms["MONDO:2"].exact == ("DOID:2",)


def test_what_is_no_id_is_counted(tmp_path):
    (tmp_path / "x.obo").write_text(obo("MONDO:1 xref: a page; xref: DOID:1"), encoding="utf-8")
    reading = VocabularyReading()
    list(registry.read(tmp_path / "x.obo", reading))
    assert reading.ledger.counts["tag"] == {"xref": 1}


def test_threads_that_ask_at_once_get_one_index_and_an_old_one_stays_for_who_has_it(tmp_path):
    old = index(tmp_path, {"mondo.obo": obo("MONDO:1 xref: DOID:1"), "doid.obo": obo("DOID:1")})
    base, lexicons = old.base, [Lexicon(tmp_path / "mondo.obo.sqlite")]
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(
                lambda _: open_cross_references(lexicons, ("MONDO", "DOID"), base, tmp_path),
                range(8),
            )
        )
    assert {one.file for one in found} == {found[0].file} != {old.file}
    assert all("DOID:1" in one.group("MONDO:1") for one in (*found, old))


def test_an_index_is_read_on_by_any_thread_when_its_file_is_gone(tmp_path):
    found = index(tmp_path, {"mondo.obo": obo("MONDO:1 xref: DOID:1"), "doid.obo": obo("DOID:1")})
    found.file.unlink()
    with ThreadPoolExecutor(1) as pool:
        assert "DOID:1" in pool.submit(found.group, "MONDO:1").result()


def test_an_old_index_that_was_opened_lately_stays(tmp_path):
    files = {"mondo.obo": obo("MONDO:1 xref: DOID:1"), "doid.obo": obo("DOID:1")}
    old = index(tmp_path, files)
    os.utime(old.file, (0, 0))
    assert index(tmp_path, files).file == old.file  # opened again
    index(tmp_path, files | {"doid.obo": obo("DOID:1", "DOID:2")})
    assert old.file.exists()
    os.utime(old.file, (0, 0))
    index(tmp_path, files | {"doid.obo": obo("DOID:1", "DOID:3")})
    assert not old.file.exists()


def test_what_is_beyond_the_most_ties_and_what_is_of_no_vocabulary_here_is_counted(
    tmp_path, monkeypatch
):
    stanzas = ("MONDO:1 xref: DOID:1", "MONDO:2 xref: DOID:2; xref: SNOMED:2")
    [count] = index(tmp_path, {"mondo.obo": obo(*stanzas)}).counts()
    assert (count.ties, count.unused, count.capped) == (2, 1, False)
    monkeypatch.setattr(cross_references, "MOST_TIES", 1)
    [count] = index(tmp_path, {"mondo.obo": obo(*stanzas, "MONDO:3")}).counts()
    assert (count.ties, count.unused, count.capped) == (1, 2, True)
