"""A model as an endpoint lists it. Endpoints tell more or less of it, each in fields of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.model import Json

LENGTHS = (  # tokens read at once: vLLM, OpenRouter, Mistral, Groq, LM Studio, llama.cpp, LiteLLM
    "max_model_len",
    "context_length",
    "max_context_length",
    "context_window",
    "loaded_context_length",
    "n_ctx",
    "max_input_tokens",
)
INNER = ("meta", "top_provider", "capabilities", "limits")  # where some of them put it
MILLION = 1_000_000
LONGEST_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """`context` in tokens, 0 where it is not told; `price` in US dollars a million tokens (in and
    out), None where it is not told.
    """

    id: str
    context: int = 0
    price: tuple[float, float] | None = None


def offered_models(body: Json) -> list[OfferedModel]:
    """The answer of `/models`, by name: a list, or one below `data`. A row that cannot be read is
    left out. Raises ValueError for anything else.
    """
    rows = body.get("data") if isinstance(body, dict) else body
    if not isinstance(rows, list):
        raise ValueError("not a list of models")
    models = [offered_model(row) for row in rows]
    return sorted((model for model in models if model.id), key=lambda model: model.id)


def offered_model(row: Json) -> OfferedModel:
    """A row of `/models`. Never raises: what cannot be read is not told."""
    if not isinstance(row, dict):
        return OfferedModel("")
    id = row.get("id")
    id = id.strip()[:LONGEST_NAME] if isinstance(id, str) else ""
    id = id if id.isprintable() else ""  # a line end or a direction sign is in no model's name
    lengths = [length for part in _parts(row) for name in LENGTHS if (length := _count(part, name))]
    return OfferedModel(id, lengths[0] if lengths else 0, _price(row.get("pricing")))


def _parts(row: dict[str, Json]) -> Iterator[dict[str, Json]]:
    yield row
    for name in INNER:
        if isinstance(inner := row.get(name), dict):
            yield inner


def _count(row: dict[str, Json], name: str) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 256 <= value <= 100_000_000 else 0


def _price(prices: Json) -> tuple[float, float] | None:
    """OpenRouter's dollars a token, and the dollars a million tokens of Together."""
    if not isinstance(prices, dict):
        return None
    try:
        if "prompt" in prices and "completion" in prices:
            pair = (float(prices["prompt"]) * MILLION, float(prices["completion"]) * MILLION)
        elif "input" in prices and "output" in prices:
            pair = (float(prices["input"]), float(prices["output"]))
        else:
            return None
    except (TypeError, ValueError):
        return None
    low, high = sorted(pair)
    return (round(pair[0], 6), round(pair[1], 6)) if low >= 0 and high <= MILLION else None
