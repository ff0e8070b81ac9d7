"""The one way to the web: time limit, size cap, retries, allowed hosts, a shared pace and a circuit
breaker.

Only https and only allowed hosts are asked, unless the operator set a base URL of their own; no
redirect leaves them, and no name that resolves to a private, loopback or link-local address is
followed. Nothing here knows what it fetches. Seconds and bytes throughout.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.web.client import WebClient
    from core.web.pace import Breaker, JointPace, Pace
from core.web.request import (
    MASK,
    TOTALS,
    Attempt,
    Fetch,
    Fetched,
    Fetcher,
    RememberingFetcher,
    is_private_field,
    is_telling_secret,
    mask_json,
    mask_secrets,
    masked_url,
)

__all__ = [
    "MASK",
    "TOTALS",
    "Attempt",
    "Breaker",
    "Fetch",
    "Fetched",
    "Fetcher",
    "JointPace",
    "Pace",
    "RememberingFetcher",
    "WebClient",
    "is_private_field",
    "is_telling_secret",
    "mask_json",
    "mask_secrets",
    "masked_url",
]

_LATER = {  # what sends requests is imported when something is sent
    "Breaker": "core.web.pace",
    "JointPace": "core.web.pace",
    "Pace": "core.web.pace",
    "WebClient": "core.web.client",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
