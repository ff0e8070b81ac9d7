"""Where in a journal a paper stands, as records write it."""

from __future__ import annotations

import re

_DASH = re.compile(r"\s*[-\u2010-\u2015\u2212]+\s*")
_NOT_KNOWN = re.compile(r"n\.?/?a\.?|no|none|null|undefined|-|", re.IGNORECASE)


def known_place(value: str) -> str:
    """A volume or an issue; "" for what publishers write where there is none, such as `n/a`."""
    value = " ".join(value.split())
    return "" if _NOT_KNOWN.fullmatch(value) else value


def page_range(first: str, last: str = "") -> str:
    """Pages as `1123-1130`, also from `1123--30` or from the first page and the last; a single
    page, or the number of an article without pages, as it is; "" where none is known.
    """
    first, last = (_DASH.sub("-", known_place(value)) for value in (first, last))
    if last and first and not first.endswith(f"-{last}") and first != last:
        first = f"{first}-{last}"
    begin, dash, end = (first or last).partition("-")
    if dash and not (known_place(begin) and known_place(end)):
        return known_place(begin)
    if begin.isdigit() and end.isdigit() and len(end) < len(begin):
        end = begin[: -len(end)] + end  # PubMed leaves out the digits that stay the same
    return begin if begin == end else f"{begin}{dash}{end}"
