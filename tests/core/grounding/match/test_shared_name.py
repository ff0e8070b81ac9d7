"""Of terms that share a name, the one that is called so goes first."""

from __future__ import annotations

from core.grounding.match.shared_name import own_label_first
from core.model import Candidate, MatchKind, Term


def ranked(*terms: tuple[str, str, float]) -> list[tuple[float, Candidate]]:
    return [
        (score, Candidate(Term(id, label), MatchKind.EXACT, score, "McLeod syndrome"))
        for id, label, score in terms
    ]


def first(*terms: tuple[str, str, float]) -> str:
    return own_label_first(ranked(*terms))[0][1].term.id


WIDE = ("MESH:1", "Neuroacanthocytosis", 0.98)


def test_a_term_that_is_called_so_goes_before_a_heading_that_only_lists_the_name() -> None:
    (_, nearest), (_, wider) = own_label_first(ranked(WIDE, ("OMIM:1", "McLeod syndrome", 0.96)))
    assert (nearest.term.id, wider.term.id) == ("OMIM:1", "MESH:1")
    assert nearest.score > wider.score
    assert nearest.differed == "nearer label"


def test_labels_that_say_as_much_change_nothing() -> None:
    assert first(WIDE, ("OMIM:1", "Anaemia", 0.96)) == "MESH:1"


def test_terms_of_one_vocabulary_keep_their_order() -> None:
    assert first(WIDE, ("MESH:2", "McLeod syndrome", 0.96)) == "MESH:1"


def test_a_much_worse_match_is_no_rival() -> None:
    assert first(WIDE, ("OMIM:1", "McLeod syndrome", 0.9)) == "MESH:1"
