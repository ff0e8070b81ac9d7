"""What the Review page shows: the queue under its filters, and everything about one statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from core.desk import Desk
from core.grounding.constraint.constraint import Constraint
from core.model import (
    Candidate,
    State,
    Statement,
    Term,
    TextGround,
)
from core.review.agreement import Agreement, agreement, verdicts
from core.services.documents.name import document_title
from core.store import Filter, StatementRecord

PAGE = 200  # rows of one page of the queue
NEWS, ALL = "news", "all"  # values of the address's `state` beside the states themselves


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One line of the queue."""

    id: str
    version: int
    state: State
    statement: Statement
    evidence: int
    document: str
    has_news: bool
    unsupported: bool
    title: str = ""  # of the document


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue. `total` statements pass the filter; `tally` counts all of the project by
    state.
    """

    rows: tuple[StatementRow, ...]
    total: int
    offset: int
    tally: Mapping[State, int]
    news: int


def filter_of(address: Mapping[str, str]) -> Filter:
    """The filter that a page's address holds; what it does not understand is left out. Default:
    what is proposed.
    """
    state = address.get("state", State.PROPOSED)
    names = {field.name for field in fields(Filter)} & {
        "schema",
        "run",
        "document",
        "category",
        "predicate",
        "curator",
    }
    chosen = {
        name: address[name] for name in sorted(names | {"thing", "text"}) if address.get(name)
    }
    found = Filter(**chosen)  # type: ignore[arg-type]
    if state == NEWS:
        return Filter(**chosen, new_evidence=True, states=(State.APPROVED,))  # type: ignore[arg-type]
    if state in list(State):
        return Filter(**chosen, states=(State(state),))  # type: ignore[arg-type]
    return found


def queue(desk: Desk, wanted: Filter, offset: int = 0, limit: int = PAGE) -> Queue:
    store = desk.store
    records = store.queue.records(wanted, limit=limit, offset=max(offset, 0))
    rows = [row(record) for record in records]
    titles = {name: document_title(desk, name) for name in {one.document for one in rows} - {""}}
    rows = [replace(one, title=titles.get(one.document, "")) for one in rows]
    news = store.queue.count(Filter(new_evidence=True, states=(State.APPROVED,)))
    return Queue(tuple(rows), store.queue.count(wanted), offset, store.queue.state_counts(), news)


def row(record: StatementRecord) -> StatementRow:
    document = next(
        (e.ground.document for e in record.evidence if isinstance(e.ground, TextGround)), ""
    )
    return StatementRow(
        record.id,
        record.version,
        record.state,
        record.statement,
        len(record.evidence),
        document or record.statement.document,
        record.new_evidence and record.state is State.APPROVED,
        record.unsupported,
    )


def choices(desk: Desk) -> dict[str, list[str]]:
    """What each filter can be set to."""
    return {
        name: desk.store.queue.values(name)
        for name in ("category", "predicate", "document", "schema", "curator")
    }


def first(desk: Desk, wanted: Filter) -> str:
    """The id of the first statement of the queue, or the empty text."""
    return next(iter(desk.store.queue.ids(wanted, limit=1)), "")


def candidates(desk: Desk, words: str, limit: int = 10) -> tuple[Candidate, ...]:
    """Terms of the project's vocabularies for words that a curator types in a correction."""
    return (
        desk.grounder().ground(words, Constraint(desk.shelf.names()), limit=limit)
        if words.strip()
        else ()
    )


def predicates(desk: Desk, limit: int = 200) -> list[Term]:
    """Predicates that statements of this project have, by label."""
    found = {}
    for name in desk.store.queue.values("predicate")[:limit]:
        for record in desk.store.queue.records(Filter(predicate=name), limit=1):
            found[record.statement.predicate.id] = record.statement.predicate
    return sorted(
        (term for name, term in found.items() if name), key=lambda term: (term.label, term.id)
    )


def agreed(desk: Desk, one: str, other: str) -> Agreement:
    """How far two curators agree on what both judged."""
    touched = {made.statement for made in desk.store.statements.decisions(curator=one)}
    touched &= {made.statement for made in desk.store.statements.decisions(curator=other)}
    log = [made for name in sorted(touched) for made in desk.store.statements.decisions(name)]
    return agreement(verdicts(one, log), verdicts(other, log))
