"""What two runs over one text say differently, and what a run says anew beside what was decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.desk import Desk
from core.extraction.statements import Proposed
from core.model import Literal, State, Statement, TextGround, Thing, fold_words
from core.services.extract.result import view
from core.store.queue_filter import Filter


@dataclass(frozen=True, slots=True)
class Difference:
    """Statements of a later run beside those of an earlier one, or beside those in the queue.

    `changed` pairs statements about the same words: another term, negation, qualifier or unit.
    `decided` holds the states of earlier ones, which no run changes.
    """

    same: tuple[Statement, ...] = ()
    new: tuple[Statement, ...] = ()
    gone: tuple[Statement, ...] = ()
    changed: tuple[tuple[Statement, Statement], ...] = ()
    decided: tuple[tuple[str, State], ...] = ()


def beside_queue(desk: Desk, run_id: str) -> Difference:
    """A run beside what earlier runs over the same document and schema sent to review."""
    found = view(desk, run_id)
    records = desk.store.queue.records(Filter(document=found.document.id, schema=found.run.schema))
    compared = difference([(r.statement, list(r.evidence)) for r in records], found.statements)
    decided = tuple((r.id, r.state) for r in records if r.state is not State.PROPOSED)
    return replace(compared, decided=decided)


def difference(before: Iterable[Proposed], after: Iterable[Proposed]) -> Difference:
    """What changed is paired by its words, or by one end and the quote that both rest on."""
    old, new = {s.id: (s, e) for s, e in before}, {s.id: (s, e) for s, e in after}
    gone = {id: proposed for id, proposed in old.items() if id not in new}
    added = {id: proposed for id, proposed in new.items() if id not in old}
    changed = []
    for alike in (by_words, by_quote):
        for id, proposed in list(added.items()):
            match = next((g for g in gone if alike(gone[g]) & alike(proposed)), None)
            if match is not None:
                changed.append((gone.pop(match)[0], added.pop(id)[0]))
    same = tuple(s for id, (s, _) in new.items() if id in old)
    return Difference(
        same,
        tuple(s for s, _ in added.values()),
        tuple(s for s, _ in gone.values()),
        tuple(changed),
    )


def by_words(proposed: Proposed) -> set[tuple[str, ...]]:
    statement, _ = proposed
    return {
        (words(statement.subject), fold_words(statement.predicate.label), words(statement.object))
    }


def by_quote(proposed: Proposed) -> set[tuple[object, ...]]:
    statement, evidence = proposed
    spans = [one.ground.span for one in evidence if isinstance(one.ground, TextGround)]
    ends = [("subject", words(statement.subject)), ("object", words(statement.object))]
    return {(span, fold_words(statement.predicate.label), *end) for span in spans for end in ends}


def words(thing: Thing) -> str:
    return fold_words(thing.value if isinstance(thing, Literal) else thing.label)
