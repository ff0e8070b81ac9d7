"""How a setting is read from a text or a TOML value, one function a kind; each raises ValueError
with what is wrong.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

Value = TypeVar("Value")


def number_between(low: float, high: float) -> Callable[[Any], float]:
    def checked_number(value: Any) -> float:
        number = float(value)
        if not low <= number <= high:
            raise ValueError(f"must be between {low:,.10g} and {high:,.10g}")
        return number

    return checked_number


def count_between(low: int, high: int) -> Callable[[Any], int]:
    return lambda value: int(number_between(low, high)(value))


def web_address(value: Any) -> str:
    text = str(value).strip().rstrip("/")
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username):
        raise ValueError("must be an http or https address without a user name")
    return text


def existing_files(value: Any) -> tuple[Path, ...]:
    paths = tuple(
        Path(path).expanduser().resolve() for path in str(value).split(os.pathsep) if path
    )
    if missing := [file for file in paths if not file.is_file()]:
        raise ValueError(f"names {missing[0]}, which is not a file")
    return paths


def existing_file(value: Any) -> Path:
    (path,) = existing_files(value)
    return path


def host_names(value: Any) -> tuple[str, ...]:
    words = re.split(r"[\s,;]+", value) if isinstance(value, str) else [str(host) for host in value]
    hosts = tuple(sorted({word.strip().lower() for word in words if word.strip()}))
    if wrong := [host for host in hosts if not re.fullmatch(r"[a-z0-9.-]+(:\d+)?", host)]:
        raise ValueError(f"{wrong[0]!r} is not a host name")
    return hosts


def switch(value: Any) -> bool:
    words = str(value).strip().casefold()
    if words not in ("on", "off", "true", "false", "yes", "no", "1", "0"):
        raise ValueError("must be on or off")
    return words in ("on", "true", "yes", "1")


PLACEHOLDER_BASE = (  # a reserved name: nobody else mints in it, and it leads nowhere
    "https://groundwork.example/"
)


def base_iri(value: Any) -> str:
    text = str(value).strip()
    if text and not re.fullmatch(r"https?://[^\s<>\"{}|\\^`]+[/#]", text):
        raise ValueError("must be an http or https IRI that ends in / or #")
    return text


def values_by_model(read: Callable[[Any], Value], value: Any) -> dict[str, Value]:
    """A value for each model, as TOML or as JSON."""
    values = json.loads(value) if isinstance(value, str) else value
    by_model = {}
    for model, own in values.items():
        try:
            by_model[str(model)] = read(own)
        except ValueError as error:
            raise ValueError(f"of {model} {error}") from error
    return by_model


def model_prices(value: Any) -> dict[str, tuple[float, float]]:
    read_price = number_between(0, 1_000_000)  # US dollars a million tokens
    return values_by_model(lambda pair: (read_price(pair[0]), read_price(pair[1])), value)


def context_lengths(value: Any) -> dict[str, int]:
    return values_by_model(count_between(256, 100_000_000), value)


def batch_shares(value: Any) -> dict[str, float]:
    return values_by_model(number_between(0, 1), value)


def plain_text(value: Any) -> str:
    return " ".join(str(value).split())


def log_format(value: Any) -> str:
    if str(value) not in ("text", "json"):
        raise ValueError("must be text or json")
    return str(value)
