"""A paper's status: what happened to it once it was published. It goes wherever it is quoted."""

from __future__ import annotations

from enum import StrEnum


class PaperStatus(StrEnum):
    """What a source says happened to a paper; the first two withdraw it."""

    RETRACTED = "retracted"
    DELETED = "deleted from PubMed"
    CONCERN = "expression of concern"
    CORRECTED = "corrected"
    UPDATED = "a newer version is published"
    PREPRINT = "preprint"


WITHDRAWING = (PaperStatus.RETRACTED, PaperStatus.DELETED)
BY_CURATOR = f"{PaperStatus.RETRACTED}, marked by a curator"  # before the curator's words


def is_withdrawn(status: str) -> bool:
    """Whether a status, several of which stand side by side, says that a paper was withdrawn.

    >>> is_withdrawn("retracted, corrected"), is_withdrawn("corrected")
    (True, False)
    """
    parts = (part.strip() for part in status.replace(";", ",").split(","))
    return any(part in WITHDRAWING for part in parts)


def status_mark(status: str) -> str:
    """A status as it stands before a title, without a curator's own words; "" for none.

    >>> status_mark("retracted"), status_mark("corrected"), status_mark("")
    ('[RETRACTED] ', '[corrected] ', '')
    """
    if not status:
        return ""
    said = status.partition(f"{BY_CURATOR}:")
    words = f"{said[0]}{BY_CURATOR if said[1] else ''}"
    return f"[{words.replace(PaperStatus.RETRACTED, PaperStatus.RETRACTED.upper())}] "
