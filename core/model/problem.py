"""Expected trouble in data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """Expected trouble in data. `code` is stable and hyphenated (`not-in-text`); `where` is a path,
    line or record.
    """

    code: str
    message: str
    severity: Severity = Severity.WARNING
    where: str = ""
    hint: str = ""
