"""What every noun rests on: JSON values, their digest, and the time."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

Json = Any
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def json_digest(value: Json) -> str:
    """SHA-256 (hex) of the canonical JSON of `value`: sorted keys, no white space, UTF-8.

    >>> json_digest({"b": 1, "a": 2}) == json_digest({"a": 2, "b": 1})
    True
    """
    return hashlib.sha256(_canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def utc_now() -> str:
    """This moment, UTC, to the millisecond: `2026-11-20T13:46:15.123Z`. The default of every
    injected clock.
    """
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
