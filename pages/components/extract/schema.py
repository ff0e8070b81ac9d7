"""A curator's own schema: write or upload it, see what is wrong with it by line, its prompt and its
tree; keep it.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.extract import schemas
from core.services.extract.schemas import SchemaDraft
from pages.components.shared import cached, state
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import problem_line

YAML, NAME = "schema·yaml", "schema·name"


def schema_editor(desk: Desk) -> None:
    """Nothing is kept until *Keep it*; what is kept goes to the project's schemas folder."""
    schema_names = [choice.name for choice in schemas.schema_choices(desk)]
    left, right = st.columns([3, 2], gap="large")
    with left:
        start, name = st.columns(2)
        start.selectbox(
            "Begin with",
            ["", *schema_names],
            key="schema·from",
            on_change=_begin,
            args=(desk,),
            format_func=_schema_label,
        )
        name.text_input(
            "Keep as", key=NAME, persist_state="session", max_chars=60, placeholder="my_schema"
        )
        text = st.text_area(
            "LinkML, in YAML",
            key=YAML,
            height=460,
            persist_state="session",
            placeholder="Paste or upload a schema …",
        )
        st.file_uploader(
            "Or upload a file: LinkML, JSON Schema, SQL DDL or SHACL (Turtle)",
            type=["yaml", "yml", "json", "sql", "ddl", "ttl", "shacl"],
            key="schema·file",
            on_change=_file,
        )
    with right:
        if kind := schemas.foreign_format("", text):
            _offer_conversion(kind, text)
            return
        schema_draft = cached.schema_draft(desk, text)
        _verdict(schema_draft, text)
        st.button(
            "Keep it",
            type="primary",
            disabled=not schema_draft.usable,
            on_click=_keep,
            args=(desk, text),
            width="stretch",
        )
        _problems(schema_draft)
        if schema_draft.outline:
            with st.expander("The structure it fills", expanded=True):
                st.code("\n".join(schema_draft.outline), language=None, wrap_lines=True)
        if schema_draft.prompt:
            with st.expander("The prompt it gives a model"):
                st.code(schema_draft.prompt, language=None, wrap_lines=True, height=300)


def _schema_label(name: str) -> str:
    return name or "an empty schema"


def _offer_conversion(kind: str, text: str) -> None:
    """A schema in another language: a button turns it into LinkML, or the page says what to
    install.
    """
    command = schemas.how_to_install(kind)
    if command:
        st.warning(
            f"This is {kind}. LinkML's importers can convert it to a schema, but are not "
            "installed here. Run:"
        )
        st.code(command, language="bash")
        return
    st.info(f"This is {kind}. It can be converted to LinkML, the schema language used here.")
    st.button(
        "Convert it to LinkML", type="primary", width="stretch", on_click=_convert, args=("", text)
    )


def _convert(name: str, text: str) -> None:
    """The text box holds the schema as LinkML; where it cannot be converted, it keeps what was
    given.
    """
    try:
        state.put(YAML, schemas.as_linkml(name, text))
    except GroundworkError as error:
        state.put(YAML, text)
        state.show_message(str(error), "error")


def _verdict(schema_draft: SchemaDraft, text: str) -> None:
    if not text.strip():
        st.caption("Start from one of the templates, or upload your own schema.")
    elif schema_draft.usable:
        st.success("This schema can be used.")
    else:
        st.error("This schema cannot be used yet.")


def _problems(schema_draft: SchemaDraft) -> None:
    """One problem at a time with *next problem*, and all of them folded below."""
    if not schema_draft.problems:
        return
    at = int(state.get("schema·at", 0)) % len(schema_draft.problems)
    with st.container(border=True):
        st.text(
            f"{at + 1} of {len(schema_draft.problems)}: {problem_line(schema_draft.problems[at])}"
        )
        st.button("Next problem", on_click=state.put, args=("schema·at", at + 1), shortcut="n")
    with st.expander("All problems"):
        for problem in schema_draft.problems:
            st.text(problem_line(problem))


def _begin(desk: Desk) -> None:
    if name := str(state.get("schema·from") or ""):
        state.put(YAML, schemas.schema_source(desk, name))
        state.put(NAME, f"my_{name}")


def _file() -> None:
    uploaded = state.get("schema·file")
    if uploaded is not None:
        _convert(uploaded.name, uploaded.getvalue().decode("utf-8", "replace"))
        state.put(
            NAME, uploaded.name.rsplit(".", 1)[0].casefold().replace("-", "_").replace(" ", "_")
        )


def _keep(desk: Desk, text: str) -> None:
    try:
        acting_orcid(desk)
        name = schemas.save_schema(desk, str(state.get(NAME, "")), text)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{name} is saved in this project and can be chosen on the Extract page.")
