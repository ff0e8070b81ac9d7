"""Taking in what others have: all of it comes as proposals."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.graph import statement_import
from core.services.shared.screen import counted
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error, show_problems


def import_tab(desk: Desk) -> None:
    st.caption(
        "Statements of Turtle, N-Triples, JSON-LD, KGX (ZIP), SSSOM (TSV), a bundle (ZIP) or a"
        " draft (JSON, JSON lines .jsonl, YAML) are proposed: nothing is approved by importing it."
    )
    uploaded = st.file_uploader(
        "A knowledge base or a draft",
        type=list(statement_import.SUFFIXES),
        key="import-file",
    )
    own = st.toggle(
        "Import its decisions as well",
        key="import-decisions",
        help="Only for a bundle of this knowledge base: who decided what, and when, comes back.",
    )
    take = statement_import.restore_bundle if own else statement_import.import_file
    if uploaded is None or not st.button("Propose its statements", type="primary", key="import"):
        return
    try:
        imported = take(desk, uploaded.name, uploaded.getvalue(), acting_orcid(desk))
    except GroundworkError as error:
        show_error(error)
        return
    were_read = counted(imported.statements, "statement was", "statements were")
    st.success(
        f"{were_read} read: {len(imported.proposal.new)} new,"
        f" {len(imported.proposal.already_known)} known. Review them next."
    )
    if imported.remark:
        st.warning(escaped(imported.remark, 1000))
    show_problems(imported.problems, "part was left out", "parts were left out")
