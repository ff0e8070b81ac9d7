"""How likely a draft is right as it stands."""

from __future__ import annotations

from core.extraction.builtin.draft_probability import (
    OWN_THRESHOLD,
    DraftEnd,
    draft_features,
    shipped_judge,
    shipped_table,
)
from core.extraction.builtin.groups import MentionGroup
from core.model import Candidate, Category, MatchKind, Span, Term


def end(*candidates: Candidate, above: frozenset[str] = frozenset()) -> DraftEnd:
    return DraftEnd(MentionGroup("X:1", "Drug", (Span(0, 7),), candidates), above)


KNOWN = Candidate(Term("X:1", "veratin", Category.CHEMICAL), MatchKind.LABEL, 1.0, "veratin")


def test_an_end_without_a_term_makes_a_draft_less_likely() -> None:
    known = draft_features("stated treat", "S treats O", 0.6, [end(KNOWN), end(KNOWN)])
    unknown = draft_features("stated treat", "S treats O", 0.6, [end(), end(KNOWN)])
    assert unknown["end without a term"] == 1.0
    table = shipped_table()
    assert table.probability(unknown) < table.probability(known)


def test_signs_and_general_terms_are_counted() -> None:
    general = end(KNOWN, above=frozenset(("X:9",)))
    features = draft_features("list found", "T was found", 0.8, [general, general], negated=True)
    assert (features["general term"], features["negated"]) == (2.0, 1.0)


def test_what_is_unlikely_is_not_proposed_but_for_what_has_a_threshold_of_its_own() -> None:
    unlikely = draft_features("stated activate", "S activates O", 0.1, [end(), end()])
    assert shipped_judge(unlikely) < 0
    assert shipped_judge(unlikely | {OWN_THRESHOLD: 1.0}) > 0
