"""Where people judged one statement differently, whoever had the last word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.model import Decision, Verdict
from core.review.agreement import JUDGED, Agreement, agreement


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A statement with the last verdict of each person, in the order they gave them."""

    statement: str
    last: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two people agree on the statements of one predicate ("" for all of them)."""

    one: str
    other: str
    predicate: str
    agreement: Agreement


def last_verdicts(log: Sequence[Decision]) -> tuple[Decision, ...]:
    """The latest verdict of each person on one statement, oldest first. What a person took back
    themself does not count; what another took back still is what they thought.
    """
    own_undone = {
        one.undoes
        for one in log
        if one.verdict is Verdict.UNDO
        and any(other.id == one.undoes and other.curator == one.curator for other in log)
    }
    last: dict[str, Decision] = {}
    for decision in log:
        if decision.verdict in JUDGED and not decision.evidence and decision.id not in own_undone:
            last.pop(decision.curator, None)
            last[decision.curator] = decision
    return tuple(last.values())


def disagreements(logs: Iterable[tuple[str, Sequence[Decision]]]) -> list[Disagreement]:
    """Statements on which the last verdicts of two people differ; `logs`: id and decisions."""
    found = []
    for statement, log in logs:
        last = last_verdicts(log)
        if len({decision.verdict for decision in last}) > 1:
            found.append(Disagreement(statement, last))
    return found


def agreements(logs: Iterable[tuple[str, str, Sequence[Decision]]]) -> list[PairAgreement]:
    """For every two people who judged the same statements: over all, then each predicate. `logs`:
    statement, predicate and decisions.
    """
    verdicts: dict[str, dict[str, dict[str, Verdict]]] = {}
    for statement, predicate, log in logs:
        for last in last_verdicts(log):
            for key in ("", predicate):
                own = verdicts.setdefault(key, {}).setdefault(last.curator, {})
                own[statement] = last.verdict
    found = []
    for predicate, people in sorted(verdicts.items()):
        for one, other in combinations(sorted(people), 2):
            judged = agreement(people[one], people[other])
            if judged.both:
                found.append(PairAgreement(one, other, predicate, judged))
    return sorted(found, key=lambda pair: (pair.one, pair.other, pair.predicate))
