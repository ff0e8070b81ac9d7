"""The Extract page: empty, filled, without an endpoint, and with hostile words."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Curator, JobState, Outcome, Role
from core.services.documents import batch_file, recipe_page
from core.services.extract import result
from core.services.extract.run import start_run
from core.services.extract.run_options import RunOptions
from core.services.people import roles
from core.services.vocabularies import installation
from pages.components.extract import batch_offer
from pages.components.shared import page
from tests.core.services.extract.test_species import GENES
from tests.core.services.extract.test_species import SCHEMA as GENE_SCHEMA

ROOT = Path(__file__).resolve().parents[2]
PAGE = str(ROOT / "pages" / "1_Extract.py")
ADA = Curator("0000-0002-1825-0097", "Ada Example")
JOB = SimpleNamespace(id="batch")
TEXT = "Two old remedies\nMethotrexate causes nausea. Methotrexate did not treat asthma."


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose vocabularies are compiled once for all tests."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "vocabularies").mkdir()
    for name in ("chebi", "mondo", "hp", "mesh", "foodon", "ucum"):
        shutil.copy(ROOT / "schemas" / "vocabularies" / f"{name}.tsv", folder / "vocabularies")
    desk = page.screen.open_project(str(folder), {})
    desk.vocabulary_registry.all()
    return folder


@pytest.fixture
def app(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GROUNDWORK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    shutil.copytree(template, tmp_path / "desk")
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "desk"))
    page.reopen_desks()
    app = AppTest.from_file(PAGE, default_timeout=60)
    app.session_state["_curator"] = ADA
    return app


def filled(app: AppTest, text: str = TEXT, schema: str = "chemical_disease") -> AppTest:
    """The page after a run of the built-in engine has ended."""
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    job = start_run(desk, schema, text, engine="builtin", curator=ADA.orcid)
    assert desk.runner.wait(job.id, 60).state is JobState.DONE
    app.query_params["run"], app.query_params["job"] = job.arguments["run"], job.id
    return app.run()


def param(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def shown(app: AppTest) -> str:
    parts = [*app.text, *app.caption, *app.markdown, *app.button, *app.error, *app.warning]
    return "\n".join(
        str(getattr(part, "value", "")) + str(getattr(part, "label", "")) for part in parts
    )


def view(app: AppTest) -> result.ExtractionView:
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    return result.result_of_run(desk, param(app, "run"))


def button(app: AppTest, words: str):  # type: ignore[no-untyped-def]
    return next(shown_button for shown_button in app.button if words in shown_button.label)


def test_a_link_with_a_schema_chooses_it_once(app: AppTest) -> None:
    """*Extract with it* on Schemas; afterwards another can be chosen."""
    app.query_params["schema"] = "disease_treatment"
    app.run()
    assert app.selectbox(key="extract·schema").value == "disease_treatment"
    app.selectbox(key="extract·schema").set_value("chemical_disease").run()
    assert app.selectbox(key="extract·schema").value == "chemical_disease"
    assert "schema" not in app.query_params


def test_an_empty_page_offers_schemas_and_an_example(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert app.selectbox(key="extract·schema").options
    button(app, "Run").click().run()
    assert len(app.warning) == 1 and "Paste" in app.warning[0].value


def test_the_example_text_fills_the_box(app: AppTest) -> None:
    app.run()
    button(app, "Example text").click().run()
    assert len(app.text_area(key="extract·text").value) > 100


def test_in_a_project_with_an_owner_nobody_runs_anything_without_a_name(app: AppTest) -> None:
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    roles.appoint_person(desk, ADA.orcid, ADA.name, Role.OWNER)
    del app.session_state["_curator"]
    app.run().text_area(key="extract·text").set_value(TEXT)
    button(app, "Run").click()
    assert "Enter your name" in app.run().error[0].value
    assert not desk.store.jobs.find()


def test_without_an_endpoint_only_what_works_is_offered(app: AppTest) -> None:
    app.run()
    assert app.selectbox(key="extract·engine").value == "builtin"
    assert "No language model" in shown(app)


def test_with_an_endpoint_and_no_model_the_way_to_choose_one_is_a_press_away(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    links: dict[str, tuple[str, object]] = {}
    monkeypatch.setattr(
        "streamlit.page_link",
        lambda file, label, **more: links.update({label: (file, more.get("query_params"))}),
    )
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    page.reopen_desks()
    app.run()
    assert "model is chosen" in shown(app)
    assert links["Choose a model"] == ("pages/8_Settings.py", {"section": "Models"})


def test_run_starts_a_job_whose_id_is_in_the_address(app: AppTest) -> None:
    app.run()
    app.text_area(key="extract·text").input(TEXT).run()
    button(app, "Run").click().run()
    assert app.query_params["job"] and app.query_params["run"]
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    assert desk.runner.wait(param(app, "job"), 60).state is JobState.DONE


def test_a_finished_run_shows_its_terms_and_statements(app: AppTest) -> None:
    filled(app)
    assert not app.exception
    assert [tab.label for tab in app.tabs][:2] == ["Terms (6)", "Statements (2)"]
    assert "Methotrexate" in shown(app)


def test_a_pasted_text_is_called_by_its_first_line(app: AppTest) -> None:
    filled(app)
    assert any("Two old remedies `doc:" in caption.value for caption in app.caption)


def test_typing_an_id_is_checked_and_kept(app: AppTest) -> None:
    filled(app)
    editor = app.data_editor[0].key
    row = next(i for i, m in enumerate(view(app).extraction.mentions) if m.text == "nausea")
    app.session_state[editor] = {
        "edited_rows": {row: {"id": "HP:0002013"}},
        "added_rows": [],
        "deleted_rows": [],
    }
    app.run()
    chosen = next(m for m in view(app).extraction.mentions if m.text == "nausea").chosen
    assert chosen is not None
    assert chosen.id in ("HP:0002013", "HP:0002018")


def test_one_press_says_that_no_term_fits(app: AppTest) -> None:
    filled(app)
    button(app, "No term fits").click().run()
    assert view(app).extraction.mentions[0].outcome is Outcome.NO_TERM_FITS


def test_the_last_choice_can_be_taken_back(app: AppTest) -> None:
    filled(app)
    before = view(app).extraction
    assert not any(shown_button.label == "Take back" for shown_button in app.button)
    button(app, "No term fits").click().run()
    button(app, "Take back").click().run()
    assert view(app).extraction == before


def test_no_key_alone_chooses_a_term(app: AppTest) -> None:
    filled(app)
    keys = [
        shown_button.proto.shortcut for shown_button in app.button if shown_button.proto.shortcut
    ]
    assert len(keys) >= 4
    assert all(key.startswith("alt+") for key in keys)


@pytest.mark.parametrize(
    ("tab", "key"), [("A text", "ctrl+enter"), ("Your own schemas", "")], ids=["text", "schemas"]
)
def test_ctrl_enter_runs_only_where_run_is_seen(app: AppTest, tab: str, key: str) -> None:
    app.session_state["extract·tabs"] = tab
    assert button(app.run(), "Run").proto.shortcut == key


def test_send_to_review_names_what_it_holds_back(app: AppTest) -> None:
    filled(app, "Soup\n\nIngredients\n- 2 frobnicles\n- 1 onion\n", "recipe")
    assert "No term for “frobnicles”." in shown(app)
    button(app, "to review").click().run()
    assert any("held back" in warning.value for warning in app.warning)


def test_sending_proposes_what_has_its_terms(app: AppTest) -> None:
    filled(app)
    button(app, "Send 2 to review").click().run()
    assert any("2 statements are new" in success.value for success in app.success)


def test_hostile_words_stay_words(app: AppTest) -> None:
    filled(
        app,
        "<script>alert(1)</script> ![x](https://example.org/p.png)\nMethotrexate causes nausea.",
    )
    assert not app.exception
    assert not any("![x](" in markdown.value for markdown in app.markdown)
    assert not any("<script>alert" in html.proto.body for html in app.get("html"))


def test_a_vocabulary_that_no_schema_uses_is_named_with_a_button_that_lets_them(
    app: AppTest,
) -> None:
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    installation.add_upload(desk, "lab.tsv", b"id\tlabel\nLAB:1\tveratin\n")
    filled(app)
    assert "lab, your own vocabulary" in shown(app)
    button(app, "Use lab for the kind “chemical”").click().run()
    assert "lab was not used" in shown(app)
    filled(app, "Veratin causes nausea.")
    assert view(app).statements[0][0].subject.id == "LAB:1"
    assert "lab was not used" not in shown(app)


def test_missing_run_is_explained(app: AppTest) -> None:
    app.query_params["run"] = "nothing"
    app.run()
    assert not app.exception
    assert "nothing" in shown(app)


def test_a_schema_with_errors_cannot_be_kept(app: AppTest) -> None:
    app.run()
    app.text_area(key="schema·yaml").input("classes: [").run()
    assert button(app, "Keep it").disabled
    assert "1 of" in shown(app)


def test_a_tie_between_species_is_shown_until_the_curator_says_which(
    app: AppTest, tmp_path: Path
) -> None:
    for folder, name, text in (
        ("schemas", "g.yaml", GENE_SCHEMA),
        ("vocabularies", "genes.tsv", GENES),
    ):
        (tmp_path / "desk" / folder).mkdir(exist_ok=True)
        (tmp_path / "desk" / folder / name).write_text(text, "utf-8")
    filled(app, "ABC1 rises.", "g")
    desk, run = page.open_desk(page.screen.project_folder("", {}), {}), param(app, "run")
    assert result.result_of_run(desk, run).extraction.mentions[0].outcome is Outcome.AMBIGUOUS
    next(box for box in app.selectbox if box.label == "Species").select("NCBITaxon:10090").run()
    mention = result.result_of_run(desk, run).extraction.mentions[0]
    assert mention.chosen and mention.chosen.id == "G:2" and mention.taxon_by == ADA.orcid
    assert not app.exception and "set by hand" in shown(app)


def test_a_schema_in_another_language_is_turned_into_linkml(app: AppTest) -> None:
    shapes = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <https://example.org/s#> .
    ex:Trial a sh:NodeShape ; sh:property [ sh:path ex:drug ; sh:maxCount 1 ] ."""
    app.run()
    app.text_area(key="schema·yaml").input(shapes).run()
    next(button for button in app.button if button.label == "Convert it to LinkML").click().run()
    assert "tree_root: true" in app.text_area(key="schema·yaml").value and not app.exception
    assert any("can be used" in box.value for box in app.success)


def test_without_the_importers_the_page_says_what_to_install(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.schema.conversion.converter.can_convert", lambda kind: False)
    app.run()
    app.text_area(key="schema·yaml").input("CREATE TABLE gene (id int);").run()
    assert any("pip install" in box.value for box in app.code) and not app.exception


def test_a_recipe_page_needs_its_extra_or_an_address(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe_page, "find_spec", lambda name: None)
    app.run()
    assert any("pip install" in info.value for info in app.info)
    monkeypatch.setattr(recipe_page, "find_spec", lambda name: True)
    app.run()
    app.text_input(key="extract·recipe").input("http://10.0.0.1/").run()
    button(app, "Read the page").click().run()
    assert "not the address" in " ".join(error.value for error in app.error)


def test_an_ontology_can_be_downloaded(app: AppTest) -> None:
    filled(app)
    app.selectbox(key="extract·format").select("owl").run()
    assert not app.exception


def test_files_that_are_read_together_keep_the_settings_of_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[object] = []
    texts = (("doc:a", "Methotrexate causes nausea."), ("doc:b", "No."))
    monkeypatch.setattr(batch_offer, "_files", lambda: [batch_file.BatchFile(texts)])
    monkeypatch.setattr(batch_offer.state, "set_url", lambda **ids: None)
    monkeypatch.setattr(batch_offer.page, "acting_orcid", lambda desk: "")
    monkeypatch.setattr(
        batch_offer.batch, "start_batch", lambda *_, **named: begun.append(named["options"]) or JOB
    )
    chosen = RunOptions(context=True, calls=7)
    batch_offer.start_batch(None, "chemical_disease", "builtin", chosen)  # type: ignore[arg-type]
    assert begun == [chosen]


def test_settings_of_a_run_outlive_a_visit_to_another_page() -> None:
    """Every widget of the form says that it persists; without it a page switch empties it."""
    form = (ROOT / "pages" / "components" / "extract" / "start.py").read_text()
    calls = [node for node in ast.walk(ast.parse(form)) if isinstance(node, ast.Call)]
    kept = {"number_input", "checkbox", "selectbox", "text_area", "text_input"}
    widgets = [node for node in calls if getattr(node.func, "attr", "") in kept]
    assert len(widgets) >= 9
    assert all("persist_state" in [word.arg for word in node.keywords] for node in widgets)


def test_a_batch_says_what_it_takes_before_it_begins(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [batch_file.BatchFile(((id, TEXT),)) for id in ("doc:a", "doc:b")]
    monkeypatch.setattr(batch_offer, "_files", lambda: files)
    app.run()
    assert "Read all 2 files" in shown(app)
    assert "In total: " in shown(app) and "makes no calls" in shown(app)
    assert not [box for box in app.number_input if box.label.startswith("Spending limit")]


def test_an_earlier_batch_is_opened_again_without_its_address(app: AppTest) -> None:
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    job = batch_offer.batch.start_batch(
        desk, "chemical_disease", [("PMID:1", TEXT)], engine="builtin"
    )
    assert desk.runner.wait(job.id, 60).state is JobState.DONE
    app.run()
    button(app, "1 document · done").click().run()
    assert param(app, "batch") == job.id
    assert "Send all" in shown(app)
    assert "1 document: 1 done." in shown(app)


def test_a_list_is_read_paper_by_paper_and_says_what_it_leaves_out(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = batch_file.BatchFile((("PMID:1", TEXT), ("PMID:2", TEXT)), "a.ris holds 2 papers.")
    monkeypatch.setattr(batch_offer, "_files", lambda: [listed])
    app.run()
    assert "Read all 2 papers" in shown(app)
    assert "a.ris holds 2 papers" in shown(app).replace("\\", "")


def test_a_pasted_answer_is_taken_back_into_its_box(app: AppTest) -> None:
    app.run()
    app.text_area(key="extract·text").set_value(TEXT)
    app.selectbox(key="extract·engine").select("paste").run()
    button(app, "Run").click().run()
    app.text_area[0].set_value("triples: none").run()
    button(app, "Use this answer").click().run()
    button(app, "Undo the last answer").click().run()
    assert app.text_area[0].value == "triples: none"


def test_a_comparison_stays_open_for_another_engine(app: AppTest) -> None:
    filled(app)
    app.query_params["other"] = param(app, "run")
    app.run()
    button(app, "Compare with another").click().run()
    assert next(
        expander for expander in app.expander if expander.label.startswith("Compare")
    ).proto.expanded


def test_a_run_again_shows_what_is_gone_beside_review(app: AppTest) -> None:
    for text in (TEXT, TEXT.replace("asthma", "vomiting")):
        desk = page.open_desk(page.screen.project_folder("", {}), {})
        job = start_run(
            desk, "chemical_disease", text, source="PMID:1", engine="builtin", curator=ADA.orcid
        )
        finished = result.wait_for_job(desk, job)
        if text == TEXT:
            result.send_to_review(desk, finished.run.id, ADA.orcid, include_ungrounded=True)
    app.query_params["run"] = finished.run.id
    app.run()
    assert not app.exception
    labels = [expander.label for expander in app.expander]
    assert any("0 new, 1 gone, 0 changed" in label for label in labels), labels


def test_a_schema_of_ones_own_is_offered_first_and_not_chosen_unasked(
    app: AppTest, tmp_path: Path
) -> None:
    own = tmp_path / "desk" / "schemas"
    own.mkdir(exist_ok=True)
    (own / "genes.yaml").write_text(GENE_SCHEMA, encoding="utf-8")
    choice = app.run().selectbox(key="extract·schema")
    assert choice.options[0].endswith("(yours)")
    assert choice.value == "chemical_disease"


def test_a_term_may_be_chosen_for_one_text_alone(app: AppTest) -> None:
    filled(app)
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    here = next(box for box in app.checkbox if box.label == "Only in this text")
    take = next(button for button in app.button if str(button.key).startswith("take"))
    here.check().run()
    next(button for button in app.button if button.key == take.key).click().run()
    assert not app.exception
    assert desk.store.synonyms.all() == []
    next(box for box in app.checkbox if box.label == "Only in this text").uncheck().run()
    next(button for button in app.button if button.key == take.key).click().run()
    assert len(desk.store.synonyms.all()) == 1
