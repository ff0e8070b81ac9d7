"""How often curators agreed with a relation rule, from the decisions of this project."""

from __future__ import annotations

from dataclasses import dataclass

from core.desk_parts import HasStore
from core.model import State
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
