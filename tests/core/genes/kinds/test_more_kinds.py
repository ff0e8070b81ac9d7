"""Orthologs, transcripts, proteins, taxonomy, inheritance and sequence records, at a loopback NCBI.

The forms: Datasets v2's OpenAPI document (v2reportsGeneDescriptor with `gene_groups`,
v2reportsTranscript with `select_category`); MedGen's esummary, whose `conceptmeta` holds XML;
NCBI's Entrez help on esummary of protein (`accessionversion`, `slen`) and taxonomy (`rank`). Genes
and diseases are made up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus
from core.genes.question.understand import understand_question
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene

GENE = gene("1", "AAA1")
GROUP = [{"id": "1", "method": "NCBI Ortholog"}]


def ortholog(uid: str, symbol: str, taxon: str, name: str, **more: Any) -> dict[str, Any]:
    about = {"gene_id": uid, "symbol": symbol, "tax_id": taxon, "taxname": name}
    return {"gene": {**about, "common_name": "", "gene_groups": GROUP, **more}}


HUMAN = ortholog("1", "AAA1", "9606", "Homo sapiens")
MOUSE = ortholog("2", "Aaa1", "10090", "Mus musculus")
CHICKEN = ortholog("3", "AAA1", "9031", "Gallus gallus", gene_groups=[])
PRODUCT = {
    "gene_id": "1", "symbol": "AAA1", "tax_id": "9606", "type": "PROTEIN_CODING",
    "transcript_count": 2, "protein_count": 1,
    "transcripts": [
        {"accession_version": "NM_000001.2", "name": "transcript variant 1", "length": 900,
         "select_category": "MANE_SELECT", "type": "PROTEIN_CODING",
         "protein": {"accession_version": "NP_000001.1", "name": "made up protein",
                     "isoform_name": "isoform a", "length": 120}},
        {"accession_version": "NR_000002.1", "name": "transcript variant 2", "length": 800},
    ],
}  # fmt: skip


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    ncbi = Served(answering)
    ncbi.reports["product_report"] = {"reports": [{"product": PRODUCT}], "total_count": 1}
    ncbi.reports["orthologs"] = {"reports": [HUMAN, MOUSE, CHICKEN], "total_count": 3}
    return ncbi


def test_orthologs_are_all_genes_of_the_group_but_the_gene_itself(served: Served):
    answer = served("Which genes are orthologs of AAA1?", gene=[GENE])
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.text == ["Aaa1 (Mus musculus; NCBIGene:2)", "AAA1 (Gallus gallus; NCBIGene:3)"]


def test_an_ortholog_rests_on_its_entry_and_on_the_group_of_the_gene(served: Served):
    value = served("Which genes are orthologs of AAA1?", gene=[GENE]).values[0]
    assert (value.field, value.raw) == ("/reports/1/gene/gene_id", "2")
    assert [(tie.field, tie.raw) for tie in value.ties] == [
        ("/reports/1/gene/gene_groups/0/id", "1")
    ]
    assert (value.subject.id, value.object.id) == ("NCBIGene:1", "NCBIGene:2")


def test_only_the_ortholog_of_the_requested_species_is_given(served: Served):
    answer = served("What is the mouse ortholog of AAA1?", gene=[GENE])
    assert answer.text == "Aaa1 (Mus musculus; NCBIGene:2)"
    assert served.asked[-1][1]["taxon_filter"] == "10090"


def test_orthologs_are_paged_and_what_is_left_out_is_counted(served: Served):
    first = {"reports": [HUMAN, MOUSE], "total_count": 300, "next_page_token": "p2"}
    pages = {None: first, "p2": {"reports": [CHICKEN], "total_count": 300}}
    served.reports["orthologs"] = lambda parameters: pages[parameters.get("page_token")]
    answer = served("Which genes are orthologs of AAA1?", gene=[GENE])
    assert answer.status is AnswerStatus.INCOMPLETE and len(answer.text) == 2
    assert answer.missing == ("3 of 300 orthologs read",)


def test_transcripts_carry_their_length_and_which_is_chosen(served: Served):
    answer = served("Which transcripts does AAA1 have?", gene=[GENE])
    assert answer.text == [
        "NM_000001.2 (transcript variant 1; 900 bases; MANE Select)",
        "NR_000002.1 (transcript variant 2; 800 bases)",
    ]
    assert answer.values[1].object.id == "RefSeq:NR_000002.1"


def test_the_chosen_transcript_alone_is_given_where_it_is_asked_for(served: Served):
    answer = served("What is the MANE Select transcript of AAA1?", gene=[GENE])
    assert answer.text == "NM_000001.2 (transcript variant 1; 900 bases; MANE Select)"


def test_transcripts_that_are_counted_and_not_listed_make_it_incomplete(served: Served):
    short = {**PRODUCT, "transcript_count": 5}
    served.reports["product_report"] = {"reports": [{"product": short}]}
    answer = served("Which transcripts does AAA1 have?", gene=[GENE])
    assert answer.missing == ("NCBI counts 5 transcripts and lists 2",)


def test_proteins_rest_on_their_accession_in_the_report_of_the_gene(served: Served):
    answer = served("Which RefSeq proteins does AAA1 encode?", gene=[GENE])
    value = answer.values[0]
    assert answer.text == "NP_000001.1 (made up protein isoform a; 120 amino acids; MANE Select)"
    assert value.field == "/reports/0/product/transcripts/0/protein/accession_version"
    assert value.ties[0].field == "/reports/0/product/gene_id"


META = (
    '<Names><Name SAB="OMIM" type="syn">MUD1</Name></Names><OMIM><MIM>100101</MIM></OMIM>'
    '<ModesOfInheritance><ModeOfInheritance uid="141025" CUI="C0441748" TUI="T045">'
    "<Name>Autosomal recessive inheritance</Name></ModeOfInheritance></ModesOfInheritance>"
)


def concept(uid: str, number: str, title: str, meta: str = META) -> dict[str, Any]:
    kind = {"value": "Disease or Syndrome"}
    return {
        "uid": uid, "conceptid": number, "title": title, "definition": {"value": "."},
        "semantictype": kind, "conceptmeta": meta,
    }  # fmt: skip


def test_inheritance_is_read_from_the_concept_of_that_name(served: Served):
    known = [concept("7", "C1234567", "Made up disease"), concept("8", "C7654321", "Other disease")]
    answer = served("How is made up disease inherited?", medgen=known)
    value = answer.values[0]
    assert answer.text == "Autosomal recessive inheritance"
    assert (value.subject.id, value.object.id) == ("UMLS:C1234567", "UMLS:C0441748")
    assert value.field == "/result/7/conceptmeta"


def test_forms_without_a_mode_are_counted(served: Served):
    known = [
        concept("7", "C1234567", "Made up disease 1"),
        concept("8", "C7654321", "Made up disease 2", "<Names></Names>"),
    ]
    answer = served("What is the inheritance pattern of made up disease?", medgen=known)
    assert answer.status is AnswerStatus.INCOMPLETE
    assert answer.missing == ("1 of 2 forms state a mode",)


def test_a_concept_of_another_name_is_not_taken(served: Served):
    answer = served("How is made up disease inherited?", medgen=[concept("8", "C7654321", "Other")])
    assert (answer.status, answer.text) == (AnswerStatus.NOT_FOUND, "")


FISH = {"uid": "7955", "status": "active", "rank": "species", "scientificname": "Danio rerio",
        "commonname": "zebrafish", "division": "bony fishes", "taxid": 7955}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "answer_text"),
    [
        ("What is the NCBI taxonomy ID of zebrafish?", "NCBITaxon:7955"),
        ("What is the scientific name of zebrafish?", "Danio rerio"),
        ("What is the common name of Danio rerio?", "zebrafish"),
        ("What is the taxonomic rank of Danio rerio?", "species"),
        ("Which organism has taxid 7955?", "Danio rerio"),
    ],
)
def test_the_taxonomy_gives_what_was_asked(served: Served, text: str, answer_text: str):
    answer = served(text, taxonomy=[FISH])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, answer_text)


def test_an_organism_of_another_name_is_not_taken(served: Served):
    other = {**FISH, "uid": "1", "scientificname": "Danio other", "commonname": ""}
    answer = served("What is the taxid of Danio?", taxonomy=[FISH, other])
    assert answer.status is AnswerStatus.NOT_FOUND


PROTEIN = {"uid": "120407068", "caption": "NP_000001", "title": "made up protein [Homo sapiens]",
           "accessionversion": "NP_000001.1", "taxid": 9606, "slen": 120,
           "organism": "Homo sapiens", "moltype": "aa", "sourcedb": "refseq"}  # fmt: skip


def test_a_record_that_is_asked_for_by_its_accession_comes_under_its_number(served: Served):
    whole = served.respond

    def respond(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        if parameters.get("db") == "protein":
            return 200, {"result": {"uids": ["120407068"], "120407068": PROTEIN}}
        return whole(path, parameters)

    served.respond = respond  # type: ignore[method-assign]
    answer = served("What is the protein record NP_000001.1?")
    assert answer.text == "made up protein [Homo sapiens] (NP_000001.1; 120 amino acids)"
    assert answer.values[0].subject.id == "RefSeq:NP_000001.1" and not answer.missing
    assert served("What is the protein record NP_000001.2?").status is AnswerStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("text", "why", "near"),
    [
        ("Where is TP53 expressed?", "expression", "What does the gene TP53 do?"),
        ("Which paralogs does TP53 have?", "Ensembl does (Other APIs)", "ortholog of TP53"),
        ("How many splice sites does BRCA2 have?", "a number of things", "BRCA2"),
        ("What are the children of zebrafish in the taxonomy?", "children", "zebrafish"),
        ("Which exon does NM_000546.6 begin with?", "NM_000546.6", "NM_000546.6"),
    ],
)
def test_declined_question_gives_a_reason_and_the_nearest_kind(
    served: Served, text: str, why: str, near: str
):
    answer = served(text)
    assert answer.status is AnswerStatus.NOT_UNDERSTOOD and not answer.steps
    assert any(why in note for note in answer.notes), answer.notes
    assert any(near in neighbour for neighbour in answer.nearest), answer.nearest


def test_question_offered_instead_is_itself_understood(served: Served):
    for text in (
        "Where is TP53 expressed?",
        "Why is rs699 bad?",
        "Who treats cystic fibrosis genes?",
    ):
        for other in served(text).nearest:
            assert understand_question(other).kind != "not understood", other
