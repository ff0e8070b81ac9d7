"""What a blind second reader does not see: how others judged what still waits for them."""

from __future__ import annotations

from core.desk_parts import HasStore
from core.model import State
from core.store import StatementRecord

WAITING = (State.PROPOSED, State.UNSURE)


def is_hidden(record: StatementRecord, reader: str, blind: bool) -> bool:
    """Whether it waits, and others judged it while this reader has not, where reviews are blind."""
    judges = {decision.curator for decision in record.decisions}
    return blind and record.state in WAITING and bool(judges) and reader not in judges


def reviews_are_blind(desk: HasStore) -> bool:
    return desk.store.project.policy().blind
