"""Settings: model and services, the project, curators, cache, jobs and what it all cost. Never
shows a key.
"""

import json
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import GroundworkError
from core.model import JobState
from core.services.extract.earlier import extract_query
from core.services.home import project
from core.services.people import roles
from core.services.releases.base_iri import is_fixed
from core.services.settings import editing
from core.services.settings.job_line import (
    job_line,
    job_outcome,
    job_subject,
    may_help_again,
)
from core.services.shared.screen import counted
from pages.components.settings.models import models_panel
from pages.components.shared import state
from pages.components.shared.job import put_first_button
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import (
    acting_orcid,
    begin_page,
    curator_orcid,
    plain_secrets,
    reopen_desks,
)
from pages.components.shared.sections import draw_sections

desk = begin_page("Settings")
OPEN = (JobState.QUEUED, JobState.RUNNING)
LABELS = {
    "project_name": ("Name of the project", ""),
    "base_iri": (
        "Base IRI",
        "The start of every address in exports. The first release fixes it.",
    ),
    "model_timeout": (
        "Seconds to wait for an answer to begin",
        "If an endpoint has not begun to answer by then, the request is abandoned. A slow machine"
        " may need more.",
    ),
    "model_silence": (
        "Seconds to wait within an answer",
        "An answer that stops arriving for this long is kept as it is and marked as cut off.",
    ),
    "model_parallel": ("Model requests at once", ""),
    "model_per_minute": (
        "Model requests per minute",
        "For one endpoint, by all workers of this project together. 0: as many as it answers.",
    ),
    "model_retries": ("Retries after a failed request", ""),
    "max_calls": (
        "Maximum model calls per run",
        "A run that needs more stops there and lists what was not asked.",
    ),
    "max_tokens": ("Maximum tokens per answer", "0 leaves it to the endpoint."),
    "job_threads": ("Jobs at once", ""),
}


def service_table() -> None:
    for part in project.capabilities(desk):
        sign = ":material/check_circle:" if part.ready else ":material/radio_button_unchecked:"
        st.markdown(f"{sign} **{part.name}** · {escaped(part.says)}")
        if not part.ready and part.how:
            st.caption(escaped(part.how, 400))
    st.caption(
        "Keys, addresses and the database come from the environment or Streamlit secrets, never"
        " from this page."
    )


def all_models() -> None:
    models_panel(desk, editing.overridden(plain_secrets()))


def project_settings() -> None:
    fixed = editing.overridden(plain_secrets())
    with st.form("settings", border=False):
        columns = st.columns(2, gap="large")
        for n, (name, value) in enumerate(_edited().items()):
            with columns[n % 2]:
                setting_field(name, value, name in fixed)
        st.form_submit_button("Save", type="primary", on_click=save_settings_form)
    st.text(f"Project folder: {desk.folder}")
    if iri := project.base_iri(desk):
        st.text(f"Base IRI of this project: {iri}")


def _edited() -> dict[str, Any]:
    """What this form changes; models are on a tab of their own."""
    return {
        name: v for name, v in editing.editable_settings(desk.settings).items() if name in LABELS
    }


def setting_field(name: str, value: Any, fixed: bool) -> None:
    label, words = LABELS[name]
    words = "Set by the environment." if fixed else words
    off = fixed or (name == "base_iri" and is_fixed(desk))
    key = f"setting {name}"
    if isinstance(value, int | float):
        st.number_input(
            label,
            value=value,
            min_value=type(value)(0),
            step=type(value)(1),
            help=words or None,
            disabled=off,
            key=key,
        )
    else:
        st.text_input(label, str(value), help=words or None, disabled=off, key=key)


def save_settings_form() -> None:
    """Write what differs from what is in force; an emptied field goes back to its default."""
    changes: dict[str, object] = {}
    for name, value in _edited().items():
        entered = state.get(f"setting {name}")
        if entered is not None and entered != value:
            changes[name] = entered if entered != "" else None
    try:
        editing.change_settings(desk, changes, curator_orcid())
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    reopen_desks()
    state.show_message("Saved." if changes else "Nothing was changed.")


def curator_table() -> None:
    rows = [
        {"name": curator.name, "ORCID": curator.orcid} for curator in project.project_curators(desk)
    ]
    if rows:
        st.dataframe(pd.DataFrame(rows), hide_index=True)
    else:
        st.text(
            "No curators yet. Everyone who enters a name in the sidebar and decides something is"
            " listed here."
        )
    with st.form("curator", border=False, clear_on_submit=True):
        st.text_input("Name", key="curator name", max_chars=100)
        st.text_input(
            "ORCID iD", key="curator orcid", max_chars=60, placeholder="0000-0002-1825-0097"
        )
        st.form_submit_button("Add a curator", on_click=add_curator)


def add_curator() -> None:
    try:
        orcid, name = str(state.get("curator orcid")), str(state.get("curator name"))
        added_curator = roles.add_person(desk, orcid, name, role=None, owner=curator_orcid())
        state.show_message(
            f"{added_curator.name or added_curator.orcid} is a curator of this project."
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")


def job_table() -> None:
    project_jobs = project.project_jobs(desk)
    if not project_jobs:
        st.text("No job has run in this project yet. Extracting, asking and indexing appear here.")
    people = project.curator_names(desk)
    for job in project_jobs[:20]:
        with st.container(border=True):
            description, act = st.columns([5, 1], vertical_alignment="center")
            description.text(job_line(job, people.get(job.curator, job.curator)))
            words = (job_subject(desk, job), job_outcome(job))
            if job_words := " · ".join(filter(None, words)):
                description.caption(escaped(job_words, 400))
            if query := extract_query(job):
                act.page_link("pages/1_Extract.py", label="Open", query_params=query)
            if may_help_again(job):
                act.button("Resume", key=f"resume {job.id}", on_click=resume_button, args=(job.id,))
            elif job.state in OPEN:
                act.button("Stop", key=f"stop {job.id}", on_click=stop_button, args=(job.id,))
                put_first_button(desk, job, act)
    if len(project_jobs) > 20:
        st.caption(f"The newest 20 of {len(project_jobs)}.")
    if any(job.state in OPEN for job in project_jobs):
        st.button("Look again", icon=":material/refresh:")


def resume_button(id: str) -> None:
    try:
        project.resume_job(desk, id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def stop_button(id: str) -> None:
    try:
        project.stop_job(desk, id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def call_cache() -> None:
    size = project.cache_size(desk)
    if not size:
        st.text("No recorded answer can be reused yet.")
        return
    st.text(
        f"{counted(size, 'answer')} can be reused when the same request is made. After"
        " clearing, every request is sent again; nothing is deleted."
    )
    newest = [
        {
            "when": call.started[:16].replace("T", " "),
            "kind": call.kind,
            "request": cache_summary(call.request),
        }
        for call in project.cached_calls(desk)
    ]
    with st.expander(f"The newest {len(newest)}"):
        st.dataframe(pd.DataFrame(newest), hide_index=True)
    st.button("Clear the cache", on_click=clear_cache, icon=":material/cached:")


def cache_summary(request: object) -> str:
    words = (
        request.get("url") or json.dumps(request.get("messages", request))
        if isinstance(request, dict)
        else request
    )
    return str(words)[:160]


def clear_cache() -> None:
    try:
        count = project.clear_cache(desk, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(
        f"{counted(count, 'answer')} will be requested again; the recorded calls stay in their "
        "runs."
    )


def model_usage() -> None:
    usage_by_kind = project.project_usage(desk)
    if not usage_by_kind:
        st.text("No request has been sent yet.")
        return
    rows = [
        {
            "kind": kind,
            "calls": usage_of_kind.calls,
            "from the record": usage_of_kind.reused,
            "failed": usage_of_kind.failed,
            "tokens in": usage_of_kind.tokens_in,
            "tokens out": usage_of_kind.tokens_out,
            "seconds": round(usage_of_kind.seconds, 1),
            "US dollars": round(usage_of_kind.cost, 4),
            "of unknown price": usage_of_kind.unpriced,
        }
        for kind, usage_of_kind in usage_by_kind.items()
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)


SECTIONS = (
    ("Services", service_table),
    ("Models", all_models),
    ("Project", project_settings),
    ("Curators", curator_table),
    ("Jobs", job_table),
    ("Cache", call_cache),
    ("Usage", model_usage),
)
draw_sections(SECTIONS)
