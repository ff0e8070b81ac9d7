"""What a run will take, in words."""

from __future__ import annotations

from core.services.extract.result import Budget
from core.services.shared.screen import counted


def budget_words(found: Budget) -> str:
    """Calls with the fewest and the most, tokens and cost; and whether the limit may end the run
    before it is whole.
    """
    if not found.calls:
        return "This engine makes no calls and costs nothing."
    span = f" (by the text {found.least:,} to {found.most:,})" if found.least < found.most else ""
    cost = f", about {found.cost:.3f} US dollars" if found.cost is not None else ", price not known"
    words = (
        f"About {counted(found.calls, 'call')}{span} and {counted(found.tokens, 'token')}{cost}."
    )
    return words + (" The limit of calls may end it early." if found.limited else "")
