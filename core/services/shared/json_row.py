"""A line of JSON that a person sends to the command line."""

from __future__ import annotations

from collections.abc import Container, Mapping

from core.model import Json

MOST_TOLD = 20
LONGEST_KEY = 60  # characters of one that is told


def unread_keys(row: Json, read: Container[str]) -> dict[str, Json]:
    """{not_read: keys} of a line that says more than is read, such as a key with a typo; else
    nothing.
    """
    keys = [key[:LONGEST_KEY] for key in row if key not in read] if isinstance(row, Mapping) else []
    return {"not_read": keys[:MOST_TOLD]} if keys else {}
