"""Conflicts and duplicates as work: each with both sentences, and what a curator says of it.

Nothing is blocked, and nothing is decided here but what the curator says: of two statements at odds
both may be right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from core.desk_parts import HasProjectTerms, HasStore
from core.errors import InputError, NotFound, Refused
from core.grounding.equivalents import groups
from core.model import Curator, Reason, Role, State, Statement, Term, Verdict
from core.review.conflicts import (
    Conflict,
    ConflictKind,
    NameKey,
    canonical_statement,
    find_conflicts,
    name_key,
    predicate,
    shared_names,
    statement_ends,
    with_ids_of,
)
from core.review.conflicts import (
    ConflictVerdict as ConflictVerdict,
)
from core.services.people.orcid import checked_curator
from core.services.review.card import STANDING, StatementCard, statement_cards
from core.services.review.decision import (
    DecisionResult,
    Judgement,
    correct,
    decide,
    is_carried_over,
)
from core.store import ConflictOutcome, ExportBarrier, QueueFilter

__all__ = [
    "MOST_COMPARED",
    "Conflict",
    "ConflictCase",
    "ConflictKind",
    "ConflictVerdict",
    "ConflictWork",
    "conflict_case",
    "conflict_of",
    "kept_conflicts",
    "read_conflicts",
    "reopen_conflict",
    "settle_conflict",
]

MOST_COMPARED = 20_000  # statements that one look compares


REJECTING = (ConflictVerdict.WRONG, ConflictVerdict.DUPLICATE)


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


def read_conflicts(desk: HasProjectTerms, kind: str = "") -> ConflictWork:
    """Every conflict of standing statements that nobody settled, by kind, then by statement."""
    store = desk.store.conflicts
    terms = store.terms()
    shared = shared_names(terms)
    one_thing = groups((term.id for term in terms), desk.equivalents())
    first_ids = {id: min(ids_of_thing) for id, ids_of_thing in one_thing.items()}
    ids = store.on_the_same_things(MOST_COMPARED)
    term_ids = [id for ids_of_name in shared.values() for id in ids_of_name]
    loose = _loose_names(desk)
    term_ids += [term.id for term in terms if name_key(term) in loose]
    used = Counter(first_ids[term.id] for term in terms if term.id in first_ids)
    term_ids += [term.id for term in terms if used[first_ids.get(term.id, "")] > 1]
    ids = list(dict.fromkeys([*ids, *store.of_terms(term_ids, MOST_COMPARED)]))
    claims = [record.statement for record in desk.store.statements.of_ids(ids[:MOST_COMPARED])]
    by_statements = {
        (conflict.statement, conflict.other): conflict
        for conflict in (*_with_other_ids(claims, shared, first_ids), *find_conflicts(claims))
    }
    kept = kept_conflicts(desk)
    kept_keys = {(outcome.first, outcome.second, outcome.kind) for outcome in kept}
    kept_ids = _kept_ids(desk, kept)
    by_id = {claim.id: claim for claim in claims}
    everything = [
        conflict for conflict in by_statements.values() if not kind or str(conflict.kind) == kind
    ]
    waiting = [
        conflict
        for conflict in everything
        if _key(conflict) not in kept_keys
        and not (
            conflict.kind is ConflictKind.NAME
            and _ids_of_one_name(by_id[conflict.statement], by_id[conflict.other]) <= kept_ids
        )
    ]
    order = list(ConflictKind)
    waiting.sort(
        key=lambda conflict: (order.index(conflict.kind), conflict.statement, conflict.other)
    )
    settled = len(everything) - len(waiting)
    return ConflictWork(tuple(waiting), settled, len(ids) > MOST_COMPARED)


def _kept_ids(desk: HasStore, kept: Iterable[ConflictOutcome]) -> set[frozenset[str]]:
    """Pairs of ids with one name that a curator kept: said once, it holds for every statement."""
    of_names = [outcome for outcome in kept if outcome.kind == ConflictKind.NAME]
    records = desk.store.statements.of_ids(
        [id for outcome in of_names for id in (outcome.first, outcome.second)]
    )
    claims = {record.id: record.statement for record in records}
    pairs: set[frozenset[str]] = set()
    for outcome in of_names:
        if outcome.first in claims and outcome.second in claims:
            pairs |= _ids_of_one_name(claims[outcome.first], claims[outcome.second])
    return pairs


def _ids_of_one_name(statement: Statement, other: Statement) -> set[frozenset[str]]:
    return {
        frozenset((term.id, other_term.id))
        for term in _terms(statement)
        for other_term in _terms(other)
        if name_key(term) == name_key(other_term) and term.id != other_term.id
    }


def _loose_names(desk: HasStore) -> set[NameKey]:
    """Names of words without a term."""
    ungrounded = QueueFilter(states=STANDING, held=ExportBarrier.UNGROUNDED)
    claims = desk.store.queue.claims(ungrounded, limit=MOST_COMPARED)
    return {name_key(end) for claim in claims for end in _terms(claim) if not end.id}


def _with_other_ids(
    claims: Sequence[Statement],
    shared: Mapping[NameKey, tuple[str, ...]],
    first_ids: Mapping[str, str],
) -> Iterable[Conflict]:
    """The same claim with another id of the same name (or none), or with one that a mapping calls
    the same; then one pair for each name whose ids meet in no such claim.
    """
    id_by_name = {name_key(end): end.id for claim in claims for end in _terms(claim) if end.id}
    id_by_name |= {key: ids[0] for key, ids in shared.items()}

    def one_id(term: Term) -> str:
        id = id_by_name.get(name_key(term), term.id)
        return first_ids.get(id, id)

    same: dict[str, list[Statement]] = defaultdict(list)
    for claim in claims:
        same[canonical_statement(claim, one_id).id].append(claim)
    met: set[NameKey] = set()
    for group in same.values():
        for statement, other_statement in combinations(group, 2):
            if statement_ends(statement) != statement_ends(other_statement):
                names, other_names = (_end_names(side) for side in (statement, other_statement))
                met |= names & other_names
                by_name = names == other_names
                kind = ConflictKind.EQUIVALENT if by_name else ConflictKind.MAPPED
                yield _pair(statement, other_statement, kind)
    for key in sorted(shared.keys() - met):
        users = [_user(claims, id, key) for id in shared[key]]
        for statement, other_statement in combinations([user for user in users if user], 2):
            if statement.id != other_statement.id:
                yield _pair(statement, other_statement, ConflictKind.NAME)


def _end_names(claim: Statement) -> set[NameKey]:
    return {name_key(end) for end in _terms(claim)}


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
    outcome: ConflictVerdict,
    curator: Curator,
    *,
    wrong: str = "",
    version: int = -1,
    reason: Reason | None = None,
    note: str = "",
) -> DecisionResult | None:
    """Say how to settle the conflict. *One is wrong* and *duplicate* reject the statement `wrong`
    at the `version` seen, the latter as a duplicate whose evidence goes to the one that stays; the
    others decide nothing. Where two statements only share a name with two ids, the duplicate is an
    id: `wrong` is corrected to have the other's, and waits for review. Raises InputError, NotFound,
    StaleVersion, and Refused where it was settled, or one was rejected, meanwhile.
    """
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    if outcome in REJECTING and (not wrong or wrong not in (conflict.statement, conflict.other)):
        raise InputError("Choose which of the two to reject.", "Give its id.")
    said = ConflictOutcome(*_key(conflict), str(outcome), note.strip()[:500], person.orcid)
    with desk.store.together():
        before = desk.store.conflicts.settle(said)
        _check_standing(desk, conflict)
        if before and before.outcome not in REJECTING:
            raise Refused(
                f"This conflict was settled as “{before.outcome}” meanwhile, by"
                f" {_name_of(desk, before.curator)}.",
                "Nothing was changed.",
            )
        if before:  # that rejection was undone
            desk.store.conflicts.reopen(*_key(conflict))
            desk.store.conflicts.settle(said)
        if outcome not in REJECTING:
            return None
        if outcome is ConflictVerdict.DUPLICATE:
            if conflict.kind is ConflictKind.NAME:
                corrected = _with_the_others_ids(desk, wrong, conflict)
                return correct(desk, wrong, version, corrected, curator=curator, note=note)
            reason = Reason.DUPLICATE
            _keep_evidence(desk, wrong, conflict)
        return decide(
            desk, wrong, version, Judgement(Verdict.REJECT, reason, note), curator=curator
        )


def _keep_evidence(desk: HasStore, wrong: str, conflict: Conflict) -> None:
    """Give the statement that stays what was not rejected of the other's evidence; a quote that
    says the opposite, or has another relation, is no evidence for it.
    """
    stays = conflict.other if wrong == conflict.statement else conflict.statement
    if not stays:
        return
    kept, duplicate = desk.store.statements.get(stays), desk.store.statements.get(wrong)
    claim, other = kept.statement, duplicate.statement
    if claim.negated != other.negated or predicate(claim) != predicate(other):
        return
    known = {replace(piece, statement=wrong).id for piece in kept.evidence}
    grounds = [
        replace(piece, statement=stays)
        for piece in duplicate.evidence
        if is_carried_over(duplicate, piece) and piece.id not in known
    ]
    if grounds:
        desk.store.statements.propose([(kept.statement, grounds)])


def _with_the_others_ids(desk: HasStore, wrong: str, conflict: Conflict) -> Statement:
    other = conflict.other if wrong == conflict.statement else conflict.statement
    claim, other_claim = (desk.store.statements.get(id).statement for id in (wrong, other))
    return with_ids_of(claim, other_claim)


def _check_standing(desk: HasStore, conflict: Conflict) -> None:
    for id, which in ((conflict.statement, "first"), (conflict.other, "second")):
        state = desk.store.statements.get(id).state if id else State.PROPOSED
        if state not in STANDING:
            raise Refused(
                f"The {which} statement was {state} meanwhile: there is no conflict any more.",
                "Nothing was changed.",
            )


def _name_of(desk: HasStore, orcid: str) -> str:
    curator = desk.store.curators.get(orcid)
    return (curator and curator.name) or orcid or "somebody without a name"


def kept_conflicts(desk: HasStore) -> list[ConflictOutcome]:
    """What was said of conflicts without a rejection, oldest first. A rejection is undone like any
    other, and its conflict is then open again.
    """
    return [said for said in desk.store.conflicts.settled() if said.outcome not in REJECTING]


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
