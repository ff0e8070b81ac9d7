"""Gene questions: answers bound to NCBI records, every call on show. Wiring only."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError, NotFound
from core.services import gene_questions as genes
from pages.components import state
from pages.components.gene_answer import actions, compare, judge, show_answer
from pages.components.gene_api import apis
from pages.components.gene_ask import ask_form, earlier, open_run, recorded
from pages.components.gene_batch import batch
from pages.components.gene_step import show_steps
from pages.components.job import ACTIVE, job_panel
from pages.components.page import begin
from pages.components.problem import show_error

desk = begin("Gene questions")
run, job = state.url("run"), state.url("job")


def start() -> None:
    ask, many, other = st.tabs(["Ask", "From a file", "Other APIs"])
    with ask:
        ask_form(desk)
        recorded(desk)
        earlier(desk)
    with many:
        batch(desk)
    with other:
        apis(desk)


@st.fragment(run_every=1.0)
def growing() -> None:
    """The steps as they appear."""
    show_steps(desk, genes.steps(desk, run))


def result() -> None:
    if job:
        working = job_panel(desk, job, "Asking")
        if working is None:
            return
        if working.state in ACTIVE:
            growing()
            return
    try:
        found = genes.view(desk, run)
    except NotFound as error:
        show_error(error)
        show_steps(desk, genes.steps(desk, run))
        st.button("New question", on_click=open_run, args=("",), icon=":material/add:")
        return
    show_answer(desk, found)
    actions(desk, found)
    steps, beside, wrong = st.tabs([f"Steps ({found.answer.calls})", "Compare", "Judge"])
    with steps:
        show_steps(desk, found.answer.steps, run)
    with beside:
        if other := state.url("otherjob"):
            working = job_panel(desk, other, "Asking another way")
            if working is not None and working.state in ACTIVE:
                return
        compare(desk, found)
    with wrong:
        judge(desk, found)


try:
    if run:
        result()
    else:
        start()
except GroundworkError as error:
    show_error(error)
    if run:
        st.button("New question", on_click=open_run, args=("",), icon=":material/add:")
