"""How long a server asks to wait before it is asked again: read from its headers, and in words."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping

from core.text.count import counted

LONGEST_SAID = 10 * 365 * 86_400  # seconds: what is longer was not meant


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds in `retry-after-ms` (OpenAI, Azure), or in `Retry-After` as a number or a date
    (RFC 9110, section 10.2.3); None where neither says any. Names may be in any case.
    """
    by_name = {name.casefold(): value.strip() for name, value in headers.items()}
    milliseconds = _number(by_name.get("retry-after-ms", ""))
    if milliseconds is not None:
        return _said(milliseconds / 1000)
    words = by_name.get("retry-after", "")
    seconds = _number(words)
    if seconds is not None:
        return _said(seconds)
    try:
        return _said(email.utils.parsedate_to_datetime(words).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def wait_words(seconds: float) -> str:
    """A wait for people, in whole units.

    >>> wait_words(0.2), wait_words(86_400), wait_words(200_000)
    ('1 second', '24 hours', '2 days')
    """
    whole = max(1, math.ceil(seconds))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if whole >= 2 * size or (whole >= size and whole % size == 0 and unit != "day"):
            return counted(round(whole / size), unit)
    return counted(whole, "second")


def _number(words: str) -> float | None:
    try:
        number = float(words)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _said(seconds: float) -> float | None:
    return max(seconds, 0.0) if seconds <= LONGEST_SAID else None
