"""API agents in a project: inert until allowed, asked by form or question, handed on as tools."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.apis import agent, builder, described
from core.apis.registry import SHIPPED
from core.desk import Desk
from core.errors import InputError, NotFound, Refused
from core.genes.answer import AnswerStatus
from core.services.genes import api_agents, api_catalogue, api_form, statement
from core.services.genes import questions as genes
from core.services.genes.statement import AnswerClaims
from core.settings import Secret, Settings
from core.web import Fetched

TEXT = api_catalogue.EXAMPLE_DESCRIPTION
HITS = '{"hits": [{"symbol": "TP53", "entrezgene": "7157"}]}'


class Network:
    def __init__(self, text: str):
        self.text, self.asked = text, []

    def fetch(self, request):
        self.asked.append(request.url)
        return Fetched(200, self.text)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(Settings(tmp_path))
    desk.network = Network(HITS)
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): desk.network)
    yield desk
    desk.close()


def test_every_shipped_api_is_offered(desk: Desk):
    assert {api_agent.name for api_agent in api_catalogue.api_agents(desk)} == set(SHIPPED)


def test_a_new_api_is_one_file_and_one_line(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    dummy = replace(SHIPPED["mygene"], name="dummy")
    monkeypatch.setattr(api_catalogue, "SHIPPED", {**SHIPPED, "dummy": dummy})
    assert api_catalogue.find_api(desk, "dummy").name == "dummy"


def test_a_question_is_answered_with_evidence(desk: Desk):
    asked_question = genes.ask_gene_question(desk, "TP53", genes.AskOptions(api="mygene"))
    assert (asked_question.answer.text, asked_question.answer.status) == (
        "TP53",
        AnswerStatus.ANSWERED,
    )
    assert (
        asked_question.way
        == genes.stored_answer(desk, asked_question.run).way
        == asked_question.row["way"]
        == "API mygene"
    )  # no planner
    assert (
        asked_question.row["evidence"][0]["record"] == "NCBIGene:7157"
        and asked_question.row["evidence"][0]["field"] == "/hits/0/symbol"
    )


def test_a_failed_fetch_is_a_failed_answer(desk: Desk):
    desk.network.text = "<html>"
    asked_question = genes.ask_gene_question(desk, "TP53", genes.AskOptions(api="mygene"))
    assert (
        asked_question.answer.status is AnswerStatus.FAILED
        and asked_question.answer.steps[0].status == "failed"
    )
    assert (
        asked_question.answer.steps[0].call
        == genes.gene_answer_calls(desk, asked_question.run)[0].id
    )  # what was sent, and what came, are on show


def test_a_form_is_made_from_the_parameters_and_asks(desk: Desk):
    fields = api_form.api_form_fields(api_catalogue.find_api(desk, "mygene"))
    assert (
        fields["q"].required
        and fields["species"].choices[0] == "human"
        and fields["size"].kind == "integer"
    )
    question = api_form.form_to_question(
        api_catalogue.find_api(desk, "mygene"), {"q": "TP53", "species": "human", "size": 5}
    )
    assert (
        genes.ask_gene_question(desk, question, genes.AskOptions(api="mygene")).answer.text
        == "TP53"
    )


@pytest.mark.parametrize(
    ("form_values", "question"),
    [
        ({"q": "TP53", "size": 5}, "q=TP53 size=5"),
        ({"q": "tumor protein", "size": None, "species": ""}, 'q="tumor protein"'),
        ({"q": 'say "p53"'}, '{"q": "say \\"p53\\""}'),
        ({"q": "a=b"}, '{"q": "a=b"}'),
    ],
)
def test_api_form_becomes_a_question_that_reads_as_the_form(
    desk: Desk, form_values: dict, question: str
):
    api = api_catalogue.find_api(desk, "mygene")
    assert api_form.form_to_question(api, form_values) == question
    (read,) = builder.parse_typed(api, question)
    assert read == agent.check_parameters(
        api, {name: value for name, value in form_values.items() if value}
    )


def test_a_step_s_parameters_can_be_changed_and_run_from_there(desk: Desk):
    first = genes.ask_gene_question(desk, "TP53", genes.AskOptions(api="mygene"))
    options = genes.edited_options(desk, first.run, "api[0]", "mygene", arguments={"q": "BRCA1"})
    step = genes.ask_gene_question(desk, "TP53", options).answer.steps[0]
    assert (step.origin, step.arguments["q"], len(desk.network.asked)) == ("you", "BRCA1", 2)
    with pytest.raises(InputError, match="size"):
        genes.edited_options(
            desk, first.run, "api[0]", "mygene", arguments={"q": "BRCA1", "size": 999}
        )


def test_a_web_api_s_answer_makes_no_statement(desk: Desk):
    asked_question = genes.ask_gene_question(desk, "TP53", genes.AskOptions(api="mygene"))
    assert (
        str(asked_question.answer.kind) == "web API"
        and statement.claims_of_answer(desk, asked_question.run, asked_question.answer)
        == AnswerClaims()
    )


def test_an_added_api_is_inert_until_its_host_is_listed(desk: Desk):
    api = api_catalogue.add_api(desk, TEXT.replace("token: HGNC", "token: ''"))
    assert "GROUNDWORK_API_HOSTS" in api_catalogue.why_inert(desk, api)
    asked_question = genes.ask_gene_question(desk, "symbol=TP53", genes.AskOptions(api="genenames"))
    assert asked_question.answer.status is AnswerStatus.FAILED and not desk.network.asked
    desk.settings = replace(desk.settings, api_hosts=("rest.genenames.org",))
    assert api_catalogue.why_inert(desk, api) == ""


def test_tokens_come_from_the_environment_only(desk: Desk):
    oncokb = api_catalogue.find_api(desk, "oncokb")
    assert "GROUNDWORK_TOKEN_ONCOKB" in api_catalogue.why_inert(desk, oncokb)
    desk.settings = replace(desk.settings, tokens={"ONCOKB": Secret("secret-token")})
    assert api_catalogue.why_inert(desk, oncokb) == ""


def test_a_key_goes_to_no_other_host(desk: Desk):
    with pytest.raises(InputError, match=r"ONCOKB is for www\.oncokb\.org"):
        api_catalogue.add_api(desk, TEXT.replace("# token: HGNC", "token: ONCOKB #"))
    api_catalogue.add_api(desk, TEXT.replace("# token: HGNC", "token: HGNC #"))
    other = TEXT.replace("# token: HGNC", "token: HGNC #").replace("genenames", "elsewhere")
    with pytest.raises(InputError, match=r"HGNC is for rest\.genenames\.org"):
        api_catalogue.add_api(desk, other)


def test_a_check_shows_what_would_be_asked_and_read(desk: Desk):
    trial = api_catalogue.try_description(desk, TEXT, api_catalogue.EXAMPLE_RESPONSE)
    assert trial.question == "GET https://rest.genenames.org/search/symbol/TP53?format=json"
    assert (
        trial.rows[0]["record"] == "HGNC:11998"
        and trial.values == ("TP53",)
        and not desk.network.asked
    )
    wrong = api_catalogue.try_description(desk, TEXT, '{"other": 1}').checked.problems[0]
    assert wrong.where == "sample answer" and "a list at /response/docs" in wrong.message


def test_shipped_api_cannot_be_removed(desk: Desk):
    with pytest.raises(Refused):
        api_catalogue.remove_api(desk, "mygene")


def test_an_api_at_an_address_of_the_operator_s_own_is_asked_there(desk: Desk):
    desk.settings = replace(desk.settings, api_urls={"GENENAMES": "http://127.0.0.1:9/own"})
    api_catalogue.add_api(desk, TEXT)
    api = api_catalogue.find_api(desk, "genenames")
    assert api_catalogue.why_inert(desk, api) == "" and api_catalogue.for_operator(desk, api) == ""
    genes.ask_gene_question(desk, "symbol=TP53", genes.AskOptions(api="genenames"))
    assert desk.network.asked == ["http://127.0.0.1:9/own/search/symbol/TP53"]


def test_a_shipped_name_cannot_be_taken(desk: Desk):
    with pytest.raises(InputError):
        api_catalogue.add_api(desk, TEXT.replace("name: genenames", "name: mygene"))


def test_a_broken_file_is_reported_and_left_out(desk: Desk):
    folder = desk.folder / "apis"
    folder.mkdir(parents=True)
    (folder / "broken.yaml").write_text("name: [")
    assert list(api_catalogue.unreadable_apis(desk)) == ["broken.yaml"] and len(
        api_catalogue.api_agents(desk)
    ) == len(SHIPPED)


def test_removed_api_description_is_gone(desk: Desk):
    api_catalogue.add_api(desk, TEXT)
    api_catalogue.remove_api(desk, "genenames")
    with pytest.raises(NotFound):
        api_catalogue.find_api(desk, "genenames")


def test_an_api_is_handed_to_a_model_as_a_tool(desk: Desk):
    run = genes.create_run(desk, "x", genes.AskOptions())
    (tool,) = api_agents.as_tools(desk, run, ["mygene"], genes.AskOptions())
    assert tool.tool.name == "api_mygene" and "q" in tool.tool.parameters["properties"]
    text, records, call = tool.use({"q": "TP53"}, "x")
    assert "TP53" in text and records[0].id == "NCBIGene:7157" and call
    with pytest.raises(InputError):
        tool.use({"url": "http://169.254.169.254"}, "x")


def test_an_inert_api_is_not_a_use_as_a_tool(desk: Desk):
    api_catalogue.add_api(desk, TEXT)
    run = genes.create_run(desk, "x", genes.AskOptions())
    (tool,) = api_agents.as_tools(desk, run, ["genenames"], genes.AskOptions())
    with pytest.raises(Refused):
        tool.use({"symbol": "TP53"}, "x")


def test_the_example_of_the_page_is_that_of_the_documentation():
    documentation = Path(__file__).resolve().parents[4] / "docs" / "web-apis.md"
    assert described.read(TEXT).name == "genenames" and TEXT in documentation.read_text(
        encoding="utf-8"
    )


def test_python_calls_are_text():
    assert (
        api_form.propose_python_call("scanpy-tl-umap", {"n_components": "3", "min_dist": 0.5})
        == "sc.tl.umap(adata=adata, n_components=3)"
    )
