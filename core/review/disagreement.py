"""The last verdict of each person on a statement: where they differ, and how far each two agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.model import Decision, Verdict

JUDGED = (Verdict.APPROVE, Verdict.REJECT, Verdict.UNSURE)


@dataclass(frozen=True, slots=True)
class Agreement:
    """`both` statements judged by both, `same` alike. `kappa` is None where chance alone would
    agree on all of them.
    """

    both: int
    same: int
    kappa: float | None
    differing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Between 0 and 1; 0 when there is nothing to compare."""
        return self.same / self.both if self.both else 0.0


def agreement(verdicts: dict[str, Verdict], other_verdicts: dict[str, Verdict]) -> Agreement:
    both = sorted(verdicts.keys() & other_verdicts.keys())
    differing = tuple(name for name in both if verdicts[name] is not other_verdicts[name])
    total = len(both)
    if not total:
        return Agreement(0, same=0, kappa=None)
    first_counts, second = (
        Counter(judged[name] for name in both) for judged in (verdicts, other_verdicts)
    )
    chance = sum(first_counts[verdict] * second[verdict] for verdict in JUDGED) / total**2
    observed = (total - len(differing)) / total
    kappa = None if chance == 1 else round((observed - chance) / (1 - chance), 4)
    return Agreement(total, total - len(differing), kappa, differing)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A statement with the last verdict of each person, in the order they gave them."""

    statement: str
    last: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two people agree on the statements of one predicate ("" for all of them)."""

    first_person: str
    second_person: str
    predicate: str
    agreement: Agreement


def last_verdicts(log: Sequence[Decision]) -> tuple[Decision, ...]:
    """The latest verdict of each person on one statement, oldest first. What a person took back
    themself does not count; what another took back still is what they thought.
    """
    own_undone = {
        undo.undoes
        for undo in log
        if undo.verdict is Verdict.UNDO
        and any(entry.id == undo.undoes and entry.curator == undo.curator for entry in log)
    }
    last_by_curator: dict[str, Decision] = {}
    for decision in log:
        if decision.verdict in JUDGED and not decision.evidence and decision.id not in own_undone:
            last_by_curator.pop(decision.curator, None)
            last_by_curator[decision.curator] = decision
    return tuple(last_by_curator.values())


def disagreements(logs: Iterable[tuple[str, Sequence[Decision]]]) -> list[Disagreement]:
    """Statements on which the last verdicts of two people differ; `logs`: id and decisions."""
    differing = []
    for statement, log in logs:
        verdicts = last_verdicts(log)
        if len({decision.verdict for decision in verdicts}) > 1:
            differing.append(Disagreement(statement, verdicts))
    return differing


def settled_by(log: Sequence[Decision]) -> str:
    """The ORCID iD of whoever had the last word on one statement after others had differed; "" for
    nobody.
    """
    acts = [decision for decision in log if not decision.evidence]
    if not acts:
        return ""
    last = acts[-1].curator
    verdicts = {said.verdict for said in last_verdicts(log) if said.curator != last}
    own_undo = acts[-1].verdict is Verdict.UNDO and any(
        act.id == acts[-1].undoes and act.curator == last for act in acts
    )
    return last if len(verdicts) > 1 and not own_undo else ""


def agreements(logs: Iterable[tuple[str, str, Sequence[Decision]]]) -> list[PairAgreement]:
    """For every two people who judged the same statements: over all, then each predicate. `logs`:
    statement, predicate and decisions.
    """
    verdicts: dict[str, dict[str, dict[str, Verdict]]] = {}
    for statement, predicate, log in logs:
        for verdict in last_verdicts(log):
            for key in ("", predicate):
                own = verdicts.setdefault(key, {}).setdefault(verdict.curator, {})
                own[statement] = verdict.verdict
    pairs = []
    for predicate, people in sorted(verdicts.items()):
        for curator, other_curator in combinations(sorted(people), 2):
            judged = agreement(people[curator], people[other_curator])
            if judged.both:
                pairs.append(PairAgreement(curator, other_curator, predicate, judged))
    return sorted(pairs, key=lambda pair: (pair.first_person, pair.second_person, pair.predicate))
