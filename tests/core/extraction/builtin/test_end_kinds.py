"""Which kinds of things a relation may join, where a schema leaves both ends open."""

from __future__ import annotations

import pytest

from core.extraction.builtin.end_kinds import EndKind, end_kind, joins_fitting_ends
from core.model import Span
from core.support.reading.relation import Relation
from core.support.reading.rule_table import shipped_rules

SUBJECT, OBJECT = Span(0, 1), Span(9, 10)


@pytest.mark.parametrize(
    ("curie", "broader", "kind"),
    [
        ("CHEBI:1", set(), EndKind.MOLECULE),
        ("HP:1", set(), EndKind.CONDITION),
        ("CL:1", set(), EndKind.CELL),
        ("MESH:D1", {"MESH:category-C", "MESH:category-D"}, EndKind.MOLECULE),
        ("MESH:D2", {"MESH:category-F", "MESH:D001523"}, EndKind.CONDITION),
        ("MESH:D3", {"MESH:category-E", "MESH:D013812"}, EndKind.TREATMENT),
        ("MESH:D4", {"MESH:category-E"}, EndKind.OTHER),  # odds ratio
        ("MESH:D5", {"MESH:category-M"}, EndKind.OTHER),  # parents
        ("MESH:D6", {"MESH:category-B"}, None),
        ("MESH:D7", set(), None),  # without a hierarchy nobody knows
        ("GO:1", {"GO:0008150"}, EndKind.PROCESS),
        ("GO:2", {"GO:0005575"}, None),
        ("ENVO:1", set(), None),
    ],
)
def test_kind_of_a_term_follows_from_its_vocabulary(curie, broader, kind) -> None:
    assert end_kind(curie, frozenset(broader)) is kind


@pytest.mark.parametrize(
    ("rule", "subject", "object_", "allowed"),
    [
        ("S causes O", EndKind.MOLECULE, EndKind.CONDITION, True),
        ("S causes O", EndKind.CONDITION, EndKind.CONDITION, True),
        ("S causes O", EndKind.MOLECULE, EndKind.PLACE, False),
        ("O from S", EndKind.CONDITION, EndKind.PROCESS, False),  # a hint needs an agent
        ("O from S", EndKind.MOLECULE, EndKind.CONDITION, True),
        ("O associated with S", EndKind.CONDITION, EndKind.CONDITION, False),
        ("S associated with O", EndKind.MOLECULE, EndKind.CONDITION, True),
        ("S associated with O", EndKind.GENE, EndKind.CONDITION, False),  # causes? it does not say
        ("S is linked to O", EndKind.GENE, EndKind.CONDITION, False),
        ("S causes O", EndKind.GENE, EndKind.CONDITION, True),
        ("S associated with O (both ways)", EndKind.GENE, EndKind.CONDITION, True),
        ("S binds O", EndKind.GENE, EndKind.MOLECULE, True),
        ("S treats O", EndKind.CONDITION, EndKind.CONDITION, False),
        ("S treats O", EndKind.OTHER, EndKind.CONDITION, False),
        ("S treats O", None, EndKind.CONDITION, True),
        ("S of O", EndKind.MOLECULE, EndKind.CONDITION, False),  # nothing is located in a disease
        ("S in O", EndKind.MOLECULE, EndKind.CELL, True),
        ("S activates O", EndKind.MOLECULE, EndKind.CONDITION, False),
        ("a project's own rule", EndKind.PLACE, EndKind.PLACE, True),
    ],
)
def test_a_rule_joins_things_of_its_kinds_only(rule, subject, object_, allowed) -> None:
    kinds = {SUBJECT: subject, OBJECT: object_}
    relation = Relation(SUBJECT, OBJECT, "P", Span(3, 5), rule, 0.5)
    assert joins_fitting_ends(relation, shipped_rules(), kinds.get) is allowed


@pytest.mark.parametrize(
    ("rule", "subject", "object_", "allowed"),
    [
        ("S causes O", EndKind.MOLECULE, EndKind.CONDITION, False),  # lack of thiamine
        ("S causes O", EndKind.GENE, EndKind.CONDITION, True),  # loss of PTEN
        ("S causes O", None, EndKind.CONDITION, False),  # a diet poor in vegetables
        ("S activates O", EndKind.GENE, EndKind.GENE, False),
        ("S inhibits O", None, EndKind.GENE, False),
    ],
)
def test_only_the_lack_of_a_gene_causes_a_disease(rule, subject, object_, allowed) -> None:
    relation = Relation(SUBJECT, OBJECT, "R", Span(3, 5), rule, 0.6)
    kind_of = {SUBJECT: subject, OBJECT: object_}.get
    assert joins_fitting_ends(relation, shipped_rules(), kind_of, lacking=True) is allowed
