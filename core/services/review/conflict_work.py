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

from core.desk_parts import HasStore
from core.errors import InputError, NotFound
from core.model import Curator, Reason, Role, Statement, Term, Verdict
from core.review.conflicts import Conflict, ConflictKind, find_conflicts, statement_ends
from core.review.same_name import NameKey, canonical_statement, name_key, shared_names
from core.services.people.orcid import checked_curator
from core.services.review.card import STANDING, StatementCard, statement_cards
from core.services.review.decision import DecisionResult, Judgement, decide
from core.store import ConflictOutcome, ExportBarrier, QueueFilter

__all__ = [
    "MOST_COMPARED",
    "Conflict",
    "ConflictCase",
    "ConflictEnd",
    "ConflictWork",
    "conflict_case",
    "conflict_of",
    "reopen_conflict",
    "settle_conflict",
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
    first: StatementCard
    second: StatementCard | None


def work(desk: HasStore, kind: str = "") -> ConflictWork:
    """Every conflict of standing statements that nobody settled, by kind, then by statement."""
    store = desk.store.conflicts
    terms = store.terms()
    shared = shared_names(terms)
    ids = store.on_the_same_things(MOST_COMPARED)
    term_ids = [id for ids_of_name in shared.values() for id in ids_of_name]
    loose = _loose_names(desk)
    term_ids += [term.id for term in terms if name_key(term) in loose]
    ids = list(dict.fromkeys([*ids, *store.of_terms(term_ids, MOST_COMPARED)]))
    claims = [record.statement for record in desk.store.statements.of_ids(ids[:MOST_COMPARED])]
    by_statements = {
        (conflict.statement, conflict.other): conflict for conflict in _by_name(claims, shared)
    }
    by_statements |= {
        (conflict.statement, conflict.other): conflict for conflict in find_conflicts(claims)
    }
    settled_keys = {
        (conflict_outcome.first, conflict_outcome.second, conflict_outcome.kind)
        for conflict_outcome in store.settled()
    }
    everything = [
        conflict for conflict in by_statements.values() if not kind or str(conflict.kind) == kind
    ]
    waiting = [conflict for conflict in everything if _key(conflict) not in settled_keys]
    order = list(ConflictKind)
    waiting.sort(
        key=lambda conflict: (order.index(conflict.kind), conflict.statement, conflict.other)
    )
    settled = len(everything) - len(waiting)
    return ConflictWork(tuple(waiting), settled, len(ids) > MOST_COMPARED)


def _loose_names(desk: HasStore) -> set[NameKey]:
    """Names of words without a term."""
    ungrounded = QueueFilter(states=STANDING, held=ExportBarrier.UNGROUNDED)
    claims = desk.store.queue.claims(ungrounded, limit=MOST_COMPARED)
    return {name_key(end) for claim in claims for end in _terms(claim) if not end.id}


def _by_name(
    claims: Sequence[Statement], shared: dict[NameKey, tuple[str, ...]]
) -> Iterable[Conflict]:
    """The same claim with another id of the same name (or none); then one pair for each name whose
    ids meet in no such claim.
    """
    id_by_name = {name_key(end): end.id for claim in claims for end in _terms(claim) if end.id}
    first_ids = id_by_name | {key: ids[0] for key, ids in shared.items()}
    same: dict[str, list[Statement]] = defaultdict(list)
    for claim in claims:
        same[canonical_statement(claim, first_ids).id].append(claim)
    met: set[NameKey] = set()
    for group in same.values():
        for statement, other_statement in combinations(group, 2):
            if statement_ends(statement) != statement_ends(other_statement):
                met |= {name_key(end) for end in _terms(statement)}
                yield _pair(statement, other_statement, ConflictKind.EQUIVALENT)
    for key in sorted(shared.keys() - met):
        users = [_user(claims, id, key) for id in shared[key]]
        for statement, other_statement in combinations([user for user in users if user], 2):
            if statement.id != other_statement.id:
                yield _pair(statement, other_statement, ConflictKind.NAME)


def _terms(claim: Statement) -> list[Term]:
    return [end for end in (claim.subject, claim.object) if isinstance(end, Term)]


def _user(claims: Sequence[Statement], id: str, key: NameKey) -> Statement | None:
    """The first statement that uses this id."""
    return next((claim for claim in claims if any(end.id == id for end in _terms(claim))), None)


def _pair(statement: Statement, other_statement: Statement, kind: ConflictKind) -> Conflict:
    first_id, second = sorted((statement.id, other_statement.id))
    return Conflict(first_id, second, kind)


def _key(conflict: Conflict) -> tuple[str, str, str]:
    return conflict.statement, conflict.other, str(conflict.kind)


def conflict_case(desk: HasStore, conflict: Conflict, reader: str = "") -> ConflictCase:
    """Both statements with their sentences, as `reader` may see them. Raises NotFound when one is
    gone.
    """
    statement_ids = [id for id in (conflict.statement, conflict.other) if id]
    both_cards = statement_cards(desk, statement_ids, reader)
    if len(both_cards) < len(statement_ids):
        raise NotFound("A statement of this conflict is not stored in this project.")
    return ConflictCase(conflict, both_cards[0], both_cards[1] if len(both_cards) > 1 else None)


def conflict_of(statement: str, second: str, kind: str) -> Conflict:
    """A conflict by what a page or a line says. Raises InputError for a kind that is none."""
    if kind not in list(ConflictKind):
        raise InputError(
            f"{kind[:60]!r} is not a kind of conflict.", f"One of: {', '.join(ConflictKind)}."
        )
    first_id, second_id = sorted((statement, second)) if second else (statement, "")
    return Conflict(first_id, second_id, ConflictKind(kind))


def settle_conflict(
    desk: HasStore,
    conflict: Conflict,
    outcome: ConflictEnd,
    curator: Curator,
    *,
    wrong: str = "",
    version: int = -1,
    reason: Reason | None = None,
    note: str = "",
) -> DecisionResult | None:
    """Say how to settle the conflict. *One is wrong* and *duplicate* reject the statement `wrong`
    at the `version` seen, the latter as a duplicate; the others decide nothing. Raises InputError,
    NotFound, StaleVersion.
    """
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    for id in filter(None, (conflict.statement, conflict.other)):
        desk.store.statements.get(id)
    rejection = None
    if outcome in (ConflictEnd.WRONG, ConflictEnd.DUPLICATE):
        if wrong not in (conflict.statement, conflict.other) or not wrong:
            raise InputError("Choose which of the two to reject.", "Give its id.")
        why = Reason.DUPLICATE if outcome is ConflictEnd.DUPLICATE else reason
        rejection = decide(desk, wrong, version, Judgement(Verdict.REJECT, why, note), curator)
    desk.store.conflicts.settle(
        ConflictOutcome(*_key(conflict), str(outcome), note.strip()[:500], person.orcid)
    )
    return rejection


def reopen_conflict(desk: HasStore, conflict: Conflict, curator: str) -> bool:
    """Take back what was said of a conflict; decisions stay, and are undone on their own. Raises
    Forbidden where somebody else said it, unless this is a reviewer.
    """
    said_by = {
        outcome.curator
        for outcome in desk.store.conflicts.settled()
        if (outcome.first, outcome.second, outcome.kind) == _key(conflict)
    }
    own = said_by == {curator}
    desk.store.curators.need(curator, Role.CURATOR if own else Role.REVIEWER)
    return bool(desk.store.conflicts.reopen(*_key(conflict)))
