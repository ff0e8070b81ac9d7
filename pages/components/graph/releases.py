"""Releases: what was published, with its files and web site."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.graph.knowledge_base import FORMATS, format_named
from core.services.releases import catalogue, export_job, web_site
from core.services.releases.catalogue import ReleaseDescription
from core.services.releases.export_job import ExportRequest
from core.services.shared.screen import counted
from pages.components.graph.export_file import AT_ONCE, file_at_once, file_by_job, signing_choice
from pages.components.graph.release_changes import compare_releases
from pages.components.graph.release_form import prepare_release
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error, show_problems


def releases_tab(desk: Desk) -> None:
    release_descriptions = catalogue.list_releases(desk)
    prepare_release(desk)
    if not release_descriptions:
        empty_state(
            "Nothing has been released yet.",
            "A release fixes what is approved under a version number, with a licence and its"
            " authors, so that others can cite it.",
            "Press **Prepare a release** above.",
        )
        return
    rows = [
        {
            "release": release_description.number,
            "date": release_description.date,
            "statements": release_description.counts.get("statements", 0),
            "added": release_description.added,
            "withdrawn": len(release_description.withdrawn),
            "changed": len(release_description.changed),
            "licence": release_description.licence_name,
            "by": ", ".join(person.name or person.orcid for person in release_description.creators),
        }
        for release_description in release_descriptions
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="releases")
    numbers = [release_description.number for release_description in release_descriptions]
    chosen_number = (
        state.url_value("release") if state.url_value("release") in numbers else numbers[0]
    )
    number = st.selectbox(
        "Release",
        numbers,
        numbers.index(chosen_number),
        key=state.key("release", len(numbers)),
        on_change=lambda: state.set_url(
            release=str(state.get(state.key("release", len(numbers)))), since=""
        ),
    )
    release = next(
        release_description
        for release_description in release_descriptions
        if release_description.number == number
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        _described(release)
    with right:
        _files(desk, release)
    compare_releases(
        desk, release, [other_number for other_number in numbers if other_number != release.number]
    )


def _described(release: ReleaseDescription) -> None:
    st.subheader(escaped(f"{release.title}, release {release.number}"))
    for paragraph in (release.summary, release.remarks):
        if paragraph:
            st.text(paragraph)
    st.caption("How to cite")
    st.code(release.citation, language=None, wrap_lines=True)
    st.caption("Version IRI")
    st.code(release.iri, language=None, wrap_lines=True)
    words = [f"{name}: {value:,}" for name, value in release.counts.items()]
    st.text(" · ".join(words))
    for paper in release.retracted:
        count = counted(len(paper.statements), "statement")
        st.warning(
            escaped(f"{paper.document}, {paper.notice}: {count} rest on it.", 300),
            icon=":material/report:",
        )
    with st.expander("Vocabularies and their licences"):
        rows = [
            {
                "vocabulary": vocabulary.title,
                "version": vocabulary.version,
                "terms": vocabulary.terms,
                "licence": vocabulary.licence or "not known",
            }
            for vocabulary in release.vocabularies
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"vocabularies·{release.number}")


def _files(desk: Desk, release: ReleaseDescription) -> None:
    st.markdown("**Files of this release**")
    name = st.selectbox(
        "Format",
        list(FORMATS),
        format_func=lambda format_name: format_named(format_name).title,
        key="release-format",
    )
    request = ExportRequest(name, release.number, signing_choice(desk, name, "release"))
    if release.counts.get("statements", 0) > AT_ONCE:
        file_by_job(desk, request, "release-file")
    else:
        file_at_once(desk, request, lambda: _content(desk, request), is_first=False)
    show_problems(
        cached.release_remarks(desk, release.number, name),
        "thing that this format leaves out",
        "things that this format leaves out",
    )
    st.download_button(
        "Download the release notes",
        lambda: catalogue.notes_of(desk, release.number),
        f"release-notes-{release.number}.md",
        "text/markdown",
        icon=":material/article:",
        on_click="ignore",
    )

    _web_site(desk, release)


def _content(desk: Desk, request: ExportRequest) -> bytes:
    key = export_job.signing_key(desk, request)
    return b"".join(catalogue.release_chunks(desk, request.release, request.format, key))


def _web_site(desk: Desk, release: ReleaseDescription) -> None:
    """One click makes the site as a job; then it can be downloaded."""
    job = state.url_value("site-job")
    if job:
        finished_job = job_panel(desk, job, "Making the web site")
        if finished_job is None or finished_job.state is not JobState.DONE:
            return
        state.set_url(**{"site-job": ""})
    file = web_site.site_archive(desk, release.number)
    if file.is_file():
        st.download_button(
            "Download the web site (ZIP)",
            file.read_bytes,
            file.name,
            "application/zip",
            icon=":material/public:",
            on_click="ignore",
        )
        st.caption("Unpack it on any web server, or open index.html in a browser.")
    elif st.button("Make its web site", icon=":material/public:"):
        try:
            started = web_site.start_site(desk, release.number, acting_orcid(desk))
        except GroundworkError as error:
            show_error(error)
            return
        state.set_url(**{"site-job": started.id})
        st.rerun()
