"""Schemas: say what is to be found in texts, without YAML, and see at once what would be found."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import GroundworkError
from core.services.extract import schema_building, schemas
from core.services.extract.schema_building import OpenedSchema, SchemaForm
from pages.components.schemas import form as parts_of
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid, begin_page, curator_orcid
from pages.components.shared.problem import show_error

READ_NEXT = "extract·text"  # the text box of Extract: what was tried here is read there
TITLE, ABOUT, TEXT, BASE, OPEN = (
    "schema·title",
    "schema·about",
    "schema·text",
    "schema·base",
    "schema·open",
)

desk = begin_page("Schemas")


def current_form() -> SchemaForm:
    """The form as it is now; what was begun earlier is taken up again."""
    schema_form: SchemaForm | None = state.get(parts_of.SHOWN)
    if schema_form is None:
        schema_form = schema_building.form_draft(desk, curator_orcid())
        state.put(parts_of.SHOWN, schema_form)
    return schema_form


def keep_change(form: SchemaForm) -> None:
    """Keep what was changed, so that a reload loses nothing."""
    state.put(parts_of.SHOWN, form)
    schema_building.keep_draft(desk, curator_orcid(), form)


def retitle() -> None:
    keep_change(
        replace(
            current_form(),
            title=str(state.get(TITLE) or ""),
            description=str(state.get(ABOUT) or ""),
        )
    )


def base_schema() -> OpenedSchema | None:
    opened_schema: OpenedSchema | None = state.get(BASE)
    return opened_schema


def begin_anew() -> None:
    state.put(BASE, None)
    show_form(SchemaForm())


def open_chosen(copy: bool) -> None:
    name = str(state.get(OPEN) or "")
    try:
        opened_schema = schema_building.schema_to_form(desk, name)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(BASE, opened_schema)
    state.put("schema·name", f"my_{name}" if copy else name)
    show_form(opened_schema.form)


def show_form(form: SchemaForm) -> None:
    keep_change(form)
    state.put(TITLE, form.title)
    state.put(ABOUT, form.description)


def save_schema() -> None:
    try:
        name = schema_building.keep_schema(
            desk,
            current_form(),
            base=base_schema(),
            name=str(state.get("schema·name") or ""),
            curator=acting_orcid(desk),
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put("schema·kept", name)
    if not state.get(READ_NEXT):
        state.put(READ_NEXT, str(state.get(TEXT) or ""))
    state.show_message(f"{name} is saved. Choose it on the Extract page.")


def start_choice() -> None:
    """A new one, or one that is there: opened, or copied to be adapted."""
    names = {choice.name: choice for choice in schemas.schema_choices(desk)}
    with st.expander("Start from scratch, or from an existing schema"):
        st.selectbox(
            "Schema",
            list(names),
            key=OPEN,
            format_func=lambda name: (
                f"{names[name].title}" + (" (yours)" if names[name].own else "")
            ),
        )
        own = bool(state.get(OPEN)) and names[str(state.get(OPEN))].own
        copy, again, new = st.columns(3)
        copy.button("Copy and adapt", on_click=open_chosen, args=(True,), width="stretch")
        again.button("Open", on_click=open_chosen, args=(False,), disabled=not own, width="stretch")
        new.button("Empty form", on_click=begin_anew, width="stretch")
    opened_schema = base_schema()
    if opened_schema is not None and opened_schema.hidden:
        with st.expander(f"Saved, but not shown here: {len(opened_schema.hidden)}"):
            for line in opened_schema.hidden:
                st.text(line)


def write_schema() -> None:
    form = current_form()
    start_choice()
    if state.get(TITLE) is None:
        state.put(TITLE, form.title)
        state.put(ABOUT, form.description)
    name, about = st.columns(2)
    name.text_input(
        "Name of the schema", key=TITLE, max_chars=60, on_change=retitle, placeholder="Gene disease"
    )
    about.text_input("What it is for (optional)", key=ABOUT, max_chars=200, on_change=retitle)
    parts_of.thing_rows(desk, form, keep_change)
    parts_of.relation_rows(form, keep_change)
    parts_of.part_rows(form, keep_change)


def preview() -> None:
    """What it would find, as the form stands."""
    form = current_form()
    st.text_area(
        "Your own text",
        key=TEXT,
        height=120,
        persist_state="session",
        placeholder="Paste some sentences: what would be found appears below.",
    )
    try:
        text = schema_building.form_to_linkml(desk, form, base_schema())
    except GroundworkError as error:
        st.caption(escaped(str(error), 300))
        st.button("Save this schema", type="primary", disabled=True)
        return
    is_enough = bool(
        form.relations or form.parts or base_schema()
    )  # one may hold what is not shown here
    st.button("Save this schema", type="primary", on_click=save_schema, disabled=not is_enough)
    if not is_enough:
        st.caption("Add a relation or a part: a schema without one cannot be saved.")
    if kept_name := str(state.get("schema·kept") or ""):
        try:
            st.page_link(
                "pages/1_Extract.py",
                label="Extract with it",
                icon=":material/arrow_forward:",
                query_params={"schema": kept_name},
            )
        except (st.errors.StreamlitAPIException, KeyError):
            st.text(kept_name)
    schema_preview = schema_building.schema_preview(desk, text, str(state.get(TEXT) or ""))
    if schema_preview.problem:
        st.warning(escaped(schema_preview.problem, 1000))
    if state.get(TEXT):
        st.markdown("**Statements that the built-in engine finds**")
        st.text("\n".join(schema_preview.statements) or "None in this text.")
        st.markdown("**Things that it finds**")
        rows = [f"{words}: {kind}, {term}" for words, kind, term in schema_preview.mentions]
        st.text("\n".join(rows) or "None in this text.")
        for sentence in schema_preview.lacking:
            st.caption(f"⚠️ {escaped(sentence, 300)}")
    with st.expander("What a model would be asked"):
        st.code(schema_preview.question, language=None, wrap_lines=True)
    with st.expander("The schema as LinkML"):
        st.code(text, language="yaml")


try:
    left, right = st.columns([3, 2], gap="large")
    with left:
        write_schema()
    with right, st.container(key="gw-preview"):
        preview()
except GroundworkError as error:
    show_error(error)
