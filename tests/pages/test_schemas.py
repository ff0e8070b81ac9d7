from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Category
from core.services.extract import schema_building
from core.services.extract.schema_building import PredicateForm, RelationForm, SchemaForm, ThingForm
from pages.components.shared import page
from tests import reviewing

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "9_Schemas.py")
SAMPLE = "Aspirin treats headache. Aspirin does not treat nausea."


@pytest.fixture
def app(project: Path) -> AppTest:
    page.reopen_desks()
    reviewing.filled(project).close()
    return AppTest.from_file(PAGE, default_timeout=60)


def add_thing(app: AppTest, name: str, kind: Category, vocabulary: str) -> None:
    app.text_input(key="thing·name").set_value(name)
    app.selectbox(key="thing·kind").set_value(kind).run()
    app.multiselect(key="thing·vocabularies").set_value([vocabulary])
    app.button(key="thing·add").click().run()
    assert not app.exception


def test_a_schema_is_made_tried_and_kept_without_yaml(app: AppTest, project: Path) -> None:
    app.run()
    assert not app.exception
    app.text_input(key="schema·title").set_value("Drug effects").run()
    add_thing(app, "Drug", Category.CHEMICAL, "chebi")
    add_thing(app, "Symptom", Category.PHENOTYPE, "hp")
    treats = next(option for option in app.multiselect(key="relation·predicates").options
                  if option.startswith("treats · "))  # fmt: skip
    app.multiselect(key="relation·predicates").set_value([treats])
    app.button(key="relation·add").click().run()
    app.text_area(key="schema·text").set_value(SAMPLE).run()
    assert not app.exception
    page_text = "\n".join(str(text.value) for text in app.text)
    assert "aspirin · treats · Headache" in page_text
    assert "aspirin · treats · Nausea (denied)" in page_text
    next(button for button in app.button if button.label == "Save this schema").click().run()
    assert not app.error
    assert (project / "schemas" / "drug_effects.yaml").is_file()
    assert app.session_state["extract·text"] == SAMPLE  # what was tried is read next


def test_a_predicate_is_found_by_the_words_that_texts_use(app: AppTest) -> None:
    app.run()
    add_thing(app, "Drug", Category.CHEMICAL, "chebi")
    predicates = app.multiselect(key="relation·predicates").options
    inhibits = [predicate for predicate in predicates if "inhibits" in predicate]
    assert inhibits == ["directly negatively regulates activity of (inhibits) · RO:0002449"]
    app.multiselect(key="relation·predicates").set_value(inhibits)
    app.button(key="relation·add").click().run()
    app.text_input(key="schema·title").set_value("Drug targets").run()
    assert "RO:0002449" in "".join(str(code.value) for code in app.code)


def test_a_second_relation_between_the_same_things_adds_its_predicates(app: AppTest) -> None:
    app.run()
    app.text_input(key="schema·title").set_value("Drugs").run()
    add_thing(app, "Drug", Category.CHEMICAL, "chebi")
    for own in ("blocks", "wakes"):
        app.multiselect(key="relation·predicates").set_value([own])
        app.button(key="relation·add").click().run()
    assert not app.exception
    assert any("Drug → Drug  (blocks, wakes)" in str(text.value) for text in app.text)
    assert not any("of its things" in str(caption.value) for caption in app.caption)


def test_names_in_the_text_are_listed_where_nothing_relates_them(app: AppTest) -> None:
    app.run()
    app.text_input(key="schema·title").set_value("Drugs").run()
    add_thing(app, "Drug", Category.CHEMICAL, "chebi")
    app.multiselect(key="relation·predicates").set_value(["dances with"])
    app.button(key="relation·add").click().run()
    app.text_area(key="schema·text").set_value(SAMPLE).run()
    assert any("Aspirin: Drug, " in str(text.value) for text in app.text)
    assert any("that relate them" in str(caption.value) for caption in app.caption)


def test_unsaved_schema_form_survives_a_reload(app: AppTest, project: Path) -> None:
    app.run()
    app.text_input(key="schema·title").set_value("Drug effects").run()
    add_thing(app, "Drug", Category.CHEMICAL, "chebi")
    again = AppTest.from_file(PAGE, default_timeout=60).run()
    assert again.text_input(key="schema·title").value == "Drug effects"
    assert any("Drug  (chemical" in str(text.value) for text in again.text)


def test_a_template_is_copied_and_what_is_not_shown_is_named(app: AppTest, project: Path) -> None:
    app.run()
    app.selectbox(key="schema·open").set_value("chemical_disease").run()
    next(button for button in app.button if button.label == "Copy and adapt").click().run()
    assert not app.exception
    assert any("not shown here" in expander.label for expander in app.expander)
    next(button for button in app.button if button.label == "Save this schema").click().run()
    assert (project / "schemas" / "my_chemical_disease.yaml").is_file()


@pytest.mark.parametrize("name", ["<script>: [*a", "\u202eene G", "$$x^2$$", ":material/delete:"])
def test_a_hostile_name_is_reported_and_not_taken(app: AppTest, name: str) -> None:
    app.run()
    app.text_input(key="thing·name").set_value(name)
    app.button(key="thing·add").click().run()
    assert not app.exception
    assert any("cannot be a" in str(error.value) for error in app.error)
    assert not any(button.label == "Remove" for button in app.button)


def test_the_form_of_the_command_line_makes_the_same_schema(project: Path) -> None:
    desk = reviewing.filled(project)
    drug = ThingForm("Drug", Category.CHEMICAL, ("chebi",))
    relation = RelationForm("Drug", (PredicateForm("treats", "biolink:treats"),), "Drug")
    name = schema_building.keep_schema(desk, SchemaForm("Drugs", "", (drug,), (relation,)))
    assert schema_building.schema_to_form(desk, name).form.things == (drug,)
    desk.close()


def test_the_shortest_predicate_with_the_typed_words_comes_first(app: AppTest) -> None:
    app.run()
    add_thing(app, "Drug", Category.CHEMICAL, "chebi")
    predicates = app.multiselect(key="relation·predicates").options
    assert (
        next(predicate for predicate in predicates if "treats" in predicate)
        == "treats · biolink:treats"
    )


STRANGE = """id: http://example.org/strange
name: strange
prefixes: {linkml: https://w3id.org/linkml/}
imports: [linkml:types, core]
classes:
  Report:
    tree_root: true
    attributes:
      symptoms: {range: Symptom, multivalued: true}
      stage: {range: Deep, inlined: true}
  Symptom:
    is_a: NamedEntity
    annotations: {annotators: sqlite:obo:hp}
  Deep:
    attributes:
      deeper: {range: Deeper}
  Deeper:
    rules: [{description: kept as it is}]
    attributes:
      name: {}
"""


def test_a_schema_that_is_not_wholly_shown_can_be_saved_and_keeps_the_rest(
    app: AppTest, project: Path
) -> None:
    file = project / "schemas" / "strange.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(STRANGE)
    app.run()
    app.selectbox(key="schema·open").set_value("strange").run()
    next(button for button in app.button if button.label == "Open").click().run()
    app.text_area(key="schema·text").set_value("Report of nausea.").run()
    assert "this text · symptoms · Nausea" in "\n".join(str(text.value) for text in app.text)
    next(button for button in app.button if button.label == "Save this schema").click().run()
    assert not app.exception
    assert not app.error
    assert "kept as it" in file.read_text()
