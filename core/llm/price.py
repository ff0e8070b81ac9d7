"""What a call costs, where the model's price is known. US dollars a million tokens: (in, out).

List prices, typed by us for models often used; a project sets its own on the Settings page. They
change: a cost is an estimate for a person, and None (not 0) when the price is not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

PRICES_DATE = "2025-10"  # when the list prices below held
PRICES: dict[str, tuple[float, float]] = {
    "gpt-5": (1.25, 10.0),
    "gpt-5-mini": (0.25, 2.0),
    "gpt-5-nano": (0.05, 0.4),
    "gpt-4": (30.0, 60.0),
    "gpt-4-turbo": (10.0, 30.0),
    "gpt-4o": (2.5, 10.0),
    "gpt-4o-mini": (0.15, 0.6),
    "gpt-4.1": (2.0, 8.0),
    "gpt-4.1-mini": (0.4, 1.6),
    "gpt-4.1-nano": (0.1, 0.4),
    "gpt-3.5-turbo": (0.5, 1.5),
    "o3": (2.0, 8.0),
    "o4-mini": (1.1, 4.4),
    "claude-opus-4-1": (15.0, 75.0),
    "claude-sonnet-4-5": (3.0, 15.0),
    "claude-haiku-4-5": (1.0, 5.0),
    "gemini-2.5-pro": (1.25, 10.0),
    "gemini-2.5-flash": (0.3, 2.5),
    "text-embedding-3-small": (0.02, 0.0),
    "text-embedding-3-large": (0.13, 0.0),
}
_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$")


def price_of(
    model: str, table: Mapping[str, tuple[float, float]] = PRICES
) -> tuple[float, float] | None:
    """The price of a model in a table, by its name, or its name without a date or maker."""
    undated = _DATED.sub("", model)
    for name in (model, undated, model.rpartition("/")[2], undated.rpartition("/")[2]):
        if name in table:
            return table[name]
    return None


def estimate_tokens(characters: int) -> int:
    """Tokens of that many characters, at four a token, rounded up."""
    return -(-characters // 4)
