"""Decisions of curators: one by one, in batches, taken back, and corrections. Each is in the store
before it is shown.

Every verb names the version that the curator saw; the store refuses one that is stale and says what
happened since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.desk_parts import HasStore
from core.errors import Forbidden, InputError, NotFound
from core.extraction.tree import Extraction  # loaded: runs are stored as it
from core.grounding.match import normalise
from core.grounding.match.rare_words import LIGHT, stems
from core.model import (
    Curator,
    Decision,
    Evidence,
    Mention,
    Reason,
    ReferenceGround,
    ReviewPolicy,
    Role,
    State,
    Statement,
    Term,
    Verdict,
)
from core.review.statement_state import STATES, ReviewState, approvers, fold_log, folded_state
from core.services.people.orcid import checked_curator
from core.store import StatementRecord
from core.text.clean import without_deceptive_signs

LONGEST_NOTE = 5_000  # characters


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a curator says: a verdict, with a reason where it is a rejection, and a note."""

    verdict: Verdict
    reason: Reason | None = None
    note: str = ""

    def checked(self) -> Judgement:
        """This judgement, or InputError: a rejection has a reason of the closed list, `other` has a
        note, and no note is endless.
        """
        if self.verdict not in (Verdict.APPROVE, Verdict.REJECT, Verdict.UNSURE):
            raise InputError(f"{self.verdict} is not a verdict.", "Use approve, reject or unsure.")
        if self.verdict is Verdict.REJECT and self.reason is None:
            raise InputError("A rejection needs a reason.", f"One of: {', '.join(Reason)}.")
        if self.verdict is not Verdict.REJECT and self.reason is not None:
            raise InputError("Only a rejection has a reason.", "Put the rest into the note.")
        if self.reason is Reason.OTHER and not self.note.strip():
            raise InputError("The reason “other” needs a note that says what it is.")
        return replace(self, note=checked_note(self.note))


def checked_note(note: str) -> str:
    """A note as it is stored. Raises InputError for one that is endless."""
    if len(note) > LONGEST_NOTE:
        raise InputError(f"The note is longer than {LONGEST_NOTE:,} characters.", "Shorten it.")
    return without_deceptive_signs(note).strip()


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What a decision led to: the record as it is now, and what `undo` would take back."""

    record: StatementRecord
    decisions: tuple[Decision, ...]


def reason_of(words: str) -> Reason | None:
    """A reason by its words or its number in the list (from 1); None for the empty text."""
    given_words = words.strip().casefold()
    if not given_words:
        return None
    reasons = list(Reason)
    if given_words.isdecimal() and 1 <= int(given_words) <= len(reasons):
        return reasons[int(given_words) - 1]
    for reason in reasons:
        if given_words in (reason.value, reason.name.casefold(), reason.value.replace(" ", "-")):
            return reason
    raise InputError(
        f"{words[:60]!r} is not a reason in the list.", f"One of: {', '.join(reasons)}."
    )


def approval_progress(record: StatementRecord, policy: ReviewPolicy) -> str:
    """`1 of 2 approvals`, for a statement that others must approve as well; else nothing."""
    approvals = len(approvers(record.decisions))
    if not approvals or record.state is not State.PROPOSED or approvals >= policy.approvals:
        return ""
    return f"{approvals} of {policy.approvals} approvals"


@dataclass(frozen=True, slots=True)
class DecidingCurator:
    """Whoever decides, asked once what they may do, with the project's policy."""

    desk: HasStore
    person: Curator
    policy: ReviewPolicy

    def decision(self, statement: str, version: int, verdict: Verdict, id: str = "") -> Decision:
        """Raises Forbidden where the policy wants another pair of eyes on one's own work."""
        if verdict is Verdict.APPROVE and not self.policy.own_approval:
            self._check_own(statement)
        decision_id = id or self.desk.new_id()
        return Decision(
            decision_id,
            statement,
            version,
            verdict=verdict,
            curator=self.person.orcid,
            time=self.desk.clock(),
            curator_name=self.person.name,
        )

    def refolded(self, record: StatementRecord, decision: Decision) -> ReviewState:
        """What the log says once this decision is in it, under the project's policy."""
        return fold_log(record.evidence, (*record.decisions, decision), self.policy.approvals)

    def _check_own(self, statement: str) -> None:
        if self.person.orcid in self.desk.store.statements.makers(statement):
            raise Forbidden(
                "You marked or corrected this statement yourself.",
                "In this project someone else must approve it.",
            )


def permitted_author(desk: HasStore, curator: Curator) -> DecidingCurator:
    """Who decides, with their rights. Raises Forbidden where this person may not decide, InputError
    for what is no ORCID iD.
    """
    person = checked_curator(curator.orcid, curator.name)
    rights = desk.store.curators.rights(person.orcid)
    rights.need(Role.CURATOR)
    return DecidingCurator(desk, rights.person, rights.policy)


def decide(
    desk: HasStore,
    statement: str,
    version: int,
    judgement: Judgement,
    *,
    curator: Curator,
    evidence: str = "",
    batch: str = "",
    id: str = "",
) -> DecisionResult:
    """Judge a statement or a piece of its evidence. `id` is the decision's, where the caller made
    one, so that what is sent twice is stored once. Raises StaleVersion, NotFound, InputError.
    """
    judgement = judgement.checked()
    record = desk.store.statements.get(statement)
    evidence_of(record, evidence)
    decider = permitted_author(desk, curator)
    decision = decider.decision(statement, version, judgement.verdict, id)
    decision = replace(
        decision, evidence=evidence, reason=judgement.reason, note=judgement.note, batch=batch
    )
    return DecisionResult(append_decision(decider, record, decision), (decision,))


def evidence_of(record: StatementRecord, evidence: str) -> str:
    """The id of a piece of evidence of this statement, or ""; NotFound where it has no such."""
    if evidence and all(piece.id != evidence for piece in record.evidence):
        raise NotFound(
            f"This statement has no evidence {evidence[:80]}.",
            "Its evidence is shown by `statements`.",
        )
    return evidence


def state_after(verdict: Verdict) -> State:
    """What a statement is once this verdict is the one in force."""
    return STATES[verdict]


def append_decision(
    decider: DecidingCurator,
    record: StatementRecord,
    decision: Decision,
    also: Sequence[tuple[Statement, Sequence[Evidence]]] = (),
) -> StatementRecord:
    """Append the decision with the state that it leads to."""
    review_state = decider.refolded(record, decision)
    return decider.desk.store.statements.decide(
        decision, review_state.state, new_evidence=review_state.has_news, also=also, seen=record
    )


def correct(
    desk: HasStore,
    statement: str,
    version: int,
    corrected: Statement,
    *,
    curator: Curator,
    approve: bool = False,
    note: str = "",
    batch: str = "",
    id: str = "",
) -> DecisionResult:
    """Put a corrected statement in the place of another: it is proposed with the same evidence, and
    approved if asked. Another term is remembered for the words it was read from (see
    `remember_correction`).

    The old one is superseded, not changed. Raises InputError when nothing differs.
    """
    record = desk.store.statements.get(statement)
    corrected = replace(corrected, derived_from=statement)
    if corrected.id == statement:
        raise InputError(
            "Nothing was changed.",
            "Change the subject, predicate, object or a flag, or approve it as it is.",
        )
    batch = batch or desk.new_id()
    grounds = tuple(
        replace(piece, statement=corrected.id)
        for piece in record.evidence
        if is_carried_over(record, piece)
    )
    decider = permitted_author(desk, curator)
    decision = decider.decision(statement, version, Verdict.SUPERSEDE, id)
    decision = replace(decision, replacement=corrected.id, note=checked_note(note), batch=batch)
    append_decision(decider, record, decision, also=[(corrected, grounds)])
    remember_correction(desk, record, corrected, curator.orcid)
    decisions = [decision]
    stored_record = desk.store.statements.get(corrected.id)
    aside = folded_state(stored_record).deciding
    if aside and aside.verdict is Verdict.SUPERSEDE and aside.replacement == statement:
        again = decider.decision(corrected.id, stored_record.version, Verdict.UNDO)
        again = replace(again, undoes=aside.id, batch=batch)
        stored_record = append_decision(decider, stored_record, again)
        decisions.append(again)
    if approve and (
        stored_record.state is not State.APPROVED or folded_state(stored_record).has_news
    ):
        approval = decide(
            desk,
            corrected.id,
            stored_record.version,
            Judgement(Verdict.APPROVE),
            curator=curator,
            batch=batch,
        )
        decisions, stored_record = [*decisions, *approval.decisions], approval.record
    return DecisionResult(stored_record, tuple(decisions))


def is_carried_over(record: StatementRecord, piece: Evidence) -> bool:
    """Evidence that was rejected for the old statement is not carried to the new one."""
    return all(piece.id != rejected_piece.id for rejected_piece in folded_state(record).rejected)


def add_reference(
    desk: HasStore, statement: str, reference: str, locator: str, *, note: str, curator: Curator
) -> StatementRecord:
    """Add a reference that a curator knows: a document id (PMID:1), where in it (Fig 3B), and a
    note.
    """
    person = checked_curator(curator.orcid, curator.name)
    if not reference.strip():
        raise InputError(
            "A reference needs the id of a document.", "For example PMID:12345 or DOI:10.1000/xyz."
        )
    ground = ReferenceGround(reference.strip(), locator.strip(), note.strip())
    record = desk.store.statements.get(statement)
    desk.store.statements.propose(
        [(record.statement, [Evidence(statement, ground)])], "", person.orcid
    )
    return desk.store.statements.get(statement)


def remember_correction(
    desk: HasStore, record: StatementRecord, corrected: Statement, curator: str
) -> None:
    """Remember the terms that a correction of this statement put in the place of others."""
    for words, term in _lessons(desk, record, corrected):
        desk.store.synonyms.add(words, normalise.name_key(words), term, curator)


def forget_correction(
    desk: HasStore, record: StatementRecord, corrected: Statement, decision: Decision
) -> None:
    """Take back what this correction taught; what was known before it stays."""
    taught = {
        (normalise.name_key(words), term.id) for words, term in _lessons(desk, record, corrected)
    }
    for synonym in desk.store.synonyms.all() if taught else ():
        of_this = synonym.curator == decision.curator and synonym.time >= decision.time
        if of_this and (synonym.normal, synonym.term.id) in taught:
            desk.store.synonyms.remove(synonym.id)


def _lessons(
    desk: HasStore, record: StatementRecord, corrected: Statement
) -> Iterator[tuple[str, Term]]:
    """The words that a correction gives another term."""
    ends = (
        ("subject", record.statement.subject, corrected.subject),
        ("object", record.statement.object, corrected.object),
    )
    for end, before, after in ends:
        if not (isinstance(before, Term) and isinstance(after, Term)):
            continue
        if after.id and after.id != before.id:
            for mention in _mentions(desk, record, end, before):
                if _may_mean(mention, after):
                    yield mention.text, after


def _mentions(desk: HasStore, record: StatementRecord, end: str, term: Term) -> Iterator[Mention]:
    """The words that were taken for a term at an end of a statement, in the runs it is from."""
    for run, path in dict.fromkeys((piece.run, piece.path) for piece in record.evidence):
        extraction: Extraction | None = desk.store.runs.extraction(run) if run and path else None
        for mention in extraction.mentions if extraction else ():
            chosen_id = mention.chosen.id if mention.chosen else ""
            if mention.slot == f"{path}.{end}" and chosen_id == term.id:
                yield mention


def _may_mean(mention: Mention, term: Term) -> bool:
    if any(candidate.term.id == term.id for candidate in mention.candidates):
        return True
    words, label = (
        stems(normalise.fold_words(text)) - LIGHT for text in (mention.text, term.label)
    )
    return not words.isdisjoint(label)
