"""From a pasted text to statements that a curator can send to review. Wiring only."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.model import JobState
from core.services.extract import result as extraction
from core.services.extract.difference import compare_with_queue
from pages.components.extract.batch import batch_panel, open_run
from pages.components.extract.compare import is_comparing, show_comparison
from pages.components.extract.earlier import show_earlier
from pages.components.extract.paste import paste_panel
from pages.components.extract.rerun import show_again
from pages.components.extract.result import show_result
from pages.components.extract.schema import schema_editor
from pages.components.extract.start import start_form
from pages.components.shared import state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error
from pages.components.shared.trace import show_calls

desk = begin_page("Extract")
run, job = state.url_value("run"), state.url_value("job")


def start() -> None:
    names = ["A text", "Your own schemas"]
    extract, own = st.tabs(names, key="extract·tabs", on_change="rerun")
    with extract:
        start_form(desk, in_view=(state.get("extract·tabs") or names[0]) == names[0])
        show_earlier(desk)
    with own:
        schema_editor(desk)


def result() -> None:
    back_label = "Back to the files" if state.url_value("batch") else "New text"
    st.button(back_label, icon=":material/add:", on_click=open_run, args=("",))
    if job:
        working = job_panel(desk, job, "Reading the text")
        if working is None or working.state in ACTIVE:
            return
        if working.state is not JobState.DONE and not extraction.has_result(desk, run):
            show_calls(extraction.calls_of(desk, run))
            return
    elif extraction.is_of_pasted_answer(desk, run) and not paste_panel(desk, run):
        return
    run_view = extraction.result_of_run(desk, run)
    apart = compare_with_queue(desk, run, run_view)
    show_result(desk, run_view, apart)
    show_again(apart)
    with st.expander("Compare with another engine or model", expanded=is_comparing()):
        show_comparison(desk, run_view)


try:
    if run:
        result()
    elif state.url_value("batch"):
        st.button(
            "New text",
            icon=":material/add:",
            on_click=state.set_url,
            kwargs={"batch": "", "other_batch": "", "sending": ""},
        )
        batch_panel(desk, state.url_value("batch"))
    else:
        start()
except GroundworkError as error:
    show_error(error)
