"""Gene questions: answers bound to NCBI records, every call on show. Wiring only."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError, NotFound
from core.services.genes import questions as genes
from pages.components.genes.answer import (
    answer_actions,
    judge_form,
    leave_answer,
    show_answer,
    show_question,
)
from pages.components.genes.api import other_apis_tab
from pages.components.genes.ask import ask_form, earlier_questions, shipped_examples
from pages.components.genes.batch import question_file_tab
from pages.components.genes.compare import compare_answers
from pages.components.genes.step import show_steps
from pages.components.shared import state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error
from pages.components.shared.trace import show_calls

desk = begin_page("Gene questions")
run, job = state.url_value("run"), state.url_value("job")


def question_forms() -> None:
    """Forms are drawn in every tab, so that what was typed stays; what is only read, in the tab
    that is in view.
    """
    names = ["Ask", "Many questions", "Other APIs"]
    ask, many, other_apis = st.tabs(names, key="part", bind="query-params", on_change="rerun")
    at = state.get("part") or names[0]
    with ask:
        ask_form(desk, in_view=at == names[0])
        if at == names[0]:
            shipped_examples(desk)
            earlier_questions(desk)
    with many:
        question_file_tab(desk, in_view=at == names[1])
    with other_apis:
        other_apis_tab(desk)


@st.fragment(run_every=1.0)
def growing_steps() -> None:
    """The steps as they appear."""
    show_steps(desk, genes.answer_steps(desk, run), run, change=False)


def unfinished_question() -> bool:
    """The question on its way, or stopped on it: what was asked, the work's progress, the steps so
    far.
    """
    show_question(genes.question_of(desk, run, job))
    working = job_panel(desk, job, "Asking") if job else None
    if working is not None and working.state in ACTIVE:
        growing_steps()
        return True
    if genes.answer_outcome(desk, run)[0] is not None:
        return False
    if working is None:
        show_error(NotFound("This question has no answer.", "Ask it again."))
    show_steps(desk, genes.answer_steps(desk, run), run, change=False)
    leave_answer()
    return True


def answer_view() -> None:
    if unfinished_question():
        return
    asked_question = genes.stored_answer(desk, run)
    show_answer(desk, asked_question)
    answer_actions(desk, asked_question)
    calls = genes.gene_answer_calls(desk, run)
    names = [
        f"Steps ({asked_question.answer.calls})",
        f"All calls ({len(calls)})",
        "Compare",
        "Judge",
    ]
    at = names[2] if state.url_value("otherjob") else names[0]
    steps, all_tab, beside, wrong = st.tabs(names, key=state.key("gene·tabs", run), default=at)
    with steps:
        show_steps(desk, asked_question.answer.steps, run)
    with all_tab:
        show_calls(calls, f"gene·calls·{run}")
    with beside:
        compare_answers(desk, asked_question)
    with wrong:
        judge_form(desk, asked_question)


try:
    if run:
        answer_view()
    else:
        question_forms()
except GroundworkError as error:
    show_error(error)
    if run:
        leave_answer()
