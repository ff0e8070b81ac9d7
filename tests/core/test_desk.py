from __future__ import annotations

import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.desk import Desk, load_services, new_base_iri, open_desk
from core.desk_network import ncbi_hosts
from core.errors import Refused, SettingsError, StoreError
from core.llm.openai_client import OpenAICompleter
from core.settings import load_settings
from core.web import Fetch

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for variable in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "GROUNDWORK_MODEL",
        "GROUNDWORK_DATABASE_URL",
    ):
        monkeypatch.delenv(variable, raising=False)
    return open_desk(load_settings(tmp_path / "project"))


def test_opening_makes_nothing_until_something_is_asked_for(desk: Desk) -> None:
    assert not desk.folder.exists()
    assert desk.store.queue.count() == 0
    assert {child.name for child in desk.folder.iterdir()} >= {
        "groundwork.db",
        "schemas",
        "vocabularies",
        "indexes",
        "uploads",
    }


def test_opening_loads_nothing_that_may_wait(tmp_path: Path) -> None:
    script = (
        "import sys; from core.desk import open_desk; from core.settings import load_settings;"
        " open_desk(load_settings());"
    )
    script += (
        "print(*(name for name in ('openai', 'linkml_runtime', 'rdflib', 'pandas') if name in"
        " sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_desk_part_is_made_once_for_all_threads(desk: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: desk.store, range(16)))
    assert len({id(store) for store in stores}) == 1


def test_no_answer_is_made_without_a_model(desk: Desk) -> None:
    assert desk.completer() is None
    assert desk.embedder() is None


def test_opening_a_configured_model_sends_no_request(tmp_path: Path) -> None:
    own_desk = open_desk(
        load_settings(
            tmp_path,
            {"OPENAI_API_KEY": "k", "GROUNDWORK_MODEL": "m", "GROUNDWORK_EMBEDDING_MODEL": "e"},
        )
    )
    assert isinstance(own_desk.completer(), OpenAICompleter)
    assert own_desk.embedder().model == "e"  # type: ignore[union-attr]


def test_projects_of_one_machine_share_the_limit_of_an_endpoint(tmp_path: Path) -> None:
    environment = {
        "OPENAI_API_KEY": "k",
        "OPENAI_BASE_URL": f"http://127.0.0.1/{uuid.uuid4().hex}/v1",  # nobody else's pace
        "GROUNDWORK_MODEL": "m",
        "GROUNDWORK_MODEL_PER_MINUTE": "600",
    }
    began, turns = time.monotonic(), []
    for folder in ("one", "two"):
        opened = open_desk(load_settings(tmp_path / folder, environment))
        for model in ("m", "another"):
            asked = opened.completer(model=model)
            assert isinstance(asked, OpenAICompleter)
            turns.append(asked.options.take_turn)
    for take_turn in turns:
        take_turn()
    assert time.monotonic() - began >= 0.3  # a tenth of a second between two


def test_the_base_iri_is_fixed_when_it_is_first_asked_for(desk: Desk) -> None:
    first = desk.base_iri
    assert first.startswith("https://groundwork.example/project-")
    desk.close()
    assert (
        open_desk(
            load_settings(desk.folder, {"GROUNDWORK_BASE_IRI": "https://other.example/"})
        ).base_iri
        == first
    )


def test_a_base_iri_set_before_the_project_is_made_is_its_own(tmp_path: Path) -> None:
    assert (
        open_desk(load_settings(tmp_path, {"GROUNDWORK_BASE_IRI": "https://own.example/"})).base_iri
        == "https://own.example/"
    )


def test_two_projects_of_one_name_never_share_a_base() -> None:
    assert new_base_iri("Project Ä") != new_base_iri("Project Ä")


def test_a_copied_folder_is_the_same_project(desk: Desk, tmp_path: Path) -> None:
    import shutil

    base = desk.base_iri
    desk.close()
    shutil.copytree(desk.folder, tmp_path / "copy")
    assert open_desk(load_settings(tmp_path / "copy")).base_iri == base


def test_a_file_in_the_place_of_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "project").write_text("x")
    with pytest.raises(SettingsError, match="is a folder"):
        open_desk(load_settings(tmp_path / "project"))
    with pytest.raises(StoreError, match="cannot be made"):
        _ = open_desk(load_settings(tmp_path / "project" / "below")).store


def test_web_client_refuses_hosts_that_its_caller_did_not_name(desk: Desk) -> None:
    with pytest.raises(Refused, match="not among the"):
        desk.web("api", ("good.example",)).fetch(Fetch("https://evil.example/"))


def test_ncbi_is_asked_where_the_operator_says(tmp_path: Path) -> None:
    names, own = ncbi_hosts(
        load_settings(tmp_path, {"GROUNDWORK_NCBI_EUTILS_URL": "http://127.0.0.1:8/entrez/eutils"})
    )
    assert own == ["http://127.0.0.1:8/entrez/eutils"]
    assert "eutils.ncbi.nlm.nih.gov" in names


def test_a_recorder_keeps_calls_in_the_store(desk: Desk) -> None:
    recorder = desk.recorder("r1", replay="r0")
    assert (recorder.run, recorder.replay, recorder.log is desk.store.calls) == ("r1", "r0", True)


def test_jobs_get_the_desk(desk: Desk) -> None:
    assert desk.runner.context is desk
    load_services()


def test_time_and_ids_are_injected(tmp_path: Path) -> None:
    own_desk = open_desk(load_settings(tmp_path), clock=lambda: "then", new_id=lambda: "one")
    assert (own_desk.clock(), own_desk.new_id()) == ("then", "one")
