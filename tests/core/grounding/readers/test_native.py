"""Files as their authorities publish them: MeSH, HGNC, NCBI Gene and Taxonomy, UniProt, SKOS, and
any table whose columns are mapped.
"""

from __future__ import annotations

import gzip
import json
import lzma
import tarfile
import time
import zipfile

import pytest

from core.errors import InputError
from core.grounding.readers import columns, functional, registry, source
from core.grounding.readers.columns import ColumnMapping
from core.grounding.readers.record import SynonymScope, TermName, VocabularyReading

DESCRIPTORS = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset.dtd">
<DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord DescriptorClass="1"><DescriptorUI>D002318</DescriptorUI>
 <DescriptorName><String>Cardiovascular Diseases</String></DescriptorName>
 <TreeNumberList><TreeNumber>C14</TreeNumber></TreeNumberList>
 <ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M1</ConceptUI><TermList>
  <Term><TermUI>T1</TermUI><String>Cardiovascular Diseases</String></Term></TermList></Concept></ConceptList>
</DescriptorRecord>
<DescriptorRecord DescriptorClass="1"><DescriptorUI>D007022</DescriptorUI>
 <DescriptorName><String>Hypotension</String></DescriptorName>
 <TreeNumberList><TreeNumber>C14.907.514</TreeNumber></TreeNumberList>
 <ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M2</ConceptUI>
  <ScopeNote>Abnormally low blood pressure.</ScopeNote><TermList>
  <Term><TermUI>T2</TermUI><String>Hypotension</String></Term>
  <Term><TermUI>T3</TermUI><String>Low Blood Pressure</String></Term></TermList></Concept>
 <Concept PreferredConceptYN="N"><ConceptUI>M3</ConceptUI><ConceptRelationList>
  <ConceptRelation RelationName="NRW"><Concept1UI>M2</Concept1UI><Concept2UI>M3</Concept2UI></ConceptRelation>
  </ConceptRelationList><TermList><Term><TermUI>T4</TermUI><String>Vascular Hypotension</String></Term>
 </TermList></Concept></ConceptList>
</DescriptorRecord></DescriptorRecordSet>"""  # noqa: E501
SUPPLEMENTARY = """<?xml version="1.0"?>
<SupplementalRecordSet><SupplementalRecord SCRClass="3"><SupplementalRecordUI>C537150</SupplementalRecordUI>
<SupplementalRecordName><String>Kenny-Caffey syndrome</String></SupplementalRecordName>
<HeadingMappedToList><HeadingMappedTo><DescriptorReferredTo><DescriptorUI>*D004392</DescriptorUI>
</DescriptorReferredTo></HeadingMappedTo></HeadingMappedToList></SupplementalRecord></SupplementalRecordSet>"""  # noqa: E501
MESH = "http://id.nlm.nih.gov/mesh/"
NTRIPLES = "\n".join(
    (
        f"<{MESH}D1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        f" <{MESH}vocab#TopicalDescriptor> .",
        f'<{MESH}D1> <http://www.w3.org/2000/01/rdf-schema#label> "Hypotension"@en .',
        f"<{MESH}D1> <{MESH}vocab#treeNumber> <{MESH}C14.907> .",
        f"<{MESH}D1> <{MESH}vocab#preferredConcept> <{MESH}M1> .",
        f"<{MESH}M1> <{MESH}vocab#term> <{MESH}T1> .",
        f'<{MESH}T1> <{MESH}vocab#prefLabel> "Low Blood Pressure"@en .',
        f"<{MESH}C5> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{MESH}vocab#SCR_Disease> .",
        f'<{MESH}C5> <http://www.w3.org/2000/01/rdf-schema#label> "A d\\u0069sease"@en .',
    )
)
HGNC = (
    "hgnc_id\tsymbol\tname\tlocus_group\tstatus\talias_symbol\tprev_symbol\n"
    'HGNC:1100\tBRCA1\tBRCA1 DNA repair associated\tx\tApproved\t"RNF53|PPP1R53"\tBRCC1\n'
)
GENE_INFO = (
    "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdescription\tOther_designations\n"
    "9606\t672\tBRCA1\t-\tIRIS|PSCP\tBRCA1 DNA repair associated\tprotein A|protein B\n"
    "9606\t1\tNEWENTRY\t-\t-\tRecord to support submission\t-\n"
)
UNIPROT = (
    "Entry\tEntry Name\tProtein names\tGene Names\tOrganism (ID)\n"
    "P04637\tP53_HUMAN\tCellular tumor antigen p53 (Antigen NY-CO-13) (Tumor suppressor p53)\t"
    "TP53 P53\t9606\n"
)
FLAT = """ID   P53_HUMAN               Reviewed;         393 AA.
AC   P04637; Q15086;
DE   RecName: Full=Cellular tumor antigen p53;
DE   AltName: Full=Antigen NY-CO-13;
GN   Name=TP53; Synonyms=P53;
OX   NCBI_TaxID=9606 {ECO:0000305};
//
"""
SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix my: <http://vocab.example/t/> .
my:1 a skos:Concept ; skos:prefLabel "root"@en , "Wurzel"@de ; skos:narrower my:3 .
my:2 a skos:Concept ; skos:prefLabel "leaf"@en ; skos:altLabel "frond"@en ; skos:broader my:1 .
my:3 a skos:Concept ; skos:prefLabel "twig"@en .
"""


def terms(path, reading=None):
    return {term.id: term for term in registry.read(path, reading or VocabularyReading())}


@pytest.fixture
def file(tmp_path):
    def write(name: str, content: str | bytes):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_mesh_xml_has_scopes_and_the_hierarchy_of_its_tree_numbers(file):
    reading = VocabularyReading()
    read_terms = terms(file("desc2026.xml.gz", gzip.compress(DESCRIPTORS.encode())), reading)
    low = read_terms["MESH:D007022"]
    assert (low.label, low.parents) == ("Hypotension", ("MESH:D002318",))
    assert low.names == (
        TermName("Low Blood Pressure", SynonymScope.EXACT),
        TermName("Vascular Hypotension", SynonymScope.NARROW),
    )
    assert read_terms["MESH:D002318"].parents == ("MESH:category-C",)
    assert reading.version == "2026"


def test_mesh_supplementary_records_lie_under_their_heading_and_kind(file):
    term = terms(file("supp2026.xml", SUPPLEMENTARY))["MESH:C537150"]
    assert term.parents == ("MESH:D004392", "MESH:category-C")


def test_mesh_ntriples_join_concepts_and_terms(file):
    read_terms = terms(file("mesh2026.nt", NTRIPLES))
    assert read_terms["MESH:D1"].names == (TermName("Low Blood Pressure", SynonymScope.EXACT),)
    assert read_terms["MESH:D1"].parents == ("MESH:category-C",)
    assert (read_terms["MESH:C5"].label, read_terms["MESH:C5"].parents) == (
        "A disease",
        ("MESH:category-C",),
    )


def test_hgnc_and_gene_info_tell_aliases_from_previous_symbols(file):
    term = terms(file("hgnc_complete_set.txt", HGNC))["HGNC:1100"]
    assert TermName("RNF53", SynonymScope.RELATED) in term.names
    assert TermName("BRCC1", SynonymScope.PREVIOUS) in term.names
    row = {"hgnc_id": "HGNC:1100", "symbol": "BRCA1", "alias_symbol": ["RNF53"]}
    content = json.dumps({"response": {"numFound": 1, "docs": [row]}})
    assert (
        TermName("RNF53", SynonymScope.RELATED)
        in terms(file("hgnc.json", content))["HGNC:1100"].names
    )
    reading = VocabularyReading()
    genes = terms(file("Homo_sapiens.gene_info.txt", GENE_INFO), reading)
    assert list(genes) == ["NCBIGene:672"]
    assert genes["NCBIGene:672"].taxon == "NCBITaxon:9606"
    assert reading.holds == ("gene",)


@pytest.mark.parametrize(("name", "content"), [("u.tsv", UNIPROT), ("u.dat", FLAT)])
def test_uniprot_is_read_as_a_table_and_as_flat_text(file, name, content):
    term = terms(file(name, content))["UniProtKB:P04637"]
    assert (term.label, term.taxon) == ("Cellular tumor antigen p53", "NCBITaxon:9606")
    assert TermName("Antigen NY-CO-13", SynonymScope.EXACT) in term.names
    assert TermName("TP53", SynonymScope.RELATED) in term.names


@pytest.mark.parametrize("form", ["zip", "tgz"])
def test_the_taxonomy_dump_is_read_from_its_archive(tmp_path, form):
    names = "1\t|\troot\t|\t\t|\tscientific name\t|\n"
    names += "9606\t|\tHomo sapiens\t|\t\t|\tscientific name\t|\n"
    names += "9606\t|\thuman\t|\t\t|\tgenbank common name\t|\n"
    (tmp_path / "names.dmp").write_text(names)
    (tmp_path / "nodes.dmp").write_text("1\t|\t1\t|\tno rank\t|\n9606\t|\t1\t|\tspecies\t|\n")
    path = tmp_path / f"taxdmp.{form}"
    if form == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name in ("names.dmp", "nodes.dmp"):
                archive.write(tmp_path / name, name)
    else:
        with tarfile.open(path, "w:gz") as archive:
            for name in ("names.dmp", "nodes.dmp"):
                archive.add(tmp_path / name, name)
    term = terms(path)["NCBITaxon:9606"]
    assert (term.label, term.parents) == ("Homo sapiens", ("NCBITaxon:1",))
    assert term.names == (TermName("human", SynonymScope.EXACT),)


def test_skos_concepts_have_broader_as_parents_and_english_names(file):
    read_terms = terms(file("my.ttl", SKOS))
    assert read_terms["my:1"].label == "root"
    assert (read_terms["my:2"].names, read_terms["my:2"].parents) == (
        (TermName("frond"),),
        ("my:1",),
    )
    assert read_terms["my:3"].parents == ("my:1",)


def test_a_functional_axiom_with_many_annotations_is_read_in_linear_time(file):
    """A pattern with a repetition inside a repetition took 2^n steps for n annotations."""
    annotations = " ".join(f'Annotation(oio:xref "PMID:{i}")' for i in range(3000))
    text = (
        "Ontology(<http://x.example/y.owl>\n"
        "Declaration(Class(<http://purl.obolibrary.org/obo/GO_1>))\n"
        f"AnnotationAssertion({annotations} rdfs:comment <http://purl.obolibrary.org/obo/GO_1> 5)\n"
        'AnnotationAssertion(Annotation(oio:source "a ) (") rdfs:label\n'
        ' <http://purl.obolibrary.org/obo/GO_1> "one \\"name\\"\nover two lines"@en)\n)\n'
    )
    start = time.monotonic()
    assert terms(file("go.ofn", text))["GO:1"].label == 'one "name"\nover two lines'
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("end", ['"', "(" * 500, "AnnotationAssertion(rdfs:label x"])
def test_a_functional_file_that_never_ends_is_refused(file, end):
    path = file("go.ofn", f"Ontology(<http://x.example/y.owl>\n{end}\n")
    with pytest.raises(InputError):
        list(functional.read(path, VocabularyReading()))


@pytest.mark.parametrize("root", ["rdf:RDF", "DescriptorRecordSet"])
@pytest.mark.parametrize("value", ['"&b;&b;"', 'SYSTEM "file:///etc/passwd"'])
def test_entities_that_could_do_harm_are_refused(file, root, value):
    text = f'<?xml version="1.0"?><!DOCTYPE {root} [<!ENTITY a {value}>]><{root}>&a;</{root}>'
    with pytest.raises(InputError, match="entities"):
        terms(file("x.owl", text))


def test_archive_that_unpacks_beyond_the_limit_is_refused_while_streaming(file, monkeypatch):
    monkeypatch.setattr(source, "LARGEST", 100_000)
    monkeypatch.setattr(source.open_unpacked, "__defaults__", (100_000,))
    head = "id\tlabel\nX:1\tone\n"
    path = file("big.tsv.xz", lzma.compress((head + "X:2\ttwo\n" * 100_000).encode()))
    with pytest.raises(InputError, match="unpacks to more"):
        terms(path)


@pytest.mark.parametrize("heading", ["Synonyms", "Alt names", "Other names", "also known as"])
def test_a_column_of_further_names_is_guessed(heading):
    assert columns.guess(["Code", "Name", heading]).synonyms == heading


def test_columns_that_a_person_mapped_make_any_table_a_vocabulary(file):
    path = file(
        "mine.csv", 'Code;Preferred Label;Also known as;Up\n7;"acid; weak";sour|tart;1\n1;all;;\n'
    )
    header, rows = columns.table_preview(path)
    assert rows[0][1] == "acid; weak"
    guessed = columns.guess(header)
    assert (guessed.id, guessed.label, guessed.synonyms) == (
        "Code", "Preferred Label", "Also known as"
    )  # fmt: skip
    assert registry.reader_of(path) is None
    columns.save_mapping(
        path, ColumnMapping("Code", "Preferred Label", "Also known as", "Up", prefix="LAB")
    )
    term = terms(path)["LAB:7"]
    assert (term.label, term.parents) == ("acid; weak", ("LAB:1",))
    assert term.names == (TermName("sour"), TermName("tart"))


def test_a_mapping_to_a_column_that_is_not_there_says_which_there_are(file):
    path = file("mine.csv", "a,b\n1,2\n")
    columns.save_mapping(path, ColumnMapping("a", "c"))
    with pytest.raises(InputError, match="It has: a, b"):
        terms(path)


CHEBI_OLD = """ID\tSTATUS\tCHEBI_ACCESSION\tSOURCE\tPARENT_ID\tNAME\tDEFINITION\tSTAR
15377\tC\tCHEBI:15377\tKEGG\tnull\twater\tAn oxygen hydride.\t3
5585\tC\tCHEBI:5585\tKEGG\t15377\tnull\tnull\t3
"""
CHEBI_NAMES = """id\tcompound_id\tname\ttype\tstatus_id\tadapted\tlanguage_code\tascii_name
1\t15377\tdihydrogen oxide\tSYNONYM\t1\tfalse\ten\tx
2\t3312\tcalcium dichloride\tNAME\t1\tfalse\ten\tx
3\t15377\twater\tNAME\t1\tfalse\ten\twater
4\t15377\tWasser\tSYNONYM\t1\tfalse\tde\tWasser
"""


def test_roles_in_chebi_tables_are_left_out_and_counted(tmp_path):
    table = tmp_path / "compounds.tsv"
    table.write_text(
        "id\tchebi_accession\tparent_id\tname\tstatus\n"
        "10033\tCHEBI:10033\tnull\twarfarin\tC\n"
        "50249\tCHEBI:50249\tnull\tanticoagulant\tC\n",
        encoding="utf-8",
    )
    reading = VocabularyReading()
    assert [term.label for term in registry.read(table, reading)] == ["warfarin"]
    assert [problem.code for problem in reading.problems] == ["roles-left-out"]
    assert "1 role " in reading.problems[0].message


def test_chebi_tables_give_names_and_what_was_merged(file):
    reading = VocabularyReading()
    read_terms = terms(file("compounds.tsv", CHEBI_OLD), reading)
    assert (read_terms["CHEBI:15377"].label, read_terms["CHEBI:15377"].obsolete) == ("water", False)
    merged = read_terms["CHEBI:5585"]
    assert (merged.obsolete, merged.replaced_by) == (True, "CHEBI:15377")
    assert reading.holds == ("chemical",)
    water = terms(file("names.tsv", CHEBI_NAMES))["CHEBI:15377"]
    assert (water.label, water.names) == (
        "water",
        (TermName("dihydrogen oxide", SynonymScope.EXACT),),
    )


def test_a_table_that_nobody_mapped_says_how_to(file):
    path = file("own.csv", "identifier,name,other\nX:1,alpha,first\n")
    with pytest.raises(InputError, match="identifier, name, other") as error:
        list(registry.read(path, VocabularyReading()))
    assert "--column id=identifier --column label=name" in error.value.hint
    letter = file("letter.txt", "Dear editor,\nthis is a letter.\n")
    with pytest.raises(InputError, match="in no format"):
        list(registry.read(letter, VocabularyReading()))
