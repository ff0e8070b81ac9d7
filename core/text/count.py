"""Numbers with the name of what is counted."""

from __future__ import annotations


def counted(number: int, singular: str, many: str = "") -> str:
    """`1 call`, `2 calls`, `1,200 calls`; `many` where adding an s does not make the plural."""
    return f"{number:,} {singular if number == 1 else many or f'{singular}s'}"
