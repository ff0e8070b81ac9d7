"""What a run will take, in words."""

from __future__ import annotations

from core.services.extract.budget import RELIABLE, CostEstimate, dollar_words
from core.services.shared.screen import counted

_FIRST = " *First questions only* gives a close estimate."


def budget_words(budget: CostEstimate) -> str:
    """Calls, tokens and cost, what they rest on, and whether the limit may end the run before it is
    whole, as markdown. Where single texts differ too much for one figure to tell, the span comes
    first.
    """
    if not budget.calls:
        return "This engine makes no calls and costs nothing."
    words = _span(budget) if budget.open else _figures(budget)
    words += " The call limit may stop it early." if budget.limited else ""
    words = f"{words} {_ground(budget)}" if _has_span(budget) else words
    return words.replace("$", r"\$")


def _has_span(budget: CostEstimate) -> bool:
    return budget.tokens_least < budget.tokens_most


def _figures(budget: CostEstimate) -> str:
    """`About 12 calls (9 to 15) and 6,100 tokens (5,000 to 7,200), $0.0031 ($0.0025 to $0.004).`"""
    calls = f" ({budget.least:,} to {budget.most:,})" if budget.least < budget.most else ""
    spans = _has_span(budget)
    tokens = f" ({budget.tokens_least:,} to {budget.tokens_most:,})" if spans else ""
    words = f"About {counted(budget.calls, 'call')}{calls} and"
    words += f" {counted(budget.tokens, 'token')}{tokens}"
    if budget.cost is None:
        return f"{words}, price not known."
    return f"{words}, {dollar_words(budget.cost)}{f' ({_cost_span(budget)})' if spans else ''}."


def _span(budget: CostEstimate) -> str:
    """`1 to 6 calls, 350 to 1,900 tokens, $0.0001 to $0.0006; most likely 620 tokens, $0.0002.`"""
    words = f"{budget.least:,} to " if budget.least < budget.most else ""
    words += counted(budget.most, "call")
    words += f", {budget.tokens_least:,} to {counted(budget.tokens_most, 'token')}"
    usual = f"{'most likely' if budget.earlier else 'perhaps'} {counted(budget.tokens, 'token')}"
    if budget.cost is None:
        return f"{words}, price not known; {usual}."
    return f"{words}, {_cost_span(budget)}; {usual}, {dollar_words(budget.cost)}."


def _cost_span(budget: CostEstimate) -> str:
    return f"{dollar_words(budget.cost_least or 0.0)} to {dollar_words(budget.cost_most or 0.0)}"


def _ground(budget: CostEstimate) -> str:
    """What the figures rest on, and how far they can be relied on."""
    if not budget.earlier:
        several = budget.texts > 1
        read = "texts" if several else "text"
        within = "such batches stay within the range" if several else "texts stay within this range"
        return (
            f"Estimated from the {read} alone, as there are no earlier runs: nine of ten {within}."
            f"{_FIRST * several}"
        )
    runs = counted(budget.earlier, "earlier run")
    if budget.texts > 1:
        return (
            f"Estimated from {runs}: nearly all such batches stay within a factor of 1.3 of the"
            f" range.{_FIRST}"
        )
    if budget.close >= RELIABLE:
        return f"Estimated from {runs}: about nine of ten texts stay within this range."
    return (
        f"Estimated from {runs}: nine of ten texts stay within this range, {budget.close:.0%} come"
        " close to the likely figure. *First question only* gives a better estimate."
    )
