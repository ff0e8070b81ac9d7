"""Asking a remote service of terms on the page: only when the button is pressed."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.vocabularies import mappings, remote
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error


def remote_search(desk: Desk) -> None:
    """A form below the search over what is installed."""
    services = {
        name: f"{service.title}: takes {service.takes}"
        for name, service in remote.usable_services(desk).items()
    }
    if mappings.has_any(desk):
        services[mappings.NAME] = f"{mappings.TITLE}: takes {mappings.TAKES}"
    with st.expander("Ask a remote service", icon=":material/travel_explore:"):
        st.caption(
            "The words are sent to the service. Its answer is saved and reused. Its terms are not"
            " installed."
        )
        with st.form("remote", border=False):
            name = st.selectbox(
                "Service",
                list(services),
                format_func=services.__getitem__,
                key="remote_service",
            )
            words = st.text_input("Words or id", key="remote_words", max_chars=remote.LONGEST)
            within = st.text_input("Only in the vocabulary (optional)", key="remote_within")
            pressed = st.form_submit_button("Ask")
        if not pressed or not name:
            return
        try:
            candidates = remote.search_service(
                desk, name, words, vocabulary=within.strip(), curator=acting_orcid(desk)
            )
        except GroundworkError as error:
            show_error(error)
            return
        if not candidates:
            st.info("The service found nothing for these words.")
            return
        st.dataframe(
            [
                {"label": candidate.term.label, "id": candidate.term.id,
                 "from": candidate.vocabulary, "score": candidate.score or None}
                for candidate in candidates
            ],
            hide_index=True,
            width="stretch",
        )  # fmt: skip
