"""What a run with a model takes on the pages: another model, further questions, approved examples,
and a batch that is finished after faults. The models are those of tests/endpoint.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.desk import Desk
from core.llm.connection import Connection
from core.model import Curator, JobState, Verdict
from core.ncbi.example import ExampleFetcher
from core.services.extract import batch, result
from core.services.extract.run import start_run
from core.services.extract.run_options import RunOptions
from core.services.literature import answer, namespaces
from core.services.review.decision import Judgement, decide
from core.services.settings import models
from pages.components.shared import page
from tests.core.services.extracting import TEXT
from tests.core.services.extracting import project as trial_project
from tests.core.services.model_uses import words_for
from tests.core.services.twenty_texts import HALF, MIDDLE, TEXTS, TwoModels
from tests.endpoint import Endpoint, served

PAGES = Path(__file__).resolve().parents[2] / "pages"
ADA = Curator("0000-0002-1825-0097", "Ada Example")
QUESTION = "Does Kinase Q act on tau?"
OTHER = "In this trial aspirin was given for a migraine."


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served(words_for, context=100_000) as endpoint:
        yield endpoint


@pytest.fixture
def desk(project: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A project with a model of its own and another that its endpoint lists."""
    trial_project(project)[0].close()
    monkeypatch.setenv("GROUNDWORK_ENDPOINT_THERE_URL", endpoint.url)
    monkeypatch.setenv("GROUNDWORK_ENDPOINT_THERE_KEY", "sk-k")
    monkeypatch.setenv("GROUNDWORK_MODEL", "own@there")
    monkeypatch.setattr("core.desk.Desk.web", lambda self, kind="api", hosts=(): ExampleFetcher())
    page.reopen_desks()
    opened = page.open_desk(page.screen.project_folder("", {}), {})
    models.refresh_models(opened, "there")
    return opened


def opened(name: str, **address: str) -> AppTest:
    at = AppTest.from_file(str(PAGES / name), default_timeout=60)
    at.session_state["_curator"] = ADA
    for key, value in address.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


def param(at: AppTest, name: str) -> str:
    value = at.query_params[name]
    return value if isinstance(value, str) else value[0]


def said(at: AppTest) -> str:
    """The words on the page, as they are read: without the signs that take markup its meaning."""
    kinds = (at.text, at.caption, at.markdown, at.code, at.warning, at.error)
    words = "\n".join(str(element.value) for kind in kinds for element in kind)
    return words.replace("\\", "").replace("\u2060", "")


def press(at: AppTest, words: str) -> AppTest:
    next(button for button in at.button if words in button.label).click().run()
    assert not at.exception
    return at


def wait(desk: Desk, at: AppTest, name: str) -> AppTest:
    assert desk.runner.wait(param(at, name), 30).state is JobState.DONE
    at.run()
    assert not at.exception
    return at


def asked_models(endpoint: Endpoint) -> set[str]:
    return {body["model"] for body in endpoint.bodies}


# ------------------------------------------------------------------ a model for one run


def test_a_gene_question_asks_the_model_chosen_for_it(desk: Desk, endpoint: Endpoint) -> None:
    at = opened("5_Gene_questions.py")
    assert "gene·model" not in [
        selectbox.key for selectbox in at.selectbox
    ]  # no model has a part in this way
    at.text_area(key="gene·text").set_value("What is the official gene symbol of LMP10?")
    at.radio(key="gene·way").set_value("tools").run()
    choice = at.selectbox(key="gene·model")
    assert choice.value == "" and choice.options[1:] == ["theirs@there"]
    assert choice.options[0].startswith("own@there")
    assert "the model own@there at 127.0.0.1" in said(at)
    choice.select("theirs@there").run()
    assert "the model theirs@there at 127.0.0.1" in said(at)
    wait(desk, press(at, "Ask"), "job")
    assert asked_models(endpoint) == {"theirs"}
    assert desk.store.runs.get(param(at, "run")).model == "theirs@there"
    assert "The model theirs@there: " in said(at) and "price not known" in said(at)


def literature(desk: Desk, project: Path) -> AppTest:
    rows = project.parent / "rows.jsonl"
    text = "Kinase Q phosphorylates tau in neurons. Mice lacking it are well."
    rows.write_text(json.dumps({"id": "PMID:1", "title": "Tau", "text": text}), "utf-8")
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [rows])
    return opened("6_Literature.py", ns="tau", q=QUESTION)


def test_an_answer_asks_the_model_chosen_for_it_and_a_further_question_stays_with_it(
    desk: Desk, project: Path, endpoint: Endpoint
) -> None:
    at = literature(desk, project)
    assert not endpoint.bodies  # nothing is sent by looking
    at.selectbox(key="answer-model").select("theirs@there").run()
    assert "the model theirs@there at 127.0.0.1" in said(at) and "1 passage will" in said(at)
    wait(desk, press(at, "Answer from"), "answering")
    first = param(at, "answer")
    at.text_input(key=f"further·{first}").set_value("In which cells?")
    wait(desk, press(at, "Ask a follow-up"), "answering")
    second = param(at, "answer")
    assert asked_models(endpoint) == {"theirs"} and second != first
    prompt = json.dumps(endpoint.bodies[-1]["messages"])
    assert QUESTION in prompt and "In which cells?" in prompt and "It does:" in prompt
    assert answer.kept_answer(desk, second).chunks == answer.kept_answer(desk, first).chunks
    assert QUESTION in [
        expander.label for expander in at.expander
    ]  # what was asked before stays in view


def test_keywords_of_a_question_are_named_by_the_model_chosen_for_them(
    desk: Desk, project: Path, endpoint: Endpoint
) -> None:
    at = literature(desk, project)
    assert "the model own" in said(at)
    assert not endpoint.bodies
    at = opened("6_Literature.py", ns="tau", q=QUESTION, model="1")
    assert asked_models(endpoint) == {"own"}
    endpoint.bodies.clear()
    at.selectbox(key="keyword-model").select("theirs@there").run()
    assert asked_models(endpoint) == {"theirs"}
    assert "the model theirs@there" in said(at)


def test_ranking_by_meaning_says_what_it_sends_before_it_is_chosen(
    desk: Desk, project: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_EMBEDDING_MODEL", "near@there")
    page.reopen_desks()
    at = literature(desk, project)
    words = "send the question, and passages that have no vector yet, to the model near@there"
    assert f"The modes *PES1 (embeddings)* and *Words and meaning* {words}" in said(at)
    assert not endpoint.bodies


# ------------------------------------------------------------------ approved examples


def approved(desk: Desk) -> None:
    """An approved statement that rests on TEXT."""
    job = start_run(desk, "trial", TEXT, engine="spires", curator=ADA.orcid, options=RunOptions())
    run = result.wait_for_job(desk, job).run
    result.send_to_review(desk, run.id, ADA.orcid)
    (record,) = desk.store.queue.records()
    decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ADA)


def prompts(endpoint: Endpoint) -> str:
    return "\n".join(m["content"] for body in endpoint.bodies for m in body["messages"])


def reading(text: str) -> AppTest:
    at = opened("1_Extract.py")
    at.selectbox(key="extract·schema").select("trial")
    at.text_area(key="extract·text").set_value(text).run()
    assert not at.exception
    return at


def test_a_prompt_shows_no_approved_statement_unless_it_is_asked_to(
    desk: Desk, endpoint: Endpoint
) -> None:
    approved(desk)
    at = reading(OTHER)
    assert at.number_input(key="extract·examples").value == 0
    assert not any("from approved statements" in expander.label for expander in at.expander)
    endpoint.bodies.clear()
    wait(desk, press(at, "Run"), "job")
    assert OTHER in prompts(endpoint) and "Aspirin relieves" not in prompts(endpoint)


def test_examples_are_shown_before_they_are_sent_and_are_those_that_are_sent(
    desk: Desk, endpoint: Endpoint
) -> None:
    approved(desk)
    at = reading(OTHER)
    at.number_input(key="extract·examples").set_value(3).run()
    assert "1 example from approved statements" in [expander.label for expander in at.expander]
    example = next(text.value for text in at.text if "Aspirin relieves migraine" in text.value)
    endpoint.bodies.clear()
    wait(desk, press(at, "Run"), "job")
    assert example.splitlines()[0] in prompts(endpoint)
    assert any(
        "Its prompts contained 1 approved example" in expander.label for expander in at.expander
    )


def test_a_text_is_never_shown_its_own_approved_statements(desk: Desk, endpoint: Endpoint) -> None:
    approved(desk)
    at = reading(TEXT)
    at.number_input(key="extract·examples").set_value(3)
    at.text_input(key="extract·source").set_value("PMID:77").run()  # the same text by another name
    assert "of another text" in said(at)
    wait(desk, press(at, "Run"), "job")
    assert not [expander for expander in at.expander if "approved example" in expander.label]


# ------------------------------------------------------------------ an incomplete result


def test_incomplete_result_needs_no_confirmation_once_all_of_it_is_sent(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamlit.page_link", lambda *_, **__: None)  # one page is run alone
    job = start_run(
        desk, "trial", TEXT, engine="spires", curator=ADA.orcid, options=RunOptions(calls=2)
    )
    assert desk.runner.wait(job.id, 30).state is JobState.DONE
    at = opened("1_Extract.py", run=job.arguments["run"], job=job.id)
    sure = next(
        checkbox for checkbox in at.checkbox if checkbox.label.startswith("Send it even though")
    )
    sure.check().run()
    press(at, "Send 1 to review")
    assert not any(checkbox.label.startswith("Send it even") for checkbox in at.checkbox)
    assert "Before you send" not in said(at)
    assert "result is incomplete" in said(at)


# ------------------------------------------------------------------ a batch after faults


def test_a_batch_with_faults_in_its_middle_is_finished_from_the_page(desk: Desk) -> None:
    model = TwoModels()
    model.broken.set()
    with served(model, context=100_000) as endpoint:
        there = Connection("there", endpoint.url, "sk-k")
        desk.settings = replace(desk.settings, endpoints={"there": there}, model_retries=0)
        desk.forget_models()
        job = batch.start_batch(
            desk, "trial", list(TEXTS.items()), engine="spires", curator=ADA.orcid
        )
        desk.runner.wait(job.id, 30)
        at = opened("1_Extract.py", batch=job.id)
        states = list(at.dataframe[0].value["status"])
        assert [n for n, state in enumerate(states) if state == "failed"] == list(MIDDLE)
        assert [n for n, state in enumerate(states) if state == "partly"] == list(HALF)
        model.broken.clear()
        endpoint.bodies.clear()
        press(at, "Retry 11 failed or incomplete")
        at = wait(desk, at, "batch")
        assert set(at.dataframe[0].value["status"]) == {"done"}
        assert not [button for button in at.button if button.label.startswith("Try the")]
        asked = json.dumps(endpoint.bodies)
        assert [n for n in range(20) if f"on ward {n:02}" in asked] == list(MIDDLE)


# ------------------------------------------------------------------ two models on many texts


def test_two_models_stand_side_by_side_on_twenty_texts(desk: Desk) -> None:
    with served(TwoModels(), context=100_000) as endpoint:
        there = Connection("there", endpoint.url, "sk-k")
        desk.settings = replace(desk.settings, endpoints={"there": there})
        desk.forget_models()
        texts, options = list(TEXTS.items()), RunOptions(model="own@there", calls=40)
        job = batch.start_batch(
            desk, "trial", texts, engine="spires", curator=ADA.orcid, options=options
        )
        desk.runner.wait(job.id, 60)
        at = opened("1_Extract.py", batch=job.id)
        at.selectbox(key=f"compare engine·{job.id}").select("spires").run()
        at.selectbox(key=f"compare model·{job.id}").select("theirs@there").run()
        assert "Read by: SPIRES" in said(at) and "by the model own@there" in said(at)
        assert "the model theirs@there at 127.0.0.1" in said(at)
        press(at, "Read all of them again")
        second = param(at, "other_batch")
        at = wait(desk, at, "other_batch")
        assert "20 texts read by both." in said(at)
        table = next(
            table.value
            for table in at.dataframe
            if "" in table.value.columns and "statements" in list(table.value[""])
        )
        rows = {row[0].split(",")[0]: tuple(row[1:]) for row in table.values.tolist()}
        assert "own@there" in table.columns[1] and "theirs@there" in table.columns[2]
        assert rows["statements"] == ("25", "25") and rows["only here"] == ("5", "5")
        assert rows["the same in both"] == ("20", "20")
        assert rows["approved"] == ("nothing decided yet",) * 2
        assert rows["cost"] == ("unknown",) * 2
        runs = [
            desk.store.runs.get(unit.run)
            for unit in batch.batch_items(desk, desk.runner.job(second))
        ]
        assert {run.settings["options"]["calls"] for run in runs} == {40}  # the settings go along
        assert not [button for button in at.button if button.label.startswith("Read all")]


def test_documents_say_which_model_reads_what_is_brought_in(desk: Desk) -> None:
    notices = [
        caption.value
        for caption in opened("2_Documents.py").caption
        if "will be sent" in caption.value
    ]
    assert notices and all("the model own" in words and "at 127" in words for words in notices)
