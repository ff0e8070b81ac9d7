"""Conflicts and duplicates as work: each with both sentences, and what a curator says of it.

Nothing is blocked, and nothing is decided here but what the curator says: of two statements at odds
both may be right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from core.desk import Desk
from core.errors import InputError, NotFound
from core.model import Curator, Reason, Statement, Term, Verdict
from core.review.conflicts import Conflict, ConflictKind, conflicts, ends
from core.review.same_name import NameKey, canonical, name_key, shared_names
from core.services.review.card import STANDING, Card, cards
from core.services.review.decision import DecisionResult, Judgement, decide
from core.services.shared import screen
from core.store import ConflictOutcome, Filter, Held

__all__ = [
    "MOST_COMPARED",
    "Conflict",
    "ConflictCase",
    "ConflictEnd",
    "ConflictWork",
    "case",
    "conflict_of",
    "reopen",
    "settle",
    "work",
]

MOST_COMPARED = 20_000  # statements that one look compares


class ConflictEnd(StrEnum):
    """What becomes of a conflict."""

    KEEP = "keep both"
    WRONG = "one is wrong"
    DUPLICATE = "duplicate"
    DIFFERENT = "different thing"


@dataclass(frozen=True, slots=True)
class ConflictWork:
    """What is to be looked at. `settled`: how many were settled before; `cut`: more statements
    could be compared than were.
    """

    open: tuple[Conflict, ...]
    settled: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ConflictCase:
    """A conflict with everything on its statements; the second is None where one is at odds with
    itself.
    """

    conflict: Conflict
    first: Card
    second: Card | None


def work(desk: Desk, kind: str = "") -> ConflictWork:
    """Every conflict of standing statements that nobody settled, by kind, then by statement."""
    store = desk.store.conflicts
    terms = store.terms()
    shared = shared_names(terms)
    ids = store.on_the_same_things(MOST_COMPARED)
    named = [id for ids_of_name in shared.values() for id in ids_of_name]
    loose = _loose_names(desk)
    named += [term.id for term in terms if name_key(term) in loose]
    ids = list(dict.fromkeys([*ids, *store.of_terms(named, MOST_COMPARED)]))
    claims = [record.statement for record in desk.store.statements.of_ids(ids[:MOST_COMPARED])]
    found = {
        (conflict.statement, conflict.other): conflict for conflict in _by_name(claims, shared)
    }
    found |= {(conflict.statement, conflict.other): conflict for conflict in conflicts(claims)}
    done = {
        (conflict_outcome.first, conflict_outcome.second, conflict_outcome.kind)
        for conflict_outcome in store.settled()
    }
    everything = [conflict for conflict in found.values() if not kind or str(conflict.kind) == kind]
    waiting = [conflict for conflict in everything if _key(conflict) not in done]
    order = list(ConflictKind)
    waiting.sort(key=lambda one: (order.index(one.kind), one.statement, one.other))
    settled = len(everything) - len(waiting)
    return ConflictWork(tuple(waiting), settled, len(ids) > MOST_COMPARED)


def _loose_names(desk: Desk) -> set[NameKey]:
    """Names of words without a term."""
    wanted = Filter(states=STANDING, held=Held.UNGROUNDED)
    claims = desk.store.queue.claims(wanted, limit=MOST_COMPARED)
    return {name_key(end) for claim in claims for end in _terms(claim) if not end.id}


def _by_name(
    claims: Sequence[Statement], shared: dict[NameKey, tuple[str, ...]]
) -> Iterable[Conflict]:
    """The same claim with another id of the same name (or none); then one pair for each name whose
    ids meet in no such claim.
    """
    known = {name_key(end): end.id for claim in claims for end in _terms(claim) if end.id}
    first_ids = known | {key: ids[0] for key, ids in shared.items()}
    same: dict[str, list[Statement]] = defaultdict(list)
    for claim in claims:
        same[canonical(claim, first_ids).id].append(claim)
    met: set[NameKey] = set()
    for group in same.values():
        for one, other in combinations(group, 2):
            if ends(one) != ends(other):
                met |= {name_key(end) for end in _terms(one)}
                yield _pair(one, other, ConflictKind.EQUIVALENT)
    for key in sorted(shared.keys() - met):
        users = [_user(claims, id, key) for id in shared[key]]
        for one, other in combinations([user for user in users if user], 2):
            if one.id != other.id:
                yield _pair(one, other, ConflictKind.NAME)


def _terms(claim: Statement) -> list[Term]:
    return [end for end in (claim.subject, claim.object) if isinstance(end, Term)]


def _user(claims: Sequence[Statement], id: str, key: NameKey) -> Statement | None:
    """The first statement that uses this id."""
    return next((claim for claim in claims if any(end.id == id for end in _terms(claim))), None)


def _pair(statement: Statement, other: Statement, kind: ConflictKind) -> Conflict:
    first, second = sorted((statement.id, other.id))
    return Conflict(first, second, kind)


def _key(conflict: Conflict) -> tuple[str, str, str]:
    return conflict.statement, conflict.other, str(conflict.kind)


def case(desk: Desk, conflict: Conflict) -> ConflictCase:
    """Both statements with their sentences. Raises NotFound when one is gone."""
    wanted = [id for id in (conflict.statement, conflict.other) if id]
    shown = cards(desk, wanted)
    if len(shown) < len(wanted):
        raise NotFound("A statement of this conflict is not stored in this project.")
    return ConflictCase(conflict, shown[0], shown[1] if len(shown) > 1 else None)


def conflict_of(first: str, second: str, kind: str) -> Conflict:
    """A conflict by what a page or a line says. Raises InputError for a kind that is none."""
    if kind not in list(ConflictKind):
        raise InputError(
            f"{kind[:60]!r} is no kind of conflict.", f"One of: {', '.join(ConflictKind)}."
        )
    one, other = sorted((first, second)) if second else (first, "")
    return Conflict(one, other, ConflictKind(kind))


def settle(
    desk: Desk,
    conflict: Conflict,
    outcome: ConflictEnd,
    curator: Curator,
    *,
    wrong: str = "",
    version: int = -1,
    reason: Reason | None = None,
    note: str = "",
) -> DecisionResult | None:
    """Say what becomes of a conflict. *One is wrong* and *duplicate* reject the statement `wrong`
    at the `version` seen, the latter as a duplicate; the others decide nothing. Raises InputError,
    NotFound, StaleVersion.
    """
    person = screen.curator(curator.orcid, curator.name)
    for id in filter(None, (conflict.statement, conflict.other)):
        desk.store.statements.get(id)
    made = None
    if outcome in (ConflictEnd.WRONG, ConflictEnd.DUPLICATE):
        if wrong not in (conflict.statement, conflict.other) or not wrong:
            raise InputError("Say which of the two is to be rejected.", "Give its id.")
        why = Reason.DUPLICATE if outcome is ConflictEnd.DUPLICATE else reason
        made = decide(desk, wrong, version, Judgement(Verdict.REJECT, why, note), curator)
    desk.store.conflicts.settle(
        ConflictOutcome(*_key(conflict), str(outcome), note.strip()[:500], person.orcid)
    )
    return made


def reopen(desk: Desk, conflict: Conflict) -> bool:
    """Take back what was said of a conflict; decisions stay, and are undone on their own."""
    return bool(desk.store.conflicts.reopen(*_key(conflict)))
