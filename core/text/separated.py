"""Reading tab- and comma-separated text of strangers: how long a cell may be, and what is wrong."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import InputError

LONGEST_CELL = 10_000_000  # characters; a statement with all its evidence can be one cell

MOST_COLUMNS = 1_000  # exports of databases of papers have some eighty

# Of the whole process, as the module has it. Python's own 131,072 is less than we write ourselves.
csv.field_size_limit(LONGEST_CELL)


def check_columns(number: int, name: str) -> None:
    """Raises InputError for a table too wide or too long to be shown."""
    if number > MOST_COLUMNS:
        raise InputError(
            f"{name} has {number:,} columns; at most {MOST_COLUMNS:,} are read.",
            "Leave out those that are not needed.",
        )


@contextmanager
def readable_table(name: str) -> Iterator[None]:
    """Around the reading of a table. Raises InputError in place of csv.Error."""
    try:
        yield
    except csv.Error as error:
        reason = str(error)
        if "field limit" in reason:
            reason = f"one cell has more than {LONGEST_CELL:,} characters"
        raise InputError(
            f"{name} cannot be read: {reason}.",
            "A quotation mark that is never closed makes one cell of all that follows it.",
        ) from error
