"""What is known of a model: what its test found, what its endpoint lists, and what the project's
settings say of it, of which the last go first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from core.codec import from_json
from core.llm.connection import Connection
from core.llm.price import BATCH_DATE, PRICES_DATE, batch_share_of, list_price, price_of
from core.model import Json

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
