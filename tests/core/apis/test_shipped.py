"""The APIs that ship as descriptions, OncoKB's ways to name a change, and proposed Python calls.

Answers are small ones typed by us in the forms that each service documents: UniProt's and
Reactome's REST help, QuickGO's and ChEMBL's API pages, the GraphQL schemas of Open Targets,
DGIdb 5, gnomAD and CIViC 2, the OpenAPI documents of HPO's and Monarch's services, OncoKB's API.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.apis import agent, biotools, builder, oncokb, python_call, python_words
from core.apis.python_call import signatures
from core.apis.registry import SHIPPED, shipped_descriptions
from core.errors import BadAnswer, InputError
from core.evaluation import api_calls
from core.web import Fetched

ANSWERS: dict[str, tuple[Any, str, str]] = {  # the answer, its first value and where that stands
    "uniprot": (
        {"results": [{"primaryAccession": "P00001", "uniProtkbId": "X_HUMAN"}]},
        "P00001", "/results/0/primaryAccession"),
    "reactome": ([{"stId": "R-HSA-1", "displayName": "Made up pathway"}],
                 "Made up pathway", "/0/displayName"),
    "quickgo": ({"numberOfHits": 1, "results": [{"goId": "GO:0000001", "goEvidence": "IDA"}]},
                "GO:0000001", "/results/0/goId"),
    "opentargets": (
        {"data": {"target": {"associatedDiseases": {"count": 1, "rows": [
            {"score": 0.5, "disease": {"id": "MONDO_1", "name": "Made up disease"}}]}}}},
        "Made up disease", "/data/target/associatedDiseases/rows/0/disease/name"),
    "dgidb": (
        {"data": {"interactions": {"totalCount": 1, "nodes": [
            {"gene": {"name": "AAA1", "conceptId": "hgnc:1"}, "interactionScore": 0.5,
             "drug": {"name": "DRUGAB", "conceptId": "rxcui:1", "approved": True},
             "interactionTypes": [], "sources": [{"sourceDbName": "Made up"}],
             "publications": []}]}}},
        "DRUGAB", "/data/interactions/nodes/0/drug/name"),
    "gnomad": ({"data": {"variant": {"variant_id": "1-1-A-C", "exome": {"af": 0.25}}}},
               "0.25", "/data/variant/exome/af"),
    "chembl": ({"molecules": [{"molecule_chembl_id": "CHEMBL1", "pref_name": "X"}]},
               "CHEMBL1", "/molecules/0/molecule_chembl_id"),
    "civic": ({"data": {"gene": {"variants": {"nodes": [{"id": 1, "name": "V1A"}]}}}},
              "V1A", "/data/gene/variants/nodes/0/name"),
    "hpo": ({"diseases": [{"id": "OMIM:1", "name": "Made up disease"}]},
            "Made up disease", "/diseases/0/name"),
    "monarch": ({"items": [{"subject": "MONDO:1", "object": "HP:0000001", "object_label": "All"}]},
                "All", "/items/0/object_label"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_a_shipped_description_reads_its_services_form(name: str):
    api, (answer, value, pointer) = SHIPPED[name], ANSWERS[name]
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    interpretation = api.interpret(parameters, [Fetched(200, json.dumps(answer))])
    assert (
        interpretation.values[0] == value
        and interpretation.hits[0].pointers[interpretation.field] == pointer
    )


@pytest.mark.parametrize("api", shipped_descriptions(), ids=lambda api: api.name)
def test_a_shipped_description_asks_its_own_host(api: agent.Api):
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    assert api.first(parameters).url.startswith(api.base) and not api.added


@pytest.mark.parametrize(
    ("name", "answer", "missing"),
    [
        ("quickgo", {"numberOfHits": 312, "results": [{"goId": "GO:0000001"}]}, "1 of 312"),
        ("chembl", {"molecules": [{"molecule_chembl_id": "CHEMBL1"}],
                    "page_meta": {"limit": 10, "total_count": 9}}, "1 of 9"),
        ("monarch", {"total": 2, "items": [{"object": "HP:1", "object_label": "A"}]}, "1 of 2"),
        ("opentargets", {"data": {"target": {"associatedDiseases": {"count": 40, "rows": [
            {"score": 1, "disease": {"id": "MONDO_1", "name": "A"}}]}}}}, "1 of 40"),
        ("civic", {"data": {"gene": {"variants": {"totalCount": 5, "nodes": [
            {"id": 1, "name": "V1A"}]}}}}, "1 of 5"),
        ("dgidb", {"data": {"interactions": {"totalCount": 3, "nodes": [
            {"drug": {"name": "A", "conceptId": "1"}}]}}}, "1 of 3"),
        ("monarch", {"total": 1, "items": [{"object": "HP:1", "object_label": "A"}]}, ""),
    ],
)  # fmt: skip
def test_records_that_a_service_has_and_did_not_send_are_counted(
    name: str, answer: dict, missing: str
):
    api = SHIPPED[name]
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    interpretation = api.interpret(parameters, [Fetched(200, json.dumps(answer))])
    assert interpretation.missing == (f"{missing} records read" if missing else "")


@pytest.mark.parametrize(("header", "missing"), [("7", "1 of 7 records read"), ("1", "")])
def test_uniprots_header_counts_the_records_that_were_not_sent(header: str, missing: str):
    api = SHIPPED["uniprot"]
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    body = json.dumps(ANSWERS["uniprot"][0])
    interpretation = api.interpret(parameters, [Fetched(200, body, {"x-total-results": header})])
    assert interpretation.missing == missing


def test_a_field_that_is_gone_is_named():
    api = SHIPPED["chembl"]
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    record = {
        "molecule_chembl_id": "CHEMBL1", "pref_name": None, "max_phase": "4.0",
        "molecule_type": "Small molecule", "molecule_structures": None,
    }  # fmt: skip
    interpretation = api.interpret(parameters, [Fetched(200, json.dumps({"molecules": [record]}))])
    assert interpretation.note == "no record of ChEMBL has: first approval"  # null is not gone


def test_the_field_that_answers_is_not_gone_without_a_word():
    api = SHIPPED["chembl"]
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    with pytest.raises(BadAnswer, match=r"no field /molecule_chembl_id"):
        api.interpret(
            parameters, [Fetched(200, json.dumps({"molecules": [{"chembl_id": "CHEMBL1"}]}))]
        )


def test_every_shipped_description_says_where_its_facts_come_from():
    for api in shipped_descriptions():
        assert api.source.startswith("# Facts: ") and "Read 20" in api.source, api.name


def test_a_biomarker_of_the_whole_tumour_needs_no_gene():
    url, parameters = asked(alteration="TMB-H", tumor="Melanoma")
    assert url == "/annotate/mutations/byProteinChange"
    assert parameters == {"alteration": "TMB-H", "tumorType": "Melanoma"}
    read_parameters = builder.by_rules(oncokb.API, "What does MSI-H mean in Colorectal Cancer?")[0]
    assert read_parameters.model_dump(exclude_defaults=True) == {
        "alteration": "MSI-H", "tumor": "Colorectal Cancer",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("question", "tumor"),
    [
        ("V600E BRAF in melanoma", "melanoma"),
        ("BRAF V600E melanoma", "melanoma"),
        ("BRAF V600E lung adenocarcinoma", "lung adenocarcinoma"),
        ("Is BRAF V600E oncogenic?", ""),
        ("What does OncoKB know of BRAF V600E?", ""),
    ],
)
def test_a_change_in_bare_words_keeps_its_tumour(question: str, tumor: str):
    query = builder.by_rules(oncokb.API, question)[0]
    assert (query.gene, query.alteration, query.tumor) == ("BRAF", "V600E", tumor)


def test_the_papers_of_a_treatment_are_read():
    treatment = {
        "level": "LEVEL_1", "fdaLevel": "LEVEL_Fda2", "drugs": [{"drugName": "A"}],
        "alterations": ["V1A"], "pmids": ["1", "2"],
        "levelAssociatedCancerType": {"name": "Melanoma", "mainType": {"name": "Melanoma"}},
    }  # fmt: skip
    body = {"oncogenic": "Oncogenic", "treatments": [treatment]}
    hit = oncokb.interpret(None, [Fetched(200, json.dumps(body))]).hits[1]
    assert (hit.fields["papers"], hit.pointers["papers"]) == ("1, 2", "/treatments/0/pmids")


def test_an_error_of_graphql_is_not_an_answer():
    api = SHIPPED["civic"]
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    body = {"errors": [{"message": "no such field"}], "data": None}
    with pytest.raises(BadAnswer, match="no such field"):
        api.interpret(parameters, [Fetched(200, json.dumps(body))])


def test_a_value_never_becomes_a_part_of_a_query():
    api = SHIPPED["opentargets"]
    sent = api.first(agent.check_parameters(api, api.examples[0].parameters)).data
    assert sent["variables"] == {"target": "ENSG00000157764", "size": 25}
    with pytest.raises(InputError):
        agent.check_parameters(api, {"target": '") { drop }'})


def asked(**parameters: Any) -> tuple[str, dict[str, str]]:
    request = oncokb.first(agent.check_parameters(oncokb.API, parameters))
    return request.url.removeprefix(oncokb.BASE), dict(request.params)


def test_every_way_to_name_a_change_has_its_address():
    assert asked(gene="ERBB2", copy_number="GAIN") == (
        "/annotate/copyNumberAlterations",
        {"hugoSymbol": "ERBB2", "copyNameAlterationType": "GAIN"},
    )
    url, parameters = asked(gene="CD74", partner="ROS1", structural="FUSION", functional=True)
    assert url == "/annotate/structuralVariants" and parameters["isFunctionalFusion"] == "true"
    assert asked(hgvsg="7:g.140453136A>T")[0] == "/annotate/mutations/byHGVSg"
    assert asked(genomic="7,1,1,A,T", genome="GRCh38")[1]["referenceGenome"] == "GRCh38"
    assert asked(gene="BRAF", consequence="missense_variant", start=600)[1]["proteinStart"] == "600"


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"gene": "BRAF", "alteration": "V600E", "copy_number": "GAIN"},
        {"gene": "A", "partner": "B"},
    ],
)
def test_oncokb_refuses_an_alteration_named_in_part_or_twice(parameters: dict):
    with pytest.raises(InputError):
        agent.check_parameters(oncokb.API, parameters)


@pytest.mark.parametrize(
    "question",
    ["What does the BRAF exon 15 mutation do?", "Is the EGFR exon 19 deletion oncogenic?",
     "Is the c.1799T>A variant of BRAF oncogenic?"],
)  # fmt: skip
def test_a_variant_that_cannot_be_placed_is_asked_for(question: str):
    with pytest.raises(InputError, match="Which change of"):
        builder.by_rules(oncokb.API, question)


def test_a_treatment_names_the_main_type_where_no_subtype_is_meant():
    cancer = {"name": "", "mainType": {"name": "Melanoma"}}
    body = {"oncogenic": "Oncogenic", "treatments": [
        {"drugs": [{"drugName": "A"}, {"drugName": "B"}],
         "levelAssociatedCancerType": cancer}]}  # fmt: skip
    hit = oncokb.interpret(None, [Fetched(200, json.dumps(body))]).hits[1]
    assert (hit.fields["drugs"], hit.fields["cancer"]) == ("A + B", "Melanoma")
    assert hit.pointers["cancer"].endswith("/mainType/name")


def test_the_gene_type_of_current_answers_is_read():
    body = [{"hugoSymbol": "TP53", "entrezGeneId": 7157, "geneType": "TSG", "summary": "."}]
    parameters = agent.check_parameters(oncokb.API, {"gene": "TP53"})
    interpretation = oncokb.interpret(parameters, [Fetched(200, json.dumps(body))])
    assert interpretation.hits[0].fields["gene type"] == "TSG"


def test_the_demonstration_asks_its_own_host_and_needs_no_token():
    api = SHIPPED["oncokb-demo"]
    request = api.first(agent.check_parameters(api, {"gene": "BRAF", "alteration": "V600E"}))
    assert request.url.startswith("https://demo.oncokb.org/") and not api.token


def test_bio_tools_takes_all_its_parameters_and_quotes_what_must_be():
    assert len(biotools.SEARCHED) >= 50
    parameters = agent.check_parameters(biotools.API, {"topicID": "topic_3510", "language": "Java"})
    sent = dict(biotools.first(parameters).params)
    assert (sent["topicID"], sent["language"]) == ('"topic_3510"', "Java")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("scanpy-pl-umap", {"adata": "__import__('os')"}),
        ("anndata-concat", {"adatas": ["a", "b); import os"]}),
        ("scanpy-tl-leiden", {"resolution": "1); x"}),
        ("anndata-io-read-h5ad", {"filename": "a\nimport os"}),
    ],
)
def test_a_proposed_call_holds_names_and_literals_only(name: str, parameters: dict):
    with pytest.raises(InputError):
        python_call.propose_call(python_call.BY_NAME[name], parameters)


def test_a_text_in_a_call_is_a_literal():
    call = python_call.BY_NAME["anndata-io-read-h5ad"]
    call_text = python_call.propose_call(call, {"filename": "a' + x"})
    assert call_text == """anndata.io.read_h5ad(filename="a' + x")"""


def test_a_call_without_what_it_needs_asks_for_it():
    with pytest.raises(InputError, match="needs filename"):
        python_words.call_for_question("Open an H5AD file and load it as an AnnData object.")


def test_a_type_that_no_call_may_have_is_refused_in_a_stub():
    with pytest.raises(SyntaxError):
        signatures("def f(x: Callable): ...")


def test_every_benchmark_case_can_be_expressed_and_is_built_by_rules():
    cases = [json.loads(line) for line in api_calls.DATA.read_text("utf-8").splitlines()]
    outcomes = [api_calls.call_outcome(case) for case in cases]
    assert len(outcomes) >= 63 and not [outcome for outcome in outcomes if not outcome.expressible]
    assert not [outcome for outcome in outcomes if not outcome.right]
