"""What of the queue is looked at: state, words, facets with counts, order, saved views. All of it
lives in the page's address.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, State
from core.services.learning import ranking
from core.services.review import facets, queue
from core.services.review.queue import ALL, NARROWING, NEWS, QueueView, Tally
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped

CONFLICTS = "conflicts"  # of the address's `state`: work on what is at odds
NAMES = {
    State.PROPOSED: "Proposed",
    NEWS: "New evidence",
    State.UNSURE: "Unsure",
    State.APPROVED: "Approved",
    State.REJECTED: "Rejected",
    State.SUPERSEDED: "Corrected",
    ALL: "All",
    CONFLICTS: "Conflicts",
}
ORDERS = {
    "proposed": "As proposed",
    "newest": "Newest first",
    "score": "Best score first",
    "uncertain": "Uncertain score first",
    "document": "By document",
    "likely": "Most like what is approved",
    "unsure": "Most uncertain to the desk",
}

LEARNED = ("likely", "unsure")


def narrowing(desk: Desk, view: QueueView, tally: Tally, person: Curator | None) -> None:
    """One row of choices for the state, one for everything else."""
    _states(tally)
    if state.url_value("state") == CONFLICTS:
        return
    left, middle, right, last = st.columns([4, 2, 3, 2], vertical_alignment="center")
    with left:
        _find()
    with middle:
        _filters(desk, view)
    with right:
        _order(desk, person)
    with last:
        _views(desk, person)


def _states(tally: Tally) -> None:
    counts: dict[str, int] = {
        str(name): tally.states[State(name)] for name in NAMES if name in list(State)
    }
    counts |= {NEWS: tally.news, ALL: tally.total}
    now = state.url_value("state", State.PROPOSED)
    key = state.key("queue-state", now)
    always = (now, State.PROPOSED, ALL, CONFLICTS)
    options = [str(name) for name in NAMES if counts.get(name) or name in always]
    st.pills(
        "Queue",
        options,
        default=now if now in options else None,
        format_func=lambda name: (
            f"{NAMES[name]} {counts[name]:,}" if name in counts else NAMES[name]
        ),
        label_visibility="collapsed",
        wrap=True,
        key=key,
        on_change=lambda: _narrow(state=str(state.get(key) or "")),
    )


def _find() -> None:
    key = state.key("find", state.url_value("text"))
    st.text_input(
        "Find",
        state.url_value("text"),
        key=key,
        placeholder="Label or id",
        label_visibility="collapsed",
        on_change=lambda: _narrow(text=str(state.get(key) or "")),
    )


def _filters(desk: Desk, view: QueueView) -> None:
    """Facets are counted when their list is opened."""
    chosen = [name for name in NARROWING if name != "text" and state.url_value(name)]
    title = f"Filters ({len(chosen)})" if chosen else "Filters"
    box = st.popover(title, width="stretch", on_change="rerun", key="facets")
    if not box.open:
        return
    with box:
        left, right = st.columns(2)
        for number, (name, values) in enumerate(facets.facets(desk, view.filter).items()):
            with (left, right)[number % 2]:
                _facet(name, values)
        st.button(
            "Clear filters",
            on_click=_narrow,
            kwargs=dict.fromkeys(chosen, ""),
            disabled=not chosen,
        )


def _facet(name: str, values: list[facets.FacetValue]) -> None:
    now = state.url_value(name)
    labels = {one.value: f"{one.label} ({one.count:,})" for one in values}
    options = ["", *labels] if now in ("", *labels) else ["", now, *labels]
    key = state.key("facet", name, now)
    st.selectbox(
        facets.TITLES[name],
        options,
        options.index(now),
        format_func=lambda value: labels.get(value, value) or "any",
        key=key,
        on_change=lambda: _narrow(**{name: str(state.get(key) or "")}),
    )


def _order(desk: Desk, person: Curator | None) -> None:
    now = state.url_value("order", "proposed")
    options = list(ORDERS)
    key = state.key("order", now)
    st.selectbox(
        "Order",
        options,
        options.index(now) if now in options else 0,
        format_func=lambda name: ORDERS[name],
        label_visibility="collapsed",
        key=key,
        on_change=lambda: _ordered(desk, str(state.get(key) or ""), person),
    )


def _ordered(desk: Desk, order: str, person: Curator | None) -> None:
    """A learned order is learned anew in the background when enough was decided since."""
    if order in LEARNED and ranking.refresh(desk, person.orcid if person else "") is not None:
        state.show_message(
            "The order is being learned from your decisions. Reload in a moment.", "toast"
        )
    _narrow(order=order)


def _views(desk: Desk, person: Curator | None) -> None:
    """Saved views of the project; this one can be saved under a name."""
    with st.popover("Views", width="stretch"):
        saved = facets.views(desk)
        if not saved:
            st.caption("No view is saved yet. A view is a state, filters and an order.")
        for number, view in enumerate(saved):
            with st.container(horizontal=True):
                st.button(
                    escaped(view.name, 80),
                    key=f"view·{number}",
                    on_click=_open_view,
                    args=(dict(view.address),),
                )
                st.button(
                    "Remove",
                    key=f"view·remove·{number}",
                    type="tertiary",
                    on_click=facets.remove_view,
                    args=(desk, view.name),
                    disabled=person is None,
                )
        st.text_input("Name of this view", key="view·name", max_chars=facets.LONGEST_NAME)
        st.button(
            "Save this view",
            key="view·save",
            on_click=_save_view,
            args=(desk, person),
            disabled=person is None,
        )


def _save_view(desk: Desk, person: Curator) -> None:
    try:
        view = facets.save_view(
            desk, str(state.get("view·name") or ""), st.query_params.to_dict(), person
        )
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.put("view·name", "")
    state.show_message(f"The view “{view.name}” is saved.", "toast")


def _open_view(address: dict[str, str]) -> None:
    every = dict.fromkeys(("state", "order", *queue.NARROWING), "")
    _narrow(**(every | address))


def _narrow(**values: str) -> None:
    """Another queue begins at its first statement."""
    state.set_url(**values, id="")
