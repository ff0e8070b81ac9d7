"""Numbers that a schema's bounds exclude are named, and kept."""

from __future__ import annotations

import pytest

from core.extraction.assemble import assemble_extraction
from core.extraction.spires.parse import parse_answer
from core.schema.load import load_schema

SCHEMA = load_schema("""
name: cases
imports: [linkml:types]
classes:
  Case:
    tree_root: true
    attributes:
      age: {range: integer, minimum_value: 0, maximum_value: 120}
      ratio: {range: float, maximum_value: 1.5}
      seen: {range: date, minimum_value: 2000-01-01}
""")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("age: 430", "“430” is more than 120, the most that age allows."),
        ("age: -3", "“-3” is less than 0, the least that age allows."),
        ("ratio: 1.6", "“1.6” is more than 1.5, the most that ratio allows."),
        ("age: 120", ""),
        ("age: 0", ""),
        ("ratio: -7", ""),
        ("seen: 1999-12-31", ""),  # a bound of a date is not read
    ],
)
def test_a_number_out_of_bounds_is_named(answer: str, said: str) -> None:
    (block,) = parse_answer(SCHEMA, "Case", answer).blocks
    extraction = assemble_extraction(SCHEMA, block, "A text.")
    problems = {problem.code: problem.message for problem in extraction.problems}
    assert problems.get("out-of-bounds", "") == said
    assert [leaf.text for _, leaves in extraction.tree.slots for leaf in leaves] == [
        answer.partition(": ")[2]
    ]


def test_bounds_that_are_used_are_not_called_unused() -> None:
    unused = [p.message for p in SCHEMA.problems if p.code == "not-honoured"]
    assert not [message for message in unused if "imum_value" in message]
