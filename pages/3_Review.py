"""Review: one queue, one statement in view, decisions by key."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError, NotFound
from core.model import Curator, State
from core.services.review import card as review_card
from core.services.review import queue
from core.services.review.queue import ALL, NEWS, Queue
from core.services.shared.screen import counted
from pages.components.review.batch import batch_form
from pages.components.review.correction import correction, reference_form
from pages.components.review.decision_bar import EDITING, decision_bar, move_on, toast, undo_bar
from pages.components.review.statement_card import details, rows_table, statement_card
from pages.components.shared import state
from pages.components.shared.empty import empty
from pages.components.shared.page import begin, curator
from pages.components.shared.problem import show_error

NAMES = {
    State.PROPOSED: "Proposed",
    NEWS: "New evidence",
    State.UNSURE: "Unsure",
    State.APPROVED: "Approved",
    State.REJECTED: "Rejected",
    State.SUPERSEDED: "Corrected",
    ALL: "All",
}


def main() -> None:
    desk = begin("Review")
    toast()
    person = curator()
    move_on()
    wanted = queue.filter_of(st.query_params.to_dict())
    shown = state.url("id") or queue.first(desk, wanted)
    try:
        card = review_card.card(desk, shown, wanted) if shown else None
    except NotFound:
        card = None
    bar = st.container()
    found = queue.queue(desk, wanted, _offset())
    if not any(found.tally.values()):
        empty(
            "No statements to review yet.",
            "Extract statements from a text on **Extract**, then press *Send to review*.",
            "Or open the example project on the home page.",
        )
        return
    if person is None:
        st.caption("Enter your name in the sidebar to decide.")
    left, right = st.columns([3, 2], gap="medium")
    with right:
        _queue(desk, found, person, card.record.id if card else "")
    with left:
        if card is None:
            with bar:
                undo_bar(desk, person)
            _nothing_in_view(found)
            return
        statement_card(desk, card, person)
        with bar:
            decision_bar(desk, card, person)
        if state.get(EDITING) == card.record.id and person is not None:
            correction(desk, card, person)
        details(desk, card, person)
        if person is not None:
            reference_form(desk, card, person)


def _offset() -> int:
    words = state.url("offset")
    return int(words) if words.isdecimal() and len(words) < 9 else 0


def _nothing_in_view(found: Queue) -> None:
    waiting = found.tally[State.PROPOSED]
    if waiting:
        words = counted(waiting, "proposed statement waits", "proposed statements wait")
        empty("No statements match these filters.", f"{words}: choose *Proposed* on the right.")
    else:
        empty("Everything is decided.", "See and export what was approved on **Knowledge graph**.")


def _queue(desk: Desk, found: Queue, person: Curator | None, current: str) -> None:
    """The filters, then the statements that pass them."""
    counts: dict[str, int] = {
        str(name): found.tally[State(name)] for name in NAMES if name in list(State)
    }
    counts |= {NEWS: found.news, ALL: sum(found.tally.values())}
    now = state.url("state", State.PROPOSED)
    key = state.key("queue-state", now, state.url("text"))
    options = [str(name) for name in NAMES if counts[name] or name in (now, State.PROPOSED, ALL)]
    st.pills(
        "Queue",
        options,
        default=now if now in options else None,
        format_func=lambda name: f"{NAMES[name]} {counts[name]}",
        label_visibility="collapsed",
        wrap=True,
        key=key,
        on_change=lambda: _filter(state=str(state.get(key) or "")),
    )
    _filters(desk)
    many = st.toggle("Decide several at once", key="many", disabled=person is None)
    table = state.key(
        "queue", sorted(st.query_params.to_dict().items()) if many else "one", found.total, many
    )
    chosen = rows_table(found.rows, table, 460, current=current, many=many)
    _pages(found)
    if many and person is not None:
        seen = [(found.rows[at].id, found.rows[at].version) for at in chosen]
        batch_form(desk, seen, person, "batch")


def _filters(desk: Desk) -> None:
    narrowed = [
        name
        for name in ("text", "category", "predicate", "document", "schema", "curator")
        if state.url(name)
    ]
    left, right = st.columns([3, 2])
    text = state.key("find", state.url("text"))
    left.text_input(
        "Find",
        state.url("text"),
        key=text,
        placeholder="Label or id",
        label_visibility="collapsed",
        on_change=lambda: _filter(text=str(state.get(text) or "")),
    )
    with right.popover(f"Filters ({len(narrowed)})" if narrowed else "Filters", width="stretch"):
        for name, values in queue.choices(desk).items():
            _choice(name, values)
        st.button(
            "Clear filters",
            on_click=_filter,
            kwargs=dict.fromkeys(narrowed, ""),
            disabled=not narrowed,
        )


def _choice(name: str, values: list[str]) -> None:
    now = state.url(name)
    options = ["", *values] if now in ("", *values) else ["", now, *values]
    key = state.key("filter", name, now)
    st.selectbox(
        name.capitalize(),
        options,
        options.index(now),
        format_func=lambda value: value or "any",
        key=key,
        on_change=lambda: _filter(**{name: str(state.get(key) or "")}),
    )


def _filter(**values: str) -> None:
    """Another queue begins at its first statement."""
    state.set_url(**values, id="", offset="")


def _pages(found: Queue) -> None:
    if found.total <= queue.PAGE:
        return
    last = found.offset + len(found.rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{found.offset + 1:,}–{last:,} of {found.total:,}")
        before, after = max(found.offset - queue.PAGE, 0), last
        st.button(
            "Earlier", disabled=not found.offset, on_click=_page, args=(before,), type="tertiary"
        )
        st.button(
            "Later", disabled=last >= found.total, on_click=_page, args=(after,), type="tertiary"
        )


def _page(offset: int) -> None:
    state.set_url(offset=str(offset) if offset else "")


try:
    main()
except GroundworkError as error:
    show_error(error)
