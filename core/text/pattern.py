"""Patterns that other people wrote (schemas, descriptions of web APIs), matched in linear time.

Python's `re` tries every way to match: `^(a+)+$` takes seconds on 24 letters, and twice as long
for each letter more. RE2 reads a text once. It has no look-around and no back-references; a
pattern that needs them is not checked, and whoever loads it says so (`why_unusable`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

LONGEST = 2000  # characters of a pattern
_MEMORY = 8 << 20  # bytes of one compiled pattern; a{1000}{1000} wants more and is refused


def why_unusable(pattern: str) -> str:
    r"""Why a pattern cannot be checked; "" for one that can.

    >>> why_unusable(r"^HGNC:\d+$"), why_unusable("(?<=p)53")
    ('', 'look-around and back-references are not supported')
    """
    if len(pattern) > LONGEST:
        return f"it is longer than {LONGEST:,} characters"
    try:
        _compiled(pattern)
    except re2.error as error:
        cause = error.args[0] if error.args else ""
        message = cause.decode("utf-8", "replace") if isinstance(cause, bytes) else str(cause)
        if "invalid perl operator" in message or "invalid escape sequence" in message:
            return "look-around and back-references are not supported"
        if "too large" in message or "repetition" in message:
            return "it repeats too often"
        return f"it is not a regular expression ({message[:100]})"
    return ""


def pattern_matches(pattern: str, text: str) -> bool:
    r"""Whether `pattern` is found anywhere in `text`; True where the pattern cannot be checked.

    >>> pattern_matches(r"^HGNC:\d+$", "HGNC:1100"), pattern_matches(r"^HGNC:\d+$", "hgnc:x")
    (True, False)
    """
    return bool(why_unusable(pattern)) or _compiled(pattern).search(text) is not None


def find_word(pattern: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    r"""Offsets of the first place in `text[start:end]` that matches and touches no letter or digit
    on either side; None where there is none, or the pattern cannot be checked.

    >>> find_word(r"rs\d+", "The variants xrs12 and rs7412.", 0, 30)
    (23, 29)
    """
    inner = pattern.removeprefix("^").removesuffix("$")
    before_word = "(?:^|" if start == 0 else "(?:"
    bounded = rf"{before_word}[^\pL\pM\pN_])({inner})(?:$|[^\pL\pM\pN_])"
    if why_unusable(inner) or why_unusable(bounded):
        return None
    before = max(start - 1, 0)  # the character before counts, but not as part of a match
    match = _compiled(bounded).search(text[before:end])
    if match is None:
        return None
    start_byte, end_byte = match.span(1)
    return (start_byte + before, end_byte + before) if start_byte + before >= start else None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    return re2.compile(pattern, options)
