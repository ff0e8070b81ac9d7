"""Answers become records with fields and pointers."""

from __future__ import annotations

import json

import pytest

from core.errors import BadAnswer
from core.ncbi.assembly import assembly_of
from core.ncbi.call import (
    Alignment,
    FullRecord,
    GeneProducts,
    GeneType,
    Link,
    NcbiDatabase,
    Search,
    Summary,
)
from core.ncbi.record import NcbiReading
from core.ncbi.response import read_response

GENE = {
    "uid": "7",
    "name": "OLD7",
    "nomenclaturesymbol": "NEW7",
    "nomenclaturestatus": "Official",
    "description": "made up 7",
    "otheraliases": "A7, b7",
    "otherdesignations": "seven|VII",
    "chromosome": "16",
    "maplocation": "16q1",
    "mim": ["100"],
    "currentid": "0",
    "status": "0",
    "organism": {"scientificname": "Homo sapiens", "taxid": 9606},
    "genomicinfo": [{"chraccver": "NC_000016.10", "chrstart": 299, "chrstop": 99}],
}
SNP = {
    "uid": "5",
    "snp_id": 5,
    "genes": [{"name": "G1", "gene_id": "1"}],
    "acc": "NC_000020.11",
    "chr": "20",
    "spdi": "NC_000020.11:49:G:A",
    "fxn_class": "intron_variant",
    "chrpos": "20:50",
}


def summary(db: NcbiDatabase, uid: str, record: dict) -> object:
    return read_response(
        Summary(db, (uid,)), json.dumps({"result": {"uids": [uid], uid: record}})
    ).records[0]


def test_a_gene_has_its_official_symbol_and_lists():
    gene = summary(NcbiDatabase.GENE, "7", GENE)
    assert (gene.id, gene.get("symbol"), gene.get("aliases")) == (
        "NCBIGene:7",
        "NEW7",
        ["A7", "b7"],
    )
    assert gene.pointers["symbol"] == "/result/7/nomenclaturesymbol"
    assert "replaced_by" not in gene.values


def test_coordinates_are_one_based_with_strand_and_assembly():
    gene = summary(NcbiDatabase.GENE, "7", GENE)
    assert gene.get("location") == "NC_000016.10:100-300(-)"
    assert gene.get("assembly") == "GRCh38"


def test_lists_that_come_as_lists_are_read_too():
    assert (
        summary(NcbiDatabase.GENE, "7", GENE | {"otheraliases": ["A7"], "currentid": 9}).get(
            "replaced_by"
        )
        == "9"
    )


def test_assemblies_are_distinguished():
    assert [
        assembly_of(accession)
        for accession in ("NC_000016.10", "NC_000016.9", "NC_060940.1", "NG_1.1")
    ] == [
        "GRCh38",
        "GRCh37",
        "T2T-CHM13v2.0",
        "",
    ]


def test_a_snp_has_genes_class_and_place():
    snp = summary(NcbiDatabase.SNP, "5", SNP)
    assert (snp.id, snp.get("genes"), snp.get("relation"), snp.get("location")) == (
        "DBSNP:rs5",
        ["G1"],
        "variant of",
        "NC_000020.11:50",
    )


@pytest.mark.parametrize(
    ("classes", "genes", "relation"),
    [
        ("2KB_upstream_variant,upstream_transcript_variant", 1, "nearby"),
        ("intron_variant,2KB_upstream_variant", 1, "variant of"),
        ("intron_variant,2KB_upstream_variant", 2, "undecided"),
        ("", 1, "undecided"),
    ],
)
def test_the_functional_class_says_whether_a_variant_lies_in_the_gene(
    classes: str, genes: int, relation: str
):
    listed = [{"name": f"G{n}", "gene_id": str(n)} for n in range(1, genes + 1)]
    assert (
        summary(NcbiDatabase.SNP, "5", SNP | {"fxn_class": classes, "genes": listed}).get(
            "relation"
        )
        == relation
    )


def test_a_chromosome_is_found_in_chrpos_when_chr_is_gone():
    snp = summary(
        NcbiDatabase.SNP,
        "5",
        {key: value for key, value in SNP.items() if key != "chr"} | {"chrpos": "chr20:50"},
    )
    assert (snp.get("chromosome"), snp.pointers["chromosome"]) == ("20", "/result/5/chrpos")


@pytest.mark.parametrize(
    ("oid", "kind"),
    [
        ("*1", "gene"),
        ("+1", "gene and phenotype"),
        ("#1", "phenotype"),
        ("%1", "phenotype"),
        ("1", "phenotype"),
        ("^1", "removed"),
    ],
)
def test_the_mark_of_an_omim_entry_says_what_it_is(oid: str, kind: str):
    entry = summary(NcbiDatabase.OMIM, "1", {"oid": oid, "title": "KERATIN 3; KRT3"})
    assert (entry.get("kind"), entry.get("title"), entry.get("symbol")) == (
        kind,
        "KERATIN 3",
        "KRT3",
    )


@pytest.mark.parametrize(
    ("title", "qualifier"),
    [
        ("{ASTHMA}; X", "susceptibility"),
        ("[BLOOD GROUP]", "not a disease"),
        ("?SOME; Y", "provisional"),
    ],
)
def test_braces_of_omim_titles_are_kept(title: str, qualifier: str):
    assert (
        summary(NcbiDatabase.OMIM, "1", {"oid": "#1", "title": title}).get("qualifier") == qualifier
    )


def test_clinvar_gives_classification_with_review_status_and_accession():
    classification = {
        "description": "Pathogenic",
        "review_status": "reviewed by expert panel",
        "trait_set": [{"trait_name": "T"}],
    }
    record = summary(
        NcbiDatabase.CLINVAR,
        "9",
        {
            "accession_version": "VCV9.1",
            "germline_classification": classification,
            "genes": [{"symbol": "G"}],
        },
    )
    assert (record.get("classification"), record.get("review_status"), record.get("accession")) == (
        "Pathogenic",
        "reviewed by expert panel",
        "VCV9.1",
    )
    assert record.pointers["classification"] == "/result/9/germline_classification/description"


def test_clinvar_says_of_what_it_is_a_classification():
    classification = {
        "description": "Oncogenic",
        "review_status": "criteria provided, single submitter",
        "trait_set": [],
    }
    none = {"description": "", "review_status": "", "trait_set": []}
    classifications = {"germline_classification": none, "clinical_impact_classification": none}
    record = summary(
        NcbiDatabase.CLINVAR,
        "9",
        {**classifications, "oncogenicity_classification": classification},
    )
    assert (record.get("classification"), record.get("classified")) == ("Oncogenic", "oncogenicity")


def test_missing_record_is_dropped_with_a_reason():
    response = read_response(
        Summary(NcbiDatabase.GENE, ("1",)),
        '{"result": {"uids": ["1"], "1": {"uid": "1", "error": "cannot get document summary"}}}',
    )
    assert response.records == () and "cannot get" in response.dropped[0].why


def test_records_beyond_those_sent_are_reported():
    response = read_response(
        Search(NcbiDatabase.GENE, "x"), '{"esearchresult": {"count": "30", "idlist": ["1"]}}'
    )
    assert response.ids == ("1",) and "30" in response.warnings[0]


@pytest.mark.parametrize(
    "body", ["{", "[]", "{}", '{"error": "busy"}', '{"esearchresult": {"ERROR": "no"}}']
)
def test_a_search_without_result_is_a_bad_answer(body: str):
    with pytest.raises(BadAnswer):
        read_response(Search(NcbiDatabase.GENE, "x"), body)


def test_links_are_read_from_json_and_xml():
    body = (
        '{"linksets": [{"linksetdbs": [{"dbto": "gene", "links": ["3"]}, {"dbto": "omim", "links":'
        ' ["4"]}]}]}'
    )
    xml = "<eLinkResult><LinkSet><LinkSetDb><DbTo>gene</DbTo><Link><Id>3</Id></Link></LinkSetDb></LinkSet></eLinkResult>"  # noqa: E501
    call = Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, ("1",))
    assert read_response(call, body).ids == read_response(call, xml).ids == ("3",)


def test_the_type_of_a_gene_comes_from_xml_or_datasets():
    xml = '<Entrezgene-Set><Entrezgene><Gene-track_geneid>7</Gene-track_geneid><Entrezgene_type value="pseudo">5</Entrezgene_type></Entrezgene></Entrezgene-Set>'  # noqa: E501
    datasets = '{"reports": [{"gene": {"gene_id": "7", "symbol": "S", "type": "PROTEIN_CODING"}}]}'
    assert (
        read_response(FullRecord(NcbiDatabase.GENE, ("7",)), xml).records[0].get("type") == "pseudo"
    )
    assert read_response(GeneType(("7",)), datasets).records[0].get("type") == "protein-coding"


def test_xml_with_entities_of_its_own_is_refused():
    with pytest.raises(BadAnswer):
        read_response(
            FullRecord(NcbiDatabase.SNP, ("1",)), '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'
        )


def test_text_in_place_of_records_is_a_bad_answer():
    with pytest.raises(BadAnswer):
        read_response(FullRecord(NcbiDatabase.GENE, ("1",)), "1. NAME\nOfficial Symbol: NAME")


HEAD = "<p><!--\nQBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd\n--><p>\n<PRE>\nBLASTN 2.16.0+\nSequences producing significant alignments:\n\n"  # noqa: E501
LINES = "NC_000015.10 Homo sapiens chromosome 15, GRCh38.p14 Primary Assembly    22.0   1e-3  100%\nCP068263.2 Homo sapiens isolate CHM13 chromosome 15          22.0     1e-3  100%\n"  # noqa: E501
HIT = """
ALIGNMENTS
>NC_000015.10 Homo sapiens chromosome 15, GRCh38.p14 Primary Assembly
Length=101991189

 Score = 22.0 bits (11),  Expect = 1e-3
 Identities = 11/11 (100%), Gaps = 0/11 (0%)
 Strand=Plus/Minus

Query  1   ACGTACGTACG  11
           |||||||||||
Sbjct  50  ACGTACGTACG  40

"""


def test_a_blast_report_tells_grch38_from_other_assemblies():
    hits = read_response(Alignment("ABCDEFGH016"), HEAD + LINES + HIT + "\nLambda").records
    assert [(hit.id, hit.get("kind")) for hit in hits] == [
        ("RefSeq:NC_000015.10", "GRCh38 chromosome"),
        ("INSDC:CP068263.2", "CHM13 assembly"),
    ]
    assert hits[0].get("location") == "NC_000015.10:40-50(-)" and hits[0].get("subject") == (50, 40)


def test_a_cut_report_keeps_its_whole_hits_and_says_so():
    response = read_response(
        Alignment("ABCDEFGH016"), HEAD + LINES + HIT + "\n>AC1.1 something\nLength=5\n Sco"
    )
    assert response.cut and len(response.records) == 2


def test_a_waiting_search_is_pending_and_a_lost_one_is_a_bad_answer():
    page = "<!--\nQBlastInfoBegin\n\tStatus={}\nQBlastInfoEnd\n-->"
    assert read_response(Alignment("ABCDEFGH016"), page.format("WAITING")).pending
    with pytest.raises(BadAnswer):
        read_response(Alignment("ABCDEFGH016"), page.format("UNKNOWN"))


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (Summary(NcbiDatabase.GENE, ("1",)), '{"result": {"uids": ["1"], "1": ["a list"]}}'),
        (GeneType(("1",)), '{"reports": 5}'),
        (GeneType(("1",)), '{"reports": [{"gene": {"gene_id": "1", "ensembl_gene_ids": 7}}]}'),
        (
            GeneProducts(("1",)),
            '{"reports": [{"product": {"gene_id": "1", "transcript_count": "²"}}]}',
        ),
        (Search(NcbiDatabase.GENE, "x"), "[" * 200_000),
    ],
)
def test_an_answer_in_another_form_is_reported_and_raises_nothing_else(call, body):
    try:
        assert isinstance(read_response(call, body), NcbiReading)
    except BadAnswer as error:
        assert str(error)
