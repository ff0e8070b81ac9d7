"""The same question answered another way, or with a step changed: side by side."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.genes import questions as genes
from core.services.genes import strategy
from core.services.genes.options import AskOptions
from pages.components.genes.answer import show_answer
from pages.components.genes.ask import ask_in_background, open_run
from pages.components.shared import state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.problem import show_error


def compare_answers(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    """The other run next to this one; before there is one, the ways to get one."""
    if job := state.url_value("otherjob"):
        working = job_panel(desk, job, "Asking another way")
        if working is not None and working.state in ACTIVE:
            return
    _ask_another_way(desk, asked_question)
    other_run = state.url_value("other")
    if not other_run:
        return
    try:
        second = genes.stored_answer(desk, other_run)
    except GroundworkError as error:
        show_error(error)
        return
    st.text(genes.answer_difference(asked_question.answer, second.answer))
    left, right = st.columns(2)
    with left:
        st.caption("This answer")
        show_answer(desk, asked_question, "left")
    with right:
        st.caption("The other")
        show_answer(desk, second, "right")
        st.button(
            "Open this one",
            on_click=open_run,
            args=(second.run, "", asked_question.run),
            icon=":material/swap_horiz:",
        )


def _ask_another_way(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    ways = [way for way in strategy.usable_strategies(desk) if way.name != asked_question.way]
    if not ways:
        st.caption("A second way needs a language model: see Settings.")
    for column, way in zip(st.columns(3), ways, strict=False):
        column.button(
            f"Ask by {way.name}",
            key=f"gene·other·{way.name}",
            help=way.title,
            on_click=ask_in_background,
            args=(desk, asked_question.answer.question, AskOptions(way=way.name), True),
            width="stretch",
        )
