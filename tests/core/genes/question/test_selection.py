"""Which words select which kind, on 342 natural wordings (tests/data/gene_wordings.jsonl); those
with `tuned: false` were never looked at while the rules were written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.genes.question.understand import understand_question

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "data" / "gene_wordings.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("row", [row for row in ROWS if row["tuned"]], ids=lambda r: r["question"])
def test_natural_words_select_their_kind(row: dict):
    understood = understand_question(row["question"])
    assert understood.kind == row["kind"], understood.why


def test_words_that_no_rule_was_tuned_on_select_their_kind_nearly_always():
    held_out = [row for row in ROWS if not row["tuned"]]
    right = sum(understand_question(row["question"]).kind == row["kind"] for row in held_out)
    assert right / len(held_out) >= 0.95


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("What are the official symbols of LMP10 and CD20?", "gene alias", ["LMP10", "CD20"]),
        (
            "Which chromosomes are BRCA1, BRCA2 and TP53 on?",
            "gene location",
            ["BRCA1", "BRCA2", "TP53"],
        ),
        ("How many exons do TP53 and MYC have?", "exons of a gene", ["TP53", "MYC"]),
    ],
)
def test_every_name_of_a_question_is_kept(text: str, kind: str, names: list[str]):
    understood = understand_question(text)
    assert (understood.kind, [understood.subject, *understood.more]) == (kind, names)


@pytest.mark.parametrize("text", ["Compare BRCA1 and BRCA2", "Is BRCA1 the same as BRCA2?"])
def test_two_names_that_are_compared_are_no_list(text: str):
    assert not understand_question(text).more
