"""Organisms that a text names by a common word are the species that everyone means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.extraction.builtin.groups import MentionGroup
from core.extraction.builtin.organism_word import organisms_by_common_word
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import Candidate, Category, MatchKind, Span, Term

ORGANISMS = Constraint(category=Category.ORGANISM)
MOUSE = Candidate(Term("NCBITaxon:10090", "Mus musculus"), MatchKind.LABEL, 1.0)
GENUS = Candidate(Term("NCBITaxon:10088", "Mus"), MatchKind.LABEL, 1.0)


def annotate(text: str, constraints: dict[str, Constraint]) -> list[RecognisedMention]:
    known = text == "Mus musculus"
    return [RecognisedMention(Span(0, len(text)), "Species", (MOUSE,))] if known else []


def named(
    text: str, constraint: Constraint = ORGANISMS, known: Sequence[MentionGroup] = ()
) -> list[tuple[str, str]]:
    groups = organisms_by_common_word(text, {"Species": constraint}, annotate=annotate, known=known)
    return [(group.key, span.quote(text)) for group in groups for span in group.spans]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Deletion in mice was lethal.", ["mice"]),
        ("Murine and mouse cells grew.", ["Murine", "mouse"]),
        ("Six patients were treated.", []),
        ("The macaque is not in this vocabulary.", []),
    ],
)
def test_a_common_word_names_a_species_of_the_vocabulary(text: str, words: list[str]) -> None:
    assert named(text) == [("NCBITaxon:10090", word) for word in words]


def test_only_classes_of_organisms_are_named_so() -> None:
    assert named("In mice.", replace(ORGANISMS, category=Category.DISEASE)) == []


def test_the_species_takes_the_word_from_its_genus_and_joins_its_own_places() -> None:
    text = "Mus musculus: the mouse."
    word = Span(18, 23)
    known = [
        MentionGroup("NCBITaxon:10090", "Species", (Span(0, 12),), (MOUSE,)),
        MentionGroup("NCBITaxon:10088", "Species", (word,), (GENUS,)),
    ]
    assert named(text, known=known) == [
        ("NCBITaxon:10090", "Mus musculus"),
        ("NCBITaxon:10090", "mouse"),
    ]
