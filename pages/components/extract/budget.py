"""What a run will take, in words."""

from __future__ import annotations

from core.services.extract.result import Budget
from core.services.shared.screen import counted


def budget_words(budget: Budget) -> str:
    """Calls with the fewest and the most, tokens and cost; and whether the limit may end the run
    before it is whole.
    """
    if not budget.calls:
        return "This engine makes no calls and costs nothing."
    open_end = budget.least < budget.most
    span = f" ({budget.least:,} to {budget.most:,})" if open_end else ""
    spread = f" ({budget.tokens_least:,} to {budget.tokens_most:,})" if open_end else ""
    cost = (
        f", about {budget.cost:.3f} US dollars" if budget.cost is not None else ", price not known"
    )
    calls, tokens = counted(budget.calls, "call"), counted(budget.tokens, "token")
    words = f"About {calls}{span} and {tokens}{spread}{cost}."
    return words + (" The call limit may stop it early." if budget.limited else "")
