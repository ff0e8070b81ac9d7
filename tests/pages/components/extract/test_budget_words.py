"""What a run will take, in words."""

from __future__ import annotations

from dataclasses import replace

from core.services.extract.budget import CostEstimate
from pages.components.extract.budget import budget_words

TWO = CostEstimate(
    "spires", 8, 6000, 0.006, 2, 14, tokens_least=2400, tokens_most=9900, cost_least=0.002,
    cost_most=0.01, texts=2,
)  # fmt: skip


def test_a_batch_without_earlier_runs_says_that_its_texts_alone_tell() -> None:
    assert budget_words(TWO) == (
        r"About 8 calls (2 to 14) and 6,000 tokens (2,400 to 9,900), \$0.006 (\$0.002 to \$0.01)."
        " Estimated from the texts alone, as there are no earlier runs: nine of ten such"
        " batches stay within the range. *First questions only* gives a close estimate."
    )


def test_batch_with_earlier_runs_is_estimated_by_its_mean_first() -> None:
    words = budget_words(replace(TWO, earlier=9))
    assert words.startswith("About 8 calls (2 to 14) and 6,000 tokens (2,400 to 9,900)")
