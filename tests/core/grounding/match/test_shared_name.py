"""Of terms that share a name, the one that is called so goes first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.match.shared_name import own_label_first
from core.model import Candidate, MatchKind, Term


def ranked(*terms: tuple[str, str, float]) -> list[tuple[float, Candidate]]:
    return [
        (score, Candidate(Term(id, label), MatchKind.EXACT, score, "McLeod syndrome"))
        for id, label, score in terms
    ]


def never(one: str, other: str) -> bool:
    return False


def first(*terms: tuple[str, str, float]) -> str:
    return own_label_first(ranked(*terms), never)[0][1].term.id


WIDE = ("MESH:1", "Neuroacanthocytosis", 0.98)


def test_a_term_of_that_name_goes_before_a_heading_that_lists_it_as_an_entry() -> None:
    (_, nearest), (_, wider) = own_label_first(
        ranked(WIDE, ("OMIM:1", "McLeod syndrome", 0.96)), never
    )
    assert (nearest.term.id, wider.term.id) == ("OMIM:1", "MESH:1")
    assert nearest.score > wider.score
    assert nearest.differed == "nearer label"


def test_two_ids_of_one_thing_keep_their_order() -> None:
    terms = ranked(WIDE, ("OMIM:1", "McLeod syndrome", 0.96))
    assert own_label_first(terms, lambda *_: True) == terms


def test_a_gene_keeps_the_name_of_its_protein() -> None:
    (rank, gene), heading = ranked(WIDE, ("OMIM:1", "McLeod syndrome", 0.96))
    terms = [(rank, replace(gene, taxon="NCBITaxon:9606")), heading]
    assert own_label_first(terms, never) == terms


def test_labels_that_say_as_much_change_nothing() -> None:
    assert first(WIDE, ("OMIM:1", "Anaemia", 0.96)) == "MESH:1"


def test_terms_of_one_vocabulary_keep_their_order() -> None:
    assert first(WIDE, ("MESH:2", "McLeod syndrome", 0.96)) == "MESH:1"


def test_a_much_worse_match_is_not_a_rival() -> None:
    assert first(WIDE, ("OMIM:1", "McLeod syndrome", 0.9)) == "MESH:1"


@pytest.fixture
def syndromes(tmp_path: Path) -> Grounder:
    path = tmp_path / "syndromes.tsv"
    path.write_text(
        "prefix\tid\tlabel\tsynonym\tscope\n"
        "M\tM:1\tOsteochondrodysplasias\tOsteochondrodysplasias\tlabel\n"
        "M\tM:1\tOsteochondrodysplasias\tSchwartz-Jampel syndrome\tEXACT\n"
        "M\tM:1\tOsteochondrodysplasias\tDyggve disease\tEXACT\n"
        "M\tM:2\tSchwartz-Jampel syndrome, type 1\tSchwartz-Jampel syndrome, type 1\tlabel\n"
        "M\tM:3\tC5 deficiency\tC5 deficiency\tlabel\n"
        "M\tM:4\tBreast cancer, familial\tBreast cancer, familial\tlabel\n"
        "M\tM:5\tBreast cancer, familial male\tBreast cancer, familial male\tlabel\n",
        encoding="utf-8",
    )
    return Grounder(VocabularyRegistry(None, tmp_path / "indexes", files=[path]))


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("Schwartz-Jampel syndrome", ""),  # type 1 is a term of its own: a curator decides
        ("Dyggve disease", "M:1"),
        ("Schwartz-Jampel syndrome, type 1", "M:2"),
        ("C5-deficient", ""),  # an equal word, written otherwise
        ("hereditary breast cancer", ""),  # an equal word, in another order
        ("familial breast cancer", "M:4"),
    ],
)
def test_a_wider_heading_and_a_name_far_from_the_words_are_offered_not_chosen(
    syndromes: Grounder, words: str, meant: str
) -> None:
    context = f"{words} in male patients"
    candidates = syndromes.ground(words, Constraint(("syndromes",)), context=context)
    term, _ = choose_candidate(candidates)
    assert candidates
    assert (term.id if term else "") == meant
