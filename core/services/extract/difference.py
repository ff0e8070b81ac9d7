"""How two runs over one text differ, and what a run adds to what was decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.desk_parts import HasProject
from core.extraction.statements import Proposed
from core.model import Literal, State, Statement, TextGround, Thing, fold_words
from core.review.statement_state import folded_state
from core.services.extract.result import ExtractionView, result_of_run
from core.store import StatementRecord
from core.store.queue_filter import QueueFilter

OUT = (State.REJECTED, State.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class ReturningStatement:
    """A statement that a person rejected and that a run finds again: by whom, when and why."""

    statement: Statement
    curator: str  # the name at the time
    time: str
    reason: str

    @property
    def words(self) -> str:
        """`rejected before: wrong term (Anna, 2026-01-02)`"""
        return f"rejected before: {self.reason} ({self.curator}, {self.time[:10]})"


@dataclass(frozen=True, slots=True)
class RunDifference:
    """Statements of a later run beside those of an earlier one, or beside those in the queue.

    `changed` pairs statements about the same words: another term, negation, qualifier or unit.
    `decided` holds the states of earlier ones, which no run changes; `returning` those that were
    rejected and are found again; `settled` the ids of those that are in review with everything
    that the later run says of them.
    """

    same: tuple[Statement, ...] = ()
    new: tuple[Statement, ...] = ()
    gone: tuple[Statement, ...] = ()
    changed: tuple[tuple[Statement, Statement], ...] = ()
    decided: tuple[tuple[str, State], ...] = ()
    returning: tuple[ReturningStatement, ...] = ()
    settled: frozenset[str] = frozenset()


def compare_with_queue(
    desk: HasProject, run_id: str, run_view: ExtractionView | None = None
) -> RunDifference:
    """A run beside what earlier runs over the same document and schema sent to review. What was
    rejected or replaced is missing from a run rightly, and is not told as gone.
    """
    run_view = run_view or result_of_run(desk, run_id)
    same_source = QueueFilter(document=run_view.document.id, schema=run_view.run.schema)
    records = desk.store.queue.records(same_source)
    now = {statement.id for statement, _ in run_view.statements}
    standing = [r for r in records if r.state not in OUT or r.id in now]
    compared = result_difference(
        [(r.statement, list(r.evidence)) for r in standing], run_view.statements
    )
    decided = tuple((r.id, r.state) for r in records if r.state is not State.PROPOSED)
    again = tuple(_returning(r) for r in records if r.state is State.REJECTED and r.id in now)
    rejected = {returning.statement.id for returning in again}
    same = tuple(statement for statement in compared.same if statement.id not in rejected)
    evidence_by_statement = {
        record.id: {piece.id for piece in record.evidence} for record in records
    }
    settled = frozenset(
        statement.id
        for statement, evidence in run_view.statements
        if {piece.id for piece in evidence} <= evidence_by_statement.get(statement.id, set())
        and statement.id in evidence_by_statement
    )
    return replace(compared, same=same, decided=decided, returning=again, settled=settled)


def _returning(record: StatementRecord) -> ReturningStatement:
    deciding = folded_state(record).deciding
    if deciding is None:
        return ReturningStatement(record.statement, curator="", time="", reason="")
    reason = ": ".join(part for part in (str(deciding.reason or ""), deciding.note) if part)
    return ReturningStatement(
        record.statement,
        deciding.curator_name or deciding.curator,
        deciding.time,
        reason or "no reason given",
    )


def result_difference(before: Iterable[Proposed], after: Iterable[Proposed]) -> RunDifference:
    """What changed is paired by its words, or by one end and the quote that both rest on."""
    old, new = {s.id: (s, e) for s, e in before}, {s.id: (s, e) for s, e in after}
    gone = {id: proposed for id, proposed in old.items() if id not in new}
    added = {id: proposed for id, proposed in new.items() if id not in old}
    changed = []
    for alike in (mentions_by_words, statements_by_quote):
        for id, proposed in list(added.items()):
            match = next((g for g in gone if alike(gone[g]) & alike(proposed)), None)
            if match is not None:
                changed.append((gone.pop(match)[0], added.pop(id)[0]))
    same = tuple(s for id, (s, _) in new.items() if id in old)
    return RunDifference(
        same,
        tuple(s for s, _ in added.values()),
        tuple(s for s, _ in gone.values()),
        tuple(changed),
    )


def mentions_by_words(proposed: Proposed) -> set[tuple[str, ...]]:
    statement, _ = proposed
    return {
        (
            folded_name(statement.subject),
            fold_words(statement.predicate.label),
            folded_name(statement.object),
        )
    }


def statements_by_quote(proposed: Proposed) -> set[tuple[object, ...]]:
    statement, evidence = proposed
    spans = [piece.ground.span for piece in evidence if isinstance(piece.ground, TextGround)]
    ends = [("subject", folded_name(statement.subject)), ("object", folded_name(statement.object))]
    return {(span, fold_words(statement.predicate.label), *end) for span in spans for end in ends}


def folded_name(thing: Thing) -> str:
    return fold_words(thing.value if isinstance(thing, Literal) else thing.label)
