"""Statements at odds, agreement between curators, and which statements are reviewed together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model import (
    Evidence,
    Literal,
    Modality,
    Node,
    Qualifier,
    Span,
    Statement,
    Term,
    TextGround,
    Verdict,
)
from core.review.conflicts import ConflictKind, find_conflicts
from core.review.disagreement import agreement
from core.review.queue import node_group, order_of_node, tree_order

CLAIM = Statement(Term("CHEBI:1", "a"), Term("biolink:treats", "treats"), Term("MONDO:1", "b"))


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (replace(CLAIM, negated=True), ConflictKind.OPPOSITE),
        (replace(CLAIM, modality=Modality.HYPOTHESIS), ConflictKind.MODALITY),
        (replace(CLAIM, qualifiers=(Qualifier("stage", Literal("I")),)), ConflictKind.QUALIFIED),
        (replace(CLAIM, subject=CLAIM.object, object=CLAIM.subject), ConflictKind.REVERSED),
    ],
)
def test_statements_at_odds_are_found(other, kind):
    assert [conflict.kind for conflict in find_conflicts([CLAIM, other])] == [kind]


def test_thing_that_treats_itself_is_a_conflict():
    assert find_conflicts([replace(CLAIM, object=CLAIM.subject)])[0].kind is ConflictKind.REFLEXIVE


def test_different_claims_are_no_conflict():
    assert (
        find_conflicts(
            [CLAIM, replace(CLAIM, predicate=Term("biolink:causes", "causes"), negated=True)]
        )
        == ()
    )


def test_the_order_of_statements_does_not_matter():
    several = [CLAIM, replace(CLAIM, negated=True), replace(CLAIM, modality=Modality.HYPOTHESIS)]
    assert find_conflicts(several) == find_conflicts(reversed(several))


def judged(*words: str) -> dict[str, Verdict]:
    return {f"s{number}": Verdict(word) for number, word in enumerate(words)}


def test_agreement_is_corrected_for_chance():
    measured = agreement(
        judged("approve", "approve", "reject", "reject"),
        judged("approve", "reject", "reject", "reject"),
    )
    assert (measured.both, measured.same, measured.share, measured.kappa) == (4, 3, 0.75, 0.5)
    assert measured.differing == ("s1",)


def test_agreement_by_chance_alone_has_no_kappa():
    assert agreement(judged("approve"), judged("approve")).kappa is None
    assert agreement({}, judged("approve")).both == 0


ONION = Node("n1-onion", "Ingredient", "two onions")


def at(statement: Statement, path: str) -> tuple[Statement, tuple[Evidence, ...]]:
    return statement, (Evidence(statement.id, TextGround("d", "v", Span(0, 1), "x"), path=path),)


def test_a_nodes_statements_stand_in_the_order_of_the_tree():
    leads = Statement(Term("FOODON:1", "soup"), Term("x:has", "has"), ONION)
    amount = Statement(ONION, Term("x:amount", "amount"), Literal("2"))
    food = Statement(ONION, Term("x:food", "food"), Term("FOODON:2", "onion"))
    pieces = [
        at(food, "ingredients[10].food"),
        at(amount, "ingredients[2].amount"),
        at(leads, "ingredients[2]"),
    ]
    assert order_of_node(pieces, ONION.id) == [leads, amount, food]


def test_tree_order_counts_as_people_do():
    assert tree_order("steps[2]") < tree_order("steps[10]")


def test_a_statement_about_named_things_is_alone():
    assert node_group(CLAIM) is None
