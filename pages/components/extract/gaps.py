"""What is missing from a result: above it, and again before it is sent."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents.text_reading import UNSEEN, text_reading
from core.services.extract.completeness import CompletenessGap, gaps_of, may_be_incomplete
from core.services.extract.left_out import ask_rest, left_words
from core.services.extract.result import ExtractionView
from core.services.settings import models
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.text_reading import show_reading


def show_gaps(desk: Desk, run_view: ExtractionView) -> None:
    """A banner with counts and what helps; nothing where the result is whole."""
    show_reading(text_reading(desk, run_view.text.sha))
    missing = gaps_of(run_view)
    if may_be_incomplete(missing):
        where = "What the model wrote, and every note, is in the tab *How it was read*."
        lines = _lines(missing) + (f"  \n{where}" if run_view.calls else "")
        st.warning("**This result is incomplete.**  \n" + lines)
        _offer_rest(desk, run_view)
    elif missing:
        st.info(_lines(missing))


def _offer_rest(desk: Desk, run_view: ExtractionView) -> None:
    """The questions that a limit left out can be asked, once it is said what they take."""
    if not (words := left_words(desk, run_view)):
        return
    st.button(
        "Ask the rest",
        key=state.key("rest", run_view.run.id),
        icon=":material/playlist_add:",
        on_click=_ask_rest,
        args=(desk, run_view),
    )
    where = models.asked_at(desk, "extraction", run_view.run.model)
    st.caption(escaped(f"{words} They go to {where}.", 400))


def _ask_rest(desk: Desk, run_view: ExtractionView) -> None:
    try:
        job = ask_rest(desk, run_view, page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(job=job.id, run=job.arguments["run"], other="")


def sure_of_gaps(run_view: ExtractionView) -> bool:
    """Says what is missing before anything is sent, and asks; gives whether it may be sent."""
    missing = [gap for gap in gaps_of(run_view) if gap.lost]
    if not missing:
        return True
    st.warning("Before you send: " + " ".join(gap.says for gap in missing))
    return st.checkbox(
        "I have looked at it: send it even though it is incomplete"
        if any(problem.code == UNSEEN for problem in run_view.problems)
        else "Send it even though it is incomplete",
        key=state.key("gaps", run_view.run.id),
    )


def _lines(missing: list[CompletenessGap]) -> str:
    return "  \n".join(f"{gap.says} {gap.helps}" for gap in missing)
