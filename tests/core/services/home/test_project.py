from __future__ import annotations

from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.desk import Desk, open_desk
from core.errors import InputError, NotFound, SettingsError
from core.jobs.runner import register_job
from core.model import Job, JobState, State
from core.services.home import project
from core.services.people.orcid import add_curator
from core.services.settings import editing
from core.services.shared import screen
from core.settings import ENVIRONMENT, load_settings
from core.store.release import StoredRelease
from tests.core.store.conftest import claim, ground, verdict


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*ENVIRONMENT, "GROUNDWORK_PROJECT"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(load_settings(tmp_path / "mine"))


def test_a_new_project_has_nothing_waiting(desk: Desk) -> None:
    assert project.project_status(desk).empty


def test_home_counts_open_statements(desk: Desk) -> None:
    desk.store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(3)], "r1")
    desk.store.statements.decide(verdict(claim(0), 1), State.APPROVED)
    desk.store.statements.propose([(claim(0), [ground(claim(0), 40)])], "r2")
    desk.store.jobs.add(Job("j1", "extract", {}, JobState.INTERRUPTED))
    status = project.project_status(desk)
    assert (status.waiting, status.approved, status.new_evidence, status.interrupted_jobs) == (
        2,
        1,
        1,
        1,
    )
    assert not status.empty


def test_services_summary_says_what_to_do_and_shows_no_key(tmp_path: Path) -> None:
    bare = project.capabilities(open_desk(load_settings(tmp_path)))
    assert [part.ready for part in bare] == [False, False, False, True, True]
    assert all(part.how for part in bare[:4])
    secret = {
        "OPENAI_API_KEY": "sk-secret",
        "GROUNDWORK_MODEL": "m",
        "NCBI_EMAIL": "me@x.org",
        "NCBI_API_KEY": "nk",
    }
    full = project.capabilities(open_desk(load_settings(tmp_path, secret)))
    assert (full[0].ready, full[2].ready) == (True, True)
    assert not any(word in str(full) for word in ("sk-secret", "me@x.org", "nk'"))


def test_the_base_set_is_not_called_small(tmp_path: Path) -> None:
    def words(base_set: str) -> str:
        settings = load_settings(tmp_path, {"GROUNDWORK_BASE_SET": base_set})
        (part,) = [p for p in project.capabilities(open_desk(settings)) if p.name == "Vocabularies"]
        return part.says

    assert "small example vocabularies" in words("off")
    assert "dated base set" in words("on")


def test_named_endpoint_shows_its_host_and_waits_for_a_model(tmp_path: Path) -> None:
    own = {
        "GROUNDWORK_ENDPOINT_OLLAMA_URL": "http://127.0.0.1:11434/v1",
        "GROUNDWORK_ENDPOINT_OLLAMA_KEY": "none",
    }
    unchosen = project.capabilities(open_desk(load_settings(tmp_path, own)))[:2]
    for part in unchosen:  # language model, embeddings
        assert not part.ready and "Settings › Models" in part.how
    own["GROUNDWORK_MODEL"] = "llama3.1@ollama"
    chosen = project.capabilities(open_desk(load_settings(tmp_path, own)))[0]
    assert (chosen.ready, chosen.says) == (True, "llama3.1@ollama at 127.0.0.1")


def test_the_example_project_is_made_beside_this_one(desk: Desk, tmp_path: Path) -> None:
    example = project.open_example_project(desk.settings)
    assert example.project == tmp_path / "example-project"
    assert example.project_name == "Example project"
    assert not desk.folder.exists()


def test_no_copy_of_a_starter_stands_in_the_way_of_the_base_set(desk: Desk) -> None:
    folder = project.open_example_project(desk.settings).project / "vocabularies"
    starter = (project.STARTERS / "chebi.tsv").read_bytes()
    (folder / "chebi.tsv").write_bytes(starter)
    (folder / "mesh.tsv").write_bytes(starter + b"# mine")
    project.open_example_project(desk.settings)
    assert [file.name for file in folder.iterdir()] == ["mesh.tsv"]


def test_opening_the_example_again_keeps_what_was_done_in_it(desk: Desk) -> None:
    first = project.open_example_project(desk.settings)
    open_desk(first).store.statements.propose([(claim(), [])])
    (first.project / "vocabularies" / "own.tsv").write_text("mine")
    again = open_desk(project.open_example_project(desk.settings))
    assert again.store.queue.count() == 1
    assert (again.folder / "vocabularies" / "own.tsv").read_text() == "mine"
    assert project.open_example_project(again.settings).project == again.folder


def test_only_projects_beside_this_one_are_opened_by_name(desk: Desk, tmp_path: Path) -> None:
    project.open_example_project(desk.settings)
    assert screen.project_beside(desk.settings, "example-project") == tmp_path / "example-project"
    for name in ("..", "../etc", "/etc", "nothing", "", "a/b", ".hidden"):
        with pytest.raises(NotFound):
            screen.project_beside(desk.settings, name)


def test_each_schema_has_an_example_text() -> None:
    examples = project.project_examples()
    schemas = {example.schema for example in examples}
    assert not examples or {"recipe", "chemical_disease"} <= schemas
    assert all(example.text.strip() for example in examples)


def test_a_curator_needs_an_orcid_that_can_be_right(desk: Desk) -> None:
    kept = add_curator(desk, "https://orcid.org/0000-0002-1825-0097", " Josiah   Carberry ")
    assert (kept.orcid, kept.name) == ("0000-0002-1825-0097", "Josiah Carberry")
    assert desk.store.curators.all() == [kept]
    with pytest.raises(InputError, match="last character"):
        add_curator(desk, "0000-0002-1825-0098", "x")


def test_settings_are_written_for_the_project(desk: Desk) -> None:
    editing.change_settings(desk, {"model": "gpt-4o", "max_calls": 10})
    assert load_settings(desk.folder).model == "gpt-4o"
    assert editing.editable_settings(load_settings(desk.folder))["max_calls"] == 10


def test_the_base_iri_can_change_until_something_is_released(desk: Desk) -> None:
    editing.change_settings(desk, {"base_iri": "https://own.example/"})
    fresh = open_desk(load_settings(desk.folder))
    assert fresh.base_iri == "https://own.example/"
    editing.change_settings(fresh, {"base_iri": "https://other.example/"})
    assert fresh.base_iri == "https://other.example/"
    fresh.store.releases.add(StoredRelease("1.0.0", "2026-01-02", "", "", {}), {}, ())
    with pytest.raises(SettingsError, match="fixed"):
        editing.change_settings(fresh, {"base_iri": "https://own.example/"})


def test_project_settings_name_what_the_environment_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL", "m")
    assert editing.overridden({"GROUNDWORK_MAX_CALLS": "3"}) == ("model", "max_calls")


def test_a_model_that_answers_and_one_that_fails_are_distinguished(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    message = {"role": "assistant", "content": "ready"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    answer = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m1",
        "choices": [choice],
    }
    httpserver.expect_request("/v1/chat/completions").respond_with_json(answer)
    there = {"OPENAI_BASE_URL": httpserver.url_for("/v1"), "GROUNDWORK_MODEL": "m"}
    assert editing.try_model(open_desk(load_settings(tmp_path, there))) == (
        True,
        "m1 answered: ready",
    )
    gone = {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "GROUNDWORK_MODEL": "m",
        "GROUNDWORK_MODEL_RETRIES": "0",
    }
    good, words = editing.try_model(open_desk(load_settings(tmp_path, gone)))
    assert not good
    assert "cannot be reached" in words
    assert editing.try_model(open_desk(load_settings(tmp_path))) == (
        False,
        "No model is configured.",
    )


def test_a_job_is_listed_and_resumed(desk: Desk) -> None:
    register_job("small work")(lambda context, arguments: "done")
    desk.store.jobs.add(Job("j1", "small work", {}, JobState.STOPPED))
    project.resume_job(desk, "j1", "")
    assert desk.runner.wait("j1", 5).result == "done"
    assert [job.id for job in project.project_jobs(desk)] == ["j1"]
