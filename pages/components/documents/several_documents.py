"""What is done with several documents at once, those that are ticked or all that the list shows:
assign, tag, extract.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator
from core.services.documents import intake, overview
from core.services.documents.overview import DocumentFilter
from core.services.extract import schemas
from core.services.extract.engines import asks_model, offered_engines
from core.services.home import project
from core.services.shared.screen import counted
from pages.components.shared import page, state
from pages.components.shared.model_choice import say_what_goes

PERSON, TAG = "all·person", "all·tag·words"
Ids = Callable[[], Sequence[str]]
ChangeAll = Callable[[Desk, Sequence[str], str, Curator], int]  # how many were changed


def with_several(desk: Desk, ticked: Sequence[str], passing: int, filter: DocumentFilter) -> None:
    """The menu of what to do with the ticked documents; without a tick, with all that pass."""
    person = page.current_curator()
    number = len(ticked) or passing
    single = "With the ticked one …" if ticked else "With this one …"
    which = f"the {number:,} ticked" if ticked else f"all {number:,}"
    title = f"With {which} …" if number > 1 else single
    with st.popover(title, width="stretch", disabled=person is None):
        if person is None:
            return
        shown = "that you ticked" if ticked else "in the list, on all its pages"
        st.caption(f"For {counted(number, 'document')} {shown}.")

        def ids() -> Sequence[str]:
            return ticked or overview.document_ids(desk, filter)

        people = project.curator_names(desk) | {"": "Nobody"}
        with st.form("all·assign", border=False):
            choice, button = st.columns([3, 1], vertical_alignment="bottom")
            choice.selectbox(
                "Assign to",
                list(people),
                None,
                format_func=lambda orcid: people[orcid],
                key=PERSON,
                placeholder="Choose a person",
            )
            button.form_submit_button("Assign", width="stretch", on_click=_assign, args=(desk, ids))
        with st.form("all·tag", border=False, clear_on_submit=True):
            words, button = st.columns([3, 1], vertical_alignment="bottom")
            words.text_input("Add a tag", key=TAG, max_chars=overview.LONGEST_TAG)
            button.form_submit_button(
                "Add",
                width="stretch",
                on_click=_change,
                args=(desk, ids, overview.tag_all, TAG, "tagged"),
            )
        with st.form("all·read", border=False):
            schema_and_engine(desk, "all")
            st.form_submit_button("Extract", on_click=_read, args=(desk, ids))


def schema_and_engine(desk: Desk, name: str, nothing: str = "", first: str = "") -> None:
    """Which schema (at first the one called `first`) and engine; kept under the keys `name`·schema
    and `name`·engine.
    """
    titles_by_name = {choice.name: choice.title for choice in schemas.schema_choices(desk)}
    options = ([""] if nothing else []) + list(titles_by_name)
    left, right = st.columns(2)
    left.selectbox(
        "Schema",
        options,
        options.index(first) if first in options else 0,
        format_func=lambda choice: titles_by_name[choice] if choice else nothing,
        key=f"{name}·schema",
    )
    titles = offered_engines(desk)
    right.selectbox("Engine", list(titles), format_func=titles.__getitem__, key=f"{name}·engine")
    if any(asks_model(desk, engine) for engine in titles):
        # in a form nothing is drawn anew after a choice: said for whatever is chosen
        say_what_goes(
            desk,
            "extraction",
            "",
            "With an engine that asks a model, the texts, with their questions,",
        )


def _assign(desk: Desk, ids: Ids) -> None:
    if state.get(PERSON) is None:
        state.show_message("Choose a person first.", "error")
        return
    done = "assigned" if state.get(PERSON) else "assigned to nobody"
    _change(desk, ids, overview.assign_all, key=PERSON, done=done)


def _change(desk: Desk, ids: Ids, change: ChangeAll, key: str, done: str) -> None:  # noqa: PLR0917
    """Give each document what was typed or chosen under `key`."""
    if person := page.current_curator():
        try:
            number = change(desk, ids(), str(state.get(key) or ""), person)
            state.show_message(f"{counted(number, 'document')} {done}.", "toast")
        except GroundworkError as error:
            state.show_message(str(error), "error")


def _read(desk: Desk, ids: Ids) -> None:
    schema, engine = str(state.get("all·schema") or ""), str(state.get("all·engine") or "auto")
    try:
        job = intake.read_documents(desk, ids(), schema, engine, curator=page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id)
