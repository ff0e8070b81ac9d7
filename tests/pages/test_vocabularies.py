"""The Vocabularies page in its conditions: empty, filled, no endpoint, hostile labels; and what its
buttons do.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.desk import open_desk
from core.grounding.match import normalise
from core.model import Category, Curator, Job, JobState, Term
from core.services.vocabularies import installation, memory, vocabularies
from core.services.vocabularies.prefix_context import said_prefixes
from core.settings import load_settings

PAGE = Path(__file__).resolve().parents[2] / "pages" / "7_Vocabularies.py"
ANNA = "0000-0002-1825-0097"
HOSTILE = '<script>alert(1)</script> "a" ![x](http://x.example/y)'


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GROUNDWORK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "p"))
    return open_desk(load_settings(tmp_path / "p"))


def opened() -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=30).run()
    assert not at.exception
    return at


def added(desk, label: str = "aspirin"):
    content = f"id\tlabel\tsynonym\nX:1\t{label}\t{label}\nX:1\t{label}\tasa drug\n".encode()
    return installation.add_upload(desk, "mine.tsv", content)


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def test_a_new_project_has_the_starters_and_no_names_of_its_own():
    at = opened()
    assert all("with the app" in status for status in at.dataframe[0].value["status"])
    assert any("been taught yet" in markdown.value for markdown in at.markdown)


def test_file_without_hierarchy_asks_for_its_kinds_until_they_are_given(desk):
    added(desk)
    at = opened()
    assert [note.value for note in at.warning] == ["Not said yet: mine."]
    assert at.selectbox(key="kinds_name").value == "mine"
    at.multiselect(key="kinds·mine").select("chemical").run()
    assert not at.warning
    assert vocabularies.vocabulary_entry(desk, "mine").holds == ("chemical",)


def test_an_added_vocabulary_is_listed_with_its_counts(desk):
    added(desk)
    rows = opened().dataframe[0].value.set_index("name")
    assert (rows.loc["mine", "terms"], rows.loc["mine", "names"], rows.loc["mine", "status"]) == (
        1,
        2,
        "project",
    )


def test_a_term_is_found_by_a_synonym_and_shown_with_all_its_names(desk):
    added(desk)
    at = opened()
    at.text_input(key="term_words").input("asa drug").run()
    assert "X:1" in html(at)
    assert any("asa drug" in text.value for text in at.text)


def test_hostile_labels_stay_text(desk):
    added(desk, HOSTILE)
    desk.store.synonyms.add(
        "alert", normalise.name_key("alert"), Term("X:1", HOSTILE, Category.CHEMICAL), ANNA
    )
    at = opened()
    at.text_input(key="term_words").input("alert").run()
    assert not at.exception
    body = html(at)
    assert "<script>alert" not in body
    assert "&lt;script&gt;" in body


def test_a_vocabulary_is_removed(desk):
    added(desk)
    at = opened()
    at.selectbox(key="remove_name").select("mine").run()
    at.button(key="remove").click().run()
    assert not at.exception
    assert "mine" not in desk.vocabulary_registry.names()


def test_memory_lists_what_words_mean_and_do_not_mean(desk):
    desk.store.synonyms.add("asa", normalise.name_key("asa"), Term("X:1", "aspirin"), ANNA)
    memory.remember_refusal(desk, "model", ANNA, reason="an animal model")
    rows = shown(opened(), "memory_rows")
    assert list(rows["words"]) == ["model", "asa"]
    assert list(rows[""]) == ["are never linked", "mean"]
    assert rows["reason"][0] == "an animal model"


def test_the_memory_is_searched(desk):
    for words in ("asa", "model"):
        memory.remember_refusal(desk, words, ANNA)
    at = opened()
    at.text_input(key="memory_search").input("mod").run()
    assert list(shown(at, "memory_rows")["words"]) == ["model"]


def test_a_correction_is_taken_back(desk):
    memory.remember_refusal(desk, "model", ANNA)
    at = opened()
    at.session_state["memory_rows"] = {"selection": {"rows": [0], "columns": []}}
    at.run()
    at.button(key="memory_remove").click().run()
    assert not at.exception
    assert memory.remembered_names(desk) == []


def shown(at: AppTest, name: str):
    return next(dataframe.value for dataframe in at.dataframe if dataframe.proto.id.endswith(name))


def test_a_file_that_became_unreadable_is_explained(desk):
    desk.vocabulary_registry.names()
    (desk.vocabularies / "broken.tsv").write_bytes(b"\x00\x01\x02")
    at = opened()
    assert any("broken.tsv" in text.value and "binary" in text.value for text in at.text)


def test_only_the_newest_failed_installation_shows_above_the_tabs(desk):
    for number in range(3):
        job = Job(f"j{number}", "vocabulary-install", {"name": "mesh"}, state=JobState.FAILED)
        desk.store.jobs.add(replace(job, created=f"2026-01-0{number + 1}"))
    folded = next(expander for expander in opened().expander if "without success" in expander.label)
    assert folded.label == "2 earlier installations without success"
    assert [button.key for button in folded.button if "dismiss" in button.key] == [
        "dismiss·j1", "dismiss·j0"
    ]  # fmt: skip


def test_the_panel_of_an_installation_that_failed_can_be_dismissed(desk):
    job = Job("j1", "vocabulary-install", {"name": "mesh"}, error="The host did not answer.")
    desk.store.jobs.add(replace(job, state=JobState.FAILED))
    at = opened()
    assert any("did not answer" in text.value for text in at.text)
    at.button(key="dismiss·j1").click().run()
    assert not any("did not answer" in text.value for text in opened().text)


def test_the_page_asks_what_a_newly_added_table_holds():
    at = opened()
    kinds = at.selectbox(key="kinds_name")
    kinds.set_value(kinds.options[-1]).run()
    at.file_uploader(key="upload").set_value(
        ("mine.csv", b"id,label\nX:1,zorbalium\n", "text/csv")
    ).run()
    at.button(key="add_upload").click().run()
    assert at.selectbox(key="kinds_name").value == "mine"
    assert any("“In this project”" in note.value for note in at.success)


def test_unused_vocabulary_is_used_by_schemas_once_its_kind_is_set(desk):
    added(desk)
    at = opened()
    assert any("No schema uses mine yet" in notice.value for notice in at.info)
    at.multiselect(key="kinds·mine").set_value(["chemical"]).run()
    assert not any("No schema uses" in notice.value for notice in at.info)
    assert any("mine is used by Chemicals and diseases" in line.value for line in at.text)


def test_what_is_said_of_the_newest_file_comes_before_an_earlier_failure(desk):
    failed = Job("j1", "vocabulary-add", {"path": "old.obo"}, JobState.FAILED, error="Cut off.")
    desk.store.jobs.add(failed)
    at = opened()
    assert any("Cut off" in text.value for text in at.text)
    assert not any("without success" in box.label for box in at.expander)
    at.file_uploader(key="upload").set_value(("new.bin", b"x", "text/plain")).run()
    assert any("without success" in box.label for box in at.expander)


def test_what_is_known_of_an_id_is_shown_and_a_judgement_is_kept(desk):
    app = AppTest.from_file(PAGE, default_timeout=60)
    app.session_state["_curator"] = Curator(ANNA, "Anna")
    app.run()
    app.text_input(key="same_one").input("HP:1")
    app.text_input(key="same_other").input("MESH:D1")
    next(button for button in app.button if button.label == "Keep").click().run()
    app.text_input(key="same_id").input("MESH:D1").run()
    assert not app.exception
    shown = [list(table.value.get("id", ())) for table in app.dataframe]
    assert ["HP:1", "MESH:D1"] in shown
    assert len(desk.store.equivalences.current()) == 1


def test_the_iri_of_an_unknown_prefix_is_asked_for_until_it_is_given(desk):
    text = "prefix\tid\tlabel\tsynonym\tscope\nLABX\tLABX:1\tfrost\tfrost\tEXACT\n"
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    (desk.vocabularies / "frosts.tsv").write_text(text)
    at = opened()
    assert any("No IRI" in note.value and "LABX" in note.value for note in at.info)
    at.text_input(key="unknown_prefix_iri").set_value("lab").run()
    at.button(key="keep_prefix").click().run()
    assert any("not an IRI" in error.value for error in at.error)
    at.text_input(key="unknown_prefix_iri").set_value("https://lab.example/").run()
    at.button(key="keep_prefix").click().run()
    assert not any("No IRI" in note.value for note in at.info)
    assert said_prefixes(desk) == {"LABX": "https://lab.example/"}
