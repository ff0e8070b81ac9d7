"""From a pasted text to statements that a curator can send to review. Wiring only."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.model import JobState
from core.services import extraction
from pages.components import state
from pages.components.extract_again import show_again
from pages.components.extract_batch import batch_panel, open_run, recent_runs
from pages.components.extract_compare import comparing, show_comparison
from pages.components.extract_paste import paste_panel
from pages.components.extract_result import show_result
from pages.components.extract_schema import schema_editor
from pages.components.extract_start import start_form
from pages.components.job import ACTIVE, job_panel
from pages.components.page import begin
from pages.components.problem import show_error
from pages.components.trace import show_calls

desk = begin("Extract")
run, job = state.url("run"), state.url("job")


def start() -> None:
    extract, own = st.tabs(["A text", "Schemas of your own"], key="extract·tabs")
    with extract:
        start_form(desk)
        recent_runs(desk)
    with own:
        schema_editor(desk)


def result() -> None:
    back = "Back to the files" if state.url("batch") else "New text"
    st.button(back, icon=":material/add:", on_click=open_run, args=("",))
    if job:
        working = job_panel(desk, job, "Reading the text")
        if working is None or working.state in ACTIVE:
            return
        if working.state is not JobState.DONE and desk.store.extraction(run) is None:
            show_calls(desk.store.calls(run))
            return
    elif desk.store.run(run).model == "pasted" and not paste_panel(desk, run):
        return
    found = extraction.view(desk, run)
    show_result(desk, found)
    show_again(desk, found)
    with st.expander("Compare with another engine", expanded=comparing()):
        show_comparison(desk, found)


try:
    if run:
        result()
    elif state.url("batch"):
        st.button("New text", icon=":material/add:", on_click=state.set_url, kwargs={"batch": ""})
        batch_panel(desk, state.url("batch"))
    else:
        start()
except GroundworkError as error:
    show_error(error)
