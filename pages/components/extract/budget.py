"""What a run will take, in words."""

from __future__ import annotations

from core.services.extract.result import Budget
from core.services.shared.screen import counted


def budget_words(budget: Budget) -> str:
    """Calls, tokens and cost, each with the fewest and the most that they may be; what these rest
    on; and whether the limit may end the run before it is whole.
    """
    if not budget.calls:
        return "This engine makes no calls and costs nothing."
    spans = budget.tokens_least < budget.tokens_most
    calls = f" ({budget.least:,} to {budget.most:,})" if budget.least < budget.most else ""
    tokens = f" ({budget.tokens_least:,} to {budget.tokens_most:,})" if spans else ""
    words = f"About {counted(budget.calls, 'call')}{calls} and"
    words += f" {counted(budget.tokens, 'token')}{tokens}{_cost(budget)}."
    words += " The call limit may stop it early." if budget.limited else ""
    return f"{words} {_ground(budget)}" if spans else words


def _cost(budget: Budget) -> str:
    if budget.cost is None:
        return ", price not known"
    span = f" ({budget.cost_least:.3f} to {budget.cost_most:.3f})"
    return f", about {budget.cost:.3f} US dollars{span if budget.cost_most else ''}"


def _ground(budget: Budget) -> str:
    """What the figures rest on, and how far they can be relied on."""
    if not budget.earlier:
        return (
            "That is read off the text, as no earlier run tells more: rely on the figures in"
            " brackets."
        )
    runs = counted(budget.earlier, "earlier run")
    if budget.texts > 1:
        return f"Told by {runs}: about nine of ten such batches stay within the brackets."
    return (
        f"Told by {runs}: about nine of ten texts stay within the brackets. How many questions this"
        " one leads to is known once its first answer is there."
    )
