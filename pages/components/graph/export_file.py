"""The file of an export, of what is approved now or of a release: at the click where it is small,
else made by a job first.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.graph.knowledge_base import format_named
from core.services.releases import export_job
from core.services.releases.export_job import ExportRequest
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error

AT_ONCE = 2_000  # statements that are written at the click; for more there is a job


def signing_choice(desk: Desk, name: str, key: str) -> bool:
    """Whether to sign, asked only where the format is signed and the desk has a key."""
    if not export_job.can_sign(desk, name):
        return False
    return st.toggle(
        "Sign with this installation's key",
        key=f"sign·{key}",
        help="Each nanopublication is signed and named by its digest, ready to be published.",
    )


def file_at_once(
    desk: Desk, request: ExportRequest, content: Callable[[], bytes], *, is_first: bool = True
) -> None:
    """A small file is written when it is downloaded."""
    export_format = format_named(request.format)
    st.download_button(
        f"Download {export_format.title}",
        content,
        export_job.export_path(desk, request).name,
        export_format.mime,
        type="primary" if is_first else "secondary",
        icon=":material/download:",
        on_click="ignore",
    )


def file_by_job(desk: Desk, request: ExportRequest, address: str) -> None:
    """A large file is made by a job, and downloaded from where that put it. `address` is the part
    of the page's address that names the job.
    """
    job = state.url_value(address)
    if job:
        done = job_panel(desk, job, "Writing the file")
        if done is not None and done.state is not JobState.DONE:
            return
        state.set_url(**{address: ""})
    wanted = format_named(request.format)
    made = export_job.latest_export(desk, request)
    if made is not None:
        st.download_button(
            f"Download {wanted.title}",
            made.path.read_bytes,
            made.path.name,
            wanted.mime,
            type="primary" if made.is_current else "secondary",
            icon=":material/download:",
            on_click="ignore",
        )
        changed = "" if made.is_current else " Something changed since it was made."
        st.caption(
            f"{made.statements:,} statements, {made.size / 1e6:,.1f} MB."
            f" It is also in the project's folder as `exports/{made.path.name}`.{changed}"
        )
    if made is None or not made.is_current:
        words = "Make the file again" if made else f"Make {wanted.title}"
        if st.button(words, type="primary", icon=":material/file_save:", key=f"make·{address}"):
            try:
                started = export_job.start_export(desk, request, acting_orcid(desk))
            except GroundworkError as error:
                show_error(error)
                return
            state.set_url(**{address: started.id})
            st.rerun()
        if made is None:
            st.caption("A file with this many statements is first written in the background.")
