"""The Gene questions page: empty, with an answer, without NCBI, and with hostile words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import Unreachable
from core.genes.answer import AnswerStep
from core.model import Curator, JobState, Role
from core.services.genes import batch, trace
from core.services.genes import questions as genes
from core.services.genes.trace import StepDetail
from core.services.people import roles
from core.web import Fetch, Fetched
from pages.components.genes.step import step_facts
from pages.components.shared import page
from pages.components.shared.markdown_escape import escaped

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "5_Gene_questions.py")
ADA = Curator("0000-0002-1825-0097", "Ada Example")
BEN = Curator("0000-0001-5109-3700", "Ben Example")
HOSTILE = "<script>alert(1)</script> ![x](http://evil.example/x.png) [click](javascript:alert(1))"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GROUNDWORK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "desk"))
    page.reopen_desks()
    app = AppTest.from_file(PAGE, default_timeout=60)
    app.session_state["_curator"] = ADA
    return app


def desk():
    return page.open_desk(page.screen.project_folder("", {}), {})


def shown(app: AppTest) -> str:
    parts = [
        *app.text,
        *app.caption,
        *app.markdown,
        *app.button,
        *app.error,
        *app.info,
        *app.success,
        *app.code,
        *app.expander,
    ]
    return "\n".join(
        str(getattr(part, "value", "") or getattr(part, "label", "")) for part in parts
    )


def answered(app: AppTest, monkeypatch: pytest.MonkeyPatch, fetcher: object, text: str) -> AppTest:
    monkeypatch.setattr("core.desk.Desk.web", lambda self, kind="api", hosts=(): fetcher)
    job, run = genes.start_gene_question(desk(), text)
    assert desk().runner.wait(job.id, 30).state is JobState.DONE
    app.query_params["run"], app.query_params["job"] = run, job.id
    return app.run()


def test_the_empty_page_is_alive_without_a_network(app: AppTest):
    app.run()
    assert not app.exception
    assert set(genes.example_questions().values()) & {button.label for button in app.button}


def test_a_recorded_example_opens_with_answer_evidence_and_steps(app: AppTest):
    app.run()
    next(button for button in app.button if "LMP10" in button.label).click().run()
    page_text = shown(app)
    assert not app.exception
    assert (
        "NCBIGene:5699: /result/5699/nomenclaturesymbol" in page_text
        and "replaced by NCBIGene:5699" in page_text
    )
    assert (
        "GET https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi?db=gene&id=5699,8138"
        in page_text
    )


def test_opening_the_page_writes_nothing_and_a_reader_records_no_example(app: AppTest):
    roles.appoint_person(desk(), ADA.orcid, ADA.name, Role.OWNER)
    roles.appoint_person(desk(), BEN.orcid, BEN.name, Role.READER)
    app.session_state["_curator"] = BEN
    app.run()
    next(button for button in app.button if "LMP10" in button.label).click().run()
    assert desk().store.runs.count() == 0 and not app.exception
    assert "reader" in "".join(error.value for error in app.error)


def test_sent_answer_is_stored_and_its_replay_asks_nothing(app: AppTest):
    app.run()
    next(button for button in app.button if "rs1217074595" in button.label).click().run()
    next(button for button in app.button if button.label.startswith("Send")).click().run()
    assert "1 new" in "".join(toast.value for toast in app.toast)
    assert [button.label for button in app.button if "review" in button.label] == ["Sent to review"]
    next(button for button in app.button if button.label.startswith("Replay")).click().run()
    assert "the same answer" in "".join(toast.value for toast in app.toast) and not app.exception


def test_an_example_fills_the_question_and_says_what_will_be_sent(app: AppTest):
    app.run()
    app.selectbox(key="gene·example").select("gene of a SNP").run()
    question = genes.example_questions()["gene of a SNP"]
    assert app.text_area(key="gene·text").value == question
    assert escaped(trace.what_leaves_machine(desk(), question), 300) in shown(app)


def test_without_ncbi_the_answer_says_what_happened(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    class Down:
        def fetch(self, request: Fetch) -> Fetched:
            raise Unreachable("eutils unplugged")

    answered(app, monkeypatch, Down(), "What is the official gene symbol of LMP10?")
    assert not app.exception and "eutils unplugged" in shown(app) and "failed" in shown(app)


def test_a_step_that_failed_shows_what_was_sent_also_when_the_question_was_broken_off(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
):
    class Down:
        def fetch(self, request: Fetch) -> Fetched:
            raise Unreachable("NCBI could not be reached.", "Check the network connection.")

    monkeypatch.setattr(
        "core.services.genes.questions.answer_outcome", lambda desk, run: (None, "")
    )
    answered(app, monkeypatch, Down(), "What is the official gene symbol of LMP10?")
    assert "LMP10" in "".join(code.value for code in app.code) and "Nothing was sent." not in shown(
        app
    )
    assert not app.exception and not [button for button in app.button if "Change" in button.label]


def test_wait_of_an_earlier_question_is_not_reported_for_this_one():
    first = StepDetail(
        "", "", "done", "2026-11-21T20:50:00Z", waited=2.0, why_waited="NCBI answered 429"
    )
    step = AnswerStep("ask[0]", "planned", "esearch", {})
    assert "waited 2.0 s: NCBI answered 429" in step_facts(step, first)
    assert "waited" not in step_facts(step, replace(first, reused=True))


def test_hostile_words_are_never_markup(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    record = {"uid": "1", "name": "ABC1", "nomenclaturesymbol": "ABC1", "description": HOSTILE, "otheraliases": "XYZ9",  # noqa: E501
              "organism": {"scientificname": "Homo sapiens", "taxid": 9606}}  # fmt: skip

    class Hostile:
        def fetch(self, request: Fetch) -> Fetched:
            body = {
                "esearchresult": {"count": "1", "idlist": ["1"]},
                "result": {"uids": ["1"], "1": record},
            }
            return Fetched(200, json.dumps(body))

    answered(app, monkeypatch, Hostile(), f"What is the official symbol of XYZ9? {HOSTILE}")
    assert not app.exception
    assert "<script>" not in "".join(markdown.value for markdown in app.markdown)
    assert "](http" not in "".join(str(expander.label) for expander in app.expander)
    assert "<script>alert" not in "".join(html.proto.body for html in app.get("html"))


def test_a_batch_gives_a_table(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    from core.ncbi.example import ExampleFetcher

    monkeypatch.setattr("core.desk.Desk.web", lambda self, kind="api", hosts=(): ExampleFetcher())
    job = batch.start_gene_batch(desk(), ["What is the official gene symbol of LMP10?", "Who won?"])
    desk().runner.wait(job.id, 30)
    app.query_params["batch"] = job.id
    app.session_state["part"] = "Many questions"
    app.run()
    table = next(dataframe.value for dataframe in app.dataframe if "notes" in dataframe.value)
    assert list(table["answer"]) == ["PSMB10", ""] and not app.exception


def test_a_run_that_does_not_exist_says_so(app: AppTest):
    app.query_params["run"] = "nothing"
    app.run()
    assert not app.exception and "has no answer" in shown(app)


def test_the_steps_of_a_question_of_several_parts_are_a_tree(app: AppTest):
    app.run()
    next(button for button in app.button if "locations" in button.label).click().run()
    branches = [
        text.value for text in app.text if text.value.endswith(("calls)", "call)", "answer)"))
    ]
    assert not app.exception and len(branches) == 2
    assert branches[0].startswith("1. Which OMIM") and "★ answer" in branches[1]


def test_a_class_of_error_by_a_click_is_counted(app: AppTest):
    app.run()
    next(button for button in app.button if "LMP10" in button.label).click().run()
    next(selectbox for selectbox in app.selectbox if "wrong" in selectbox.label).set_value(
        "E2"
    ).run()
    table = next(
        dataframe.value for dataframe in app.dataframe if "answers" in dataframe.value.columns
    )
    assert dict(zip(table["class"], table["answers"], strict=True))["E2"] == 1


def test_gene_page_never_shows_the_word_none(app: AppTest):
    app.run()
    assert "None" not in [
        str(element.value).strip("`") for element in (*app.markdown, *app.code, *app.text)
    ]
