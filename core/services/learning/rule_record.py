"""Which proposals of machines were right as decided, and how often curators agreed with a rule."""

from __future__ import annotations

from dataclasses import dataclass

from core.desk_parts import HasStore
from core.model import MANUAL, Evidence, ReferenceGround, State
from core.review.statement_state import fold_log
from core.store import StatementRecord

RIGHT = {State.APPROVED: True, State.REJECTED: False, State.SUPERSEDED: False}
LEAST_DECIDED = 5  # fewer decisions tell nothing of a rule


def was_right(record: StatementRecord) -> bool:
    """Whether a decided statement was right as it was proposed. One whose term gave way to its
    successor in a newer vocabulary was.
    """
    if record.state is State.SUPERSEDED:
        deciding = fold_log(record.evidence, record.decisions).deciding
        return deciding is not None and deciding.follows_update
    return RIGHT[record.state]


def proposed_by_engine(record: StatementRecord) -> bool:
    """Whether a machine proposed it: what a person marked or corrected says nothing of machines."""
    marked = any(piece.engine == MANUAL for piece in record.evidence)
    by_hand = not record.evidence or (marked and not machine_evidence(record))
    return not by_hand and not record.statement.derived_from


def machine_evidence(record: StatementRecord) -> list[Evidence]:
    """Its evidence without what people marked, and the references that they typed."""
    return [
        piece
        for piece in record.evidence
        if piece.engine != MANUAL and not isinstance(piece.ground, ReferenceGround)
    ]


@dataclass(frozen=True, slots=True)
class RuleRecord:
    """Of `decided` statements that a rule proposed, `kept` were approved as they were."""

    kept: int
    decided: int

    @property
    def words(self) -> str:
        """`34 of 40 kept`."""
        return f"{self.kept:,} of {self.decided:,} kept"


def rule_records(desk: HasStore) -> dict[str, RuleRecord]:
    """Rule → its record, for rules with at least `LEAST_DECIDED` decisions. A statement that was
    corrected counts as not kept; the correction itself, which a person made, does not count.
    """
    counts: dict[str, list[int]] = {}
    for rule, state, number in desk.store.facets.by_rule(tuple(RIGHT)):
        tally = counts.setdefault(rule, [0, 0])
        tally[0] += number * RIGHT[state]
        tally[1] += number
    return {
        rule: RuleRecord(kept_count, decided)
        for rule, (kept_count, decided) in counts.items()
        if decided >= LEAST_DECIDED
    }
