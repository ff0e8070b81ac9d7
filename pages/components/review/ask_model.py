"""On Review: a language model is asked what the texts say of the statements in this view, after it
was said what goes where and what it takes at most.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, JobState
from core.services.extract.budget import dollar_words
from core.services.review.queue import QueueView
from core.services.shared.screen import counted
from core.services.support import model_judging
from core.services.support.model_judging import KIND, MOST_AT_ONCE
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model, say_what_goes

RUNNING = "_model_judging"


def ask_model_panel(desk: Desk, view: QueueView, person: Curator | None) -> None:
    """Nothing where no model is configured: then the other judges do the work."""
    if not desk.settings.has_model_for(KIND):
        return
    if job_id := state.get(RUNNING):
        job = job_panel(
            desk, str(job_id), "Asking the model", dismiss=lambda _: state.drop(RUNNING)
        )
        if job and job.state is JobState.DONE and job.result:
            st.caption(escaped(f"The model was asked: {job.result['words']}.", 400))
    opened = st.toggle("Ask a model what the texts say", key=state.key("ask-model"))
    if not opened:
        return
    ids = model_judging.statements_to_ask(desk, view.filter)
    model = choose_model(desk, KIND, state.key("ask-model", "model"))
    calls = st.number_input(
        "Maximum model calls",
        min_value=1,
        max_value=100_000,
        value=desk.settings.max_calls,
        key=state.key("ask-model", "calls"),
    )
    estimate = model_judging.estimate_judging(desk, ids, model)
    say_what_goes(desk, KIND, model, "Each claim with the sentences that it is quoted from")
    cost = f", about {dollar_words(estimate.cost)}" if estimate.cost is not None else ""
    st.caption(
        escaped(
            f"{counted(len(ids), 'statement')} of this view (at most {MOST_AT_ONCE:,} at once), up"
            f" to {counted(min(estimate.calls, int(calls)), 'call')}, about {estimate.tokens:,}"
            f" tokens{cost}. Where the rules are sure, nothing is asked. A model turns no verdict"
            " that is sure, and decides nothing.",
            600,
        )
    )
    st.button(
        "Ask the model",
        key=state.key("ask-model", "do"),
        disabled=person is None or not estimate.calls,
        on_click=_ask,
        args=(desk, tuple(ids), model, int(calls)),
        kwargs={"curator": person.orcid if person else ""},
    )


def _ask(desk: Desk, ids: tuple[str, ...], model: str, calls: int, *, curator: str) -> None:
    try:
        job = model_judging.start_judging(desk, ids, model=model, calls=calls, curator=curator)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(RUNNING, job.id)
