"""A stored query as PubMed takes it: its words, and the days between which papers count."""

from __future__ import annotations

from datetime import date, timedelta

from core.errors import InputError
from core.literature.namespace import PubMedQuery


def term_of(query: PubMedQuery) -> str:
    """The query with reviews in, out or alone."""
    more = {"without": " NOT review[pt]", "only": " AND review[pt]"}.get(query.reviews, "")
    return f"({query.terms}){more}" if more else query.terms


def day_of(text: str, default: date) -> date:
    """YYYY, YYYY/MM or YYYY/MM/DD (or with hyphens). Raises InputError."""
    parts = [part for part in text.replace("-", "/").split("/") if part]
    if not parts:
        return default
    try:
        year, month, day = (*map(int, parts), 1, 1)[:3]
        return date(year, month, day)
    except ValueError:
        raise InputError(f"{text[:20]!r} is not a date.", "Write YYYY/MM/DD.") from None


def last_day_of(text: str, default: date) -> date:
    """Like `day_of`, but the last day of a year or month."""
    first_day = day_of(text, default)
    parts = [part for part in text.replace("-", "/").split("/") if part]
    if len(parts) == 1:
        return date(first_day.year, 12, 31)
    if len(parts) == 2:
        return (first_day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return first_day
