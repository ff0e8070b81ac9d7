"""`evaluate support`: forged claims, and the area under the curve."""

from __future__ import annotations

import pytest

from core.evaluation.forged_claims import denied, foreign, swapped
from core.evaluation.relation_corpus import CorpusPair
from core.evaluation.support import area_under_curve, held_of
from core.model import Category, Span
from core.support.claim import ClaimEnd, ThingInPassage

TEXT = "Lithium caused tremor in two men."


def pair(text: str = TEXT, document: str = "1") -> CorpusPair:
    drug, effect = Span(0, 7), Span(text.index("tremor"), text.index("tremor") + 6)
    ends = [
        ClaimEnd((span.quote(text),), kind, (span,), span.quote(text))
        for span, kind in ((drug, Category.CHEMICAL), (effect, Category.DISEASE))
    ]
    things = tuple(ThingInPassage(end.id, end.spans, end.category) for end in ends)
    return CorpusPair(
        "made", document, text, Span(0, len(text)), ends[0], ends[1], "cause", False, False, things
    )


def test_a_denial_is_put_in_at_the_verb_and_mentions_move_along() -> None:
    made = denied(pair())
    assert made is not None
    claim, passage = made
    assert passage.text == "Lithium did not cause tremor in two men."
    assert claim.object.spans[0].quote(passage.text) == "tremor"


def test_ends_are_exchanged() -> None:
    made = swapped(pair())
    assert made is not None
    assert (made[0].subject.words, made[0].object.words) == ("tremor", "Lithium")


def test_a_foreign_sentence_is_of_another_document() -> None:
    other = pair("Solbex2 relieved tremor.", "2")
    made = foreign(pair(), [pair(), other])
    assert made is not None
    assert made[1].text == "Solbex2 relieved tremor."


def test_true_claims_pass_and_forged_ones_are_held() -> None:
    other = pair("Solbex2 relieved tremor.", "2")
    counts = held_of([pair(), other])
    assert counts["true"][0] == 2
    assert counts["denial put in"] == [2, 2]
    assert counts["ends exchanged"] == [2, 2]


@pytest.mark.parametrize(
    ("right", "wrong", "area"),
    [([0.9, 0.8], [0.1, 0.2], 1.0), ([0.1], [0.9], 0.0), ([0.5], [0.5], 0.5)],
)
def test_the_area_under_the_curve(right: list[float], wrong: list[float], area: float) -> None:
    assert area_under_curve(right, wrong) == area
