"""What a call costs, where the model's price is known. US dollars a million tokens: (in, out).

List prices, typed by us for models often used; a project sets its own on the Settings page. They
change: a cost is an estimate for a person, and None (not 0) when the price is not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

PRICES: dict[str, tuple[float, float]] = {
    "gpt-4": (30.0, 60.0),
    "gpt-4-turbo": (10.0, 30.0),
    "gpt-4o": (2.5, 10.0),
    "gpt-4o-mini": (0.15, 0.6),
    "gpt-4.1": (2.0, 8.0),
    "gpt-4.1-mini": (0.4, 1.6),
    "gpt-4.1-nano": (0.1, 0.4),
    "gpt-3.5-turbo": (0.5, 1.5),
    "text-embedding-3-small": (0.02, 0.0),
    "text-embedding-3-large": (0.13, 0.0),
}
_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{4}|latest)$")


def price_of(
    model: str, own: Mapping[str, tuple[float, float]] | None = None
) -> tuple[float, float] | None:
    """The price of a model, by its name or its name without a date; a project's own goes first."""
    for table in (own or {}, PRICES):
        for name in (model, _DATED.sub("", model), model.rpartition("/")[2]):
            if name in table:
                return table[name]
    return None


def cost(
    model: str,
    tokens_in: int,
    tokens_out: int,
    own: Mapping[str, tuple[float, float]] | None = None,
) -> float | None:
    """US dollars, or None when the model's price is not known."""
    if (price := price_of(model, own)) is None:
        return None
    return (tokens_in * price[0] + tokens_out * price[1]) / 1_000_000


def estimate(characters: int) -> int:
    """Tokens of that many characters, at four a token, rounded up."""
    return -(-characters // 4)
