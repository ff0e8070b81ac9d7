"""A run without an endpoint: the page gives the prompts, a person pastes a model's answers."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.extract import pasting
from core.services.extract.pasting import UnansweredPrompt
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error


def paste_panel(desk: Desk, run: str) -> bool:
    """The prompts of a pasted run that wait for an answer, one at a time. Gives whether it is
    whole.
    """
    try:
        pasting_state = pasting.pasting_state(desk, run)
    except GroundworkError as error:
        show_error(error)
        return False
    if not pasting_state.done:
        _ask(desk, run, pasting_state.waiting)
    if pasting_state.answered:
        st.button(
            "Undo the last answer",
            key="paste·back",
            type="tertiary",
            icon=":material/undo:",
            on_click=_take_back,
            args=(desk, run),
        )
    return pasting_state.done


def _ask(desk: Desk, run: str, waiting: tuple[UnansweredPrompt, ...]) -> None:
    first_pending = waiting[0]
    st.subheader(counted(len(waiting), "answer to paste", "answers to paste"))
    st.caption(
        "Copy the prompt into any model, and paste the whole answer here. Pasted answers are saved."
    )
    in_one = not first_pending.path and st.checkbox(
        "One prompt for everything, answered as JSON", key=state.key("paste·whole", run)
    )
    prompt = pasting.whole_prompt(desk, run) if in_one else first_pending.prompt
    prompt_column, answered = st.columns(2)
    prompt_column.code(prompt, language=None, wrap_lines=True, height=360)
    key = _key(run, first_pending)
    answered.text_area("The model's answer", key=key, height=300)
    answered.button(
        "Use this answer",
        type="primary",
        on_click=_paste,
        args=(desk, run, first_pending.path, key, in_one),
    )


def _key(run: str, pending: UnansweredPrompt) -> str:
    return state.key("paste", run, pending.path)


def _paste(desk: Desk, run: str, path: str, key: str, as_json: bool) -> None:  # noqa: PLR0917
    try:
        acting_orcid(desk)
        pasting.paste_answer(desk, run, path, str(state.get(key, "")), as_json=as_json)
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _take_back(desk: Desk, run: str) -> None:
    """The prompt is asked again, with the answer in the box, so that it can be corrected."""
    try:
        acting_orcid(desk)
        pending, words = pasting.take_back_answer(desk, run)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(_key(run, pending), words)
