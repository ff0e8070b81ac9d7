"""Review: one queue, one statement in view, decisions by key."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.services.home import project
from core.services.review import queue
from pages.components.review.ask_model import ask_model_panel
from pages.components.review.conflict_desk import conflict_desk
from pages.components.review.form import open_form
from pages.components.review.narrowing import CONFLICTS, draw_narrowing
from pages.components.review.review_desk import FRESH, review_desk
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import begin_page, curator_orcid, current_curator
from pages.components.shared.problem import show_error


def main() -> None:
    desk = begin_page("Review")
    person = current_curator()
    view = queue.view_of(st.query_params.to_dict())
    view = queue.open_view(desk, view, curator_orcid())
    tally = queue.queue_tally(desk, curator_orcid(), view.filter)
    if not tally.total and not queue.queue_tally(desk).total:
        empty_state(
            "No statements to review yet.",
            "Extract statements from a text on **Extract**, then press *Send to review*.",
            *(() if project.is_example(desk) else ("Or open the example project on **Home**.",)),
        )
        return
    draw_narrowing(desk, view, tally, person)
    if state.url_value("state") == CONFLICTS:
        conflict_desk(desk, person)
        return
    state.put(FRESH, True)
    review_desk(desk, view, person)
    ask_model_panel(desk, view, person)
    if person is None:
        st.caption("Enter your name in the sidebar to decide.")
    open_form(desk, person)


try:
    main()
except GroundworkError as error:
    show_error(error)
