"""Answers whose form has changed: numbers as text, lists for texts, fields gone, other assemblies
first.
"""

from __future__ import annotations

import json

import pytest

from core.ncbi.blast_report import parse_report
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.gene import gene_summary
from core.ncbi.omim import omim_summary
from core.ncbi.response import read_response
from core.ncbi.variation import snp_summary

CHM13 = {"chraccver": "NC_060931.1", "chrstart": 9, "chrstop": 19}
GRCH38 = {"chraccver": "NC_000007.14", "chrstart": "39", "chrstop": "19"}


def test_the_place_is_that_of_grch38_whatever_stands_first():
    gene_record = gene_summary("1", {"genomicinfo": [CHM13, GRCH38]})
    assert (gene_record.get("location"), gene_record.get("assembly")) == (
        "NC_000007.14:20-40(-)",
        "GRCh38",
    )
    assert gene_record.pointers["location"] == "/result/1/genomicinfo/1"


def test_a_place_of_another_assembly_says_so():
    assert gene_summary("1", {"genomicinfo": [CHM13]}).get("assembly") == "T2T-CHM13v2.0"


@pytest.mark.parametrize(
    "places", [None, {}, "", [None], [{"chrstart": ""}], [{"chrstart": 1, "chrstop": 2}]]
)
def test_gene_summary_without_coordinates_has_no_location(places: object):
    assert "location" not in gene_summary("1", {"genomicinfo": places}).values


def test_numbers_and_lists_in_other_types():
    fields = {
        "mim": "100200",
        "organism": "Homo sapiens",
        "otheraliases": ["A1", "B,2"],
        "chromosome": 7,
        "currentid": 1,
    }
    gene_record = gene_summary("1", fields)
    assert (gene_record.get("mim"), gene_record.get("species"), gene_record.get("aliases")) == (
        ["100200"],
        "Homo sapiens",
        ["A1", "B,2"],
    )
    assert gene_record.get("chromosome") == "7" and "replaced_by" not in gene_record.values


def test_aliases_without_spaces_are_separated():
    assert gene_summary("1", {"otheraliases": "A1,B2"}).get("aliases") == ["A1", "B2"]
    assert gene_summary("1", {"otheraliases": "A1,3-B, C2"}).get("aliases") == ["A1,3-B", "C2"]


def summary(**fields: object) -> str:
    return json.dumps({"result": {"uids": ["5"], "5": {"uid": "5", **fields}}})


def test_fields_that_are_gone_are_a_warning():
    whole = dict.fromkeys(
        ("name", "nomenclaturesymbol", "chromosome", "organism", "genomicinfo"), ""
    )
    warned = read_response(
        Summary(NcbiDatabase.GENE, ("5",)), summary(**whole, aliases="X")
    ).warnings
    assert len(warned) == 1 and "otheraliases" in warned[0]
    assert (
        read_response(
            Summary(NcbiDatabase.GENE, ("5",)), summary(**whole, otheraliases="X")
        ).warnings
        == ()
    )


@pytest.mark.parametrize(
    ("chrpos", "place"),
    [
        ("7:100", "7:100"),
        ("chr7:100", "7:100"),
        ("7:100,NT_187562.1:4", "7:100"),
        ("Y:5;7:100", "7:100"),
        ("7:100,7:200", ""),
        ("somewhere", ""),
    ],
)
def test_forms_of_chrpos(chrpos: str, place: str):
    variant = snp_summary("5", {"chr": "7", "chrpos": chrpos, "acc": "NC_000007.14"})
    assert variant.get("location") == (f"NC_000007.14:{place.partition(':')[2]}" if place else "")


def test_a_gene_without_a_number_gets_no_made_up_id():
    assert snp_summary("5", {"genes": [{"name": "G1"}]}).get("gene_records")[0]["gene"] == ""


def test_a_gene_that_is_listed_twice_is_one():
    twice = [
        {"name": "G1", "gene_id": 1},
        {"name": "G2", "gene_id": "2"},
        {"name": "G1", "gene_id": "1"},
    ]
    variant = snp_summary("5", {"genes": twice})
    assert (
        variant.get("genes") == ["G1", "G2"]
        and variant.get("gene_records")[0]["pointer"] == "/result/5/genes/0"
    )


@pytest.mark.parametrize(
    "classes", ["intron_variant,2KB_upstream_variant", ["2KB_upstream_variant", "intron_variant"]]
)
def test_the_order_of_functional_classes_means_nothing(classes: object):
    genes = [{"name": "G1", "gene_id": 1}, {"name": "G2", "gene_id": "2"}]
    assert snp_summary("5", {"genes": genes, "fxn_class": classes}).get("relation") == "undecided"
    assert (
        snp_summary("5", {"genes": genes[:1], "fxn_class": classes}).get("relation") == "variant of"
    )


def test_an_omim_entry_of_no_stated_kind_is_not_a_disease():
    assert omim_summary("100100", {"title": "MADE UP; MU"}).get("kind") == ""


def test_the_mark_in_a_title_counts_if_no_field_has_it():
    entry = omim_summary(
        "100100", {"title": "*100100 MADE UP PROTEIN; MU", "alttitles": ["ONE", "TWO"]}
    )
    assert (entry.get("kind"), entry.get("title"), entry.get("included")) == (
        "gene",
        "MADE UP PROTEIN",
        ["ONE", "TWO"],
    )


@pytest.mark.parametrize(
    "result", [{"count": "x", "idlist": ["1"]}, {"count": None, "idlist": [1], "warninglist": []}]
)
def test_a_search_with_odd_types_is_read(result: object):
    assert read_response(
        Search(NcbiDatabase.GENE, "X"), json.dumps({"esearchresult": result})
    ).ids == ("1",)


NEW = """QBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd
Query #1: mine Query ID: lcl|Query_1 Length: 40

Alignments:
>Homo sapiens isolate CHM13 chromosome 7, alternate assembly T2T-CHM13v2.0
Sequence ID: NC_060931.1 Length: 160567428
Range 1: 101 to 140

Score:75.0 bits(40), Expect:1e-10,
Identities:40/40(100%),  Gaps:0/40(0%), Strand: Plus/Plus

Query  1    ACGTACGTAC  40
            ||||||||||
Sbjct  101  ACGTACGTAC  140

>Homo sapiens chromosome 7, GRCh38.p14 Primary Assembly
Sequence ID: NC_000007.14 Length: 159345973
Range 1: 2001 to 2040

Score:75.0 bits(40), Expect:1e-10,
Identities:40/40(100%),  Gaps:0/40(0%), Strand: Plus/Minus

Query  1     ACGTACGTAC  20
             ||||||||||
Sbjct  2040  ACGTACGTAC  2021

Query  21    ACGTACGTAC  40
             ||||||||||
Sbjct  2020  ACGTACGTAC  2001

Range 2: 5001 to 5020

Score:35.0 bits(18), Expect:3.0,
Identities:18/20(90%),  Gaps:0/20(0%), Strand: Plus/Plus

Query  1     ACGTACGTAC  20
             ||||||||||
Sbjct  5001  ACGTACGTAC  5020
"""


def test_the_newer_text_of_blast_is_read():
    chm13, grch38 = parse_report(NEW).records
    assert (chm13.get("kind"), grch38.get("kind")) == ("CHM13 assembly", "GRCh38 chromosome")
    assert grch38.get("location") == "NC_000007.14:2001-2040(-)" and grch38.get("alignments") == 2
    assert (grch38.get("identity"), grch38.get("organism")) == (40, "Homo sapiens")
