"""A model's answer is read without losing anything."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.extraction.block import ParsedAnswer
from core.extraction.spires.line import sort_of
from core.extraction.spires.parse import parse_answer
from core.schema.definition import Schema


def only(parsed: ParsedAnswer, slot: str) -> tuple:
    assert len(parsed.blocks) == 1
    return parsed.blocks[0].get(slot)


def codes(parsed: ParsedAnswer) -> set[str]:
    return {problem.code for problem in parsed.problems}


@pytest.mark.parametrize(
    "answer",
    [
        "chemicals: aspirin; ibuprofen",
        "Chemicals: aspirin; ibuprofen.",
        "chemical: aspirin;\n ibuprofen;",
        "- chemicals: aspirin; ibuprofen",
        "1. chemicals: aspirin; ibuprofen",
        "**chemicals**: aspirin; ibuprofen",
        "**Chemicals:** aspirin; ibuprofen",
        "```\nchemicals: aspirin; ibuprofen\n```",
        "Here is what I found:\n\nchemicals: aspirin; ibuprofen",
        "chemicals:\n- aspirin\n- ibuprofen",
        "chemicals:\n\n1. aspirin\n2) ibuprofen",
        "chemicals:\naspirin\nibuprofen",
        "chemicals: aspirin, ibuprofen",
        "chemicals: aspirin\nchemicals: ibuprofen",
        "chemicals: [aspirin; ibuprofen]",
        "chemicals = aspirin; ibuprofen",
        "chemicals: aspirin | ibuprofen",
        "chemicals: None; aspirin; ibuprofen; N/A",
        '{"chemicals": ["aspirin"]}\n{"chemicals": ["ibuprofen"]}',
        "| Field | Value |\n| --- | --- |\n| chemicals | aspirin; ibuprofen |",
        "## Chemicals\n- aspirin\n- ibuprofen",
        "**Chemicals**\n\n* aspirin\n* ibuprofen",
        "chemicals: “aspirin”; 'ibuprofen'",
        '{"chemicals": ["aspirin", "ibuprofen"]}',
        'Sure!\n```json\n{"Chemicals": "aspirin; ibuprofen",}\n```\nAnything else?',
        '{"result": {"chemicals": ["aspirin", "ibuprofen"]}}',
        '{"chemicals": [{"label": "aspirin"}, {"name": "ibuprofen"}]}',
        '{"chemicals": ["aspirin", "ibuprofen"], "diseases": ["mea',
        '{\n  "chemicals": ["aspirin", "ibuprofen"],\n  "dis',
    ],
)
def test_lists_are_read_in_every_dress(relations: Schema, answer: str) -> None:
    parsed = parse_answer(relations, "Paper", answer)
    assert parsed.merged("Paper").get("chemicals") == ("aspirin", "ibuprofen")


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ("Crohn's disease, ulcerative colitis", ("Crohn's disease", "ulcerative colitis")),
        ("1,25-dihydroxyvitamin D", ("1,25-dihydroxyvitamin D",)),
        ("hyperphalangy, bilateral", ("hyperphalangy, bilateral",)),
        ("diabetes mellitus, transient neonatal, 2", ("diabetes mellitus, transient neonatal, 2",)),
        ("vitamins (A, B, C), iron", ("vitamins (A, B, C)", "iron")),
        ("colitis, anemia, and obesity", ("colitis", "anemia", "obesity")),
        ("colitis, anemia and obesity", ("colitis", "anemia", "obesity")),
        (
            "inflammation, innate and adaptive immunity",
            ("inflammation", "innate and adaptive immunity"),
        ),
        ('HLA-B*27; {x} "y" z', ("HLA-B*27", '{x} "y" z')),
        ("A (x; y); B", ("A (x; y)", "B")),
        ("Vernonia spp.; Gladiolus sp.", ("Vernonia spp.", "Gladiolus sp.")),
        ("MONDO:0004979; 16:1 fatty acid", ("MONDO:0004979", "16:1 fatty acid")),
    ],
)
def test_lists_are_split_with_care(relations: Schema, answer: str, items: tuple[str, ...]) -> None:
    assert only(parse_answer(relations, "Paper", f"diseases: {answer}"), "diseases") == items


@pytest.mark.parametrize(
    "name", ["cellular_processes", "Cellular Process", "cellular-process", "cellularprocess"]
)
def test_a_field_is_known_by_its_other_names(relations: Schema, name: str) -> None:
    assert only(parse_answer(relations, "Paper", f"{name}: apoptosis"), "cellular_process") == (
        "apoptosis",
    )


def test_every_repeated_block_is_another_value(relations: Schema) -> None:
    answer = (
        "subject: a\npredicate: TREATS\nobject: x\n\nsubject: b\npredicate: INDUCES\nobject: y; z\n"
    )
    parsed = parse_answer(relations, "Relation", answer)
    assert [block.get("subject") for block in parsed.blocks] == [("a",), ("b",)]
    assert parsed.blocks[1].get("object") == ("y", "z")


def test_numbered_headings_keep_blocks_apart(relations: Schema) -> None:
    parsed = parse_answer(
        relations, "Relation", "Entity 1:\nsubject: a\nobject: x\n\nEntity 2:\nqualifier: NOT\n"
    )
    assert len(parsed.blocks) == 2
    assert codes(parsed) == {"heading"}


def test_headings_need_no_colon(relations: Schema) -> None:
    parsed = parse_answer(
        relations, "Relation", "Triple 1\nsubject: a\nobject: x\nTriple 2\nsubject: b\nobject: y"
    )
    assert [block.get("object") for block in parsed.blocks] == [("x",), ("y",)]


def test_fields_in_one_line_are_separated(relations: Schema) -> None:
    parsed = parse_answer(relations, "Relation", "subject: a; predicate: TREATS; object: x")
    assert parsed.blocks[0].fields == (
        ("subject", ("a",)),
        ("predicate", ("TREATS",)),
        ("object", ("x",)),
    )


def test_a_relation_keeps_its_commas(relations: Schema) -> None:
    parsed = parse_answer(relations, "Relation", "predicate: present in, absent in, raised in")
    assert only(parsed, "predicate") == ("present in, absent in, raised in",)


def test_objects_written_out_need_no_further_question(recipe: Schema) -> None:
    answer = (
        "ingredients:\n- food: flour\n  amount: 2 cups\n- food: salt\n  amount: a pinch\nlabel:"
        " bread"
    )
    (dish,) = parse_answer(recipe, "Dish", answer).blocks
    assert [block.get("food") for block in dish.get("ingredients")] == [("flour",), ("salt",)]  # type: ignore[union-attr]
    assert dish.get("label") == ("bread",)


def test_nested_json_is_read_whole(recipe: Schema) -> None:
    answer = json.dumps(
        {"ingredients": [{"food": {"food": "flour"}, "amount": {"value": 2, "unit": "cup"}}]}
    )
    (dish,) = parse_answer(recipe, "Dish", answer).blocks
    assert dish.values() == ["flour", "2", "cup"]


def test_an_answer_without_names_fills_the_only_field(relations: Schema) -> None:
    schema = Schema(
        "s", "", "", "Only", classes={**relations.classes, "Only": only_relations(relations)}
    )
    parsed = parse_answer(schema, "Only", "L-Dopa TREATS Parkinson's disease;")
    assert only(parsed, "relations") == ("L-Dopa TREATS Parkinson's disease",)


def only_relations(schema: Schema):
    paper = schema.classes["Paper"]
    return type(paper)("Only", slots=(paper.slot("relations"),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words",
    [
        "N/A",
        "none",
        "None mentioned in the text.",
        "Not applicable.",
        "not mentioned in the text",
        "-",
        "[]",
        "null",
        "No genes mentioned in the text.",
        "N/A (no genes mentioned in the text)",
        "Undefined (Since none is named)",
        "no specific entity mentioned",
        "none stated",
        "Not specified (assumed: meadow)",
    ],
)
def test_words_for_nothing_are_never_values(relations: Schema, words: str) -> None:
    parsed = parse_answer(relations, "Paper", f"chemicals: {words}\ndiseases: measles; {words}")
    assert parsed.blocks[0].fields == (("diseases", ("measles",)),)
    assert ("chemicals", words) in parsed.not_stated


@pytest.mark.parametrize(
    "words", ["NOT", "Na", "not causing", "no associations were seen for", "unknown significance"]
)
def test_words_that_state_something_are_values(relations: Schema, words: str) -> None:
    assert only(parse_answer(relations, "Relation", f"qualifier: {words}"), "qualifier") == (words,)


def test_answer_lines_without_a_slot_are_kept_as_problems(relations: Schema) -> None:
    parsed = parse_answer(
        relations, "Paper", "chemicals: aspirin\nconfidence: high\n\nChapter three says more."
    )
    (problem,) = parsed.problems
    assert problem.code == "unplaced"
    assert "confidence: high" in problem.message
    assert "Chapter three says more." in problem.message


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   \n",
        "I cannot say.",
        "Der Text handelt von etwas anderem.",
        "<script>alert(1)</script>",
        "{" * 5000,
        "[" * 100_000,
        '{"a":' * 20_000,
        "chemicals: " + "x " * 50_000,
        "chemicals: " + "aspirin; " * 12_000,
        "no " * 40_000,
        "subject: a\n" * 10_000,
        "(" * 100_000,
        "a, " * 40_000,
        "\x00\ud800",
        "**" * 50_000,
        "chemicals:" * 12_000,
        "; subject : " * 9_000,
        " " * 100_000,
        "\n- " * 40_000,
        '"' * 100_000,
        "not is " * 20_000,
        "none in " * 20_000,
        "{,}" * 30_000,
    ],
)
def test_hostile_answers_are_read_to_the_end(relations: Schema, answer: str) -> None:
    for cls in ("Paper", "Relation"):
        parsed = parse_answer(relations, cls, answer)
        assert not answer.strip() or parsed.problems or parsed.blocks or parsed.not_stated


WORD = st.text("abcdefghijklmnopqrstuvwxyzαβ0123456789-", min_size=2, max_size=12).filter(
    lambda w: w.strip("-0123456789")
)
NAME = st.lists(WORD, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["chemicals", "diseases"]), st.lists(NAME, min_size=1)),
        min_size=1,
    )
)
def test_list_items_of_an_answer_are_all_parsed(
    relations: Schema, fields: list[tuple[str, list[str]]]
) -> None:
    answer = "\n".join(f"{name}: {'; '.join(items)}" for name, items in fields)
    parsed = parse_answer(relations, "Paper", answer)
    kept = " ".join(
        [
            *(v for b in parsed.blocks for v in b.values()),
            *(words for _, words in parsed.not_stated),
        ]
    )
    for _, items in fields:
        assert all(item.strip("-").strip() in kept for item in items)


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text_is_read(relations: Schema, answer: str) -> None:
    parse_answer(relations, "Paper", answer)


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda v: (
            st.lists(v)
            | st.dictionaries(st.sampled_from(["chemicals", "relations", "subject", "x"]), v)
        ),
        max_leaves=12,
    )
)
def test_answer_parser_accepts_any_json_value(relations: Schema, value: object) -> None:
    parse_answer(relations, "Paper", json.dumps(value))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("I am sorry, I would rather tell you a story about whales.", {"unplaced"}),
        ("I'm sorry, but I can't assist with that.", {"unplaced"}),
        ("I do not know.", {"unplaced"}),
        ("I don’t know.", {"unplaced"}),
        ("I am sorry, but no genes are mentioned in the text.", {"not-stated"}),
        ("Unfortunately, the provided text does not contain a disease.", {"not-stated"}),
        ("No relevant entities are present.", {"not-stated"}),
    ],
)
def test_a_refusal_by_the_model_is_not_read_as_nothing_stated(
    relations: Schema, answer: str, says: set[str]
) -> None:
    parsed = parse_answer(relations, "Paper", answer)
    assert not parsed.blocks and codes(parsed) == says


@pytest.mark.parametrize(
    ("line", "sort"),
    [
        ("Sure!", "heading"),
        ("Okay, done.", "heading"),
        ("Certainly. Below is the extracted information.", "heading"),
        ("Sure, here you go", "heading"),
        ("I hope this helps!", "heading"),
        ("Let me know if you need anything else.", "heading"),
        ("Here is the requested JSON:", "heading"),
        ("Please let me know if you have any questions.", "heading"),
        ("Here is the drug, aspirin", "unplaced"),
        ("I hope this helps! Warfarin causes bleeding.", "unplaced"),
        ("Let me know if aspirin induces Reye syndrome too.", "unplaced"),
        ("Here are the statements that aspirin induces Reye syndrome.", "unplaced"),
        ("Sure! Aspirin also induces Reye syndrome, here is the rest:", "unplaced"),
        ("Sure, aspirin TREATS headache", "unplaced"),
        ("Note: aspirin also helps with fever.", "unplaced"),
    ],
)
def test_courtesies_around_an_answer_are_dropped(line: str, sort: str) -> None:
    assert sort_of(line) == sort


def test_a_closing_line_is_not_a_value_of_the_last_field(relations: Schema) -> None:
    fact = "I hope this helps! Note that Warfarin causes bleeding too."
    parsed = parse_answer(relations, "Relation", f"qualifier: severe\n{fact}")
    assert only(parsed, "qualifier") == ("severe",)
    assert [(p.code, fact in p.message) for p in parsed.problems] == [("unplaced", True)]


@pytest.mark.parametrize("gap", ["\n", " ", " \n", "\t"])
def test_endless_empty_lines_do_not_change_what_is_read(relations: Schema, gap: str) -> None:
    away = parse_answer(relations, "Paper", "diseases: gout; fever" + gap * 100_000)
    assert only(away, "diseases") == ("gout", "fever")
