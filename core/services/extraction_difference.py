"""What two runs over one text say differently, and what a run says anew beside what was decided."""

from __future__ import annotations

from dataclasses import dataclass

from core.desk import Desk
from core.model import Literal, State, Statement, Thing, fold_words
from core.services.extraction import view
from core.store.queue import Filter


@dataclass(frozen=True, slots=True)
class Difference:
    """Statements of a later run beside those of an earlier one, or beside those in the queue.

    `changed` pairs statements about the same words: another term, negation, qualifier or unit. `decided` holds the
    states of earlier ones, which no run changes.
    """

    same: tuple[Statement, ...] = ()
    new: tuple[Statement, ...] = ()
    gone: tuple[Statement, ...] = ()
    changed: tuple[tuple[Statement, Statement], ...] = ()
    decided: tuple[tuple[str, State], ...] = ()


def between(desk: Desk, earlier: str, later: str) -> Difference:
    """Two runs side by side (two engines on one text, or one engine before and after)."""
    before = [statement for statement, _ in view(desk, earlier).statements]
    return difference(before, [statement for statement, _ in view(desk, later).statements])


def beside_queue(desk: Desk, run_id: str) -> Difference:
    """A run beside what earlier runs over the same document and schema sent to review."""
    found = view(desk, run_id)
    records = desk.store.records(Filter(document=found.document.id, schema=found.run.schema))
    compared = difference([r.statement for r in records], [statement for statement, _ in found.statements])
    decided = tuple((r.id, r.state) for r in records if r.state is not State.PROPOSED)
    return Difference(compared.same, compared.new, compared.gone, compared.changed, decided)


def difference(before: list[Statement], after: list[Statement]) -> Difference:
    old, new = {s.id: s for s in before}, {s.id: s for s in after}
    gone = {key(s): s for id, s in old.items() if id not in new}
    added = [s for id, s in new.items() if id not in old]
    changed = [(gone.pop(key(s)), s) for s in added if key(s) in gone]
    twice = {s.id for _, s in changed}
    return Difference(
        tuple(s for id, s in new.items() if id in old),
        tuple(s for s in added if s.id not in twice),
        tuple(gone.values()),
        tuple(changed),
    )


def key(statement: Statement) -> tuple[str, str, str]:
    """What two versions of one claim share: the words of its ends, and its predicate's."""
    return words(statement.subject), fold_words(statement.predicate.label), words(statement.object)


def words(thing: Thing) -> str:
    return fold_words(thing.value if isinstance(thing, Literal) else thing.label)
