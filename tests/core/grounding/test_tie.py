"""Which of several terms that match equally well goes first."""

from __future__ import annotations

import pytest

from core.grounding.tie import BEHIND, settle_tie
from core.model import Candidate, MatchKind, Term


def ranked(surface: str, *labels: str):
    return [
        (1.0, Candidate(Term(f"FOODON:{n}", label), MatchKind.EXACT, 0.98, surface=surface))
        for n, label in enumerate(labels)
    ]


@pytest.mark.parametrize(
    ("surface", "labels", "first"),
    [
        ("broccoli", ("broccoli floret (raw)", "broccoli floret"), "broccoli floret"),
        (
            "spinach",
            ("spinach leaf (raw)", "spinach head", "spinach (whole or pieces)"),
            "spinach (whole or pieces)",
        ),
        ("Ginger", ("ginger root (whole or pieces)", "ginger root"), "ginger root"),
    ],
)
def test_the_label_that_says_least_beside_the_words_goes_first(surface, labels, first):
    settled = settle_tie(ranked(surface, *labels), "", ())
    assert settled[0][1].term.label == first
    assert settled[0][1].score - settled[1][1].score == pytest.approx(BEHIND)
    assert settled[0][1].differed == "the plainest of several"
    assert len(settled) == len(labels)


@pytest.mark.parametrize(
    ("surface", "labels"),
    [
        ("cold", ("common cold", "chronic obstructive pulmonary disease (COLD)")),
        ("spinach", ("spinach head", "spinach bunch")),
        ("NLRP3 inflammasome", ("NLRP3 inflammasome", "NLRP3 inflammasome")),
    ],
)
def test_what_nothing_tells_apart_stays_tied(surface, labels):
    before = ranked(surface, *labels)
    assert settle_tie(before, "", ()) == before
