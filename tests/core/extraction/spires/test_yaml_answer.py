"""Answers in nested YAML, and objects keyed by their names."""

from __future__ import annotations

import pytest

from core.extraction.spires.field import SlotNames
from core.extraction.spires.parse import parse_answer
from core.extraction.spires.yaml_answer import read_yaml
from core.schema.load import load_schema

SCHEMA = """
id: https://x.org/n
name: n
prefixes: {linkml: https://w3id.org/linkml/, n: https://x.org/n/}
default_prefix: n
default_range: string
imports: [linkml:types]
classes:
  Study:
    tree_root: true
    attributes:
      title: {}
      arms: {range: Arm, multivalued: true, inlined: true, inlined_as_list: true}
      keywords: {multivalued: true}
  Arm:
    attributes:
      name: {}
      treatment: {range: Treatment, inlined: true}
  Treatment:
    attributes:
      drug: {}
      dose: {}
"""
TWO_ARMS = [("Arm A", {"drug": "aspirin", "dose": "5 mg"}), ("arm B", {"drug": "ibuprofen"})]


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    file = tmp_path_factory.mktemp("schema") / "n.yaml"
    file.write_text(SCHEMA)
    return load_schema(file)


def read(schema, answer: str):
    """(title, [(name, treatment), …]) and the codes of the problems."""
    parsed = parse_answer(schema, "Study", answer)
    (block,) = parsed.blocks
    fields = dict(block.fields)
    arms = []
    for arm in (dict(arm.fields) for arm in fields.get("arms", ())):
        treatment = dict(arm["treatment"][0].fields) if "treatment" in arm else {}
        arms.append((arm["name"][0], {name: words for name, (words,) in treatment.items()}))
    return fields.get("title", ("",))[0], arms, [problem.code for problem in parsed.problems]


@pytest.mark.parametrize(
    "answer",
    [
        """title: On pain
arms:
  - name: Arm A
    treatment:
      drug: aspirin
      dose: 5 mg
  - name: arm B
    treatment: {drug: ibuprofen}
""",
        """```yaml
title: On pain
arms:
- {name: Arm A, treatment: {drug: aspirin, dose: 5 mg}}
- {name: arm B, treatment: {drug: ibuprofen}}
```""",
        """title: >-
  On
  pain
arms: [{"name": "Arm A", "treatment": {"drug": "aspirin", "dose": "5 mg"}},
  {"name": "arm B", "treatment": {"drug": "ibuprofen"}}]""",
        """{"title": "On pain", "arms": {
  "Arm A": {"treatment": {"drug": "aspirin", "dose": "5 mg"}},
  "arm B": {"treatment": {"drug": "ibuprofen"}}}}""",
    ],
    ids=["block", "flow", "texts", "by name"],
)
def test_two_arms_have_their_own_parts(schema, answer):
    assert read(schema, answer) == ("On pain", TWO_ARMS, [])


def test_objects_of_one_field_stay_two(schema):
    answer = "title: On pain\narms:\n  - name: Arm A\n  - name: arm B\n"
    assert read(schema, answer)[1] == [("Arm A", {}), ("arm B", {})]


def test_the_words_before_are_named(schema):
    answer = "Here is what I found:\n\ntitle: On pain\narms:\n  - name: Arm A\n"
    title, arms, codes = read(schema, answer)
    assert (title, arms) == ("On pain", [("Arm A", {})])
    assert codes in (["heading"], [])


def test_a_field_that_stands_twice_loses_nothing(schema):
    answer = "title: On pain\narms:\n  - name: Arm A\narms:\n  - name: arm B\n"
    assert [name for name, _ in read(schema, answer)[1]] == ["Arm A", "arm B"]


@pytest.mark.parametrize(
    "answer",
    [
        "title: On pain\nkeywords:\n  - pain\n  - aspirin\n",
        "title: On pain: a study\nkeywords: pain; aspirin\n",
    ],
)
def test_what_lines_say_is_read_by_lines(schema, answer):
    (block,) = parse_answer(schema, "Study", answer).blocks
    assert dict(block.fields)["keywords"] == ("pain", "aspirin")


def test_words_behind_a_number_sign_are_not_lost(schema):
    answer = "title: On pain #7\narms:\n  - name: Arm A\n"
    assert read(schema, answer)[0] == "On pain #7"


def test_an_answer_of_many_aliases_is_not_written_out(schema):
    bomb = "title: &a [x, x, x, x, x, x, x, x]\n" + "".join(
        f"k{n}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
    )
    assert parse_answer(schema, "Study", bomb + "arms:\n  - name: Arm A\n") is not None


@pytest.mark.parametrize(
    "answer",
    [
        "title: On pain\nkeywords:\n  - Step 1: mix\n  - Step 2: bake",
        "title: On pain\nkeywords:\n  - topiramate: 100 mg\n  - propranolol",
    ],
)
def test_words_with_a_colon_in_a_list_are_no_objects(schema, answer):
    (block,) = parse_answer(schema, "Study", answer).blocks
    assert len(dict(block.fields)["keywords"]) == 2


def test_an_answer_that_repeats_itself_by_aliases_is_read_by_lines(schema):
    answer = "title: On pain\nkeywords: &a\n  - name: x\narms: [*a, *a]"
    assert read_yaml(answer, SlotNames(schema.classes["Study"]), schema) is None
    assert read_yaml(answer.replace("*a", "{name: x}"), SlotNames(schema.classes["Study"]), schema)
