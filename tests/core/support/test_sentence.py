"""What a quote carries of the sentence that cites it."""

from __future__ import annotations

import pytest

from core.model import SupportVerdict
from core.support.sentence import judge_sentence

QUOTE = "Zinc lozenges shortened the common cold by a day in 50 adults."


@pytest.mark.parametrize(
    ("sentence", "quotes", "verdict"),
    [
        ("Zinc lozenges shorten the common cold.", [QUOTE], SupportVerdict.SUPPORTS),
        ("Zinc lozenges did not shorten the common cold.", [QUOTE], SupportVerdict.CONTRADICTS),
        ("Zinc lozenges shorten the common cold.", [], SupportVerdict.SILENT),
        ("Aspirin relieves headache in children.", [QUOTE], SupportVerdict.SILENT),
    ],
)
def test_a_sentence_needs_its_words_in_its_quote(
    sentence: str, quotes: list[str], verdict: SupportVerdict
) -> None:
    assert judge_sentence(sentence, quotes).verdict is verdict


def test_a_clause_that_the_quote_does_not_carry_is_named() -> None:
    sentence = "Zinc lozenges shorten the common cold, and vitamin C cures the disease."
    support = judge_sentence(sentence, [QUOTE])
    assert support.verdict is SupportVerdict.UNCLEAR
    assert "vitamin C cures the disease" in support.reasons[0]
