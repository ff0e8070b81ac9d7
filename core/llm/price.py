"""What a call costs, where the model's price is known. US dollars a million tokens: (in, out).

A price belongs to an endpoint: the same name elsewhere may cost nothing, or more. So the list holds
for the addresses of the makers (and for Azure, which asks OpenAI's prices).

List prices of models often used, as pages that quote the makers' lists gave them in 2026 (looked up
2026-11-22; a maker's own page goes before them). A project sets its own on the Settings page, and
what an endpoint tells goes before this table. They change: a cost is an estimate for a person, and
None (not 0) when the price is not known.

The makers of these models all take half off what comes through their batch interface (OpenAI,
Anthropic and Google say so of every model; looked up 2026-11-22). Elsewhere it is not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

PRICES_DATE = "2026-03"  # when the list prices below held
BATCH_DATE, BATCH_SHARE = "2026-11", 0.5  # what a batch costs of them
PRICES: dict[str, tuple[float, float]] = {
    "gpt-5.4": (2.5, 15.0),
    "gpt-5.1": (1.25, 10.0),
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
    "claude-opus-4-6": (5.0, 25.0),
    "claude-opus-4-5": (5.0, 25.0),
    "claude-opus-4-1": (15.0, 75.0),
    "claude-sonnet-4-6": (3.0, 15.0),
    "claude-sonnet-4-5": (3.0, 15.0),
    "claude-haiku-4-5": (1.0, 5.0),
    "gemini-2.5-pro": (1.25, 10.0),
    "gemini-2.5-flash": (0.3, 2.5),
    "gemini-2.5-flash-lite": (0.1, 0.4),
    "text-embedding-3-small": (0.02, 0.0),
    "text-embedding-3-large": (0.13, 0.0),
}
_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$")


MAKERS = (  # whose models, and at which hosts (and those below them) their list prices hold
    (
        re.compile(r"gpt-|o\d|text-embedding-"),
        ("api.openai.com", "openai.azure.com", "services.ai.azure.com"),
    ),
    (re.compile(r"claude-"), ("api.anthropic.com",)),
    (re.compile(r"gemini-"), ("generativelanguage.googleapis.com",)),
)


def list_price(model: str, address: str) -> tuple[float, float] | None:
    """The list price of a model at its maker's address; None anywhere else."""
    host = urlsplit(address).hostname or ""
    for models, hosts in MAKERS:
        if models.match(model) and any(host == h or host.endswith(f".{h}") for h in hosts):
            return price_of(model)
    return None


def batch_share_of(model: str, address: str) -> float | None:
    """The share of the price that a batch costs, 0 to 1, at the maker of a model; None for a model
    that is not in the list.
    """
    return BATCH_SHARE if list_price(model, address) else None


def price_of(
    model: str, table: Mapping[str, tuple[float, float]] = PRICES
) -> tuple[float, float] | None:
    """The price of a model in a table, by its name, or its name without a date or maker."""
    undated = _DATED.sub("", model)
    for name in (model, undated, model.rpartition("/")[2], undated.rpartition("/")[2]):
        if name in table:
            return table[name]
    return None
