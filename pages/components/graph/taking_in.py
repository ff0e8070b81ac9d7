"""Taking in what others have: all of it comes as proposals."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.graph import taking_in
from core.services.shared.screen import counted
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import curator
from pages.components.shared.problem import show_error, show_problems


def import_tab(desk: Desk) -> None:
    st.caption(
        "Statements of Turtle, N-Triples, KGX (ZIP), SSSOM (TSV), a bundle (ZIP) or a draft are"
        " proposed: nothing is approved by importing it."
    )
    given = st.file_uploader(
        "A knowledge base or a draft",
        type=list(taking_in.SUFFIXES),
        key="import-file",
    )
    own = st.toggle(
        "Take over its decisions as well",
        key="import-decisions",
        help="Only for a bundle of this knowledge base: who decided what, and when, comes back.",
    )
    take = taking_in.restore_bundle if own else taking_in.import_file
    if given is None or not st.button("Propose its statements", type="primary", key="import"):
        return
    person = curator()
    try:
        found = take(desk, given.name, given.getvalue(), person.orcid if person else "")
    except GroundworkError as error:
        show_error(error)
        return
    read = counted(found.statements, "statement was", "statements were")
    st.success(
        f"{read} read: {len(found.proposal.new)} new, {len(found.proposal.known)} known. Review"
        " them next."
    )
    if found.remark:
        st.warning(escaped(found.remark, 1000))
    show_problems(found.problems, "part was left out", "parts were left out")
