"""What a browser says was pressed: each press is taken once, in order, on the version that was on
screen. Of two curators who press at the same time the second is asked to look again.

The browser makes the decision's id, so that a press that is sent again, after a lost connection or
a killed server, is known to be stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.desk_parts import HasProjectTerms, HasStore, HasVocabularies
from core.errors import GroundworkError, InputError, NotFound, Refused, StoreError
from core.model import (
    VERDICTS,
    Curator,
    Decision,
    Literal,
    Modality,
    Node,
    Qualifier,
    Reason,
    State,
    Statement,
    Term,
    Thing,
    Verdict,
)
from core.services.people.blind import reviews_are_blind
from core.services.review.card import term_readings
from core.services.review.decision import (
    DecisionResult,
    Judgement,
    approval_progress,
    correct,
    decide,
)
from core.services.review.typed_thing import known_term, predicate_of
from core.services.review.undo import undo_decision, undo_last
from core.store import StatementRecord

IDS = re.compile(r"k-[0-9a-z]{8,40}-[0-9]{1,9}")
MOST_AT_ONCE = 200  # presses in one message
CORRECT, UNDO = "correct", "undo"


@dataclass(frozen=True, slots=True)
class KeyPress:
    """One key. `kind` is a verdict, `correct` or `undo`; `target` the press to take back (empty:
    the curator's last decision, whatever it was); `curator` who pressed it.
    """

    id: str
    kind: str
    statement: str = ""
    version: int = 0
    reason: str = ""
    note: str = ""
    evidence: str = ""
    target: str = ""
    curator: str = ""
    edit: Any = None
    approve: bool = True


@dataclass(frozen=True, slots=True)
class PressResult:
    """What became of a press. `statement` is the one it led to, `version` and `state` as they are
    now; `undone` are all statements of a gesture that it took back.
    """

    id: str
    saved: bool
    words: str = ""
    statement: str = ""
    version: int = 0
    state: str = ""
    undone: tuple[str, ...] = ()


def presses_of_message(message: Any) -> list[KeyPress]:
    """The presses of a browser's message, in order; what cannot be read is left out."""
    rows = message if isinstance(message, list) else []
    key_presses = [_press(row) for row in rows[:MOST_AT_ONCE] if isinstance(row, Mapping)]
    return [press for press in key_presses if press is not None]


def _press(row: Mapping[str, Any]) -> KeyPress | None:
    def words(name: str, longest: int = 100) -> str:
        value = row.get(name)
        return value[:longest] if isinstance(value, str) else ""

    version = row.get("version")
    if not IDS.fullmatch(words("id")) or words("kind") not in (*VERDICTS, CORRECT, UNDO):
        return None
    return KeyPress(
        id=words("id"),
        kind=words("kind"),
        statement=words("statement"),
        version=version if isinstance(version, int) and not isinstance(version, bool) else -1,
        reason=words("reason"),
        note=words("note", 500),
        evidence=words("evidence"),
        target=words("target"),
        curator=words("curator"),
        edit=row.get("edit"),
        approve=row.get("approve") is not False,
    )


def store_presses(
    desk: HasProjectTerms, key_presses: Sequence[KeyPress], curator: Curator
) -> list[PressResult]:
    """Store the presses in order; a result for each. A refusal (stale, no reason) is a result; a
    database that cannot be written raises StoreError, and what was not stored may be sent again.
    """
    return [_take(desk, press, curator) for press in key_presses]


def _take(desk: HasProjectTerms, press: KeyPress, curator: Curator) -> PressResult:
    """A verdict is stored at once: the store refuses one that it has. What else was pressed is
    looked for first, because it would be done twice.
    """
    try:
        if press.kind not in VERDICTS and (stored := _stored_before(desk, press)) is not None:
            _finish(desk, press, stored, curator)
            if press.kind == UNDO and stored.batch:
                return _taken_back(desk, press, desk.store.statements.decisions(batch=stored.batch))
            return _result(desk, press, stored.replacement or stored.statement)
        if press.curator != curator.orcid:
            raise Refused(
                f"It was pressed by {press.curator or 'nobody'}, who is not the current curator.",
                "Decide it again.",
            )
        result = _decide(desk, press, curator)
        if press.kind == UNDO and len(result.decisions) > 1:
            return _taken_back(desk, press, result.decisions)
        return _press_result(desk, press, result.record)
    except StoreError:
        raise
    except GroundworkError as error:
        return _refused(desk, press, error)


def _refused(desk: HasStore, press: KeyPress, refusal: GroundworkError) -> PressResult:
    """A press that was refused; or, where it was stored before (another tab sent it just now, or
    the answer to it was lost), what became of it.
    """
    try:
        decision = _stored_before(desk, press)
    except InputError as error:
        return _result(desk, press, press.statement, str(error))
    if decision is None:
        return _result(desk, press, press.statement, str(refusal))
    return _result(desk, press, decision.replacement or decision.statement)


def _taken_back(desk: HasStore, press: KeyPress, reversals: Sequence[Decision]) -> PressResult:
    """A whole gesture was undone, the last statement of it first: it goes on at the first. What a
    correction had put in the place of another counts with that one.
    """
    aside = {decision.statement for decision in reversals if decision.verdict is Verdict.SUPERSEDE}
    statements = [
        decision.statement for decision in reversed(reversals) if decision.statement not in aside
    ]
    undone = tuple(dict.fromkeys(statements)) or (reversals[0].statement,)
    return replace(_result(desk, press, undone[0]), undone=undone)


def _stored_before(desk: HasStore, press: KeyPress) -> Decision | None:
    try:
        decision = desk.store.statements.decision(press.id)
    except NotFound:
        return None
    if press.statement and decision.statement != press.statement:
        raise InputError("This key was stored for another statement.", "Decide it again.")
    return decision


def _finish(desk: HasStore, press: KeyPress, decision: Decision, curator: Curator) -> None:
    """Approve a correction that was stored just before the server was killed."""
    if press.kind != CORRECT or not press.approve:
        return
    record = desk.store.statements.get(decision.replacement)
    if record.state is State.PROPOSED and not record.decisions:
        verdict = Judgement(Verdict.APPROVE)
        decide(desk, record.id, record.version, verdict, curator=curator, batch=decision.batch)


def _decide(desk: HasProjectTerms, press: KeyPress, curator: Curator) -> DecisionResult:
    if press.kind == UNDO:
        if press.target:
            return undo_decision(desk, press.target, curator, id=press.id)
        return undo_last(desk, curator, id=press.id)
    if press.kind == CORRECT:
        return _corrected(desk, press, curator)
    reason = Reason(press.reason) if press.reason in list(Reason) else None
    judgement = Judgement(Verdict(press.kind), reason, press.note)
    return decide(
        desk,
        press.statement,
        press.version,
        judgement,
        curator=curator,
        evidence=press.evidence,
        id=press.id,
    )


def _corrected(desk: HasProjectTerms, press: KeyPress, curator: Curator) -> DecisionResult:
    edit: QuickEdit = from_browser(press.edit)
    record = desk.store.statements.get(press.statement)
    offered = {
        candidate.term.id: candidate.term
        for reading in term_readings(desk, record)
        for candidate in reading.candidates
        if candidate.term.id
    }
    corrected = edited_statement(desk, record.statement, edit, offered)
    return correct(
        desk,
        press.statement,
        press.version,
        corrected,
        curator=curator,
        approve=press.approve,
        note=press.note,
        id=press.id,
    )


def _result(desk: HasStore, press: KeyPress, statement: str, refused: str = "") -> PressResult:
    try:
        return _press_result(desk, press, desk.store.statements.get(statement), refused)
    except NotFound:
        return PressResult(press.id, not refused, refused, statement)


def _press_result(
    desk: HasStore, press: KeyPress, record: StatementRecord, refused: str = ""
) -> PressResult:
    state = record.state
    if refused and reviews_are_blind(desk) and record.awaits_blind(press.curator):
        state = State.PROPOSED
    words = refused
    if press.kind == "approve" and not refused and state is State.PROPOSED:
        words = approval_progress(record, desk.store.project.policy())
    return PressResult(
        press.id, not refused, words, statement=record.id, version=record.version, state=str(state)
    )


ROLES = ("subject", "predicate", "object")
MOST_ADDED = 10  # qualifiers in one correction
LONGEST = 200  # characters of a qualifier's name and value


@dataclass(frozen=True, slots=True)
class QuickEdit:
    """What differs. `terms` are CURIEs by role (subject, predicate, object), before any swap;
    `dropped` numbers of qualifiers from 0; `added` pairs of name and value, where a value that is a
    CURIE of an installed vocabulary means its term.
    """

    terms: Mapping[str, str] = field(default_factory=dict)
    swap: bool = False
    negated: bool | None = None
    modality: Modality | None = None
    dropped: tuple[int, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


def from_browser(message: Any) -> QuickEdit:
    """What a browser sent. Raises InputError for what is no edit."""
    if not isinstance(message, Mapping):
        raise InputError("A correction needs what to change.")
    terms, modality = message.get("terms") or {}, str(message.get("modality") or "")
    added = message.get("added") or []
    if not isinstance(terms, Mapping) or not isinstance(added, list) or len(added) > MOST_ADDED:
        raise InputError("This correction cannot be read.", "Open the edit form instead.")
    if modality and modality not in list(Modality):
        raise InputError(f"{modality[:40]!r} is not a modality.", f"One of: {', '.join(Modality)}.")
    negated = message.get("negated")
    return QuickEdit(
        {role: str(terms[role])[:LONGEST] for role in ROLES if terms.get(role)},
        message.get("swap") is True,
        negated if isinstance(negated, bool) else None,
        modality=Modality(modality) if modality else None,
        dropped=tuple(n for n in message.get("dropped") or () if isinstance(n, int)),
        added=tuple(
            (str(pair[0])[:LONGEST], str(pair[1])[:LONGEST]) for pair in added if len(pair) == 2
        ),
    )


def edited_statement(
    desk: HasVocabularies, statement: Statement, edit: QuickEdit, offered: Mapping[str, Term]
) -> Statement:
    """The statement with the changes. `offered` are the terms, by CURIE, that the curator was shown
    as candidates; another one must be in an installed vocabulary. Raises InputError.
    """
    subject = _edited_thing(desk, "subject", statement.subject, edit, offered=offered)
    object_ = _edited_thing(desk, "object", statement.object, edit, offered=offered)
    predicate = statement.predicate
    if name := edit.terms.get("predicate"):
        predicate = offered.get(name) or predicate_of(desk, name)
    if edit.swap:
        subject, object_ = object_, subject
    if not isinstance(subject, Term | Node):
        raise InputError("A value cannot be the subject.", "Open the edit form instead.")
    if missing := [n for n in edit.dropped if not 0 <= n < len(statement.qualifiers)]:
        raise InputError(f"It has no qualifier {missing[0] + 1}.", "Look at it again.")
    stay = [qualifier for n, qualifier in enumerate(statement.qualifiers) if n not in edit.dropped]
    return replace(
        statement,
        subject=subject,
        predicate=predicate,
        object=object_,
        negated=statement.negated if edit.negated is None else edit.negated,
        modality=edit.modality or statement.modality,
        qualifiers=(*stay, *(qualifier_of(desk, *pair) for pair in edit.added)),
    )


def _edited_thing(
    desk: HasVocabularies, role: str, now: Thing, edit: QuickEdit, *, offered: Mapping[str, Term]
) -> Thing:
    name = edit.terms.get(role)
    if not name:
        return now
    if not isinstance(now, Term):
        raise InputError(f"The {role} is not a term.", "Open the edit form instead.")
    term = offered.get(name) or known_term(desk, name)
    if term is None:
        raise InputError(
            f"{name[:60]} is not in an installed vocabulary.", "Open the edit form and search."
        )
    return term


def qualifier_of(desk: HasVocabularies, name: str, value: str) -> Qualifier:
    words, value_words = "_".join(name.split()).casefold(), value.strip()
    if not words or not value_words:
        raise InputError("A qualifier needs a name and a value.", "For example: species, human.")
    thing = known_term(desk, value_words) if ":" in value_words else None
    return Qualifier(words, thing or Literal(value_words))
