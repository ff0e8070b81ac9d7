"""Long work on screen: progress and Stop while it runs, Resume when it was cut short.

The work is done elsewhere; this panel only looks, so clicks and reloads do it no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.desk import Desk
from core.errors import GroundworkError, Refused
from core.model import Job, JobState
from core.services.home import project
from core.services.settings.job_line import may_help_again
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error

ACTIVE = (JobState.QUEUED, JobState.RUNNING)
ENDED = {
    JobState.FAILED: ("✕", "Failed", ""),
    JobState.STOPPED: ("⚠️", "Stopped", ""),
    JobState.INTERRUPTED: ("⚠️", "Interrupted", ", perhaps because the app was closed"),
}
SECONDS = 1.0


def job_panel(
    desk: Desk,
    job_id: str,
    title: str = "Working",
    *,
    counts: bool = True,
    dismiss: Callable[[str], None] | None = None,
) -> Job | None:
    """Show a job by its id; None when there is no such job. While it runs the panel looks again
    every second, and when it ends the whole page runs again. Without `counts` its steps mean
    nothing to a person: only the bar shows them, and `title` says what ended. With `dismiss` the
    panel of a job that ended can be taken off the page: it is called with the job's id.
    """
    try:
        job = desk.runner.job(job_id)
        if job.state is JobState.QUEUED:
            _take_up(desk, job_id)
    except GroundworkError as error:
        show_error(error)
        return None
    if job.state in ACTIVE:
        _watch(desk, job_id, title, counts)
    elif job.state in ENDED:
        _ended(desk, job, "" if counts else title, dismiss)
    return job


@st.fragment(run_every=SECONDS)
def _watch(desk: Desk, job_id: str, title: str, counts: bool) -> None:
    job = desk.runner.job(job_id)
    if job.state not in ACTIVE:
        st.rerun()
    bar, stop = st.columns([6, 1], vertical_alignment="bottom")
    with bar:
        st.progress(_part(job), text=progress_line(job, title, counts))
    stop.button(
        "Stop",
        key=f"stop·{job_id}",
        on_click=_stop,
        args=(desk, job_id),
        icon=":material/stop_circle:",
        help="Finished work is kept. Resume goes on later, after a restart too.",
    )
    put_first_button(desk, job, stop)


def put_first_button(desk: Desk, job: Job, place: DeltaGenerator) -> None:
    """*Do this next*, for a job that waits behind others."""
    if project.may_go_first(desk, job):
        place.button(
            "Do this next",
            key=f"first·{job.id}",
            on_click=_put_first,
            args=(desk, job.id),
            icon=":material/vertical_align_top:",
            help="Begins before the other jobs that wait. What runs is not interrupted.",
        )


def _put_first(desk: Desk, job_id: str) -> None:
    try:
        project.put_first(desk, job_id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _take_up(desk: Desk, job_id: str) -> None:
    """A job that waits may have been left by a process that is gone; one that this process has is
    left alone.
    """
    with suppress(Refused):
        desk.runner.resume(job_id)


def progress_line(job: Job, title: str, counts: bool = True) -> str:
    """`Working: 3 of 12 · reading sentences`, with markdown escaped."""
    counted = job.message.startswith(
        f"{job.done} of {job.total} "
    )  # the message counts by itself, and says what
    count = f": {job.done} of {job.total}" if counts and job.total and not counted else ""
    wait = " (waiting for its turn)" if job.state is JobState.QUEUED else ""
    return " · ".join(filter(None, (f"{title}{count}{wait}", escaped(job.message, 160))))


def ended_line(job: Job, title: str) -> str:
    """`Stopped after 3 of 12.`, or with a title `Installing MeSH: stopped.`, and what went wrong;
    what it said while it ended is over.
    """
    _, words, why = ENDED[job.state]
    if title:
        return f"{title}: {words.lower()}{why}. {job.error}".strip()
    count = f" after {job.done:,} of {job.total:,}" if job.total and job.done else ""
    return f"{words}{count}{why}. {job.error}".strip()


def _part(job: Job) -> float:
    return min(max(job.done / job.total, 0.0), 1.0) if job.total else 0.0


def _stop(desk: Desk, job_id: str) -> None:
    try:
        project.stop_job(desk, job_id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message("Stopping. Finished work is kept; Resume goes on from there.", "info")


def _resume(desk: Desk, job_id: str) -> None:
    try:
        project.resume_job(desk, job_id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _ended(desk: Desk, job: Job, title: str, dismiss: Callable[[str], None] | None = None) -> None:
    with st.container(border=True):
        st.text(f"{ENDED[job.state][0]} {ended_line(job, title)}")
        again = may_help_again(job)
        if again:
            st.caption(
                "Resume tries what is missing again."
                if job.state is JobState.FAILED
                else "Finished work is kept. Resume continues with what is missing."
            )
        buttons = st.container(horizontal=True)
        if again:
            buttons.button(
                "Resume",
                key=f"resume·{job.id}",
                on_click=_resume,
                args=(desk, job.id),
                icon=":material/resume:",
            )
        if dismiss:
            buttons.button(
                "Dismiss",
                key=f"dismiss·{job.id}",
                on_click=dismiss,
                args=(job.id,),
                icon=":material/close:",
            )
