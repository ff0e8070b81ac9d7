"""What is kept of an HTTP answer: its body up to a limit, and its headers."""

from __future__ import annotations

from collections.abc import Mapping

import requests

from core.web.request import TOTALS

_KEPT = (
    "content-type",
    "retry-after",
    "content-length",
    "last-modified",
    "x-ratelimit-remaining",
    "location",
    *TOTALS,
)


def read_body(answer: requests.Response, cap: int) -> tuple[str, bool]:
    """The body up to `cap` bytes, and whether there was more."""
    parts, size = [], 0
    for part in answer.iter_content(65536):
        parts.append(part)
        size += len(part)
        if size > cap:
            break
    charset = answer.encoding if "charset" in answer.headers.get("Content-Type", "") else "utf-8"
    try:
        return b"".join(parts)[:cap].decode(charset or "utf-8", "replace"), size > cap
    except LookupError:
        return b"".join(parts)[:cap].decode("utf-8", "replace"), size > cap


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.casefold(): value for name, value in headers.items() if name.casefold() in _KEPT}
