"""Readers keep what public files hold, and count what they do not keep."""

from __future__ import annotations

import sqlite3
import zipfile
from pathlib import Path

import pytest

from core.curie import curie_as_written
from core.grounding.readers import columns, registry
from core.grounding.readers.record import SynonymScope, TermRecord, VocabularyReading

PREFIXES = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix garden: <https://garden.example/plot#> .
"""


def read(
    folder: Path, name: str, text: str, languages: tuple[str, ...] = ()
) -> tuple[dict[str, TermRecord], VocabularyReading]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    reading = VocabularyReading(languages=languages)
    return {term.id: term for term in registry.read(path, reading)}, reading


def names(term: TermRecord) -> set[str]:
    return {term.label, *(name.text for name in term.names)}


@pytest.mark.parametrize(
    "written, curie",
    [
        ("MONDO_0005148", "MONDO:0005148"),
        ("http://purl.obolibrary.org/obo/MONDO_0005148", "MONDO:0005148"),
        ("https://purl.obolibrary.org/obo/MONDO_0005148", "MONDO:0005148"),
        ("<https://identifiers.org/hgnc:7>", "HGNC:7"),
        ("https://identifiers.org/hgnc/HGNC:7", "HGNC:7"),
        ("https://bioregistry.io/chebi:15365", "CHEBI:15365"),
        ("http://purl.bioontology.org/ontology/SNOMEDCT/22298006", "SNOMED:22298006"),
        ("http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#C4872", "NCIT:C4872"),
        ("hgnc:HGNC:7", "HGNC:7"),
        ("https://example.org/unknown/7", ""),
        ("my_thing", ""),
    ],
)
def test_an_id_is_understood_as_people_write_it(written, curie):
    assert curie_as_written(written) == curie


@pytest.mark.parametrize(
    "name, text",
    [
        (
            "plot.ttl",
            PREFIXES + 'garden:Rose a owl:Class ; rdfs:label "rose bed" .',
        ),
        (
            "plot.owl",
            '<?xml version="1.0"?><rdf:RDF xmlns:owl="http://www.w3.org/2002/07/owl#"'
            ' xmlns:garden="https://garden.example/plot#"'
            ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
            ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">'
            '<owl:Class rdf:about="https://garden.example/plot#Rose">'
            "<rdfs:label>rose bed</rdfs:label></owl:Class></rdf:RDF>",
        ),
        (
            "plot.ofn",
            "Prefix(garden:=<https://garden.example/plot#>)\nOntology(<https://garden.example/>\n"
            "Declaration(Class(garden:Rose))\n"
            'AnnotationAssertion(rdfs:label garden:Rose "rose bed")\n)\n',
        ),
    ],
)
def test_a_class_of_ones_own_namespace_has_the_prefix_that_the_file_declares(tmp_path, name, text):
    terms, reading = read(tmp_path, name, text)
    assert terms["garden:Rose"].label == "rose bed"
    assert reading.iris == {"garden": "https://garden.example/plot#"}


def test_a_namespace_without_a_prefix_gives_its_name(tmp_path):
    graph = (
        '{"graphs": [{"nodes": [{"id": "https://garden.example/plot#R1", "lbl": "rose",'
        ' "type": "CLASS"}]}]}'
    )
    terms, reading = read(tmp_path, "plot.json", graph)
    assert terms["plot:R1"].label == "rose"
    assert reading.iris == {"plot": "https://garden.example/plot#"}


@pytest.mark.parametrize(
    "property", ["obo:IAO_0000118", "obo:OMO_0003008", "<http://schema.org/alternateName>"]
)
def test_other_properties_give_synonyms_too(tmp_path, property):
    text = f'{PREFIXES}obo:OBI_7 a owl:Class ; rdfs:label "blot" ; {property} "western blot" .'
    terms, _ = read(tmp_path, "assay.ttl", text)
    assert names(terms["OBI:7"]) == {"blot", "western blot"}


def test_a_second_label_is_a_synonym(tmp_path):
    text = PREFIXES + 'obo:OBI_7 a owl:Class ; rdfs:label "blot", "western blot" .'
    assert names(read(tmp_path, "assay.ttl", text)[0]["OBI:7"]) == {"blot", "western blot"}


LANGUAGES = PREFIXES + (
    'obo:UBERON_7 a owl:Class ; rdfs:label "liver"@en, "Leber"@de ; skos:altLabel "hepar"@la .\n'
    'obo:UBERON_8 a owl:Class ; rdfs:label "rate"@fr ; skos:altLabel "Milz"@de .\n'
)


def test_other_languages_are_counted_and_kept_where_a_term_has_no_english(tmp_path):
    terms, reading = read(tmp_path, "parts.ttl", LANGUAGES)
    assert names(terms["UBERON:7"]) == {"liver", "hepar"}
    assert names(terms["UBERON:8"]) == {"rate", "Milz"}
    assert "languages de (1)" in reading.ledger.line()


def test_another_language_is_a_choice(tmp_path):
    terms, reading = read(tmp_path, "parts.ttl", LANGUAGES, ("de",))
    assert "Leber" in names(terms["UBERON:7"])
    assert reading.ledger.line() == "Not kept: languages fr (1)."


def test_relations_are_read_as_relations(tmp_path):
    obo = "[Typedef]\nid: ZZR:7\nname: leans on\n\n[Typedef]\nid: part_of\nxref: BFO:0000050\n"
    terms, _ = read(tmp_path, "relations.obo", f"format-version: 1.2\n\n{obo}name: part of\n")
    assert terms["ZZR:7"].relation and terms["BFO:0000050"].label == "part of"
    text = PREFIXES + 'obo:RO_77 a owl:ObjectProperty ; rdfs:label "leans on" .'
    assert read(tmp_path, "relations.ttl", text)[0]["RO:77"].relation


@pytest.mark.parametrize(
    "slip",
    [
        "rdfs:seeAlso <http://x.example/a b>",
        "rdfs:seeAlso <http://x.example/{id}>",
        'rdfs:comment "odd"@en_us',
        'dc:creator "nobody"',
    ],
)
def test_a_slip_costs_its_triple_and_not_the_file(tmp_path, slip):
    text = PREFIXES + f'obo:ZFA_1 a owl:Class ; rdfs:label "fin" ; {slip} .\n'
    terms, _ = read(tmp_path, "fish.ttl", text + 'obo:ZFA_2 a owl:Class ; rdfs:label "gill" .\n')
    assert {"ZFA:1", "ZFA:2"} <= terms.keys()


def test_a_bad_iri_is_named(tmp_path):
    text = PREFIXES + 'obo:ZFA_1 a owl:Class ; rdfs:label "fin" ; rdfs:seeAlso <http://x.org/a b> .'
    _, reading = read(tmp_path, "fish.ttl", text)
    assert [problem.code for problem in reading.problems] == ["bad-iri"]


def test_a_comment_behind_a_name_is_no_part_of_it(tmp_path):
    terms, _ = read(
        tmp_path, "a.obo", "format-version: 1.2\n\n[Term]\nid: GO:7 ! x\nname: x body ! by hand\n"
    )
    assert terms["GO:7"].label == "x body"


def test_a_stanza_with_a_comment_behind_its_header_is_read(tmp_path):
    terms, _ = read(tmp_path, "a.obo", "format-version: 1.2\n\n[Term] ! made\nid: GO:7\nname: x\n")
    assert terms["GO:7"].label == "x"


def test_an_idspace_gives_the_iri_of_its_prefix(tmp_path):
    text = 'format-version: 1.2\nidspace: ZZX http://x.example/zzx_ "z"\n\n[Term]\nid: ZZX:1\n'
    _, reading = read(tmp_path, "a.obo", text + "name: x\n")
    assert reading.iris == {"ZZX": "http://x.example/zzx_"}


def test_what_is_not_kept_is_counted_in_one_line(tmp_path):
    text = (
        "format-version: 1.2\nimport: other.obo\n\n[Term]\nid: GO:7\nname: x\nxref: a page\n"
        "xref: A\nsubset: slim\n\n[Instance]\nid: GO:8\nname: y\n"
    )
    _, reading = read(tmp_path, "a.obo", text)
    line = reading.ledger.line()
    assert "headings import (1)" in line
    assert "stanzas Instance (1)" in line
    assert "tags xref (2), subset (1)" in line


def test_a_property_that_names_nothing_is_counted(tmp_path):
    text = PREFIXES + 'obo:ZFA_1 a owl:Class ; rdfs:label "fin" ; rdfs:comment "a part" .'
    _, reading = read(tmp_path, "fish.ttl", text)
    assert reading.ledger.line() == "Not kept: properties comment (1)."


def test_a_previous_name_keeps_its_scope(tmp_path):
    text = PREFIXES + 'obo:ZFA_1 a owl:Class ; rdfs:label "fin" ; obo:OMO_0003008 "paddle" .'
    terms, _ = read(tmp_path, "fish.ttl", text)
    assert [name.scope for name in terms["ZFA:1"].names] == [SynonymScope.PREVIOUS]


@pytest.mark.parametrize(
    "name, text, line",
    [
        (
            "own.tsv",
            "id\tlabel\thomepage\nLAB:1\tfrost\thttps://a.example\nLAB:2\tice\t\n",
            "columns homepage (1)",
        ),
        (
            "desc2026.xml",
            "<DescriptorRecordSet><DescriptorRecord><DescriptorUI>D1</DescriptorUI><DescriptorName>"
            "<String>A</String></DescriptorName><HistoryNote>x</HistoryNote></DescriptorRecord>"
            "</DescriptorRecordSet>",
            "elements HistoryNote (1)",
        ),
        (
            "mesh2026.nt",
            '<http://id.nlm.nih.gov/mesh/D1> <http://id.nlm.nih.gov/mesh/vocab#note> "x" .\n'
            "<http://id.nlm.nih.gov/mesh/D1>"
            ' <http://www.w3.org/2000/01/rdf-schema#label> "Fieber"@de .\n',
            "languages de (1); properties note (1)",
        ),
        (
            "genes.tsv",
            "hgnc_id\tsymbol\tname\tlocation\nHGNC:5\tA1BG\talpha\t19q13\n",
            "columns location (1)",
        ),
        (
            "uniprot.tsv",
            "Entry\tEntry Name\tProtein names\tGene Names\tOrganism (ID)\tLength\n"
            "P04637\tP53_HUMAN\tTumor antigen\tTP53\t9606\t393\n",
            "columns Length (1)",
        ),
        (
            "uniprot.dat",
            "ID   P53_HUMAN   Reviewed;   393 AA.\nAC   P04637;\n"
            "DE   RecName: Full=Tumor antigen;\nCC   note\n//\n",
            "line types CC (1)",
        ),
    ],
)
def test_tables_and_releases_of_authorities_count_what_they_leave(tmp_path, name, text, line):
    terms, reading = read(tmp_path, name, text)
    assert terms or name == "mesh2026.nt"
    assert reading.ledger.line() == f"Not kept: {line}."


def test_a_mapped_table_counts_its_other_columns(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("code,name,colour\nLAB:1,frost,white\nLAB:2,ice,\n")
    reading = VocabularyReading()
    assert list(columns.mapped_terms(path, columns.ColumnMapping("code", "name"), reading))
    assert reading.ledger.line() == "Not kept: columns colour (1)."


def test_an_archive_of_taxa_counts_name_types_and_files(tmp_path):
    path = tmp_path / "taxdump.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nodes.dmp", "9\t|\t1\t|\tspecies\t|\n")
        archive.writestr(
            "names.dmp",
            "9\t|\tBuchnera\t|\t\t|\tscientific name\t|\n9\t|\tB. Smith\t|\t\t|\tauthority\t|\n",
        )
        archive.writestr("division.dmp", "")
    reading = VocabularyReading()
    assert list(registry.read(path, reading))
    assert reading.ledger.line() == ("Not kept: files division.dmp (1); name types authority (1).")


def test_a_database_counts_predicates_and_types(tmp_path):
    path = tmp_path / "own.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE statements (subject, predicate, value, object)")
        connection.execute("CREATE TABLE edge (subject, predicate, object)")
        connection.executemany(
            "INSERT INTO statements VALUES (?, ?, ?, ?)",
            [
                ("GO:1", "rdf:type", None, "owl:Class"),
                ("GO:1", "rdfs:label", "frost", None),
                ("GO:1", "dcterms:creator", "x", None),
                ("RO:1", "rdf:type", None, "owl:ObjectProperty"),
            ],
        )
    connection.close()
    reading = VocabularyReading()
    assert [term.id for term in registry.read(path, reading)] == ["GO:1"]
    assert reading.ledger.line() == (
        "Not kept: properties dcterms:creator (1); types owl:ObjectProperty (1)."
    )
