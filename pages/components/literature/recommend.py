"""Recommended articles for a paragraph that one has written."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.literature import curation
from core.services.literature.curation import Recommended
from core.services.literature.search_page import AnswerTemplate
from pages.components.literature.answer import show_answer
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import job_panel
from pages.components.shared.page import curator
from pages.components.shared.problem import show_error

CHOSEN = 3  # recommended articles that are chosen at first


def recommend_panel(desk: Desk, names: Sequence[str]) -> None:
    """Articles to cite for a paragraph that one has written."""
    chosen = st.multiselect("Namespaces", list(names), default=[names[0]], key="recommend-ns")
    paragraph = st.text_area(
        "Your paragraph", key="paragraph", height=160, max_chars=10_000, persist_state="session"
    )
    if not paragraph.strip() or not chosen:
        empty_state(
            "Paste a paragraph that you have written.",
            "Articles for it are listed with score, summary and citation.",
        )
        return
    try:
        recommendeds = curation.recommended(desk, chosen, paragraph)
    except GroundworkError as error:
        show_error(error)
        return
    _summary(desk, paragraph, recommendeds)
    for place, one in enumerate(recommendeds):
        with st.container(border=True):
            left, right = st.columns([9, 1])
            left.text(f"{one.score:.2f}  {one.chunk.title or one.document}")
            right.checkbox("Choose", place < CHOSEN, key=state.key("choose", one.document))
            if one.chunk.flags:
                st.text("⚠️ " + ", ".join(one.chunk.flags))
            st.text(one.summary)
            st.code(curation.citation(one.chunk), language=None, wrap_lines=True)


def _summary(desk: Desk, paragraph: str, found: Sequence[Recommended]) -> None:
    """A summary of the chosen articles, cited."""
    names = [recommended.document for recommended in found]
    st.button(
        "Summarise the chosen",
        icon=":material/edit_note:",
        on_click=_summarise,
        key="do·Summarise",
        args=(desk, paragraph, found),
        disabled=not names,
    )
    if job := state.url_value("summary_job"):
        working = job_panel(desk, job, "Summarising")
        if working is None or working.state is not JobState.DONE:
            return
    if run := state.url_value("summary"):
        with st.container(border=True):
            show_answer(desk, run, AnswerTemplate.PARAGRAPH)


def _summarise(desk: Desk, paragraph: str, found: Sequence[Recommended]) -> None:
    person = curator()
    chosen = [
        one
        for place, one in enumerate(found)
        if state.get(state.key("choose", one.document), place < CHOSEN)
    ]
    try:
        job = curation.start_summary(desk, paragraph, chosen, person.orcid if person else "")
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(summary=str(job.arguments["run"]), summary_job=job.id)
