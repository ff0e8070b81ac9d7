"""Which model does a piece of work, chosen for this once; and what goes to it, said beforehand."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.desk import Desk
from core.services.settings import models
from pages.components.shared.markdown_escape import escaped

TYPED = "A name that is not listed can be typed: model@endpoint."


def choose_model(desk: Desk, task: str, key: str, place: Any = st, **layout: Any) -> str:
    """The model chosen in place of the project's for a kind of work, "" for that one. Nothing is
    shown where there can be no second; one of an endpoint that was not asked for its list, or has
    none, can be typed.
    """
    own = desk.settings.model_for(task)
    names = [name for name in models.model_names(desk) if name != own]
    unlisted = [endpoint for endpoint in models.model_endpoints(desk) if not endpoint.models]
    if not own or not (names or unlisted):
        return ""
    return str(
        place.selectbox(
            "Model",
            ["", *names],
            key=key,
            format_func=lambda name: name or f"{own}, as set in Settings",
            persist_state="session",
            accept_new_options=True,
            help=TYPED,
            **layout,
        )
        or ""
    ).strip()


def say_what_goes(desk: Desk, task: str, model: str, content_words: str) -> None:
    """`content_words` goes to the model, and where that is; nothing where there is no model."""
    if where := models.asked_at(desk, task, model):
        st.caption(escaped(f"{content_words} will be sent to {where}.", 400))
