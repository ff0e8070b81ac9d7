"""An empty page says what to do next."""

from __future__ import annotations

import streamlit as st


def empty_state(title: str, *steps: str) -> None:
    """What is missing, and the next steps, in plain words (ours: not for text from outside)."""
    with st.container(border=True):
        st.markdown(f"**{title}**")
        for step in steps:
            st.markdown(f"- {step}")
