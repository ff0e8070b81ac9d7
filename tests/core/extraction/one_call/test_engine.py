"""One call fills the whole tree where the endpoint can; elsewhere SPIRES does."""

from __future__ import annotations

import json

import jsonschema
import pytest

from core.errors import BadAnswer, RateLimited
from core.extraction.budget import Limits
from core.extraction.json_view import plain_object
from core.extraction.one_call.engine import OneCall
from core.extraction.one_call.json_schema import json_schema
from core.llm.completer import ModelCapabilities, Reply, Request
from core.schema.definition import ClassDefinition, RangeKind, Schema
from tests.core.extraction.conftest import slot

TEXT = "Mix 200 g flour. It is a main dish."
ANSWER = {
    "label": None,
    "description": "",
    "ingredients": [
        {"food": {"food": "flour", "state": None}, "amount": {"value": 200, "unit": "g"}}
    ],
    "steps": [],
    "course": "main_course",
}


class Endpoint:
    """Answers a schema with `answer`, and any other question with fields."""

    model = "endpoint"

    def __init__(self, answer: str | Exception, supports_schema: bool = True):
        self.answer, self.capabilities = answer, ModelCapabilities(schema=supports_schema)
        self.asked: list[Request] = []

    def complete(self, request: Request, on_text: object = None) -> Reply:
        self.asked.append(request)
        if request.response_schema is None:
            return Reply("course: main")
        if isinstance(self.answer, Exception):
            raise self.answer
        return Reply(self.answer)


def test_one_call_fills_the_tree(recipe: Schema) -> None:
    endpoint = Endpoint(json.dumps(ANSWER))
    extraction = OneCall(endpoint).extract(recipe, "Dish", TEXT)
    assert len(endpoint.asked) == 1
    assert plain_object(recipe, extraction)["ingredients"][0]["amount"]["value"] == "200"
    assert plain_object(recipe, extraction)["course"] == "main_course"


def test_the_json_schema_is_valid_and_takes_the_answer(recipe: Schema) -> None:
    shape = json_schema(recipe, "Dish")
    jsonschema.Draft202012Validator.check_schema(shape)
    jsonschema.validate(ANSWER, shape)
    assert shape["properties"]["course"]["anyOf"][0]["enum"] == ["main_course", "dessert"]
    assert "id" not in json_schema(recipe, "Food")["properties"]


def test_a_class_within_itself_has_a_finite_schema() -> None:
    part = ClassDefinition(
        "Part", slots=(slot("parts", "Part", RangeKind.OBJECT, multivalued=True),)
    )
    assert (
        len(json.dumps(json_schema(Schema("s", "", "", "Part", classes={"Part": part}), "Part")))
        < 2000
    )


@pytest.mark.parametrize(
    "endpoint",
    [
        Endpoint(BadAnswer("response_format is not supported")),
        Endpoint("I cannot do that."),
        Endpoint(""),
        Endpoint("{}", supports_schema=False),
    ],
)
def test_elsewhere_spires_asks_and_a_note_says_so(recipe: Schema, endpoint: Endpoint) -> None:
    extraction = OneCall(endpoint).extract(recipe, "Dish", TEXT)
    assert plain_object(recipe, extraction) == {"course": "main_course"}
    assert extraction.problems[0].code == "fell-back"


def test_a_busy_endpoint_is_not_asked_otherwise(recipe: Schema) -> None:
    with pytest.raises(RateLimited):
        OneCall(Endpoint(RateLimited("Wait."))).extract(recipe, "Dish", TEXT)


def test_the_prompt_of_a_class_is_in_the_json_schema_wherever_the_class_is() -> None:
    part = ClassDefinition(
        "Part", "A part.", prompt="Only parts that are named.", slots=(slot("name"),)
    )
    whole = ClassDefinition("Whole", "A whole.", slots=(slot("part", "Part", RangeKind.OBJECT),))
    shape = json_schema(
        Schema("s", "", "", "Whole", classes={"Part": part, "Whole": whole}), "Whole"
    )
    assert shape["description"] == "A whole."
    assert shape["properties"]["part"]["anyOf"][0]["description"] == "Only parts that are named."


@pytest.mark.parametrize(
    "answer",
    ['{"ingredients": ["flour 200 g"]}', '{"ingredients": ["面粉二百克"], "label": "面包"}'],
)
def test_words_where_objects_were_asked_for_go_to_spires(recipe: Schema, answer: str) -> None:
    endpoint = Endpoint(answer)
    extraction = OneCall(endpoint).extract(recipe, "Dish", TEXT)
    assert extraction.problems[0].code == "fell-back"
    assert len(endpoint.asked) > 1


def test_words_left_unplaced_for_lack_of_budget_are_reported(recipe: Schema) -> None:
    endpoint = Endpoint('{"ingredients": ["flour"]}')
    extraction = OneCall(endpoint, limits=Limits(calls=1)).extract(recipe, "Dish", TEXT)
    (unplaced,) = (problem for problem in extraction.problems if problem.code == "unplaced")
    assert unplaced.message.startswith("ingredients: ") and "“flour”" in unplaced.message


def test_an_answer_of_empty_fields_states_nothing_and_is_not_a_failure(recipe: Schema) -> None:
    endpoint = Endpoint('{"ingredients": [], "steps": null}')
    extraction = OneCall(endpoint).extract(recipe, "Dish", TEXT)
    assert len(endpoint.asked) == 1
    assert not extraction.mentions and "no-answer" not in {p.code for p in extraction.problems}


def test_json_schema_nests_less_deeply_where_it_would_have_too_many_fields() -> None:
    levels = [
        ClassDefinition(
            f"Level{level}",
            slots=tuple(
                slot(f"part{number}", f"Level{level + 1}", RangeKind.OBJECT) for number in range(16)
            ),
        )
        for level in range(8)
    ]
    classes = {cls.name: cls for cls in levels}
    shape = json_schema(Schema("s", "", "", "Level0", classes=classes), "Level0")
    fields = json.dumps(shape).count("anyOf")
    assert fields == 16 + 16**2 + 16**3  # 16**4 more would be above 5,000
