"""What is kept of an HTTP answer: its body up to a limit, and its headers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


# Python's own, of names of hosts and of source code: one takes a time that grows with the square
NO_CHARSETS = {"punycode", "idna", "unicode_escape", "unicode-escape", "undefined"}


def read_body(answer: requests.Response, cap: int) -> tuple[str, bool]:
    """The body up to `cap` bytes, and whether there was more."""
    parts, size = [], 0
    for part in pieces(answer, 65536):
        parts.append(part)
        size += len(part)
        if size > cap:
            break
    named = answer.encoding if "charset" in answer.headers.get("Content-Type", "") else "utf-8"
    charset = named if named and named.casefold() not in NO_CHARSETS else "utf-8"
    try:
        return b"".join(parts)[:cap].decode(charset, "replace"), size > cap
    except (LookupError, ValueError):  # a name with signs, or what no such text can hold
        return b"".join(parts)[:cap].decode("utf-8", "replace"), size > cap


def pieces(answer: requests.Response, size: int) -> Iterator[bytes]:
    """The body in pieces of at most so many bytes. Raises ConnectionError where it breaks off; one
    with a chunk of less than nothing would raise an error of the HTTP package.
    """
    try:
        yield from answer.iter_content(size)
    except ValueError as error:
        raise requests.exceptions.ChunkedEncodingError("the answer is garbled") from error


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.casefold(): value for name, value in headers.items() if name.casefold() in _KEPT}
