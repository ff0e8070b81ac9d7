"""What a whole text is about, where a schema asks for one thing."""

from __future__ import annotations

import pytest

from core.extraction.builtin.groups import MentionGroup
from core.extraction.builtin.subject import may_be_subject, subject_of_text
from core.model import Candidate, Category, MatchKind, Span, Term
from core.support.reading.pair_features import no_kinds


def group(text: str, *names: str) -> MentionGroup:
    spans = [
        Span(at, at + len(name))
        for name in names
        for at in range(len(text))
        if text.startswith(name, at)
    ]
    return MentionGroup(names[0], "Disease", tuple(sorted(spans, key=lambda s: s.start)), ())


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Orlan disease\nIt is rare.", "Orlan disease"),
        ("Orlan disease is a rare disorder. It is fatal.", "Orlan disease"),
        ("We report two siblings with Orlan disease. Both had fits.", "Orlan disease"),
        ("Fits in Orlan disease. In Orlan disease they are rare.", "Orlan disease"),
        ("Orlan disease (OD) presents with fits. Fits are rare, fits end.", "Orlan disease"),
        ("We saw four boys. All had Orlan disease.", "Orlan disease"),
        ("Orlan disease type 2B\nIt is rare.", "Orlan disease type 2B"),
        ("Brass palsy\nIt is no Orlan disease.", "Brass palsy"),
    ],
)
def test_a_text_is_about_the_name_in_its_title_or_the_one_it_gives_most(
    text: str, subject: str
) -> None:
    groups = [group(text, "Orlan disease"), group(text, "fits", "Fits")]
    named = [known for known in groups if known.spans]
    found = subject_of_text(text, named)
    assert found and found.quote(text) == subject


def test_a_first_sentence_is_no_name() -> None:
    assert subject_of_text("Brass palsy is rare. It is fatal.", []) is None


def test_an_unknown_name_on_a_line_of_its_own_is_what_the_text_is_about() -> None:
    text = "Brass palsy\nIt is rare."
    found = subject_of_text(text, [])
    assert found and found.quote(text) == "Brass palsy"


def candidate(id: str, label: str) -> tuple[Candidate, ...]:
    return (Candidate(Term(id, label), MatchKind.LABEL, 1.0),)


def test_a_disease_is_not_a_molecule_of_the_same_vocabulary() -> None:
    molecule = MentionGroup("CHEBI:1", "Disease", (), candidate("CHEBI:1", "veratin"))
    assert not may_be_subject(molecule, Category.DISEASE, no_kinds)
    assert may_be_subject(molecule, Category.CHEMICAL, no_kinds)


def test_a_pathway_is_called_one() -> None:
    step = MentionGroup("GO:1", "Pathway", (), candidate("GO:1", "phosphorylation"))
    pathway = MentionGroup("GO:2", "Pathway", (), candidate("GO:2", "Wnt signaling pathway"))
    assert not may_be_subject(step, Category.PATHWAY, no_kinds)
    assert may_be_subject(pathway, Category.PATHWAY, no_kinds)
