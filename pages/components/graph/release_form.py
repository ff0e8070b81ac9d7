"""The form of the next release, and what it would publish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, JobState
from core.services.releases import base_iri, making
from core.services.releases.catalogue import LICENCES, ReleaseForm
from core.services.releases.making import ReleasePreview
from core.services.shared.screen import counted
from pages.components.graph.release_changes import show_changes
from pages.components.shared import cached, state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import need_curator
from pages.components.shared.problem import show_error

OTHER = "Another …"
PREPARING = "release-preparing"  # whether the form is open
DRAFT = "release-draft"  # the form as it was left


def prepare_release(desk: Desk) -> None:
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
            f"Nothing has changed since release {preview.previous}, so use that one. A new release"
            " needs a different title, licence, summary or list of creators.",
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
    if preview.same:
        names = "; ".join(
            f"{thing.preferred.label}: {', '.join(thing.ids)}" for thing in preview.same
        )
        st.warning(
            escaped(
                f"Named by more than one id: {names}. *Vocabularies* lets each thing have one.", 600
            ),
            icon=":material/join:",
        )
    unknown = [vocabulary.title for vocabulary in preview.vocabularies if not vocabulary.licence]
    if unknown:
        st.caption(escaped(f"No licence is known for: {', '.join(unknown)}.", 400))
    if preview.previous:
        show_changes(changes, "preview")


def _form(desk: Desk, preview: ReleasePreview) -> None:
    start = _as_proposed(preview.form)
    draft: dict[str, Any] = state.get(DRAFT) or {}
    for name, value in (start | draft).items():
        if state.get(f"release-{name}") is None:
            state.put(f"release-{name}", value)
    _fields(preview)
    _address(desk, preview)
    words = {name: state.get(f"release-{name}") for name in start}
    # Another tab forgets what the widgets of this one held.
    state.put(DRAFT, {name: value for name, value in words.items() if value != start[name]})
    trouble = st.container()  # above the button, where one looks after the click
    if not st.button("Make the release", type="primary"):
        return
    person = need_curator()
    try:
        job = making.start_release(desk, _as_typed(words), person, preview.changes)
    except GroundworkError as error:
        st.toast(escaped(str(error), 400), icon="⚠️")  # in view wherever one has scrolled
        with trouble:
            show_error(error)
        return
    state.drop(DRAFT)
    state.set_url(job=job.id)
    st.rerun()


def _as_proposed(proposed: ReleaseForm) -> dict[str, Any]:
    """What the fields hold at first, by their names."""
    people = "\n".join(f"{creator.orcid} {creator.name}".strip() for creator in proposed.creators)
    has_known_licence = proposed.licence in LICENCES
    return {
        "number": proposed.number,
        "title": proposed.title,
        "licence": proposed.licence if has_known_licence else OTHER if proposed.licence else None,
        "other": "" if has_known_licence else proposed.licence,
        "people": people,
        "summary": proposed.summary,
        "remarks": "",
        "rejections": proposed.with_rejections,
        "base": "",
        "placeholder": proposed.placeholder_iri,
    }


def _fields(preview: ReleasePreview) -> None:
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
        "Also publish what was rejected or replaced, with who decided and their notes",
        key="release-rejections",
    )
    st.caption(_what_is_published(preview.turned_down, bool(state.get("release-rejections"))))


def _address(desk: Desk, preview: ReleasePreview) -> None:
    """Ask for a base IRI while the project has the placeholder, which leads nowhere."""
    if not base_iri.is_placeholder(preview.base_iri):
        st.caption(escaped(f"Its addresses begin with {preview.base_iri}", 300))
        return
    if not base_iri.is_fixed(desk):
        st.text_input(
            "Base IRI: what every address of this knowledge base begins with",
            placeholder=base_iri.suggested_base(desk),
            help="Names at w3id.org are free and permanent: claim one, and redirect it to where"
            " your web site is. The first release fixes it.",
            key="release-base",
        )
    st.checkbox(
        escaped(f"Release with the placeholder {preview.base_iri}: its addresses lead nowhere"),
        key="release-placeholder",
    )


def _what_is_published(turned_down: int, with_rejections: bool) -> str:
    rejected = counted(turned_down, "statement was", "statements were")
    if with_rejections:
        return (
            f"{rejected} rejected or replaced. The bundle (also on the web site) lists them"
            " with reasons, notes, names and dates, and every earlier decision on what is released."
            " A release never changes: notes to colleagues cannot be taken out of it later."
        )
    return (
        f"{rejected} rejected or replaced; the release leaves them out. For a withdrawn statement"
        " the release notes give the reason, but not who decided or what they wrote. The bundle"
        " under *Export* contains everything, for your own use."
    )


def _as_typed(words: Mapping[str, Any]) -> ReleaseForm:
    licence = words["licence"]
    return ReleaseForm(
        str(words["number"]).strip(),
        str(words["title"]),
        str(words["other"]) if licence in (None, OTHER) else str(licence),
        creators=tuple(_person(line) for line in str(words["people"]).splitlines() if line.strip()),
        summary=str(words["summary"]),
        remarks=str(words["remarks"]),
        with_rejections=bool(words["rejections"]),
        base_iri=str(words["base"]).strip(),
        placeholder_iri=bool(words["placeholder"]),
    )


def _person(line: str) -> Curator:
    orcid, _, name = line.strip().partition(" ")
    return Curator(orcid, name.strip(" ,;"))
