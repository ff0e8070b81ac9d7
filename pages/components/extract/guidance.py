"""What prompts say besides the schema: words of the project, approved statements as examples."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import upload
from core.services.extract import guidance
from core.services.extract.run import find_schema
from core.services.shared.screen import counted
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped

EXAMPLES = "extract·examples"


def guidance_settings(desk: Desk, schema: str) -> int:
    """How many approved statements a prompt shows; and the words that stand in each."""
    count = st.number_input(
        "Approved statements of other texts as examples",
        0,
        guidance.MOST_EXAMPLES,
        0,
        key=EXAMPLES,
        persist_state="session",
        help="The most similar ones are used, never one from the text being read.",
    )
    try:
        name = find_schema(desk, schema).name
    except GroundworkError:
        return int(count)
    prompt_note = guidance.note_of(desk, name)
    label = "Text added to every prompt"
    with st.popover(f"{label}, version {prompt_note.version}" if prompt_note.text else label):
        key = _note_key(name, prompt_note.version)
        words = st.text_area(
            f"What a model should know to fill {name}", prompt_note.text, key=key, height=160
        )
        st.button("Save this text", key=f"keep·{key}", on_click=_keep, args=(desk, name, key))
        st.caption("Each change is a new version; a run records the one it used.")
        st.text("The prompt would be:")
        st.code(guidance.preview_prompt(desk, schema, words), language=None, wrap_lines=True)
        if older := guidance.note_versions(desk, name)[:-1]:
            with st.expander(counted(len(older), "earlier version")):
                for version in reversed(older):
                    st.text(
                        f"Version {version.version}, {version.time[:16]}: {version.text or 'none'}"
                    )
    return int(count)


def _note_key(schema: str, version: int) -> str:
    return state.key("note", schema, version)


def is_note_unsaved(desk: Desk, schema: str) -> bool:
    """Whether the words for every prompt were changed and not saved. The keys that take over what
    was typed into their box are also those that start a run.
    """
    name = find_schema(desk, schema).name
    note = guidance.note_of(desk, name)
    typed = state.get(_note_key(name, note.version))
    return typed is not None and str(typed) != note.text


def _keep(desk: Desk, schema: str, key: str) -> None:
    try:
        guidance.set_note(desk, schema, str(state.get(key) or ""), page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def show_examples(desk: Desk, schema: str, text: str, source: str, *, count: int) -> None:
    """The examples that a run over this text would be shown."""
    try:
        examples = guidance.examples_for(
            desk, schema, text, upload.source_curie(source), count=count
        )
    except GroundworkError:
        return
    if not examples:
        st.caption("No approved statement of another text resembles this one: no examples.")
        return
    with st.expander(f"{counted(len(examples), 'example')} from approved statements"):
        for example in examples:
            st.text(f"{example.line}\n{example.document}")


def show_guidance(run_guidance: guidance.Guidance) -> None:
    """What a finished run was told, escaped; nothing where it was plain."""
    if run_guidance == guidance.PLAIN:
        return
    parts = [f"added text, version {run_guidance.version}"] if run_guidance.note else []
    parts += (
        [counted(len(run_guidance.examples), "approved example")] if run_guidance.examples else []
    )
    with st.expander("Its prompts contained " + escaped(" and ".join(parts), 100)):
        st.text(run_guidance.first)
