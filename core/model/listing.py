"""In which orders a project's lists are shown, and what of them."""

from __future__ import annotations

from enum import StrEnum


class RankOrder(StrEnum):
    """In which order what waits is looked at."""

    LIKELY = "likely"  # likely right first
    UNCERTAIN = "uncertain"  # nearest to a half first


class ReadingOrder(StrEnum):
    """In which order papers are judged."""

    LIKELY = "likely"  # likely relevant first
    UNSURE = "unsure"  # those the model is least sure of first
    ADDED = "added"


class DocumentOrder(StrEnum):
    """In what order documents are listed; ties stand by their ids."""

    NEWEST = "newest"  # added last first
    OLDEST = "oldest"
    YEAR = "year"  # the newest year first
    TITLE = "title"
    JOURNAL = "journal"
    WAITING = "waiting"  # most statements to decide first
    STATEMENTS = "statements"  # most statements first


class DocumentShow(StrEnum):
    """Which documents are listed, by what became of their statements."""

    ALL = ""
    WAITING = "waiting"  # something of it is proposed or unsure
    DECIDED = "decided"  # it has statements, all decided
    NONE = "none"  # it has no statements
    UNREAD = "unread"  # no run has read it
    WITHDRAWN = "withdrawn"  # retracted or deleted
