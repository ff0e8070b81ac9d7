"""A graph that is kept and read again is the same graph, and goes on as the same."""

from __future__ import annotations

import json

import pytest

from core.kb.graph.graph import PLAIN, GraphMemory
from core.kb.graph.snapshot import graph_columns, memory_of_columns
from core.model import Category, Literal, Modality, Node, Qualifier, Statement, Term

TREATS = Term("biolink:treats", "treats", Category.RELATION)
DRUG, PAIN = Term("CHEBI:1", "a drug", Category.CHEMICAL), Term("HP:1", "pain", Category.PHENOTYPE)
STATEMENTS = [
    Statement(DRUG, TREATS, PAIN),
    Statement(DRUG, TREATS, Term("HP:1", "Pains", Category.PHENOTYPE), negated=True),
    Statement(DRUG, Term("x:dose", "dose"), Literal("5", "xsd:decimal", "mg")),
    Statement(Node("n1", "Step", "stir", Category.PROCESS), TREATS, DRUG, document="d:1"),
    Statement(DRUG, TREATS, DRUG, modality=Modality.HYPOTHESIS, qualifiers=(Qualifier("q", PAIN),)),
    Statement(Term("", "aspirin", Category.CHEMICAL), TREATS, PAIN, document="d:1"),
]


def memory(statements=STATEMENTS) -> GraphMemory:
    drawn = GraphMemory()
    drawn.update((statement.id, statement) for statement in statements)
    return drawn


def kept(drawn: GraphMemory) -> GraphMemory:
    again = memory_of_columns(json.loads(json.dumps(graph_columns(drawn))))
    assert again is not None
    return again


def test_a_kept_graph_is_the_graph_that_was_drawn():
    again = kept(memory())
    assert again.graph == memory().graph
    assert [line.said for line in again.graph.every_line() if line.said == PLAIN]
    assert all(line.said is PLAIN for line in again.graph.every_line() if line.said == PLAIN)


def test_a_kept_graph_follows_what_is_decided_as_the_drawn_one_does():
    again, gone = kept(memory(STATEMENTS[1:])), STATEMENTS[2].id
    again.update([(STATEMENTS[0].id, STATEMENTS[0])], [gone])
    assert (
        again.graph == memory([statement for statement in STATEMENTS if statement.id != gone]).graph
    )
    assert kept(again).graph == again.graph


@pytest.mark.parametrize(
    "damage",
    [
        {"drawing": 0},
        {"sources": []},
        {"targets": [99] * len(STATEMENTS)},
        {"names": {}},
        {"points": [["CHEBI:1", "a drug", "no category", "term", 1]]},
    ],
    ids=["version", "short column", "unknown end", "no names", "category"],
)
def test_damaged_snapshot_is_not_read_as_a_graph(damage):
    assert memory_of_columns(graph_columns(memory()) | damage) is None
