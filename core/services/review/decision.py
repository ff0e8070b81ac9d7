"""Decisions of curators: one by one, in batches, taken back, and corrections. Each is in the store
before it is shown.

Every verb names the version that the curator saw; the store refuses one that is stale and says what
happened since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.desk import Desk
from core.errors import InputError, NotFound, Refused
from core.kb.gate.proof import Sources, absent, supported
from core.model import (
    Curator,
    Decision,
    Evidence,
    Literal,
    Reason,
    ReferenceGround,
    State,
    Statement,
    Verdict,
    digest,
)
from core.review.fold import ReviewState, counts, fold
from core.services.graph.authority import StoredSources
from core.services.shared import screen
from core.store import Filter, StatementRecord

RECENT = 500  # how far `undo_last` looks back
MOST_IN_BATCH = 2_000
MOST_UNSEEN = 10  # statements that may be decided in one gesture without a preview
SAMPLES = 10  # statements that a preview shows


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a curator says: a verdict, with a reason where it is a rejection, and a note."""

    verdict: Verdict
    reason: Reason | None = None
    note: str = ""

    def checked(self) -> Judgement:
        """This judgement, or InputError: a rejection has a reason of the closed list, `other` has a
        note.
        """
        if self.verdict not in (Verdict.APPROVE, Verdict.REJECT, Verdict.UNSURE):
            raise InputError(
                f"{self.verdict} is not a verdict to give.", "Use approve, reject or unsure."
            )
        if self.verdict is Verdict.REJECT and self.reason is None:
            raise InputError("A rejection needs a reason.", f"One of: {', '.join(Reason)}.")
        if self.verdict is not Verdict.REJECT and self.reason is not None:
            raise InputError("Only a rejection has a reason.", "Say the rest in the note.")
        if self.reason is Reason.OTHER and not self.note.strip():
            raise InputError("The reason “other” needs a note that says what it is.")
        note = self.note.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        return replace(self, note=note.strip())


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What a decision led to: the record as it is now, and what `undo` would take back."""

    record: StatementRecord
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a batch did: decisions made, and what was left out with the reason."""

    id: str
    done: tuple[Decision, ...]
    left: tuple[tuple[str, str], ...] = ()


def reason_of(words: str) -> Reason | None:
    """A reason by its words or its number in the list (from 1); None for the empty text."""
    wanted = words.strip().casefold()
    if not wanted:
        return None
    known = list(Reason)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(known):
        return known[int(wanted) - 1]
    for reason in known:
        if wanted in (reason.value, reason.name.casefold(), reason.value.replace(" ", "-")):
            return reason
    raise InputError(f"{words[:60]!r} is not a reason of the list.", f"One of: {', '.join(known)}.")


def folded(record: StatementRecord) -> ReviewState:
    return fold(record.evidence, record.decisions)


def decide(
    desk: Desk,
    statement: str,
    version: int,
    judgement: Judgement,
    curator: Curator,
    *,
    evidence: str = "",
    batch: str = "",
) -> DecisionResult:
    """Judge a statement or a piece of its evidence. Raises StaleVersion, NotFound, InputError."""
    judgement = judgement.checked()
    record = desk.store.statements.get(statement)
    if evidence and all(piece.id != evidence for piece in record.evidence):
        raise NotFound(
            f"This statement has no evidence {evidence[:80]}.",
            "Its evidence is shown by `statements`.",
        )
    given = decision(desk, statement, version, judgement.verdict, curator)
    given = replace(
        given, evidence=evidence, reason=judgement.reason, note=judgement.note, batch=batch
    )
    return DecisionResult(stored(desk, record, given), (given,))


def changed_since(desk: Desk, statement: str, version: int) -> bool:
    """Whether something happened to a statement since it was shown at `version`."""
    return desk.store.statements.get(statement).version != version


def decision(
    desk: Desk, statement: str, version: int, verdict: Verdict, curator: Curator
) -> Decision:
    person = screen.curator(curator.orcid, curator.name)
    return Decision(desk.new_id(), statement, version, verdict, person.orcid, desk.clock())


def stored(
    desk: Desk,
    record: StatementRecord,
    given: Decision,
    also: Sequence[tuple[Statement, Sequence[Evidence]]] = (),
) -> StatementRecord:
    """Append the decision with the state that it leads to."""
    found = fold(record.evidence, (*record.decisions, given))
    return desk.store.statements.decide(given, found.state, new_evidence=found.has_news, also=also)


def undo(desk: Desk, decision_id: str, curator: Curator) -> DecisionResult:
    """Undo a decision with everything decided in the same batch; undoing an undo restores it."""
    first = desk.store.statements.decision(decision_id)
    gesture = desk.store.statements.decisions(batch=first.batch) if first.batch else [first]
    batch = desk.new_id() if len(gesture) > 1 else ""
    records = {
        record.id: record
        for record in desk.store.statements.of_ids([made.statement for made in gesture])
    }
    given = [
        taken_back(desk, records[made.statement], made, curator, batch)
        for made in reversed(gesture)
    ]
    wanted = [one for one in given if one is not None]
    if not wanted:
        raise Refused("This decision was taken back before.", "Undo that undo to restore it.")
    late = desk.store.statements.decide_many(wanted)
    done = [made for made, _, _ in wanted if made.statement not in late]
    if not done:
        raise next(iter(late.values()))
    return DecisionResult(desk.store.statements.get(first.statement), tuple(done))


def taken_back(
    desk: Desk, record: StatementRecord, made: Decision, curator: Curator, batch: str
) -> tuple[Decision, State, bool] | None:
    """The undo of one decision with what follows from it; None when it no longer counts."""
    if any(entry.undone for entry in folded(record).history if entry.decision.id == made.id):
        return None
    given = decision(desk, made.statement, record.version, Verdict.UNDO, curator)
    given = replace(given, undoes=made.id, evidence=made.evidence, batch=batch)
    after = fold(record.evidence, (*record.decisions, given))
    return given, after.state, after.has_news


def last_decision(desk: Desk, curator: str) -> Decision | None:
    """The latest decision of this curator that still counts, on whatever statement: what `u` takes
    back.
    """
    for made in reversed(desk.store.statements.decisions(curator=curator, limit=RECENT)):
        history = folded(desk.store.statements.get(made.statement)).history
        if any(entry.decision.id == made.id and counts(entry) for entry in history):
            return made
    return None


def undo_last(desk: Desk, curator: Curator) -> DecisionResult:
    """Take back this curator's latest decision, also after a reload. Raises Refused when there is
    none.
    """
    made = last_decision(desk, curator.orcid)
    if made is None:
        raise Refused("There is no decision of yours to undo.")
    return undo(desk, made.id, curator)


def undo_named(desk: Desk, name: str, curator: Curator | None) -> DecisionResult:
    """Undo a decision by its id, or the decision in force on a statement by the statement's."""
    if name.startswith("s1-"):
        record = desk.store.statements.get(name)
        standing = [entry.decision for entry in folded(record).history if counts(entry)]
        if not standing:
            raise Refused("Nothing is decided on this statement, so there is nothing to undo.")
        made = standing[-1]
    else:
        made = desk.store.statements.decision(name)
    return undo(desk, made.id, curator or Curator(made.curator))


@dataclass(frozen=True, slots=True)
class BatchPreview:
    """What a batch would do: how many it decides, samples of them, and what it leaves out and why.
    `id` is what `decide_many` wants to see for more than a handful.
    """

    id: str
    judgement: Judgement
    seen: tuple[tuple[str, int], ...]
    count: int
    samples: tuple[StatementRecord, ...]
    left: tuple[tuple[StatementRecord, str], ...]


def preview_many(desk: Desk, seen: Iterable[tuple[str, int]], judgement: Judgement) -> BatchPreview:
    """What `decide_many` would do, without doing it. Samples are spread over the whole batch."""
    judgement = judgement.checked()
    wanted = _batch_of(seen)
    records = desk.store.statements.of_ids([statement for statement, _ in wanted])
    versions, sources = dict(wanted), StoredSources(desk.store)
    good: list[StatementRecord] = []
    left: list[tuple[StatementRecord, str]] = []
    for record in records:
        why = "It changed since it was shown." if record.version != versions[record.id] else ""
        if not why and judgement.verdict is Verdict.APPROVE:
            try:
                need_support(record, sources)
            except Refused as error:
                why = str(error)
        if why:
            left.append((record, why))
        else:
            good.append(record)
    step = max(len(good) / SAMPLES, 1)
    places = sorted({int(n * step) for n in range(SAMPLES) if int(n * step) < len(good)})
    samples = tuple(good[place] for place in places)
    token = _preview_id(wanted, judgement)
    return BatchPreview(token, judgement, tuple(wanted), len(good), samples, tuple(left))


def _preview_id(wanted: Sequence[tuple[str, int]], judgement: Judgement) -> str:
    said = [str(judgement.verdict), str(judgement.reason or ""), judgement.note]
    return digest([[list(one) for one in wanted], said])


def _batch_of(seen: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    wanted = list(dict.fromkeys(seen))
    if len(wanted) > MOST_IN_BATCH:
        raise Refused(f"A batch holds at most {MOST_IN_BATCH:,} statements.", "Narrow the filter.")
    return wanted


def alike(desk: Desk, statement: Statement, by: str) -> list[tuple[str, int]]:
    """Statements that wait and share with this one what `by` says: `pair` (subject and object),
    `subject`, `object` or `predicate`; each as (id, version), in the order of the queue.
    """
    subject, object_ = statement.subject, statement.object
    waiting = (State.PROPOSED, State.UNSURE)
    if by == "predicate":
        wanted = Filter(states=waiting, predicate=statement.predicate.id)
    else:
        thing = object_ if by == "object" else subject
        if isinstance(thing, Literal) or not thing.id:
            return []
        wanted = Filter(states=waiting, thing=thing.id)
    records = desk.store.queue.records(wanted, limit=MOST_IN_BATCH)
    return [
        (record.id, record.version)
        for record in records
        if by == "predicate"
        or (by == "subject" and record.statement.subject == subject)
        or (by == "object" and record.statement.object == object_)
        or (record.statement.subject == subject and record.statement.object == object_)
    ]


def decide_many(
    desk: Desk,
    seen: Iterable[tuple[str, int]],
    judgement: Judgement,
    curator: Curator,
    *,
    preview: str = "",
) -> BatchResult:
    """One judgement on many statements, each as (id, version seen), undone in one gesture. More
    than `MOST_UNSEEN` of them need the `preview` of this very batch: what `preview_many` gave.

    What is stale or gone is left out and told; unsupported statements are never approved in bulk
    (docs/architecture.md, Contracts).
    """
    judgement = judgement.checked()
    wanted = _batch_of(seen)
    if len(wanted) > MOST_UNSEEN and preview != _preview_id(wanted, judgement):
        raise Refused(
            f"More than {MOST_UNSEEN} statements are decided at once only after a preview.",
            "Look at the preview, then decide.",
        )
    batch, sources = desk.new_id(), StoredSources(desk.store)
    records = {
        record.id: record
        for record in desk.store.statements.of_ids([statement for statement, _ in wanted])
    }
    given: list[tuple[Decision, State, bool]] = []
    left: list[tuple[str, str]] = []
    for statement, version in wanted:
        try:
            record = known(records, statement)
            if judgement.verdict is Verdict.APPROVE:
                need_support(record, sources)
        except (NotFound, Refused) as error:
            left.append((statement, str(error)))
            continue
        made = decision(desk, statement, version, judgement.verdict, curator)
        made = replace(made, reason=judgement.reason, note=judgement.note, batch=batch)
        after = fold(record.evidence, (*record.decisions, made))
        given.append((made, after.state, after.has_news))
    late = desk.store.statements.decide_many(given)
    left += [(statement, str(error)) for statement, error in late.items()]
    return BatchResult(
        batch, tuple(made for made, _, _ in given if made.statement not in late), tuple(left)
    )


def known(records: Mapping[str, StatementRecord], statement: str) -> StatementRecord:
    if statement not in records:
        raise NotFound(f"No statement {statement[:80]} is stored in this project.")
    return records[statement]


def need_support(record: StatementRecord, sources: Sources) -> None:
    if any(supported(piece, sources) for piece in record.evidence):
        return
    if any(absent(piece, sources) for piece in record.evidence):
        raise Refused(
            "The text that it quotes is not in this project.",
            "Open it and paste the text, then decide.",
        )
    raise Refused("It has no proven quote and no recorded call.", "Look at it alone, then decide.")


def correct(
    desk: Desk,
    statement: str,
    version: int,
    corrected: Statement,
    curator: Curator,
    *,
    approve: bool = False,
    note: str = "",
    batch: str = "",
) -> DecisionResult:
    """Put a corrected statement in the place of another: it is proposed with the same evidence, and
    approved if asked.

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
        replace(piece, statement=corrected.id) for piece in record.evidence if kept(record, piece)
    )
    given = decision(desk, statement, version, Verdict.SUPERSEDE, curator)
    given = replace(given, replacement=corrected.id, note=note.strip(), batch=batch)
    stored(desk, record, given, also=[(corrected, grounds)])
    made = [given]
    found = desk.store.statements.get(corrected.id)
    if approve and (found.state is not State.APPROVED or folded(found).has_news):
        done = decide(
            desk, corrected.id, found.version, Judgement(Verdict.APPROVE), curator, batch=batch
        )
        made, found = [*made, *done.decisions], done.record
    return DecisionResult(found, tuple(made))


def kept(record: StatementRecord, piece: Evidence) -> bool:
    """Evidence that was rejected for the old statement is not carried to the new one."""
    return all(piece.id != other.id for other in folded(record).rejected)


def add_reference(
    desk: Desk, statement: str, reference: str, locator: str, note: str, curator: Curator
) -> StatementRecord:
    """Add a reference that a curator knows: a document id (PMID:1), where in it (Fig 3B), and a
    note.
    """
    screen.curator(curator.orcid, curator.name)
    if not reference.strip():
        raise InputError(
            "A reference needs the id of a document.", "For example PMID:12345 or DOI:10.1000/xyz."
        )
    ground = ReferenceGround(reference.strip(), locator.strip(), note.strip())
    record = desk.store.statements.get(statement)
    desk.store.statements.propose(
        [(record.statement, [Evidence(statement, ground)])], "", curator.orcid
    )
    return desk.store.statements.get(statement)
