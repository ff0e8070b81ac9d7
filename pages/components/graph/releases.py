"""Releases: what was published, the form for the next one, what changed between two, the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, JobState
from core.services.graph import export_job
from core.services.graph.export_job import ExportRequest
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
from pages.components.graph.export_file import (
    AT_ONCE,
    file_at_once,
    file_by_job,
    signing_choice,
)
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import need_curator
from pages.components.shared.problem import show_error, show_problems

NOTED = 500  # statements of a comparison that are shown
OTHER = "Another …"
PREPARING = "release-preparing"  # whether the form is open
DRAFT = "release-draft"  # the form as it was left


def releases_tab(desk: Desk) -> None:
    release_descriptions = catalogue.releases(desk)
    _making(desk)
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
    _compare(
        desk, release, [other_number for other_number in numbers if other_number != release.number]
    )


# ---------------------------------------------------------------- the next one


def _making(desk: Desk) -> None:
    job = state.url_value("job")
    if job:
        finished_job = job_panel(desk, job, "Making the release")
        if finished_job and finished_job.state is JobState.DONE:
            number = str((finished_job.result or {}).get("number", ""))
            state.set_url(job="", release=number)
            state.drop("prepare-release")
            state.drop(PREPARING)
            state.show_message(f"Release {number} was made. It never changes.")
            st.rerun()
        return
    is_preparing = st.toggle("Prepare a release", bool(state.get(PREPARING)), key="prepare-release")
    state.put(PREPARING, is_preparing)  # another tab forgets the toggle itself
    if not is_preparing:
        return
    try:
        preview = cached.release_preview(desk)
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
            preview.held_back,
        ),
        strict=True,
    ):
        column.metric(name, f"{value:,}")
    if preview.previous and changes.is_empty:
        st.info(
            f"Nothing changed since release {preview.previous}: use that release as it is. A new"
            " one needs another title, licence, summary or other people.",
            icon=":material/info:",
        )
    elif preview.previous:
        st.caption(
            f"Added, withdrawn and changed are counted since release {preview.previous}. *Export*"
            " says what is held back, and why."
        )
    else:
        st.caption("This is the first release. *Export* says what is held back, and why.")
    for paper in preview.retracted:
        words = counted(len(paper.statements), "statement rests", "statements rest")
        st.warning(
            escaped(f"{words} on {paper.document}, {paper.notice}: {paper.title}", 400),
            icon=":material/report:",
        )
    unknown = [vocabulary.title for vocabulary in preview.vocabularies if not vocabulary.licence]
    if unknown:
        st.caption(escaped(f"No licence is known for: {', '.join(unknown)}.", 400))
    if preview.previous:
        _changes(changes, "preview")


def _form(desk: Desk, preview: ReleasePreview) -> None:
    proposed = preview.form
    draft: dict[str, Any] = state.get(DRAFT) or {}
    people = "\n".join(f"{creator.orcid} {creator.name}".strip() for creator in proposed.creators)
    has_known_licence = proposed.licence in LICENCES
    start: dict[str, Any] = {
        "number": proposed.number,
        "title": proposed.title,
        "licence": proposed.licence if has_known_licence else OTHER if proposed.licence else None,
        "other": "" if has_known_licence else proposed.licence,
        "people": people,
        "summary": proposed.summary,
        "remarks": "",
        "rejections": proposed.with_rejections,
    }
    for name, value in (start | draft).items():
        if state.get(f"release-{name}") is None:
            state.put(f"release-{name}", value)
    first, second, third = st.columns([1, 3, 2])
    first.text_input("Number", key="release-number", help="Must be higher than the last one.")
    second.text_input("Title", max_chars=200, key="release-title")
    third.selectbox(
        "Licence", [*LICENCES, OTHER], placeholder="Choose a licence", key="release-licence"
    )
    third.text_input("Another licence: its web address", key="release-other")
    second.text_area("Creators, one per line: ORCID iD, then name", key="release-people")
    second.text_area("What it is about", max_chars=5000, key="release-summary")
    third.text_area("Additional notes", max_chars=5000, key="release-remarks")
    st.checkbox(
        "Publish what was rejected or replaced, too",
        key="release-rejections",
        help="The bundle then lists it with reasons, notes, names and dates, and the release notes"
        " say who rejected what was withdrawn, and why. Otherwise neither does.",
    )
    words = {name: state.get(f"release-{name}") for name in start}
    # Another tab forgets what the widgets of this one held.
    state.put(DRAFT, {name: value for name, value in words.items() if value != start[name]})
    trouble = st.container()  # above the button, where one looks after the click
    if not st.button("Make the release", type="primary"):
        return
    person = need_curator()
    licence = words["licence"]
    form = ReleaseForm(
        str(words["number"]).strip(),
        str(words["title"]),
        str(words["other"]) if licence in (None, OTHER) else str(licence),
        tuple(_person(line) for line in str(words["people"]).splitlines() if line.strip()),
        str(words["summary"]),
        str(words["remarks"]),
        bool(words["rejections"]),
    )
    try:
        job = making.start(desk, form, person, preview.changes)
    except GroundworkError as error:
        st.toast(escaped(str(error), 400), icon="⚠️")  # in view wherever one has scrolled
        with trouble:
            show_error(error)
        return
    state.drop(DRAFT)
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
        [export_format.name for export_format in FORMATS],
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
    return b"".join(files.chunks(desk, request.release, request.format, key))


def _web_site(desk: Desk, release: ReleaseDescription) -> None:
    """One click makes the site as a job; then it can be downloaded."""
    job = state.url_value("site-job")
    if job:
        finished_job = job_panel(desk, job, "Making the web site")
        if finished_job is None or finished_job.state is not JobState.DONE:
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
    """The statements that differ and the papers that were retracted, in one table."""
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
        ("retracted", changes.retracted),
    )
