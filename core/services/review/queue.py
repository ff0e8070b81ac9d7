"""What the Review page shows: the queue under its filters, and everything about one statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.desk_parts import HasProjectTerms, HasStore
from core.grounding.constraint.constraint import Constraint
from core.model import (
    Candidate,
    Category,
    State,
    Term,
    TextGround,
)
from core.services.people.blind import blind_reader
from core.services.vocabularies.same_things import preferred_first
from core.store import QueueFilter, QueueOrder, StatementRecord, StatementRow

__all__ = ["StatementRow"]

PAGE = 200  # rows of one page of the queue
NEWS, ALL = "news", "all"  # values of the address's `state` beside the states themselves
# values of the address that narrow the queue
NARROWING = (
    "text",
    "predicate",
    "category",
    "thing",
    "document",
    "schema",
    "engine",
    "rule",
    "band",
    "support",
    "held",
    "curator",
)


@dataclass(frozen=True, slots=True)
class QueueView:
    """What of the queue is looked at, in what order. `key` names the view; `leaves`: what is
    decided is gone from it.
    """

    key: str
    filter: QueueFilter
    order: QueueOrder
    leaves: bool
    empty: str


@dataclass(frozen=True, slots=True)
class StateCounts:
    """How many statements of the project are in each state; `news`: approved ones with new
    evidence.
    """

    states: Mapping[State, int]
    news: int

    @property
    def total(self) -> int:
        return sum(self.states.values())


def filter_of(address: Mapping[str, str]) -> QueueFilter:
    """The filter that a page's address holds; what it does not understand is left out. Default:
    what is proposed.
    """
    state = address.get("state", State.PROPOSED)
    narrowed = {name: address[name] for name in NARROWING if address.get(name)}
    filter = QueueFilter(**narrowed)  # type: ignore[arg-type]  # they are texts
    if state == NEWS:
        return replace(filter, new_evidence=True, states=(State.APPROVED,))
    if state in list(State):
        return replace(filter or QueueFilter(), states=(State(state),))
    return filter


def view_of(address: Mapping[str, str]) -> QueueView:
    """The view that a page's address holds."""
    filter, order_name = filter_of(address), address.get("order", "")
    order = QueueOrder(order_name) if order_name in list(QueueOrder) else QueueOrder.PROPOSED
    open_states = {State.PROPOSED, State.UNSURE}
    leaves = filter.new_evidence is True or (
        len(filter.states) == 1 and filter.states[0] in open_states
    )
    parts = [address.get("state", ""), str(order), *(address.get(name, "") for name in NARROWING)]
    narrow = any(address.get(name) for name in NARROWING)
    empty = "No statements match these filters."
    if leaves:
        empty = "Everything is decided. Press U to take back your last decision."
        if narrow:
            empty = (
                "No statement of this search or filter waits for a decision. Clear it to see"
                " others, or press U to take back your last decision."
            )
    return QueueView("|".join(parts), filter, order, leaves=leaves, empty=empty)


def open_view(desk: HasStore, view: QueueView, curator: str) -> QueueView:
    """The view as this curator works on it: where several people must approve a statement, what
    they approved waits for others and is not shown to them again; where reviews are blind, what
    others were unsure of is proposed to them.
    """
    policy = desk.store.project.policy()
    if policy.blind:
        filter = replace(view.filter, blind_to=curator)
        view = replace(view, key=f"{view.key}|blind|{curator}", filter=filter)
    if not curator or not view.leaves or policy.approvals < 2:
        return view
    filter = replace(view.filter, open_to=curator)
    empty = f"{view.empty} Others may still have to approve what you approved."
    return replace(view, key=f"{view.key}|{curator}", filter=filter, empty=empty)


def count_queue(desk: HasStore, filter: QueueFilter) -> int:
    """How many statements pass a filter."""
    return desk.store.queue.count(filter)


def queue_tally(
    desk: HasStore, reader: str | None = None, filter: QueueFilter | None = None
) -> StateCounts:
    """The counts of what a filter leaves in any state, as far as `reader` may know."""
    filter = filter or QueueFilter()
    anyones = replace(filter, states=(), new_evidence=None, open_to="", blind_to=None)
    seen = replace(anyones, blind_to=blind_reader(desk, reader))
    new_evidence = replace(anyones, new_evidence=True, states=(State.APPROVED,))
    news = desk.store.queue.count(new_evidence)
    return StateCounts(desk.store.queue.state_counts(seen), news)


def queue_row(record: StatementRecord) -> StatementRow:
    """The row of a statement in a list that is no queue."""
    document = next(
        (e.ground.document for e in record.evidence if isinstance(e.ground, TextGround)), ""
    )
    return StatementRow(
        record.id,
        record.version,
        record.statement,
        state=record.state,
        evidence=len(record.evidence),
        document=document or record.statement.document,
        new_evidence=record.new_evidence,
        unsupported=record.unsupported,
    )


def term_candidates(
    desk: HasProjectTerms, words: str, limit: int = 10, category: Category = Category.THING
) -> tuple[Candidate, ...]:
    """Terms of the project's vocabularies for words that a curator types in a correction, those
    preferred for a kind of thing first; of a thing that has several ids the preferred one, too.
    """
    if not words.strip():
        return ()
    names = desk.vocabulary_registry.ordered(category)
    return preferred_first(desk, desk.grounder().ground(words, Constraint(names), limit=limit))


def project_predicates(desk: HasStore, limit: int = 200) -> list[Term]:
    """Predicates that statements of this project have, by label."""
    by_id = {}
    for name in desk.store.queue.values("predicate")[:limit]:
        for record in desk.store.queue.records(QueueFilter(predicate=name), limit=1):
            by_id[record.statement.predicate.id] = record.statement.predicate
    return sorted(
        (term for name, term in by_id.items() if name), key=lambda term: (term.label, term.id)
    )
