"""The recursion asks every question once, in parallel, within bounds, and loses no branch to
another's failure.
"""

from __future__ import annotations

import json
import threading

import pytest

from core.errors import BadAnswer, OverBudget, RateLimited, Stopped
from core.extraction.budget import Limits
from core.extraction.json_view import plain_object
from core.extraction.spires.engine import Spires
from core.extraction.spires.estimate import estimate_run
from core.extraction.statements import extracted_statements
from core.model import Category, Outcome, Term
from core.schema.definition import ClassDefinition, RangeKind, Schema
from core.text.clean import text_version
from tests.core.extraction.conftest import slot
from tests.core.extraction.fakes import RuleModel, names

TEXT = "Boil 200 g spaghetti in salted water. Add a pinch of salt. Serve the spaghetti."
RULES = {
    TEXT: (
        "ingredients: 200 g spaghetti; a pinch of salt\nsteps: Boil spaghetti; Add salt; Serve the"
        " spaghetti\ncourse: main"
    ),
    "200 g spaghetti": "food: spaghetti\namount: 200 g",
    "a pinch of salt": "food: salt\namount: a pinch",
    "200 g": "value: 200\nunit: g",
    "a pinch": "unit: pinch\nvalue: N/A",
    "Boil spaghetti": "action: boil\ninputs: spaghetti",
    "Serve the": "action: serve\ninputs: spaghetti",
    "Add salt": "action: add\ninputs: salt",
    "spaghetti": "food: spaghetti",
    "salt": "food: salt",
}


def test_a_nested_object_is_filled(recipe: Schema) -> None:
    extraction = Spires(RuleModel(RULES)).extract(recipe, "Dish", TEXT)
    first = plain_object(recipe, extraction)["ingredients"][0]
    assert first["amount"] == {"value": "200", "unit": {"id": None, "label": "g"}}
    assert plain_object(recipe, extraction)["course"] == "main_course"


def test_call_paths_are_tree_places(recipe: Schema) -> None:
    model = RuleModel(RULES)
    extraction = Spires(model).extract(recipe, "Dish", TEXT)
    branches = {place.path for place in extraction.tree.walk()}
    assert set(model.paths) <= branches
    assert "ingredients[1].amount" in model.paths


def test_the_same_question_is_asked_once(recipe: Schema) -> None:
    model = RuleModel(RULES)
    extraction = Spires(model).extract(recipe, "Dish", TEXT)
    texts = [request.messages[-1].content for request in model.asked]
    assert len(texts) == len(set(texts))
    assert [
        leaf.text for leaf in extraction.tree.leaves() if leaf.path.startswith("steps[2].inputs")
    ] == ["spaghetti"]


def test_answers_do_not_depend_on_arrival(recipe: Schema) -> None:
    results = {
        json.dumps(plain_object(recipe, Spires(RuleModel(RULES)).extract(recipe, "Dish", TEXT)))
        for _ in range(5)
    }
    assert len(results) == 1


def test_questions_of_one_wave_are_under_way_together(recipe: Schema) -> None:
    together = threading.Barrier(5)
    model = RuleModel(RULES, lambda: None)

    def wait() -> None:
        if 1 < len(model.asked) <= 6:
            together.wait(5)

    model.wait = wait
    Spires(model).extract(recipe, "Dish", TEXT)


def test_a_failing_question_leaves_the_rest(recipe: Schema) -> None:
    rules = {**RULES, "Add salt": RateLimited("Asked to wait.")}
    extraction = Spires(RuleModel(rules)).extract(recipe, "Dish", TEXT)
    (problem,) = [p for p in extraction.problems if p.code == "call-failed"]
    assert (problem.where, problem.severity) == ("steps[1]", "error")
    assert len(extraction.tree.get("steps")) == 3
    assert extraction.tree.get("steps")[1].text == "Add salt"


@pytest.mark.parametrize(
    ("answer", "error"), [(RateLimited("Wait."), RateLimited), ("  \n", BadAnswer)]
)
def test_without_a_first_answer_there_is_no_result(
    recipe: Schema, answer: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Spires(RuleModel({TEXT: answer})).extract(recipe, "Dish", TEXT)  # type: ignore[dict-item]


def test_an_answer_for_nothing_is_not_asked_about(recipe: Schema) -> None:
    model = RuleModel({TEXT: "ingredients: N/A\nsteps: Not mentioned in the text"})
    Spires(model).extract(recipe, "Dish", TEXT)
    assert len(model.asked) == 1


def test_the_budget_ends_the_questions_and_not_the_result(recipe: Schema) -> None:
    engine = Spires(RuleModel(RULES), limits=Limits(calls=3))
    extraction = engine.extract(recipe, "Dish", TEXT)
    assert engine.meter.calls == 3
    assert "over-budget" in {problem.code for problem in extraction.problems}
    assert len(extraction.tree.get("ingredients")) == 2


def test_a_budget_too_small_for_one_call_is_refused(recipe: Schema) -> None:
    with pytest.raises(OverBudget):
        Spires(RuleModel(RULES), limits=Limits(tokens=5)).extract(recipe, "Dish", TEXT)


def test_depth_is_bounded(recipe: Schema) -> None:
    model = RuleModel(RULES)
    extraction = Spires(model, limits=Limits(depth=1)).extract(recipe, "Dish", TEXT)
    assert "too-deep" in {problem.code for problem in extraction.problems}
    assert all(path.count(".") == 0 for path in model.paths)


def test_a_class_within_itself_ends() -> None:
    part = ClassDefinition("Part", tree_root=True, slots=(slot("part", "Part", RangeKind.OBJECT),))
    schema = Schema("s", "", "", "Part", classes={"Part": part})
    model = RuleModel({"whole": "part: piece of it", "piece": "part: the whole"})
    extraction = Spires(model).extract(schema, "Part", "the whole")
    assert "cycle" in {problem.code for problem in extraction.problems}


def test_stop_is_honoured(recipe: Schema) -> None:
    def stop() -> None:
        raise Stopped("Stopped.")

    with pytest.raises(Stopped):
        Spires(RuleModel(RULES), check=stop).extract(recipe, "Dish", TEXT)


def test_every_block_of_a_nested_answer_is_a_value(relations: Schema) -> None:
    rules = {
        "Aspirin helps": "relations: aspirin TREATS headache and fever",
        "aspirin TREATS": (
            "subject: aspirin\npredicate: TREATS\nobject: headache\n\n"
            "subject: aspirin\npredicate: TREATS\nobject: fever"
        ),
    }
    extraction = Spires(RuleModel(rules)).extract(relations, "Paper", "Aspirin helps.")
    assert [branch.path for branch in extraction.tree.get("relations")] == [
        "relations[0]",
        "relations[1]",
    ]


def test_nested_questions_may_carry_their_sentence(recipe: Schema) -> None:
    model = RuleModel(RULES)
    Spires(model, limits=Limits(context=True)).extract(recipe, "Dish", TEXT)
    nested = next(r.messages[-1].content for r in model.asked if r.path == "ingredients[1]")
    assert "Add a pinch of salt." in nested


def test_entities_are_grounded_and_examples_noticed(relations: Schema) -> None:
    look_up = names(relations, {"aspirin": Term("CHEBI:15365", "aspirin", Category.CHEMICAL)})
    model = RuleModel({"Aspirin": "chemicals: aspirin\ndiseases: measles; headaches"})
    extraction = Spires(model, grounding=look_up).extract(
        relations, "Paper", "Aspirin for a headache."
    )
    aspirin, measles, headache = extraction.mentions
    assert (aspirin.chosen and aspirin.chosen.id, aspirin.outcome) == (
        "CHEBI:15365",
        Outcome.GROUNDED,
    )
    assert aspirin.spans[0].quote("Aspirin for a headache.") == "Aspirin"
    assert measles.flags == ("not in text", "echo")
    assert headache.flags in ((), ("paraphrase",))


def test_parts_with_terms_are_distinguished(relations: Schema) -> None:
    terms = {"dizziness": Term("HP:1", "dizziness"), "nystagmus": Term("HP:2", "nystagmus")}
    model = RuleModel({"Morphine": "diseases: dizziness and nystagmus; head and neck pain"})
    extraction = Spires(model, grounding=names(relations, terms)).extract(
        relations, "Paper", "Morphine: dizziness and nystagmus."
    )
    assert [mention.text for mention in extraction.mentions] == [
        "dizziness",
        "nystagmus",
        "head and neck pain",
    ]


def test_a_run_is_estimated_before_it_starts(recipe: Schema) -> None:
    estimate = estimate_run(recipe, "Dish", TEXT, Limits())
    assert 1 <= estimate.least < estimate.calls < estimate.most < 100
    assert estimate.tokens > 300
    assert estimate_run(recipe, "Dish", TEXT, Limits(calls=7)).most == 7


def test_a_longer_text_may_take_more_calls(recipe: Schema) -> None:
    short, long = (
        estimate_run(recipe, "Dish", text, Limits())
        for text in ("Boil an egg.", "Boil an egg, then peel it. " * 20)
    )
    assert short.least == long.least
    assert long.calls > short.calls
    assert long.most > short.most


PAIRS = (
    "subject: aspirin\npredicate: TREATS\nobject: fever\n\nsubject: morphine\npredicate:"
    " INDUCES\nobject: nausea"
)


def test_several_blocks_about_the_root_keep_their_pairs(relations: Schema) -> None:
    text = "Aspirin treats fever; morphine induces nausea."
    extraction = Spires(RuleModel({text: PAIRS})).extract(relations, "Relation", text)
    statements = extracted_statements(
        relations,
        extraction,
        "PMID:1",
        text_version("PMID:1", text, "pasted"),
        run="run",
        engine="spires",
    )
    assert [(s.subject.label, s.object.label) for s, _ in statements] == [
        ("aspirin", "fever"),
        ("morphine", "nausea"),
    ]  # type: ignore[union-attr]
    assert [place.path for place in extraction.tree.get("items")] == ["items[0]", "items[1]"]
    assert len(plain_object(relations, extraction)["items"]) == 2
