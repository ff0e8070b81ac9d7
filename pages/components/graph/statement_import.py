"""Taking in what others have: all of it comes as proposals."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState, Problem
from core.services.graph import statement_import
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error, show_problems


def import_tab(desk: Desk) -> None:
    st.caption(
        "Reads Turtle, N-Triples, JSON-LD, KGX (ZIP), SSSOM (TSV), a bundle (ZIP) or a draft (JSON,"
        " JSON lines .jsonl, YAML). Imported statements are proposals: nothing is approved."
    )
    uploaded = st.file_uploader(
        "A knowledge base or a draft",
        type=list(statement_import.SUFFIXES),
        key="import-file",
    )
    own = st.toggle(
        "Import its decisions as well",
        key="import-decisions",
        help="Only for a bundle of this knowledge base: restores who decided what, and when.",
    )
    _finished(desk)
    if uploaded is None or not st.button("Propose its statements", type="primary", key="import"):
        return
    content = uploaded.getvalue()
    take = statement_import.restore_bundle if own else statement_import.import_file
    try:
        person = acting_orcid(desk)
        if len(content) > statement_import.AT_ONCE:
            job = statement_import.start_import(desk, uploaded.name, content, person, decisions=own)
            state.set_url(**{"import-job": job.id})
            st.rerun()
        imported = take(desk, uploaded.name, content, person)
    except GroundworkError as error:
        show_error(error)
        return
    state.set_url(**{"import-job": ""})
    _show(imported.words, imported.remark, imported.problems)


def _finished(desk: Desk) -> None:
    """The import of a large file, at work or done."""
    job = state.url_value("import-job")
    if job and (done := job_panel(desk, job, "Importing")) and done.state is JobState.DONE:
        result = done.result or {}
        _show(str(result["words"]), str(result["remark"]), statement_import.import_problems(done))


def _show(words: str, remark: str, problems: Sequence[Problem]) -> None:
    st.success(f"{words} Review them next.")
    if remark:
        st.warning(escaped(remark, 1000))
    show_problems(problems, "part was left out", "parts were left out")
