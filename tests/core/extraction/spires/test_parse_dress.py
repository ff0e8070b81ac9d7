"""Answers in tags, in tables, as tuples and as YAML are read like lines of fields."""

from __future__ import annotations

import pytest

from core.extraction.block import Block, ParsedAnswer
from core.extraction.spires.parse import parse_answer
from core.schema.definition import Schema

TWO = [("a", "TREATS", "x"), ("b", "INDUCES", "y")]


def triples(parsed: ParsedAnswer) -> list[tuple[str, ...]]:
    return [tuple(item for _, items in block.fields for item in items) for block in parsed.blocks]  # type: ignore[misc]


@pytest.mark.parametrize(
    "answer",
    [
        "(a, TREATS, x)\n(b, INDUCES, y)",
        "1. (a; TREATS; x);\n2. (b; INDUCES; y).",
        "- a -> TREATS -> x\n- b → INDUCES → y",
        "a | TREATS | x\nb | INDUCES | y",
        "a TREATS x\nb INDUCES y",
        (
            "| Subject | Predicate | Object |\n|---|:---:|---|\n| a | TREATS | x |\n| b | INDUCES"
            " | y |"
        ),
        (
            "Here:\n\n| # | subject | predicate | object |\n| - | --- | --- | --- |\n| 1 | a |"
            " TREATS | x |\n| 2 | b | INDUCES | y |\n\nThat is all we found."
        ),
        (
            "<triple><subject>a</subject><predicate>TREATS</predicate><object>x</object></triple>\n"
            "<triple><subject>b</subject><predicate>INDUCES</predicate><object>y</object></triple>"
        ),
        (
            '```xml\n<r subject="a" predicate="TREATS" object="x"/>\n<r subject="b"'
            ' predicate="INDUCES" object="y"/>\n```'
        ),
        (
            "<subject>a</subject><predicate>TREATS</predicate><object>x</object>"
            "<subject>b</subject><predicate>INDUCES</predicate><object>y</object>"
        ),
    ],
)
def test_relations_are_read_in_every_dress(relations: Schema, answer: str) -> None:
    assert triples(parse_answer(relations, "Relation", answer)) == TWO


def test_lists_in_tags_are_lists(relations: Schema) -> None:
    answer = (
        "<answer>\n<chemicals>\n- aspirin\n-"
        " ibuprofen\n</chemicals><diseases><disease>gout</disease><disease>TGF-&beta;"
        " &lt;i&gt;</disease></diseases><colour>red</colour></answer>"
    )
    parsed = parse_answer(relations, "Paper", answer)
    assert parsed.blocks[0].fields == (
        ("chemicals", ("aspirin", "ibuprofen")),
        ("diseases", ("gout", "TGF-β <i>")),
    )
    assert [problem.message for problem in parsed.problems] == [
        'No field is called colour: ["red"]'
    ]


def test_objects_in_tags_need_no_further_question(relations: Schema) -> None:
    answer = "<relations><relation><subject>a</subject><object>x</object></relation></relations>"
    (item,) = parse_answer(relations, "Paper", answer).blocks[0].get("relations")
    assert isinstance(item, Block) and item.values() == ["a", "x"]


def test_markup_in_a_value_is_part_of_it(relations: Schema) -> None:
    parsed = parse_answer(relations, "Paper", "chemicals: 10<sup>3</sup> x; <b>y</b>")
    assert parsed.blocks[0].values() == ["10<sup>3</sup> x", "<b>y</b>"]


def test_a_table_of_other_things_is_reported(relations: Schema) -> None:
    parsed = parse_answer(
        relations, "Relation", "| Colour | Size |\n|---|---|\n| red | 3 |\n| blue | 4 |"
    )
    assert not parsed.blocks
    assert "blue" in parsed.problems[0].message


def test_yaml_lists_of_named_things_keep_every_name(relations: Schema) -> None:
    answer = (
        "chemicals:\n  - name: aspirin\n    dose: 3 mg\n  - name: ibuprofen\ndiseases:\n  - gout"
    )
    parsed = parse_answer(relations, "Paper", answer)
    assert parsed.blocks[0].fields == (
        ("chemicals", ("aspirin", "ibuprofen")),
        ("diseases", ("gout",)),
    )
    assert '"dose": "3 mg"' in parsed.problems[0].message


def test_an_object_below_its_field_may_have_fields_of_the_same_name(recipe: Schema) -> None:
    answer = (
        "label: bread\ningredients:\n  - food: flour\n    label: white\n    amount: 2 cups\n  -"
        " food: salt\n"
    )
    parsed = parse_answer(recipe, "Dish", answer)
    assert parsed.blocks[0].get("label") == ("bread",)
    assert [block.get("food") for block in parsed.blocks[0].get("ingredients")] == [
        ("flour",),
        ("salt",),
    ]  # type: ignore[union-attr]


def test_fields_with_a_dash_or_in_one_sentence_are_separated(relations: Schema) -> None:
    assert (
        triples(parse_answer(relations, "Relation", "Subject - a\nPredicate - TREATS\nObject - x"))
        == TWO[:1]
    )
    assert (
        triples(parse_answer(relations, "Relation", "Subject: a. Predicate: TREATS. Object: x"))
        == TWO[:1]
    )


def test_tuples_in_one_field_are_several(relations: Schema) -> None:
    parsed = parse_answer(relations, "Paper", "relations: (a, TREATS, x), (b, INDUCES, y)")
    assert parsed.blocks[0].values() == ["(a, TREATS, x)", "(b, INDUCES, y)"]


def test_empty_field_that_was_not_asked_for_gives_no_warning(relations: Schema) -> None:
    parsed = parse_answer(relations, "Relation", "subject: a\nobject: x\ncomment: None\nremark:")
    assert {problem.code for problem in parsed.problems} == {"not-stated"}


@pytest.mark.parametrize(
    "answer",
    ["<subject>" * 20_000, "<subject><x>" * 9_000 + "</subject>" * 9_000, "<a b='" * 40_000],
)
def test_hostile_tags_are_read_to_the_end(relations: Schema, answer: str) -> None:
    parsed = parse_answer(relations, "Relation", answer)
    assert parsed.problems or parsed.blocks or parsed.not_stated


def test_half_characters_in_json_are_replaced(relations: Schema) -> None:
    answer = r'[{"subject": "a\ud800", "predicate": "TREATS", "object": "\udc00\ud83d\ude00"}]'
    assert triples(parse_answer(relations, "Relation", answer)) == [
        ("a\ufffd", "TREATS", "\ufffd😀")
    ]


def test_a_problem_does_not_hold_a_whole_answer(relations: Schema) -> None:
    parsed = parse_answer(
        relations, "Relation", "Nothing but words, again and again, to no end. " * 2_000
    )
    assert parsed.problems
    assert all(len(problem.message) < 2_200 for problem in parsed.problems)
