"""A pathway that a text names in short is the one of the vocabulary."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.extraction.builtin.groups import MentionGroup
from core.extraction.builtin.pathway_name import pathways_named_in_short
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import Candidate, Category, MatchKind, Span, Term

NOTCH = Candidate(Term("GO:1", "Notch signaling pathway", Category.PATHWAY), MatchKind.LABEL, 1.0)
PATHWAYS = Constraint(category=Category.PATHWAY)


def annotate(text: str, constraints: dict[str, Constraint]) -> list[RecognisedMention]:
    known = text == "Notch signaling pathway"
    return [RecognisedMention(Span(0, len(text)), "Pathway", (NOTCH,))] if known else []


def names(text: str, constraint: Constraint = PATHWAYS) -> list[str]:
    groups = pathways_named_in_short(text, "Pathway", constraint, annotate=annotate, known=())
    return [span.quote(text) for group in groups for span in group.spans]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("CSL acts in the Notch pathway.", ["Notch pathway"]),
        ("Notch signalling and the Notch pathway.", ["Notch signalling", "Notch pathway"]),
        ("The signaling pathway of Notch is old.", []),
        ("The Brass pathway is unknown.", []),
    ],
)
def test_a_short_name_is_looked_up_in_full(text: str, named: list[str]) -> None:
    assert names(text) == named


def test_only_a_class_of_pathways_is_named_so() -> None:
    assert names("The Notch pathway.", replace(PATHWAYS, category=Category.DISEASE)) == []


def test_a_known_pathway_gets_the_places_of_its_short_name() -> None:
    text = "Notch signaling pathway: the Notch pathway is old."
    known = MentionGroup("GO:1", "Pathway", (Span(0, 23),), (NOTCH,))
    (group,) = pathways_named_in_short(text, "Pathway", PATHWAYS, annotate=annotate, known=[known])
    assert [span.quote(text) for span in group.spans] == [
        "Notch signaling pathway",
        "Notch pathway",
    ]
