"""Releases: what was published, the form for the next one, what changed between two, the files."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, JobState
from core.services.graph.knowledge_base import FORMATS, format_named
from core.services.releases import catalogue, files, making, web_site
from core.services.releases.catalogue import (
    LICENCES,
    NotedStatement,
    ReleaseDescription,
    ReleaseDifference,
)
from core.services.releases.making import ReleaseForm, ReleasePreview
from core.services.shared.screen import counted
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import need_curator
from pages.components.shared.problem import show_error

NOTED = 500  # statements of a comparison that are shown
OTHER = "Another …"


def releases_tab(desk: Desk) -> None:
    release_descriptions = catalogue.releases(desk)
    _making(desk)
    if not release_descriptions:
        empty_state(
            "Nothing is released yet.",
            "A release freezes what is approved under a number, with a licence and its people, so"
            " that others can cite it.",
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
    shown = state.url_value("release") if state.url_value("release") in numbers else numbers[0]
    number = st.selectbox(
        "Release",
        numbers,
        numbers.index(shown),
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
    _compare(desk, release, [one for one in numbers if one != release.number])


# ---------------------------------------------------------------- the next one


def _making(desk: Desk) -> None:
    job = state.url_value("job")
    if job:
        done = job_panel(desk, job, "Making the release")
        if done and done.state is JobState.DONE:
            number = str((done.result or {}).get("number", ""))
            state.set_url(job="", release=number)
            state.drop("prepare-release")
            state.show_message(f"Release {number} is made. It never changes.")
            st.rerun()
        return
    if not st.toggle("Prepare a release", key="prepare-release"):
        return
    try:
        preview = making.preview(desk, cached.passage(desk))
    except GroundworkError as error:
        show_error(error)
        return
    _what_is_new(preview)
    if preview.statements:
        _form(desk, preview)


def _what_is_new(preview: ReleasePreview) -> None:
    changes = preview.changes
    columns = st.columns(5)
    for column, name, value in zip(
        columns,
        ("Statements", "Added", "Withdrawn", "Changed", "Held back"),
        (
            preview.statements,
            len(changes.added),
            len(changes.withdrawn),
            len(changes.changed),
            preview.held,
        ),
        strict=True,
    ):
        column.metric(name, f"{value:,}")
    since = f"since release {preview.previous}" if preview.previous else "in the first release"
    st.caption(f"{since}. What is held back, and why, stands on Export.")
    for paper in preview.retracted:
        words = counted(len(paper.statements), "statement rests", "statements rest")
        st.warning(
            escaped(f"{words} on {paper.document}, {paper.notice}: {paper.title}", 400),
            icon=":material/report:",
        )
    unknown = [vocabulary.title for vocabulary in preview.vocabularies if not vocabulary.licence]
    if unknown:
        st.caption(escaped(f"No licence is known of: {', '.join(unknown)}.", 400))
    if preview.previous:
        _changes(changes, "preview")


def _form(desk: Desk, preview: ReleasePreview) -> None:
    proposed = preview.form
    with st.form("release-form"):
        first, second, third = st.columns([1, 3, 2])
        number = first.text_input("Number", proposed.number, help="Always higher than before.")
        title = second.text_input("Title", proposed.title, max_chars=200)
        names = [*LICENCES, OTHER]
        known = proposed.licence in names
        licence = third.selectbox(
            "Licence",
            names,
            names.index(proposed.licence) if known else None,
            placeholder="Choose a licence",
        )
        other = third.text_input(
            "Another licence: its web address", "" if known else proposed.licence
        )
        people = second.text_area(
            "Creators, one a line: ORCID iD, then name",
            "\n".join(f"{person.orcid} {person.name}".strip() for person in proposed.creators),
        )
        summary = second.text_area("What it is about", proposed.summary, max_chars=5000)
        remarks = third.text_area("Remarks for the notes", max_chars=5000)
        if not st.form_submit_button("Make the release", type="primary"):
            return
    person = need_curator()
    form = ReleaseForm(
        number.strip(),
        title,
        other if licence in (None, OTHER) else str(licence),
        tuple(_person(line) for line in people.splitlines() if line.strip()),
        summary,
        remarks,
    )
    try:
        job = making.start(desk, form, person)
    except GroundworkError as error:
        show_error(error)
        return
    state.set_url(job=job.id)
    st.rerun()


def _person(line: str) -> Curator:
    orcid, _, name = line.strip().partition(" ")
    return Curator(orcid, name.strip(" ,;"))


# ---------------------------------------------------------------- one release


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
        [one.name for one in FORMATS],
        format_func=lambda one: format_named(one).title,
        key="release-format",
    )
    wanted = format_named(name)
    st.download_button(
        f"Download {wanted.title}",
        lambda: b"".join(files.chunks(desk, release.number, wanted.name)),
        files.file_name(desk, release.number, wanted),
        wanted.mime,
        icon=":material/download:",
        on_click="ignore",
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


def _web_site(desk: Desk, release: ReleaseDescription) -> None:
    """One click makes the site as a job; then it can be downloaded."""
    job = state.url_value("site-job")
    if job:
        done = job_panel(desk, job, "Making the web site")
        if done is None or done.state is not JobState.DONE:
            return
        state.set_url(**{"site-job": ""})
    file = web_site.archive(desk, release.number)
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
        state.set_url(**{"site-job": web_site.start(desk, release.number).id})
        st.rerun()


def _compare(desk: Desk, release: ReleaseDescription, others: Sequence[str]) -> None:
    st.markdown("**What changed**")
    if not others:
        st.caption("This is the only release: there is nothing to compare it with.")
        return
    before = release.previous if release.previous in others else others[0]
    since = st.selectbox(
        "Compared with", others, others.index(before), key=state.key("since", release.number)
    )
    try:
        changes = catalogue.compare(desk, since, release.number)
    except GroundworkError as error:
        show_error(error)
        return
    _changes(changes, f"{since}·{release.number}")


def _changes(changes: ReleaseDifference, key: str) -> None:
    """The statements that differ, in one table."""
    rows = [
        {"": change, "statement": statement.words, "why": statement.why, "id": statement.id}
        for change, statements in _kinds(changes)
        for statement in statements
    ]
    if not rows:
        st.caption("No statement differs.")
        return
    st.dataframe(pd.DataFrame(rows[:NOTED]), hide_index=True, key=f"changes·{key}")
    if len(rows) > NOTED:
        st.caption(
            f"The first {NOTED} of {len(rows):,} are shown; `python -m core release compare` lists"
            " all."
        )


def _kinds(changes: ReleaseDifference) -> tuple[tuple[str, tuple[NotedStatement, ...]], ...]:
    return (
        ("withdrawn", changes.withdrawn),
        ("changed", changes.changed),
        ("added", changes.added),
    )
