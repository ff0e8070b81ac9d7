"""API agents: parameters are checked, hosts are fixed, answers carry evidence."""

from __future__ import annotations

import json
import textwrap

import pytest

from core.apis import agent, builder, described, python_call
from core.apis.registry import SHIPPED
from core.errors import BadAnswer, InputError, Refused, SettingsError
from core.llm.completer import Reply, Request
from core.web import Fetch, Fetched

EXAMPLE = textwrap.dedent((described.__doc__ or "").partition("```yaml\n")[2].partition("```")[0])

BY_NAME = {one.name: one for one in SHIPPED}
ANSWERS = {
    "mygene": ['{"hits": [{"symbol": "TP53", "entrezgene": "7157", "name": "tumor protein p53"}]}'],
    "ensembl": [
        '{"display_name": "BRCA2", "id": "ENSG00000139618", "start": 5, "end": 9, "seq_region_name": "13", "assembly_name": "GRCh38"}'  # noqa: E501
    ],
    "biotools": ['{"count": 1, "list": [{"name": "GATK", "biotoolsID": "gatk", "description": "d"}]}'],
    "oncokb": ['{"oncogenic": "Oncogenic", "query": {"entrezGeneId": 673}}'],
    "pubtator": ['[{"_id": "@GENE_BRAF", "name": "BRAF"}]', '{"results": [{"pmid": 1, "title": "A"}]}'],
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
    api, fake, slept = BY_NAME[name], Fake(*ANSWERS[name]), []
    given = agent.check(api, api.examples[0].parameters)
    found = agent.run(api, given, fake, token="t" if api.token else "", wait=slept.append)
    assert all(one.url.startswith(api.base) for one in fake.asked)
    assert found.reading.values[0] == FIRST[name] and found.reading.hits[0].pointers
    assert slept == ([3.0, 60.0] if name == "blast" else [])


@pytest.mark.parametrize("api", SHIPPED, ids=lambda api: api.name)
def test_examples_are_read_without_a_model(api: agent.Api):
    assert builder.by_rules(api, json.dumps(dict(api.examples[0].parameters)))
    assert api.base.startswith("https://") and api.documentation


def test_questions_are_read_by_rules():
    assert builder.by_rules(BY_NAME["oncokb"], "What is known of BRAF V600E in melanoma?")[0].model_dump() == {
        "gene": "BRAF",
        "alteration": "V600E",
        "tumor": "melanoma",
    }
    assert builder.by_rules(BY_NAME["mygene"], "q=TP53 size=3")[0].size == 3


def test_a_token_is_needed_and_goes_into_a_header_only():
    api, given = BY_NAME["oncokb"], agent.check(BY_NAME["oncokb"], {"gene": "BRAF", "alteration": "V600E"})
    with pytest.raises(SettingsError, match="GROUNDWORK_TOKEN_ONCOKB"):
        agent.run(api, given, Fake())
    fake = Fake(*ANSWERS["oncokb"])
    agent.run(api, given, fake, token="secret-token")
    assert ("Authorization", "Bearer secret-token") in fake.asked[0].headers
    assert "secret-token" not in json.dumps(fake.asked[0].payload())


@pytest.mark.parametrize("given", [{}, {"name": "../../x"}, {"name": "BRCA2", "url": "http://x"}, {"name": "a b"}])
def test_wrong_parameters_are_named(given: dict):
    with pytest.raises(InputError, match="Ensembl"):
        agent.check(BY_NAME["ensembl"], given)


@pytest.mark.parametrize("text", ["<html>busy</html>", "", "{"])
def test_what_is_no_answer_is_a_bad_answer(text: str):
    with pytest.raises(BadAnswer):
        agent.run(BY_NAME["mygene"], agent.check(BY_NAME["mygene"], {"q": "x"}), Fake(text))


class Model:
    model = "made-up"

    def __init__(self, text: str):
        self.text, self.asked = text, []

    def complete(self, request: Request, on_text: object = None) -> Reply:
        self.asked.append(request)
        return Reply(self.text)


def test_a_model_fills_parameters_and_is_given_the_documentation():
    model = Model('```json\n{"queries": [{"q": "TP53"}, {"q": "BRCA1", "size": 900}, {"q": "BRCA2"}]}\n```')
    found = builder.by_model(model, BY_NAME["mygene"], "Find TP53 and BRCA2")
    assert [one.q for one in found.queries] == ["TP53", "BRCA2"] and "size" in found.refused[0]
    assert BY_NAME["mygene"].documentation in model.asked[0].messages[1].content


@pytest.mark.parametrize("text", ["I do not know.", '{"queries": [{"url": "http://169.254.169.254/"}]}', "[]", "{"])
def test_a_model_that_writes_no_parameters_is_a_bad_answer(text: str):
    with pytest.raises(BadAnswer):
        builder.by_model(Model(text), BY_NAME["mygene"], "x")


# ------------------------------------------------------------------ described
DESCRIBED = described.__doc__.partition("```yaml\n")[2].partition("```")[0]


def test_the_example_of_the_page_is_a_whole_api():
    api = described.read(DESCRIBED)
    fake = Fake(
        '{"response": {"docs": [{"hgnc_id": "HGNC:1"}]}}',
        '{"response": {"docs": [{"hgnc_id": "HGNC:1", "symbol": "AB"}]}}',
    )
    found = agent.run(api, agent.check(api, {"symbol": "AB"}), fake, token="t")
    assert [one.url for one in fake.asked] == [
        "https://rest.genenames.org/search/symbol/AB",
        "https://rest.genenames.org/fetch/hgnc_id/HGNC%3A1",
    ]
    assert found.reading.values == ("AB",) and found.reading.hits[0].pointers["symbol"] == "/response/docs/0/symbol"
    assert api.added


def test_a_value_cannot_leave_its_place_in_the_address():
    api = described.read(DESCRIBED.replace(', pattern: "^[A-Za-z0-9-]+$"', ""))
    request = api.first(agent.check(api, {"symbol": "a/b?y=1#z@evil.org"}))
    assert request.url == "https://rest.genenames.org/search/symbol/a%2Fb%3Fy%3D1%23z%40evil.org"
    for symbol in ("..", "a/../../x", ".", "%2e%2e", "a\\..\\x"):
        with pytest.raises(InputError, match="change the path"):
            api.first(agent.check(api, {"symbol": symbol}))


@pytest.mark.parametrize(
    "base",
    [
        "http://rest.genenames.org",
        "https://127.0.0.1/x",
        "https://localhost",
        "https://user@host.org",
        "https://host.org:8443",
        "https://x.internal",
        "file:///etc",
        "https://[::1]/",
        "https://host",
    ],
)
def test_only_public_https_hosts_can_be_described(base: str):
    with pytest.raises(InputError):
        described.read(DESCRIBED.replace("https://rest.genenames.org", base))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: genenames", "name: ../x", "name"),
        ("{symbol}", "{nothing}", "nothing"),
        ("type: string,", "type: text,", "type"),
        ('"^[A-Za-z0-9-]+$"', '"("', "pattern"),
        ("parameters: {symbol: TP53}", "parameters: {sym: TP53}", "example"),
        ("title: HGNC search", "title: [", "YAML"),
        ("summary: Approved", "sumary: Approved", "sumary"),
    ],
)
def test_a_wrong_description_says_what_is_wrong(old: str, new: str, said: str):
    with pytest.raises(InputError, match=said):
        described.read(DESCRIBED.replace(old, new))


OPENAPI = {
    "openapi": "3.0.0",
    "info": {"title": "Pets"},
    "servers": [{"url": "https://pets.example.org/v1"}],
    "paths": {
        "/pet/{pet-id}": {
            "get": {
                "operationId": "getPet",
                "parameters": [
                    {"$ref": "#/components/parameters/pet"},
                    {"name": "full", "in": "query", "schema": {"type": "boolean"}},
                ],
            }
        },
        "/pets": {"get": {"operationId": "list"}, "post": {"operationId": "make"}},
    },
    "components": {
        "parameters": {
            "pet": {"name": "pet-id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
        }
    },
}


def test_an_operation_of_an_openapi_document_is_an_api():
    api = described.read(json.dumps(OPENAPI), "getPet")
    request = api.first(agent.check(api, {"pet_id": 3, "full": True}))
    assert (request.url, request.params) == ("https://pets.example.org/v1/pet/3", (("full", "true"),))
    with pytest.raises(InputError, match="getPet, list"):
        described.read(json.dumps(OPENAPI))


def test_a_request_off_the_host_is_refused():
    from dataclasses import replace

    api = replace(BY_NAME["mygene"], first=lambda given: Fetch("https://elsewhere.org/x"))
    with pytest.raises(Refused):
        agent.run(api, agent.check(api, {"q": "x"}), Fake("{}"))


def test_a_python_call_is_proposed_and_never_run():
    call = python_call.CALLS[0]
    assert python_call.propose(call, {"min_genes": 200}) == "sc.pp.filter_cells(adata, min_genes=200)"
    with pytest.raises(InputError):
        python_call.propose(call, {"min_genes": "__import__('os')"})
    with pytest.raises(Refused):
        python_call.as_api(call).first(None)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        '{"openapi": 3, "servers": "x", "paths": [1, 2]}',
        '{"openapi": "3.0.0", "servers": [{"url": "https://x.org"}], "paths": {"/a": {"get": {"parameters": "x"}}}}',
        EXAMPLE.replace("symbol:", "model_config:", 1),
        EXAMPLE.replace("# token: HGNC", "token: HGNC\ntoken_header: Host"),
    ],
)
def test_hostile_descriptions_are_refused_in_words(text: str):
    with pytest.raises(InputError):
        described.read(text)


def test_a_parameter_of_an_openapi_document_may_have_any_name():
    document = {
        "openapi": "3.0.0",
        "servers": [{"url": "https://x.org"}],
        "paths": {"/a": {"get": {"operationId": "a", "parameters": [{"name": "schema", "in": "query"}]}}},
    }
    assert list(described.read(json.dumps(document)).parameters.model_fields) == ["p_schema"]
