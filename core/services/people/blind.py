"""What a blind second reader does not see: how others judged what still waits for them."""

from __future__ import annotations

from core.desk_parts import HasStore
from core.store import StatementRecord


def is_hidden(record: StatementRecord, reader: str, blind: bool) -> bool:
    """Whether it waits, and others judged it while this reader has not, where reviews are blind."""
    return blind and record.awaits_blind(reader)


def reviews_are_blind(desk: HasStore) -> bool:
    return desk.store.project.policy().blind


def blind_reader(desk: HasStore, reader: str | None) -> str | None:
    """The reader where reviews are blind, for a `QueueFilter`; None where everything is shown. None
    is the operator, who sees all.
    """
    return reader if reader is not None and reviews_are_blind(desk) else None
