"""Whole questions at a loopback server whose answers have the form that NCBI documents today; the
genes are made up.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.strategies.planner import answer
from core.kb.gate.proof import answer_holds
from core.ncbi.address import NcbiAddresses
from core.ncbi.answer_check import CheckedNcbiFetcher
from core.ncbi.client import Ncbi, WaitPolicy
from core.web import Fetch, Fetched, WebClient

HUMAN = {"scientificname": "Homo sapiens", "commonname": "human", "taxid": 9606}
MOUSE = {"scientificname": "Mus musculus", "commonname": "house mouse", "taxid": 10090}


def placed(accession: str, start: int, stop: int, chromosome: str = "7") -> dict[str, Any]:
    return {
        "chrloc": chromosome,
        "chraccver": accession,
        "chrstart": start,
        "chrstop": stop,
        "exoncount": 3,
    }


def gene(uid: str, symbol: str, **more: Any) -> dict[str, Any]:
    return {
        "uid": uid, "name": symbol, "description": f"made up {symbol}", "status": "", "currentid": "",  # noqa: E501
        "chromosome": "7", "geneticsource": "genomic", "maplocation": "7q31.2", "otheraliases": "",
        "otherdesignations": f"protein {symbol}", "nomenclaturesymbol": symbol,
        "nomenclaturename": f"made up {symbol}", "nomenclaturestatus": "Official", "mim": [],
        "genomicinfo": [placed("NC_000007.14", 100, 200)], "geneweight": 100, "summary": "", "chrsort": "07",  # noqa: E501
        "chrstart": 100, "organism": HUMAN, "locationhist": [],
    } | more  # fmt: skip


def snp(uid: str, **more: Any) -> dict[str, Any]:
    return {
        "uid": uid, "snp_id": int(uid), "allele_origin": "", "global_mafs": [], "global_population": "",  # noqa: E501
        "global_samplesize": "", "suspected": "", "clinical_significance": "",
        "genes": [{"name": "AAA1", "gene_id": "1"}], "acc": "NC_000007.14", "chr": "7", "handle": "X",  # noqa: E501
        "spdi": "NC_000007.14:149:G:A", "fxn_class": "intron_variant", "validated": "by-frequency",
        "docsum": "HGVS=NC_000007.14:g.150G>A|SEQ=[G/A]|LEN=1|GENE=AAA1:1", "tax_id": 9606, "orig_build": "155",  # noqa: E501
        "upd_build": "157", "createdate": "2022/01/01", "updatedate": "2025/03/01", "ss": "1",
        "allele": "R", "snp_class": "snv", "chrpos": "7:150", "chrpos_prev_assm": "7:90", "text": "",  # noqa: E501
        "snp_id_sort": "5", "clinical_sort": "0", "cited_sort": "", "chrpos_sort": "150", "merged_sort": "0",  # noqa: E501
    } | more  # fmt: skip


def entry(uid: str, mark: str, title: str, locus: str = "") -> dict[str, Any]:
    return {"uid": uid, "oid": f"{mark}{uid}", "title": title, "alttitles": "", "locus": locus}


class Kept:
    """A fetcher that gives each answer an id, as the recorder does."""

    def __init__(self, web: WebClient):
        self.web, self.answers = web, dict[str, str]()

    def fetch(self, request: Fetch) -> Fetched:
        call, fetched = f"c{len(self.answers)}", self.web.fetch(request)
        self.answers[call] = fetched.text
        return replace(fetched, call=call)


@dataclass
class Served:
    """NCBI: every search of a database finds all its records; links, types and searches can be set
    apart.
    """

    start: Callable[..., NcbiAddresses]
    links: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    searches: dict[str, dict[str, Any]] = field(default_factory=dict)
    reports: dict[str, Any] = field(default_factory=dict)  # Datasets: product_report, orthologs
    hidden: tuple[str, ...] = ()
    between: tuple[str, str] = ("omim", "gene")  # databases of the last links
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    records: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def __call__(
        self, text: str, *, datasets: bool = True, **records: list[dict[str, Any]]
    ) -> GeneAnswer:
        self.records = {db: {row["uid"]: row for row in rows} for db, rows in records.items()}
        at = self.start(self.respond)
        at = at if datasets else NcbiAddresses(at.eutils, at.blast, "")
        web = Kept(WebClient(own=[at.eutils, at.datasets or at.eutils], sleep=lambda seconds: None))
        gene_answer = answer(
            Ncbi(CheckedNcbiFetcher(web, pause=lambda seconds: None), at, WaitPolicy(scale=0)), text
        )
        fields = ((value, *value.ties, *value.proofs) for value in gene_answer.values)
        for answer_value in (each for of_value in fields for each in of_value):
            assert answer_holds(
                {"text": web.answers[answer_value.call]}, answer_value.field, answer_value.raw
            ), answer_value  # the gate reads it again
        return gene_answer

    def respond(self, path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        tool = path.rpartition("/")[2].removesuffix(".fcgi")
        self.asked.append((tool, parameters))
        if path.startswith("/datasets") and tool in self.reports:
            return 200, self.reports[tool](parameters) if callable(
                self.reports[tool]
            ) else self.reports[tool]
        if path.startswith("/datasets"):
            return self._types(path.rpartition("/")[2].split(","))
        known = self.records.get(parameters.get("db", ""), {})
        if tool == "esearch":
            searched = {
                "count": str(len(known)),
                "retmax": "20",
                "retstart": "0",
                "idlist": list(known),
            }
            searched |= {"translationset": [], "querytranslation": parameters["term"]}
            return 200, {
                "header": {"type": tool, "version": "0.3"},
                "esearchresult": searched | self._said(parameters),
            }
        if tool == "esummary":
            ids = parameters["id"].split(",")
            bare = {id: {"uid": id, "error": "cannot get document summary"} for id in ids}
            shown = {
                uid: record
                for uid, record in known.items()
                if uid in ids and uid not in self.hidden
            }
            return 200, {
                "header": {"type": tool, "version": "0.3"},
                "result": {"uids": ids, **bare, **shown},
            }
        if tool == "elink":
            ids = parameters["id"] if isinstance(parameters["id"], list) else [parameters["id"]]
            self.between = parameters["dbfrom"], parameters["db"]
            return self._links(ids)
        return 404, "<html>no such thing</html>"

    def _said(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return next(
            (reply for words, reply in self.searches.items() if words in parameters["term"]), {}
        )

    def _links(self, ids: list[str]) -> tuple[int, Any]:
        source, target = self.between

        def bases(uid: str) -> dict[str, Any]:
            links = {"dbto": target, "linkname": f"{source}_{target}", "links": self.links.get(uid)}
            return {"linksetdbs": [links]} if uid in self.links else {}

        sets = [{"dbfrom": source, "ids": [id], **bases(id)} for id in ids]
        return 200, {"header": {"type": "elink", "version": "0.3"}, "linksets": sets}

    def _types(self, ids: list[str]) -> tuple[int, Any]:
        if not self.types:
            return 503, "busy"
        reports = [
            {"gene": {"gene_id": id, "symbol": "X", "tax_id": "9606", "taxname": "Homo sapiens",
                      "type": self.types[id], "ensembl_gene_ids": ["ENSG00000000001"], "annotations": []}}  # noqa: E501
            for id in ids if id in self.types
        ]  # fmt: skip
        return 200, {"reports": reports, "total_count": len(reports)} if reports else {}


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


# ------------------------------------------------------------------ genes
def test_minus_strand_coordinates_are_one_based_low_to_high(served: Served):
    reply = served(
        "Which chromosome is AAA1 on?",
        gene=[gene("1", "AAA1", genomicinfo=[placed("NC_000007.14", 299, 99)])],
    )
    assert reply.text == "chr7" and any(
        "NC_000007.14:100-300(-) (GRCh38, 1-based)" in note for note in reply.notes
    )


@pytest.mark.parametrize(
    ("accession", "assembly"),
    [("NC_000007.14", "GRCh38"), ("NC_000007.13", "GRCh37"), ("NC_060931.1", "T2T-CHM13v2.0")],
)
def test_a_place_says_its_assembly(served: Served, accession: str, assembly: str):
    reply = served(
        "Which chromosome is AAA1 on?",
        gene=[gene("1", "AAA1", genomicinfo=[placed(accession, 9, 19)])],
    )
    assert any(f"{accession}:10-20(+) ({assembly}, 1-based)" in note for note in reply.notes)


def test_a_pseudoautosomal_gene_has_both_its_places(served: Served):
    places = [placed("NC_000023.11", 9, 19, "X"), placed("NC_000024.10", 29, 39, "Y")]
    shared = gene(
        "1", "AAA1", chromosome="X, Y", maplocation="Xp22.33 and Yp11.2", genomicinfo=places
    )
    reply = served("Which chromosome is AAA1 on?", gene=[shared])
    assert reply.text == ["chrX", "chrY"] and reply.status is AnswerStatus.ANSWERED
    assert [value.object.id for value in reply.values] == [
        "RefSeq:NC_000023.11",
        "RefSeq:NC_000024.10",
    ]
    assert [value.proofs[0].field for value in reply.values] == [
        f"/result/1/genomicinfo/{n}/chraccver" for n in (0, 1)
    ]


def test_a_mitochondrial_gene_lies_on_mt(served: Served):
    places = [placed("NC_012920.1", 9, 19, "MT")]
    reply = served(
        "Which chromosome carries MT-AAA1?",
        gene=[gene("1", "MT-AAA1", chromosome="MT", maplocation="", genomicinfo=places)],
    )
    assert reply.text == "chrMT" and reply.values[0].object.id == "RefSeq:NC_012920.1"


def test_location_history_is_not_a_location_and_names_another_species_assembly(
    served: Served,
):
    history = [
        {"annotationrelease": "RS_2024_02", "assemblyaccver": "GCF_000001635.27", "chraccver": "NC_000072.7",  # noqa: E501
         "chrstart": 1, "chrstop": 2},
        {"annotationrelease": "108", "assemblyaccver": "GCF_000001635.26", "chraccver": "NC_000072.6",  # noqa: E501
         "chrstart": 3, "chrstop": 4},
    ]  # fmt: skip
    mouse = gene(
        "1",
        "Aaa1",
        organism=MOUSE,
        genomicinfo=[placed("NC_000072.7", 9, 19)],
        locationhist=history,
    )
    reply = served("Which chromosome is the mouse gene Aaa1 on?", gene=[mouse])
    assert any(
        "Mus musculus" in note and "NC_000072.7:10-20(+) (GCF_000001635.27" in note
        for note in reply.notes
    )


def test_another_assembly_that_was_asked_for_is_not_passed_over(served: Served):
    reply = served("Where on hg19 is AAA1?", gene=[gene("1", "AAA1")])
    assert (reply.status, reply.text) == (AnswerStatus.PARTLY, ["chr7"])
    assert any("no position on" in note for note in reply.notes)


def test_a_replaced_record_leads_to_its_successor(served: Served):
    old = gene("1", "OLD1", status="secondary", currentid="2", otheraliases="XY1")
    reply = served(
        "What is the official symbol of XY1?", gene=[old, gene("2", "NEW1", otheraliases="XY1")]
    )
    assert (reply.text, reply.status) == ("NEW1", AnswerStatus.ANSWERED)


def test_name_of_several_genes_is_reported_as_ambiguous(served: Served):
    genes = [gene("1", "AAA1", otheraliases="XY1"), gene("2", "BBB1", otheraliases="XY1, Z")]
    reply = served("official symbol of XY1", gene=genes)
    assert reply.status is AnswerStatus.AMBIGUOUS and any(
        "AAA1, BBB1" in note for note in reply.notes
    )


def test_a_record_that_was_found_and_not_given_is_a_failed_answer(served: Served):
    served.hidden = ("1",)
    reply = served("Which chromosome is AAA1 on?", gene=[gene("1", "AAA1")])
    assert reply.status is AnswerStatus.FAILED and any("Try again" in note for note in reply.notes)


def test_a_search_that_passes_over_an_id_ties_nothing_to_it(served: Served):
    served.searches = {
        "ENSG00000000009": {
            "errorlist": {"phrasesnotfound": ["ENSG00000000009"], "fieldsnotfound": []}
        }
    }
    reply = served("Convert ENSG00000000009 to gene symbol", gene=[gene("1", "AAA1")])
    assert (reply.status, reply.text) == (AnswerStatus.NOT_FOUND, "")


def test_a_search_that_finds_too_much_ties_nothing(served: Served):
    served.searches = {"ENSG00000000009": {"count": "190000"}}
    assert (
        served("Convert ENSG00000000009 to gene symbol", gene=[gene("1", "AAA1")]).status
        is AnswerStatus.NOT_FOUND
    )


# ------------------------------------------------------------------ the type of a gene
@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ("PROTEIN_CODING", "Yes"),
        ("PSEUDO", "No"),
        ("ncRNA", "No"),
        ("snoRNA", "No"),
        ("tRNA", "No"),
        ("OTHER", "No"),
    ],
)
def test_the_type_of_datasets_decides_whatever_the_names_say(
    served: Served, recorded: str, expected: str
):
    served.types = {"1": recorded}
    reply = served(
        "Is AAA1 protein-coding?", gene=[gene("1", "AAA1", description="made up pseudogene")]
    )
    assert (reply.text, reply.values[0].field, reply.calls) == (expected, "/reports/0/gene/type", 3)


def test_a_type_that_is_recorded_as_unknown_is_not_an_answer(served: Served):
    served.types = {"1": "UNKNOWN"}
    assert (
        served("Is AAA1 protein-coding?", gene=[gene("1", "AAA1")]).status is AnswerStatus.NOT_FOUND
    )


def test_a_type_keeps_its_spelling(served: Served):
    served.types = {"1": "snRNA"}
    assert served("What type of gene is AAA1?", gene=[gene("1", "AAA1")]).text == "snRNA"


def test_without_datasets_and_efetch_the_type_is_inferred_and_reported(served: Served):
    reply = served("Is AAA1 protein-coding?", gene=[gene("1", "AAA1")])
    assert (reply.text, reply.values[0].relation) == ("Yes", "inferred")
    assert [step.tool for step in reply.steps if step.status == "failed"] == [
        "datasets_gene",
        "efetch",
    ]


# ------------------------------------------------------------------ variants
def test_merged_snp_is_answered_by_its_successor_and_reported_as_merged(served: Served):
    reply = served("Which chromosome is rs5 on?", snp=[snp("5", snp_id=6, merged_sort="1")])
    assert reply.text == "chr7" and "rs5 was merged into rs6." in reply.notes
    assert any("NC_000007.14:150 (GRCh38, 1-based)" in note for note in reply.notes)


def test_a_snp_with_neighbours_names_each_gene_once(served: Served):
    genes = [{"name": "AAA1", "gene_id": "1"}, {"name": "BBB1", "gene_id": "2"}]
    classes = "intron_variant,2KB_upstream_variant,genic_upstream_transcript_variant"
    reply = served("Which genes is rs5 in?", snp=[snp("5", genes=genes, fxn_class=classes)])
    assert reply.text == ["AAA1", "BBB1"] and {value.relation for value in reply.values} == {
        "undecided"
    }


def test_a_snp_between_genes_has_none(served: Served):
    reply = served("Which gene is rs5 in?", snp=[snp("5", genes=[], fxn_class="", docsum="")])
    assert reply.status is AnswerStatus.NOT_FOUND


def test_a_snp_that_dbsnp_does_not_know_is_not_found(served: Served):
    assert served("Where is rs55?", snp=[snp("5")]).status is AnswerStatus.NOT_FOUND


def test_snp_function_is_the_summary_of_its_gene(served: Served):
    does = gene("1", "AAA1", summary="It makes things up. [provided by RefSeq, Jul 2025]")
    reply = served("What does the gene of rs5 do?", snp=[snp("5")], gene=[does])
    assert (reply.text, reply.calls) == ("It makes things up.", 2)


# ------------------------------------------------------------------ diseases
ENTRIES = [
    entry("100100", "#", "MADE UP DISEASE 1; MUD1", "1p36.33"),
    entry("100200", "#", "MADE UP DISEASE 2; MUD2", "1p36.33"),
    entry("200100", "*", "PROTEIN Q; QQQ1", "1p36.33"),
]
GENES = [
    gene("1", "AAA1", mim=["300100"], maplocation="7q31.2"),
    gene("2", "BBB1", mim=["300200"], maplocation="Xp22.33 and Yp11.2"),
    gene("3", "QQQ1", mim=["200100"], maplocation="9q9"),
]
ASKED = "What are genes related to made up disease?"


def test_links_lead_from_each_form_to_its_genes_in_four_calls(served: Served):
    served.links = {"100100": ["1"], "100200": ["2"]}
    reply = served(ASKED, omim=ENTRIES, gene=GENES)
    assert (reply.text, reply.calls, reply.status) == (["AAA1", "BBB1"], 4, AnswerStatus.ANSWERED)
    assert [value.object.id for value in reply.values] == ["OMIM:100100", "OMIM:100200"]
    assert [value.relation for value in reply.values] == ["", ""]


def test_the_places_of_linked_genes_come_from_their_records_never_from_omim(served: Served):
    served.links = {"100100": ["1"], "100200": ["2"]}
    reply = served(
        "List chromosome locations of genes related to made up disease", omim=ENTRIES, gene=GENES
    )
    assert reply.text == ["7q31.2", "Xp22.33", "Yp11.2"] and reply.calls == 4


def test_the_place_of_a_mitochondrial_gene_is_its_chromosome(served: Served):
    served.links = {"100100": ["1"]}
    mito = gene(
        "1",
        "MT-AAA1",
        chromosome="MT",
        maplocation="",
        genomicinfo=[placed("NC_012920.1", 9, 19, "MT")],
    )
    reply = served("Where are the genes of made up disease?", omim=ENTRIES, gene=[mito])
    assert reply.text == ["chrMT"]


def test_genes_that_nothing_links_are_not_taken_by_rank_where_links_are_served(served: Served):
    reply = served(ASKED, omim=ENTRIES, gene=GENES)
    assert reply.status is AnswerStatus.NOT_FOUND and any(
        "links no gene" in note for note in reply.notes
    )


def test_a_locus_that_stands_with_most_genes_is_not_a_place(served: Served):
    served.links = {}
    served._links = lambda ids: (404, "not here")  # type: ignore[method-assign]
    more = [entry("200200", "*", "PROTEIN R; RRR1", "1p36.33")]
    reply = served("Where are the genes of made up disease?", omim=[*ENTRIES, *more], gene=[])
    assert reply.status is AnswerStatus.FAILED  # the links that tell could not be asked for


def test_links_that_fail_are_a_failed_answer_not_a_weaker_one(served: Served):
    served._links = lambda ids: (500, "trouble")  # type: ignore[method-assign]
    reply = served(ASKED, omim=ENTRIES, gene=[gene("1", "AAA1", otheraliases="MUD1")])
    assert (reply.status, reply.text) == (AnswerStatus.FAILED, "")


def test_a_mapped_phenotype_is_not_a_gene(served: Served):
    served.links = {"100100": ["9", "1"]}
    locus = gene("9", "MUD1", genomicinfo=[], description="made up disease 1")
    reply = served(ASKED, omim=ENTRIES, gene=[locus, *GENES])
    assert reply.text == ["AAA1"] and any("no gene" in drop.why for drop in reply.steps[-1].dropped)


def test_a_server_that_hears_one_id_at_a_time_is_asked_for_the_others(served: Served):
    served.links = {"100100": ["1"], "100200": ["2"]}
    whole = served._links
    served._links = lambda ids: whole(ids[-1:])  # type: ignore[method-assign]
    reply = served(ASKED, omim=ENTRIES, gene=GENES)
    assert reply.text == ["AAA1", "BBB1"] and reply.calls == 5


def test_no_key_and_no_address_of_a_person_stands_in_an_answer(served: Served):
    served.links = {"100100": ["1"]}
    reply = served(ASKED, omim=ENTRIES, gene=GENES)
    assert "api_key" not in json.dumps([step.request for step in reply.steps])


@pytest.mark.parametrize(
    ("words", "taxon"),
    [
        ("C. elegans", "Caenorhabditis elegans"),
        ("yeast", "Saccharomyces cerevisiae"),
        ("mouse", "mouse"),
    ],
)
def test_a_species_is_searched_by_a_name_that_ncbi_knows(served: Served, words: str, taxon: str):
    served(f"Where is the {words} gene ABC1 located?", gene=[])
    assert f"ABC1[sym] AND {taxon}[orgn]" in [
        parameters.get("term") for _, parameters in served.asked
    ]


def test_variant_without_a_record_is_not_called_intergenic(served: Served):
    reply = served("What does the gene of rs99 do?", snp=[])
    assert reply.status is AnswerStatus.NOT_FOUND
    assert reply.notes[-1].endswith("no record of rs99.")


def test_a_list_of_aliases_is_not_the_symbol(served: Served):
    record = gene("1", "AAA1", otheraliases="OLD1, OLD2")
    assert served("alias list for AAA1", gene=[record]).text == ["OLD1", "OLD2"]
