"""What is known of a model: what its test found, what its endpoint lists, and what the project's
settings say of it, of which the last go first.

What a call costs, where the model's price is known. US dollars a million tokens: (in, out).

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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from core.codec import from_json
from core.llm.connection import Connection
from core.model import Json

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


TOLD, SET, FOUND = "reported by the endpoint", "set in this project", "measured by the test"


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """One thing that was tried: `works` is None where nobody can tell; `says` is for people."""

    name: str
    works: bool | None
    says: str


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """`tested` is the time of the test (ISO 8601; "" for never), `seconds` how long a short answer
    took, `context` the tokens that the model reads at once (0: not known) and `context_from` who
    said so, `at_least` those that a test saw it read where it found no end; `price` is US dollars a
    million tokens (in, out), None where nobody told it, `price_date` the day on which the project
    set it, and `batch_share` what the endpoint's batch interface costs of it (0 to 1).
    """

    model: str
    tested: str = ""
    checks: tuple[ModelCheck, ...] = ()
    seconds: float = 0.0
    context: int = 0
    context_from: str = ""
    price: tuple[float, float] | None = None
    price_from: str = ""
    price_date: str = ""
    batch_share: float | None = None
    batch_share_from: str = ""
    at_least: int = 0

    @property
    def price_source(self) -> str:
        """Who says what the model costs, and when it was set."""
        return ", ".join(filter(None, (self.price_from, self.price_date)))

    def can(self, name: str) -> bool | None:
        """Whether something works; None where it was not tried or could not be told."""
        return next((check.works for check in self.checks if check.name == name), None)


def tested_key(model: str) -> str:
    """Under which name a project keeps the test of a model."""
    return f"model {model}"


def price_key(model: str) -> str:
    """Under which name a project keeps a price of its own with its date."""
    return f"price {model}"


def listed_key(endpoint: str) -> str:
    """Under which name a project keeps an endpoint's list of models."""
    return f"endpoint {endpoint}"


class KnownModels:
    """What a project knows of models. `kept` looks a value of the project up; `located` places a
    model at its endpoint.
    """

    def __init__(
        self,
        stored_models: Callable[[str], Json],
        located: Callable[[str], tuple[str, Connection] | None],
        prices: Mapping[str, tuple[float, float]],
        contexts: Mapping[str, int],
        *,
        batch_shares: Mapping[str, float] | None = None,
    ):
        self._kept, self._located = stored_models, located
        self._prices, self._contexts = prices, contexts
        self._batch_shares = batch_shares or {}
        self._known: dict[str, ModelProfile] = {}

    def profile(self, model: str) -> ModelProfile:
        if model not in self._known:
            self._known[model] = self._stored_profile(model)
        return self._known[model]

    def untested_profile(self, model: str) -> ModelProfile:
        """What is known of a model without any test of it."""
        return self._with(ModelProfile(model))

    def cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        """US dollars, or None when the model's price is not known."""
        price = self.profile(model).price
        return (tokens_in * price[0] + tokens_out * price[1]) / 1_000_000 if price else None

    def batch_cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        """The same through the endpoint's batch interface. Where nobody knows what it takes off,
        the full price: what is spent is then never more than is said.
        """
        cost, share = self.cost(model, tokens_in, tokens_out), self.profile(model).batch_share
        return cost if cost is None or share is None else cost * share

    def forget(self) -> None:
        """Look everything up again."""
        self._known.clear()

    def _stored_profile(self, model: str) -> ModelProfile:
        stored = self._kept(tested_key(model))
        return self._with(from_json(ModelProfile, stored) if stored else ModelProfile(model))

    def _with(self, profile: ModelProfile) -> ModelProfile:
        """With what the endpoint lists and the project sets."""
        model = profile.model
        name, address, row = self._listed(model)
        if told_context := int(row.get("context") or 0):
            profile = replace(profile, context=told_context, context_from=TOLD)
        if length := self._contexts.get(model, 0):
            profile = replace(profile, context=length, context_from=SET)
        told_price = row.get("price")
        for price, source in (
            (price_of(model, self._prices) or self._price_elsewhere(model), SET),
            ((told_price[0], told_price[1]) if told_price else None, TOLD),
            (list_price(name, address), f"list price of {PRICES_DATE}"),
        ):
            if price is not None:
                date = self._price_date(model, price) if source is SET else ""
                profile = replace(profile, price=price, price_from=source, price_date=date)
                break
        for share, source in (
            (self._batch_shares.get(model), SET),
            (batch_share_of(name, address), f"list price of {BATCH_DATE}"),
        ):
            if share is not None:
                return replace(profile, batch_share=share, batch_share_from=source)
        return profile

    def _price_date(self, model: str, price: tuple[float, float]) -> str:
        """The day on which the project set this price; "" where nobody wrote it down, as when it
        stands in a file of settings.
        """
        kept = self._kept(price_key(model))
        same = isinstance(kept, dict) and kept.get("price") == list(price)
        return str(kept.get("date")) if same else ""

    def _price_elsewhere(self, model: str) -> tuple[float, float] | None:
        """The price that the project sets for the same model of the same endpoint under its other
        name: with the endpoint's name, or without it.
        """
        place = self._located(model)
        same = (name for name in self._prices if place and self._located(name) == place)
        return next((self._prices[name] for name in same), None)

    def _listed(self, model: str) -> tuple[str, str, Mapping[str, Json]]:
        """The endpoint's own name of a model, the endpoint's address, and the model's row in its
        list.
        """
        place = self._located(model)
        if place is None:
            return model, "", {}
        name, endpoint = place
        rows = (self._kept(listed_key(endpoint.name)) or {}).get("models", ())
        row: Mapping[str, Json] = next((row for row in rows if row.get("id") == name), {})
        return name, endpoint.address, row
