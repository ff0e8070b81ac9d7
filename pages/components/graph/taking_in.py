"""Taking in what others have: all of it comes as proposals."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.graph import knowledge_base
from core.services.shared.screen import counted
from pages.components.shared.markdown_escape import plain
from pages.components.shared.page import curator
from pages.components.shared.problem import show_error, show_problems


def import_tab(desk: Desk) -> None:
    st.caption(
        "Statements of a Turtle or N-Triples file are proposed: nothing is approved by"
        " importing it."
    )
    given = st.file_uploader(
        "A knowledge base or a draft",
        type=["ttl", "nt", "json", "jsonl", "yaml"],
        key="import-file",
    )
    if given is None or not st.button("Propose its statements", type="primary", key="import"):
        return
    person = curator()
    try:
        found = knowledge_base.import_file(
            desk, given.name, given.getvalue(), person.orcid if person else ""
        )
    except GroundworkError as error:
        show_error(error)
        return
    read = counted(found.statements, "statement was", "statements were")
    st.success(
        f"{read} read: {len(found.proposal.new)} new, {len(found.proposal.known)} known. Review"
        " them next."
    )
    if found.remark:
        st.warning(plain(found.remark, 1000))
    show_problems(found.problems, "part was left out", "parts were left out")
