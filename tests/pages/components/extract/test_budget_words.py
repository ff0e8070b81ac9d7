"""What a run will take, in words."""

from __future__ import annotations

from dataclasses import replace

from core.services.extract.budget import CostEstimate
from pages.components.extract.budget import budget_words

TWO = CostEstimate(
    "spires", 8, 6000, 0.006, 2, 14, tokens_least=2400, tokens_most=9900, cost_least=0.002,
    cost_most=0.01, texts=2,
)  # fmt: skip


def test_a_batch_without_earlier_runs_is_told_by_its_span_first() -> None:
    assert budget_words(TWO) == (
        r"2 to 14 calls, 2,400 to 9,900 tokens, \$0.002 to \$0.01; perhaps 6,000 tokens, \$0.006."
        " Estimated from the texts alone, as there are no earlier runs: nine of ten such"
        " batches stay within this range. *First questions only* gives a close estimate."
    )
    unnested = replace(TWO, least=2, most=2)
    assert budget_words(unnested).startswith("2 calls, 2,400 to 9,900 tokens")


def test_a_batch_that_earlier_runs_tell_is_told_by_its_mean_first() -> None:
    words = budget_words(replace(TWO, earlier=9))
    assert words.startswith("About 8 calls (2 to 14) and 6,000 tokens (2,400 to 9,900)")
