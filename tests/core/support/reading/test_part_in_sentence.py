"""What part a name plays in its sentence."""

from __future__ import annotations

import pytest

from core.model import Span
from core.support.reading.part_in_sentence import is_lacking


def lacking(text: str) -> bool:
    start = text.index("<")
    name = text[start + 1 : text.index(">")]
    return is_lacking(text.replace("<", "").replace(">", ""), Span(start, start + len(name)))


@pytest.mark.parametrize(
    "text",
    [
        "Lack of <thiamine> caused encephalopathy.",
        "Withdrawal of <baclofen> led to seizures.",
        "Discontinuation of the <prednisone> resulted in fever.",
        "Stopping <lithium> led to mania.",
        "Low <potassium> levels induced arrhythmia.",
        "<Alcohol> abstinence induced delirium.",
        "Knockdown of <STAT3> reduced BCL2.",
        "<STAT3> siRNA reduced BCL2.",
        "<Keap1>-/- mice had more NRF2.",
        "<PTEN>-null cells had active AKT1.",
        "Inhibition of <MTOR> by rapamycin blocks S6K1.",
        "Blocking of <IL6R> by tocilizumab reduced STAT3.",
        "Neutralisation of the <TNF> reduced IL6.",
    ],
)
def test_deficient_or_inactive_mention_is_marked_as_lacking(text: str) -> None:
    assert lacking(text)


@pytest.mark.parametrize(
    "text",
    [
        "High doses of <aspirin> caused tinnitus.",
        "Low-dose <aspirin> prevents stroke.",
        "<Rapamycin> inhibition of MTOR was complete.",
        "The effect of <STAT3> on BCL2 was lost.",
        "Inhibition of MTOR by <rapamycin> blocks S6K1.",
    ],
)
def test_active_mention_is_not_marked_as_lacking(text: str) -> None:
    assert not lacking(text)
