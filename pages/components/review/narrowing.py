"""What of the queue is looked at: state, words, facets with counts, order, saved views. All of it
lives in the page's address.
"""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from core.desk import Desk
from core.errors import Forbidden
from core.model import Curator, State
from core.services.learning import ranking
from core.services.review import facets, queue
from core.services.review.queue import ALL, NARROWING, NEWS, QueueView, StateCounts
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.saved_views import saved_views_list

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
    "support": "Most surely said first",
    "score": "Best score first",
    "uncertain": "Uncertain score first",
    "document": "By document",
    "likely": "Most similar to approved statements",
    "unsure": "Most uncertain first",
}

LEARNED = ("likely", "unsure")


def draw_narrowing(desk: Desk, view: QueueView, tally: StateCounts, person: Curator | None) -> None:
    """One row of choices for the state, one for everything else."""
    _states(tally)
    if state.url_value("state") == CONFLICTS:
        return
    left, middle, right, views_column = st.columns([4, 2, 3, 2], vertical_alignment="center")
    with left:
        _find()
    with middle:
        _filters(desk, view)
    with right:
        _order(desk)
    with views_column:
        _views(desk, person)


def _states(tally: StateCounts) -> None:
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
        required=True,
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
        names = list(facets.TITLES)
        st.pills(
            "Filter by",
            names,
            default=chosen[0] if chosen else names[0],
            required=True,
            format_func=lambda name: f"{facets.TITLES[name]}{' ✓' if name in chosen else ''}",
            key="facet·by",
        )
        facet_name = str(state.get("facet·by") or "")
        if facet_name in names:
            _facet(facet_name, facets.facet_values(desk, facet_name, view.filter))
        for name in chosen:
            st.button(
                _filter_words(desk, name),
                icon=":material/close:",
                key=f"facet·remove·{name}",
                on_click=_narrow,
                kwargs={name: ""},
            )
        st.button(
            "Clear filters",
            on_click=_narrow,
            kwargs=dict.fromkeys(chosen, ""),
            disabled=not chosen,
        )


def _filter_words(desk: Desk, name: str) -> str:
    """`Predicate: treats`, for a filter that is set."""
    value = facets.facet_label(desk, name, state.url_value(name))
    return f"{facets.TITLES[name]}: {escaped(value, 60)}"


def _facet(name: str, values: list[facets.FacetValue]) -> None:
    """The values with how many statements of the view have each; only the one that is looked at is
    counted.
    """
    now = state.url_value(name)
    labels = {
        facet_value.value: f"{facet_value.label} ({facet_value.count:,})" for facet_value in values
    }
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
    if name == "held":
        st.caption("From the last check on the Export tab of Knowledge graph.")
    if not values:
        st.caption("Not recorded for any statement in this view.")


def _order(desk: Desk) -> None:
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
        on_change=lambda: _ordered(desk, str(state.get(key) or "")),
    )


def _ordered(desk: Desk, order: str) -> None:
    """A learned order is learned again in the background when enough was decided since."""
    with suppress(Forbidden):  # whoever only looks sees the order as it is
        if order in LEARNED and ranking.refresh_ranking(desk, acting_orcid(desk)) is not None:
            state.show_message(
                "The order is being learned from your decisions. Reload in a moment.", "toast"
            )
    _narrow(order=order)


def _views(desk: Desk, person: Curator | None) -> None:
    """Saved views of the project; this one can be saved under a name."""
    with st.popover("Views", width="stretch"):
        saved = facets.saved_views(desk)
        none_yet = "No view is saved yet. A view is a state, filters and an order."
        saved_views_list(
            "view",
            saved,
            person,
            note="" if saved else none_yet,
            open_view=lambda view: _open_view(dict(view.address)),
            remove=lambda name, curator: facets.remove_view(desk, name, curator),
            save=lambda name, curator: facets.save_view(
                desk, name, st.query_params.to_dict(), curator
            ),
        )


def _open_view(address: dict[str, str]) -> None:
    every = dict.fromkeys(("state", "order", *queue.NARROWING), "")
    _narrow(**(every | address))


def _narrow(**values: str) -> None:
    """Another queue begins at its first statement."""
    state.set_url(**values, id="")
