"""Numbers with the name of what is counted."""

from __future__ import annotations


def counted(number: int, singular: str, many: str = "") -> str:
    """A number with what is counted; `many` where adding an s does not make the plural.

    >>> counted(1, "call"), counted(1200, "call"), counted(2, "entry", "entries")
    ('1 call', '1,200 calls', '2 entries')
    """
    return f"{number:,} {singular if number == 1 else many or f'{singular}s'}"
