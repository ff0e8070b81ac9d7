"""What is picked, by how much, and what is tied."""

from __future__ import annotations

from dataclasses import replace

from core.grounding.choice import LONGER, choose_candidate, score_margin, tied_candidates
from core.model import Candidate, MatchKind, Outcome, Term


def candidate(id: str, score: float, match: MatchKind = MatchKind.LABEL, **more) -> Candidate:  # type: ignore[no-untyped-def]
    return Candidate(Term(id, id), match, score, **more)


def test_equals_of_one_vocabulary_are_a_tie_without_a_margin() -> None:
    offered = [candidate("A:1", 0.9), candidate("A:2", 0.899), candidate("A:3", 0.7)]
    assert [tied_candidate.term.id for tied_candidate in tied_candidates(offered)] == ["A:1", "A:2"]
    assert (score_margin(offered), choose_candidate(offered)) == (0.0, (None, Outcome.AMBIGUOUS))


def test_between_two_vocabularies_the_order_of_preference_decides() -> None:
    offered = [candidate("A:1", 0.9), candidate("B:1", 0.9)]
    assert tied_candidates(offered) == ()
    assert choose_candidate(offered)[1] is Outcome.GROUNDED


def test_the_margin_counts_only_what_could_be_chosen_for_these_words() -> None:
    offered = [
        candidate("A:0", 1.0, obsolete=True),
        candidate("A:1", 0.9),
        candidate("A:2", 0.5),
        candidate("A:3", 0.9, differed=f"{LONGER}breast cancer"),
    ]
    assert (score_margin(offered), tied_candidates(offered)) == (0.4, ())
    assert (score_margin(offered[1:2]), score_margin([])) == (1.0, 0.0)


def test_remembered_choice_of_a_curator_outranks_other_candidates() -> None:
    offered = [candidate("A:1", 1.0, MatchKind.PROJECT), candidate("A:2", 1.0)]
    assert (tied_candidates(offered), choose_candidate(offered)[1]) == ((), Outcome.GROUNDED)


def test_a_name_in_capitals_is_the_human_gene_of_two_species() -> None:
    human = {"surface": "TIPE2", "taxon": "NCBITaxon:9606"}
    rat = {"surface": "TIPE2", "taxon": "NCBITaxon:10116"}
    synonym = MatchKind.RELATED

    capitals = (candidate("HGNC:1", 0.8, synonym, **human), candidate("RGD:1", 0.8, synonym, **rat))
    small = tuple(replace(one, surface="langerin") for one in capitals)

    assert choose_candidate(capitals)[1] is Outcome.GROUNDED
    assert choose_candidate(small)[1] is Outcome.AMBIGUOUS
