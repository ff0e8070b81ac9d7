"""Each shipped API over loopback HTTP: answers in the form that the service documents, made up by
us, and faults.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from core.apis.registry import SHIPPED
from core.desk import Desk
from core.genes.answer import AnswerStatus
from core.services.genes import questions as genes
from core.settings import Secret, Settings
from core.web import Breaker, WebClient

MYGENE = {
    "took": 3, "total": 2, "max_score": 99.1,
    "hits": [
        {"_id": "7157", "_score": 99.1, "alias": ["BCC7", "LFS1"], "ensembl": {"gene": "ENSG00000141510"},  # noqa: E501
         "entrezgene": "7157", "name": "tumor protein p53", "symbol": "TP53", "taxid": 9606,
         "type_of_gene": "protein-coding"},
        {"_id": "ENSG00000999999", "_score": 1.0, "ensembl": [{"gene": "ENSG00000999999"}], "symbol": "TP53X"},  # noqa: E501
    ],
}  # fmt: skip
ONCOKB = {
    "query": {"hugoSymbol": "BRAF", "entrezGeneId": 673, "alteration": "V600E", "tumorType": "Melanoma"},  # noqa: E501
    "geneExist": True, "variantExist": True, "oncogenic": "Oncogenic",
    "mutationEffect": {"knownEffect": "Gain-of-function", "description": "", "citations": {"pmids": ["1"]}},  # noqa: E501
    "highestSensitiveLevel": "LEVEL_1", "highestResistanceLevel": None, "hotspot": True,
    "geneSummary": "A kinase.", "variantSummary": "It is oncogenic.", "tumorTypeSummary": "", "dataVersion": "v4.21",  # noqa: E501
    "treatments": [{"level": "LEVEL_1", "drugs": [{"drugName": "Dabrafenib"}, {"drugName": "Trametinib"}],  # noqa: E501
                    "levelAssociatedCancerType": {"name": "Melanoma", "code": "MEL"}}],
}  # fmt: skip
CURATED = [
    {"entrezGeneId": 673, "hugoSymbol": "BRAF", "oncogene": True, "tsg": False, "summary": "A kinase."},  # noqa: E501
    {"entrezGeneId": 7157, "hugoSymbol": "TP53", "oncogene": False, "tsg": True, "summary": "A guardian.",  # noqa: E501
     "highestSensitiveLevel": "", "highestResistanceLevel": ""},
]  # fmt: skip
BIOTOOLS = {
    "count": 31, "next": "?page=2", "previous": None,
    "list": [{"name": "Caller", "biotoolsID": "caller", "biotoolsCURIE": "biotools:caller", "description": "Calls.",  # noqa: E501
              "homepage": "https://caller.example.org", "topic": [{"term": "Genetics", "uri": "x"}]}],  # noqa: E501
}  # fmt: skip
ENTITIES = [
    {
        "_id": "@GENE_BRAF",
        "biotype": "gene",
        "db_id": "673",
        "db": "ncbi_gene",
        "name": "BRAF",
        "match": "x",
    },
    {
        "_id": "@GENE_BRAFP1",
        "biotype": "gene",
        "db_id": "286494",
        "db": "ncbi_gene",
        "name": "BRAFP1",
    },
]
PAPERS = {
    "results": [{"_id": "11", "pmid": 11, "title": "On BRAF", "journal": "J", "date": "2018-01-20T00:00:00Z"}],  # noqa: E501
    "facets": {}, "page_size": 10, "current": 1, "count": 1, "total_pages": 1,
}  # fmt: skip
BIOC = {"PubTator3": [{"_id": "29355051|None", "id": "29355051", "infons": {}, "passages": [
    {"infons": {"type": "title"}, "offset": 0, "text": "Tumours and tumours", "relations": [], "annotations": [  # noqa: E501
        {"id": str(number), "text": "tumours", "locations": [{"offset": 12, "length": 7}],
         "infons": {"identifier": "MESH:D009369", "type": "Disease", "name": "Neoplasms", "database": "ncbi_mesh",  # noqa: E501
                    "accession": "@DISEASE_Neoplasms"}} for number in (1, 2)]}]}]}  # fmt: skip
GENE = {
    "id": "ENSG00000139618", "display_name": "BRCA2", "biotype": "protein_coding", "seq_region_name": "13",  # noqa: E501
    "start": 32315086, "end": 32400268, "strand": 1, "assembly_name": "GRCh38", "object_type": "Gene",  # noqa: E501
    "description": "BRCA2 DNA repair associated", "species": "homo_sapiens", "version": 19,
}  # fmt: skip
XREFS = [{"primary_id": "HGNC:1101", "display_id": "BRCA2", "dbname": "HGNC", "db_display_name": "HGNC Symbol",  # noqa: E501
          "description": "d", "synonyms": ["FAD1"], "info_type": "DIRECT", "version": "0"}]  # fmt: skip  # noqa: E501
OVERLAP = [
    {
        **{key: value for key, value in GENE.items() if key != "display_name"},
        "external_name": "BRCA2",
    }
]
VEP = [{"id": "rs699", "input": "rs699", "assembly_name": "GRCh38", "seq_region_name": "1", "start": 230710048,  # noqa: E501
        "end": 230710048, "strand": 1, "allele_string": "A/G", "most_severe_consequence": "missense_variant",  # noqa: E501
        "transcript_consequences": [{"variant_allele": "G"}, {"gene_symbol": "AGT"}]}]  # fmt: skip
PUT = "<html><!--QBlastInfoBegin\n    RID = ABCD1234016\n    RTOE = 7\nQBlastInfoEnd\n--></html>"
WAITING = "<p><!--\nQBlastInfoBegin\n\tStatus=WAITING\nQBlastInfoEnd\n--></p>"
REPORT = """<p><!--
QBlastInfoBegin
\tStatus=READY
QBlastInfoEnd
--><p>
BLASTN 2.16.0+
Sequences producing significant alignments:                       (Bits)  Value  Ident

NG_132175.1 Homo sapiens a made-up stretch                         237     3e-58  100%
"""
NONE = (
    "<!--\nQBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd\n-->\nBLASTN 2.16.0+\n***** No"
    " significant similarity found"
)
SEQUENCE = "GATTACAGATTACAGATTACAGATTACA"


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def desk(
    tmp_path: Path, httpserver: HTTPServer, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A desk whose operator serves every API on loopback; waits are noted and not waited."""
    base = httpserver.url_for("").rstrip("/")
    urls = {api.name.upper(): f"{base}/{api.name}" for api in SHIPPED.values()}
    settings = Settings(tmp_path, api_urls=urls, tokens={"ONCOKB": Secret("secret-token")})
    desk = Desk(settings)
    web = WebClient(
        own=urls.values(), redirects=False, sleep=slept.append, breaker=Breaker(limit=99)
    )
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): web)
    monkeypatch.setattr(
        "core.ncbi.client.WaitPolicy.wait", lambda self, seconds, why: slept.append(seconds)
    )
    yield desk
    desk.close()


def serve(server: HTTPServer, path: str, body: Any, status: int = 200, **headers: str) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    server.expect_ordered_request(path).respond_with_data(
        text, status, headers, content_type="application/json"
    )


def ask(desk: Desk, api: str, /, **parameters: Any) -> genes.AskedQuestion:
    return genes.ask_gene_question(
        desk, json.dumps(parameters), genes.AskOptions(api=api, reuse=False)
    )


SERVED = [
    ("mygene", {"q": "TP53"}, [("/query", MYGENE)], ["TP53", "TP53X"], "NCBIGene:7157", "/hits/0/symbol"),  # noqa: E501
    ("oncokb", {"gene": "BRAF", "alteration": "V600E"}, [("/annotate/mutations/byProteinChange", ONCOKB)], "Oncogenic",  # noqa: E501
     "NCBIGene:673", "/oncogenic"),
    ("oncokb", {"gene": "tp53"}, [("/utils/allCuratedGenes", CURATED)], "A guardian.", "NCBIGene:7157", "/1/summary"),  # noqa: E501
    ("biotools", {"operation": "Variant calling"}, [("/t/", BIOTOOLS)], "Caller", "biotools:caller", "/list/0/name"),  # noqa: E501
    ("pubtator", {"query": "BRAF"}, [("/entity/autocomplete/", ENTITIES)], ["BRAF", "BRAFP1"], "@GENE_BRAF",  # noqa: E501
     "/0/name"),
    ("pubtator", {"query": "BRAF", "what": "papers"}, [("/entity/autocomplete/", ENTITIES), ("/search/", PAPERS)], "11",  # noqa: E501
     "PMID:11", "/results/0/pmid"),
    ("pubtator", {"query": "29355051", "what": "annotations"}, [("/publications/export/biocjson", BIOC)], "tumours",  # noqa: E501
     "@DISEASE_Neoplasms", "/PubTator3/0/passages/0/annotations/0/text"),
    ("ensembl", {"name": "BRCA2"}, [("/lookup/symbol/homo_sapiens/BRCA2", GENE)], "BRCA2", "ENSEMBL:ENSG00000139618",  # noqa: E501
     "/display_name"),
    ("ensembl", {"name": "ENSG00000139618"}, [("/lookup/id/ENSG00000139618", GENE)], "BRCA2",
     "ENSEMBL:ENSG00000139618", "/display_name"),
    ("ensembl", {"name": "ENSG00000139618", "what": "references"}, [("/xrefs/id/ENSG00000139618", XREFS)], "BRCA2",  # noqa: E501
     "HGNC:1101", "/0/display_id"),
    ("ensembl", {"name": "13:32315086-32400268", "what": "region"},
     [("/overlap/region/homo_sapiens/13:32315086-32400268", OVERLAP)], "BRCA2", "ENSEMBL:ENSG00000139618",  # noqa: E501
     "/0/external_name"),
    ("ensembl", {"name": "rs699", "what": "variant"}, [("/vep/homo_sapiens/id/rs699", VEP)], "missense_variant",  # noqa: E501
     "dbSNP:rs699", "/0/most_severe_consequence"),
    ("blast", {"query": SEQUENCE}, [("", PUT), ("", WAITING), ("", REPORT)], "Homo sapiens a made-up stretch",  # noqa: E501
     "INSDC:NG_132175.1", "line NG_132175.1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parameters", "served", "text", "record", "field"),
    SERVED,
    ids=lambda argument: str(argument)[:30],
)
def test_each_api_answers_with_evidence_and_replays(
    desk: Desk, httpserver: HTTPServer, slept: list[float], name: str, parameters: dict[str, str], served: list[Any],  # noqa: E501
    text: Any, record: str, field: str,
):  # fmt: skip
    for path, body in served:
        serve(httpserver, f"/{name}{path}", body)
    asked_question = ask(desk, name, **parameters)
    httpserver.check()
    assert (asked_question.answer.text, asked_question.answer.status) == (
        text,
        AnswerStatus.ANSWERED,
    )
    assert (asked_question.answer.values[0].record, asked_question.answer.values[0].field) == (
        record,
        field,
    )
    assert (
        len(genes.gene_answer_calls(desk, asked_question.run)) == len(served)
        and asked_question.answer.steps[0].records[0].id == record
    )
    assert slept == ([7.0, 60.0] if name == "blast" else [])
    again = genes.replay_question(desk, asked_question.run).answer
    assert (again.text, again.status) == (
        asked_question.answer.text,
        asked_question.answer.status,
    ) and len(httpserver.log) == len(served)


def test_api_requests_follow_the_services_documentation(desk: Desk, httpserver: HTTPServer):
    serve(httpserver, "/oncokb/annotate/mutations/byProteinChange", ONCOKB)
    ask(desk, "oncokb", gene="BRAF", alteration="V600E", tumor="Melanoma")
    sent = httpserver.log[0][0]
    assert dict(sent.args) == {"hugoSymbol": "BRAF", "alteration": "V600E", "tumorType": "Melanoma"}
    assert (
        sent.headers["Authorization"] == "Bearer secret-token"
        and sent.headers["Accept"] == "application/json"
    )


def test_a_token_is_in_no_trace(desk: Desk, httpserver: HTTPServer):
    serve(
        httpserver,
        "/oncokb/annotate/mutations/byProteinChange",
        {**ONCOKB, "geneSummary": "secret-token"},
    )
    asked_question = ask(desk, "oncokb", gene="BRAF", alteration="V600E")
    assert "secret-token" not in json.dumps(asked_question.as_json) + asked_question.markdown + str(
        genes.gene_answer_calls(desk, asked_question.run)
    )


def test_a_gene_without_an_entrez_id_gets_no_curie(desk: Desk, httpserver: HTTPServer):
    serve(httpserver, "/mygene/query", MYGENE)
    second = ask(desk, "mygene", q="TP53").answer.steps[0].records[1]
    assert second.id == "/hits/1" and second.pointers["ensembl"] == "/hits/1/ensembl/0/gene"


def test_drugs_that_are_given_together_stay_together(desk: Desk, httpserver: HTTPServer):
    serve(httpserver, "/oncokb/annotate/mutations/byProteinChange", ONCOKB)
    treatment = ask(desk, "oncokb", gene="BRAF", alteration="V600E").answer.steps[0].records[1]
    assert (
        treatment.values["drugs"] == "Dabrafenib + Trametinib"
        and treatment.pointers["drugs"] == "/treatments/0/drugs"
    )


FIRST = {
    "mygene": {"q": "TP53"},
    "oncokb": {"gene": "BRAF", "alteration": "V600E"},
    "biotools": {"q": "x"},
    "pubtator": {"query": "BRAF"},
    "ensembl": {"name": "BRCA2"},
    "blast": {"query": SEQUENCE},
}
OTHER = {"error": "Something else", "list": {"a": 1}, "hits": "many", "RID": 1}
FAULTS = {
    "404": [("nothing here", 404)],
    "429 for long": [("slow down", 429, {"Retry-After": "9999"})],
    "500": [("oops", 500)] * 4,
    "block page": [("<html><body>Access denied</body></html>", 200)],
    "cut": [('{"hits": [{"symbol": "TP', 200)],
    "empty": [("", 200)],
    "huge": [('{"hits": [' + "1," * 11_000_000, 200)],
    "redirect": [("", 302, {"Location": "https://evil.org/"})],
    "redirect inside": [("", 301, {"Location": "/elsewhere"})],
    "another shape": [(json.dumps(OTHER), 200)],
    "a list": [("[1, 2]", 200)],
    "a word": [('"word"', 200)],
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", FIRST)
def test_api_fault_becomes_a_failed_answer_with_a_message(
    desk: Desk, httpserver: HTTPServer, name: str, fault: str
):
    for answered in FAULTS[fault]:
        body, status, headers = (*answered, {})[:3]
        httpserver.expect_ordered_request(re.compile(f"/{name}.*")).respond_with_data(
            body, status, headers
        )
    asked_question = ask(desk, name, **FIRST[name])
    assert (
        asked_question.answer.status is AnswerStatus.FAILED
        and not asked_question.answer.text
        and not asked_question.answer.values
    )
    assert (
        asked_question.answer.notes[0]
        and "Traceback" not in asked_question.answer.notes[0]
        and len(asked_question.answer.notes[0]) < 400
    )
    assert asked_question.answer.steps[0].status == "failed" and len(httpserver.log) == len(
        FAULTS[fault]
    )


def test_a_short_wait_is_waited_and_then_answered(
    desk: Desk, httpserver: HTTPServer, slept: list[float]
):
    serve(httpserver, "/mygene/query", "slow down", 429, **{"Retry-After": "3"})
    serve(httpserver, "/mygene/query", MYGENE)
    assert ask(desk, "mygene", q="TP53").answer.status is AnswerStatus.ANSWERED and slept == [3.0]


@pytest.mark.parametrize(
    ("name", "served"),
    [
        ("mygene", [("/query", {"took": 1, "total": 0, "hits": []})]),
        ("biotools", [("/t/", {"count": 0, "list": []})]),
        ("pubtator", [("/entity/autocomplete/", [])]),
        ("blast", [("", PUT), ("", NONE)]),
    ],
)
def test_api_answer_without_records_is_not_found(
    desk: Desk, httpserver: HTTPServer, name: str, served: list
):
    for path, body in served:
        serve(httpserver, f"/{name}{path}", body)
    assert ask(desk, name, **FIRST[name]).answer.status is AnswerStatus.NOT_FOUND


@pytest.mark.parametrize(
    "second", ["<html>blocked</html>", "<!--Status=UNKNOWN-->", "<!--Status=FAILED-->"]
)
def test_a_search_of_blast_that_came_to_nothing_has_failed(
    desk: Desk, httpserver: HTTPServer, second: str
):
    serve(httpserver, "/blast", PUT)
    serve(httpserver, "/blast", second)
    assert ask(desk, "blast", query=SEQUENCE).answer.status is AnswerStatus.FAILED


def test_pubtator_searches_by_words_where_no_entity_has_the_name(
    desk: Desk, httpserver: HTTPServer
):
    serve(httpserver, "/pubtator/entity/autocomplete/", [])
    serve(httpserver, "/pubtator/search/", PAPERS)
    assert ask(desk, "pubtator", query="odd words", what="papers").answer.text == "11"
    assert httpserver.log[1][0].args["text"] == "odd words"
