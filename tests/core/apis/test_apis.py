"""API agents: parameters are checked, hosts are fixed, answers carry evidence."""

from __future__ import annotations

import json

import pytest

from core.apis import agent, builder, python_call
from core.apis.registry import SHIPPED
from core.errors import BadAnswer, InputError, Refused, SettingsError
from core.llm.completer import Reply, Request
from core.web import Fetch, Fetched

ANSWERS = {
    "mygene": ['{"hits": [{"symbol": "TP53", "entrezgene": "7157", "name": "tumor protein p53"}]}'],
    "ensembl": [
        '{"display_name": "BRCA2", "id": "ENSG00000139618", "start": 5, "end": 9, "seq_region_name": "13", "assembly_name": "GRCh38"}'  # noqa: E501
    ],
    "biotools": [
        '{"count": 1, "list": [{"name": "GATK", "biotoolsID": "gatk", "description": "d"}]}'
    ],
    "oncokb": ['{"oncogenic": "Oncogenic", "query": {"entrezGeneId": 673}}'],
    "pubtator": [
        '[{"_id": "@GENE_BRAF", "name": "BRAF"}]',
        '{"results": [{"pmid": 1, "title": "A"}]}',
    ],
    "blast": [
        "<!--QBlastInfoBegin\nRID = ABCDEFGH016\nRTOE = 3\nQBlastInfoEnd-->",
        "<!--Status=WAITING-->",
        "Status=READY\nAB1234.1 Homo sapiens clone            99.0    1e-9   98%\n",
    ],
}
FIRST = {
    "mygene": "TP53",
    "ensembl": "BRCA2",
    "biotools": "GATK",
    "oncokb": "Oncogenic",
    "pubtator": "1",
    "blast": "Homo sapiens clone",
}


class Fake:
    def __init__(self, *answers: str):
        self.answers, self.asked = list(answers), []

    def fetch(self, request: Fetch) -> Fetched:
        self.asked.append(request)
        return Fetched(200, self.answers.pop(0))


@pytest.mark.parametrize("name", list(ANSWERS))
def test_each_shipped_api_asks_its_host_and_reads_its_answer(name: str):
    api, fake, slept = SHIPPED[name], Fake(*ANSWERS[name]), []
    parameters = agent.check_parameters(api, api.examples[0].parameters)
    answer = agent.ask_api(api, parameters, fake, token="t" if api.token else "", wait=slept.append)
    assert all(request.url.startswith(api.base) for request in fake.asked)
    assert answer.reading.values[0] == FIRST[name] and answer.reading.hits[0].pointers
    assert slept == ([3.0, 60.0] if name == "blast" else [])


@pytest.mark.parametrize("api", SHIPPED.values(), ids=lambda api: api.name)
def test_examples_are_read_without_a_model(api: agent.Api):
    assert builder.by_rules(api, json.dumps(dict(api.examples[0].parameters)))
    assert api.base.startswith("https://") and api.documentation


@pytest.mark.parametrize("api", SHIPPED.values(), ids=lambda api: api.name)
def test_examples_of_an_api_are_understood_as_questions(api: agent.Api):
    for example in api.examples:
        wanted = agent.check_parameters(api, example.parameters)
        assert builder.by_rules(api, example.question) == [wanted]


@pytest.mark.parametrize(
    ("name", "question", "parameters"),
    [
        ("biotools", "Which tools are there for peak calling?", {"q": "peak calling"}),
        ("biotools", "software to align reads", {"q": "align reads"}),
        ("oncokb", "Is KRAS an oncogene?", {"gene": "KRAS"}),
        ("ensembl", "What does rs7412 do?", {"name": "rs7412", "what": "variant"}),
        ("ensembl", "What lies in chr7:140,719,327-140,924,929?", {"name": "7:140719327-140924929", "what": "region"}),  # noqa: E501
        ("pubtator", "Which articles mention aspirin?", {"query": "aspirin", "what": "papers"}),
        ("pubtator", "What is named in PMID 12345, 678?", {"query": "12345, 678", "what": "annotations"}),  # noqa: E501
    ],
)  # fmt: skip
def test_rules_read_other_wordings_of_api_questions(name: str, question: str, parameters: dict):
    assert builder.by_rules(SHIPPED[name], question) == [
        agent.check_parameters(SHIPPED[name], parameters)
    ]


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Which phenotypes does Monarch give MONDO:0008222?", "MONDO:0008222"),
        ("which phenotypes does monarch give mondo:0008222", "mondo:0008222"),
    ],
)
def test_a_question_worded_like_an_example_is_understood(question: str, subject: str):
    (query,) = builder.by_rules(SHIPPED["monarch"], question)
    assert query.model_dump(exclude_defaults=True) == {
        "subject": subject,
        "category": "biolink:DiseaseToPhenotypicFeatureAssociation",
    }


@pytest.mark.parametrize(
    "question",
    [
        "Which phenotypes does Monarch give Marfan syndrome?",  # its pattern wants an id
        "Which phenotypes does Monarch give ?",
        "Tell me which phenotypes does Monarch give MONDO:0008222?",
    ],
)
def test_a_value_that_does_not_fit_is_not_asked(question: str):
    with pytest.raises(InputError) as refused:
        builder.by_rules(SHIPPED["monarch"], question)
    assert "word it like “Which phenotypes does Monarch" in refused.value.hint


@pytest.mark.parametrize("name", ["mygene", "oncokb", "ensembl", "biotools", "pubtator", "blast"])
def test_api_question_that_no_rule_reads_is_refused_with_examples(name: str):
    with pytest.raises(InputError, match="needs a model"):
        builder.by_rules(SHIPPED[name], "Why is the sky so very blue today and not green?")


def test_questions_are_read_by_rules():
    assert builder.by_rules(SHIPPED["oncokb"], "What is known of BRAF V600E in melanoma?")[
        0
    ].model_dump(exclude_defaults=True) == {
        "gene": "BRAF",
        "alteration": "V600E",
        "tumor": "melanoma",
    }
    assert builder.by_rules(SHIPPED["mygene"], "q=TP53 size=3")[0].size == 3


def test_a_token_is_needed_and_goes_into_a_header_only():
    api, parameters = (
        SHIPPED["oncokb"],
        agent.check_parameters(SHIPPED["oncokb"], {"gene": "BRAF", "alteration": "V600E"}),
    )
    with pytest.raises(SettingsError, match="GROUNDWORK_TOKEN_ONCOKB"):
        agent.ask_api(api, parameters, Fake())
    fake = Fake(*ANSWERS["oncokb"])
    agent.ask_api(api, parameters, fake, token="secret-token")
    assert ("Authorization", "Bearer secret-token") in fake.asked[0].headers
    assert "secret-token" not in json.dumps(fake.asked[0].payload())


@pytest.mark.parametrize(
    "parameters", [{}, {"name": "../../x"}, {"name": "BRCA2", "url": "http://x"}, {"name": "a b"}]
)
def test_wrong_parameters_are_named(parameters: dict):
    with pytest.raises(InputError, match="Ensembl"):
        agent.check_parameters(SHIPPED["ensembl"], parameters)


@pytest.mark.parametrize("text", ["<html>busy</html>", "", "{"])
def test_html_or_broken_json_from_an_api_is_a_bad_answer(text: str):
    with pytest.raises(BadAnswer):
        agent.ask_api(
            SHIPPED["mygene"], agent.check_parameters(SHIPPED["mygene"], {"q": "x"}), Fake(text)
        )


class Model:
    model = "made-up"

    def __init__(self, text: str):
        self.text, self.asked = text, []

    def complete(self, request: Request, on_text: object = None) -> Reply:
        self.asked.append(request)
        return Reply(self.text)


def test_a_model_fills_parameters_and_is_given_the_documentation():
    model = Model(
        '```json\n{"queries": [{"q": "TP53"}, {"q": "BRCA1", "size": 900}, {"q": "BRCA2"}]}\n```'
    )
    filled = builder.by_model(model, SHIPPED["mygene"], "Find TP53 and BRCA2")
    assert [query.q for query in filled.queries] == ["TP53", "BRCA2"] and "size" in filled.refused[
        0
    ]
    assert SHIPPED["mygene"].documentation in model.asked[0].messages[1].content


@pytest.mark.parametrize(
    "text", ["I do not know.", '{"queries": [{"url": "http://169.254.169.254/"}]}', "[]", "{"]
)
def test_a_model_that_writes_no_parameters_is_a_bad_answer(text: str):
    with pytest.raises(BadAnswer):
        builder.by_model(Model(text), SHIPPED["mygene"], "x")


def test_a_request_off_the_host_is_refused():
    from dataclasses import replace

    api = replace(SHIPPED["mygene"], first=lambda parameters: Fetch("https://elsewhere.org/x"))
    with pytest.raises(Refused):
        agent.ask_api(api, agent.check_parameters(api, {"q": "x"}), Fake("{}"))


def test_a_python_call_is_proposed_and_never_run():
    call = python_call.BY_NAME["scanpy-pp-filter-cells"]
    call_text = python_call.propose_call(call, {"min_genes": 200})
    assert call_text == "sc.pp.filter_cells(adata=adata, min_genes=200)"
    with pytest.raises(InputError):
        python_call.propose_call(call, {"min_genes": "__import__('os')"})
    with pytest.raises(Refused):
        python_call.as_api(call).first(None)
