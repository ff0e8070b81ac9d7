"""One document: its text with everything laid over it beside the list, its runs, and what is known
of the paper.
"""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import State, status_mark
from core.services.documents import overview, rereading, text_reading
from core.services.documents.annotated import AnnotatedText, annotated_document, newest_run
from core.services.documents.overview import DocumentRow
from core.services.documents.rereading import ReadingRun
from core.services.extract import result
from core.services.extract.engines import engine_line
from core.services.graph import knowledge_base
from core.services.home import project
from core.services.people import roles
from core.services.shared.screen import counted
from pages.components.documents import listing, several_documents
from pages.components.documents.marking_desk import marking_desk
from pages.components.documents.same_papers import related_lines, sources_of
from pages.components.extract.rerun import difference_lines
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error
from pages.components.shared.term import curie_html
from pages.components.shared.text_reading import show_reading

TEXT, RUNS, ABOUT = "Text", "Runs", "Tags, people, retraction"
BESIDE = 60  # rows of the list beside the text
FOUR_LINES = 78  # pixels of such a row: below 64 Streamlit does not wrap a title
LONGEST_TITLE = 300  # characters that stand in the head; the whole is told on hover


def one_document(desk: Desk, name: str) -> None:
    row = overview.document_row(desk, name, page.curator_orcid())
    back_column, head, beside = st.columns([2, 9, 2], vertical_alignment="center")
    back_column.button("Back", icon=":material/arrow_back:", on_click=close_document)
    head.html(_head_html(row))
    with beside:
        with_list = st.toggle("List beside", True, key="document·list", persist_state="session")
    if row.withdrawn:
        st.warning(
            f"This paper was withdrawn ({escaped(row.withdrawn, 300)}). Its"
            f" {counted(sum(row.counts.values()), 'statement')} {_is_or_are(row)} flagged in Review"
            " and in every export.",
            icon=":material/warning:",
        )
    if row.standing:
        st.warning(f"This paper: {escaped(row.standing, 300)}.", icon=":material/info:")
    related_lines(desk, row)
    if not with_list:
        _show_parts(desk, row)
        return
    left, right = st.columns([1, 4], gap="small")
    with left:
        _list_beside(desk, row)
    with right:
        _show_parts(desk, row)


def _is_or_are(row: DocumentRow) -> str:
    return "is" if sum(row.counts.values()) == 1 else "are"


def _head_html(row: DocumentRow) -> str:
    ids = " ".join(curie_html(id) for id in row.ids or (row.id,))
    about = " · ".join(part for part in (row.journal, row.year, ", ".join(row.kinds)) if part)
    title = f"<strong>{escape(row.title)}</strong>"
    if len(row.title) > LONGEST_TITLE:
        words = f"{row.title[:LONGEST_TITLE].rstrip()}…"
        title = f"<strong title='{escape(row.title)}'>{escape(words)}</strong>"
    return f"<div class='gw-line'>{title} {ids} <span class='gw-none'>{escape(about)}</span></div>"


def close_document() -> None:
    state.set_url(document="", version="", run="", job="", part="")


def _list_beside(desk: Desk, row: DocumentRow) -> None:
    """The list that was open, from a little before this document, so that it is in sight and the
    next is one click away.
    """
    offset = listing.page_of_address() * listing.ON_PAGE
    rows = overview.documents_around(
        desk,
        row.id,
        listing.filter_of_address(),
        listing.order_of_address(),
        limit=BESIDE,
        offset=offset,
        reader=page.curator_orcid(),
    )
    table = state.key("beside", row.id, offset, *(state.url_value(n) for n in listing.NARROWING))
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "to do": listed_row.waiting,
                    "document": f"{'▸ ' if listed_row.id == row.id else ''}"
                    f"{status_mark(listed_row.status)}{listed_row.title}",
                }
                for listed_row in rows
            ]
        ),
        key=table,
        hide_index=True,
        height=min(40 + FOUR_LINES * len(rows), 530),
        row_height=FOUR_LINES,
        on_select=lambda: listing.open_row(rows, table),
        selection_mode="single-cell",
        column_config={
            "to do": st.column_config.NumberColumn(width=50),
            "document": st.column_config.TextColumn(width=120),  # or a long one is not wrapped
        },
    )


def _show_parts(desk: Desk, row: DocumentRow) -> None:
    parts = [TEXT, RUNS, ABOUT]
    now = state.url_value("part", TEXT)
    key = state.key("document·part", now)
    st.segmented_control(
        "Part",
        parts,
        default=now if now in parts else TEXT,
        required=True,
        label_visibility="collapsed",
        key=key,
        on_change=lambda: state.set_url(part=str(state.get(key) or "")),
    )
    match now:
        case "Runs":
            _runs(desk, row)
        case "Tags, people, retraction":
            _about(desk, row)
        case _:
            _text(desk, row)


def _text(desk: Desk, row: DocumentRow) -> None:
    if not row.has_text:
        st.text("Its text is not stored. Add its PMID or its file above the list of documents.")
        return
    stamp = knowledge_base.content_stamp(desk)
    stamp += newest_run(desk, row.id)
    reader = page.curator_orcid()
    if roles.review_policy(desk).blind:  # each sees a text of their own
        stamp += f" blind {reader}"
    annotated_text = _annotated(
        str(desk.folder), row.id, state.url_value("version"), stamp, _desk=desk, _reader=reader
    )
    if len(annotated_text.versions) > 1:
        st.caption(f"{len(annotated_text.versions)} versions of this text; the newest is shown.")
    _reading(desk, row, annotated_text.text.sha)
    marking_desk(desk, annotated_text, page.current_curator())


def _reading(desk: Desk, row: DocumentRow, sha: str) -> None:
    """What the source was read as; a person says that they looked at a gap."""
    reading = text_reading.text_reading(desk, sha)
    show_reading(reading)
    if reading and reading.is_blocking:
        st.button(
            "I have looked at it",
            icon=":material/visibility:",
            key=state.key("looked", sha),
            help="Statements of this text can be sent to review once somebody has looked.",
            on_click=_looked,
            args=(desk, row.id, sha),
        )


def _looked(desk: Desk, document: str, sha: str) -> None:
    try:
        text_reading.look_at_reading(desk, document, page.acting_orcid(desk), sha)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message("Saved.", "toast")


@st.cache_resource(max_entries=16, show_spinner="Reading the text…")
def _annotated(
    folder: str, name: str, version: str, stamp: str, *, _desk: Desk, _reader: str
) -> AnnotatedText:
    return annotated_document(_desk, name, version, _reader)


# ------------------------------------------------------------------ runs


def _runs(desk: Desk, row: DocumentRow) -> None:
    """Each reading compared with what is in review, and one more."""
    person = page.current_curator()
    runs = rereading.runs_of(desk, row.id)
    with st.form("again", border=False):
        several_documents.schema_and_engine(desk, "again", first=runs[0].schema if runs else "")
        st.form_submit_button(
            "Read this text again",
            icon=":material/replay:",
            on_click=_again,
            args=(desk, row.id),
            disabled=person is None or not row.has_text,
        )
    if job := state.url_value("job"):
        working = job_panel(desk, job, "Reading the text")
        if working is None or working.state in ACTIVE:
            return
    if not runs:
        st.text("No engine has read this text yet.")
        return
    names = {run.id: run for run in runs}
    now = state.url_value("run")
    chosen = now if now in names else runs[0].id
    key = state.key("document·run", chosen, len(runs))
    st.selectbox(
        "Reading",
        list(names),
        list(names).index(chosen),
        format_func=lambda id: reading_line(names[id]),
        key=key,
        on_change=lambda: state.set_url(run=str(state.get(key) or "")),
    )
    if not names[chosen].finished:
        st.text("This reading has no result: it failed, was stopped, or is not done yet.")
        return
    _beside(desk, chosen)


def reading_line(run: ReadingRun) -> str:
    """`2026-11-22 12:47 · signaling pathway · builtin · Anna`"""
    how = run.model or engine_line(run.engine, "").split(":")[0]
    when = run.time[:16].replace("T", " ")
    return " · ".join(
        part for part in (when, run.schema.replace("_", " "), how, run.curator) if part
    )


def _beside(desk: Desk, run: str) -> None:
    apart = rereading.compare_with_review(desk, run)
    difference_lines(apart)
    with st.container(horizontal=True):
        waiting = len(apart.new) + len(apart.changed)
        st.button(
            f"Send {waiting} new or changed to review" if waiting else "Nothing new to send",
            type="primary",
            icon=":material/send:",
            disabled=not waiting or page.current_curator() is None,
            on_click=_send,
            args=(
                desk,
                run,
                [statement.id for statement in (*apart.new, *(new for _, new in apart.changed))],
            ),
        )
        st.page_link(
            "pages/1_Extract.py",
            label="Open this reading on Extract",
            icon=":material/open_in_new:",
            query_params={"run": run},
        )


def _again(desk: Desk, document: str) -> None:
    schema, engine = str(state.get("again·schema") or ""), str(state.get("again·engine") or "auto")
    try:
        job = rereading.read_again(
            desk, document, schema, engine=engine, curator=page.acting_orcid(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(job=job.id, run=str(job.arguments["run"]))


def _send(desk: Desk, run: str, only: list[str]) -> None:
    try:
        send_result = result.send_to_review(desk, run, page.acting_orcid(desk), only=only)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    new = counted(len(send_result.new), "statement is", "statements are")
    held_note = (
        f" {len(send_result.held_back)} held back: terms are missing."
        if send_result.held_back
        else ""
    )
    state.show_message(f"{new} new in review.{held_note}", "toast")


# ------------------------------------------------------------------ what is known of the paper


def _about(desk: Desk, row: DocumentRow) -> None:
    """Counts, who worked on it, tags, assignment, and a mark for a paper that was retracted."""
    counts = ", ".join(f"{n:,} {name}" for name, n in row.counts.items() if n)
    st.text(f"Statements: {counts or 'none'}. Readings by engines and people: {row.runs:,}.")
    if row.curators:
        st.text(f"Decided by {', '.join(row.curators)}.")
    if row.counts[State.PROPOSED]:
        st.page_link(
            "pages/3_Review.py",
            label=f"Review its {row.counts[State.PROPOSED]:,} proposed statements",
            icon=":material/rate_review:",
            query_params={"document": row.id},
        )
    sources_of(desk, row)
    person = page.current_curator()
    if person is None:
        st.caption("Enter your name in the sidebar to tag, assign or mark it.")
        return
    left, right = st.columns(2, gap="large")
    with left, st.form("labels"):
        st.text_input(
            "Tags, separated by commas", ", ".join(row.tags), max_chars=500, key="label·tags"
        )
        people = {"": "Nobody"} | project.curator_names(desk)
        now = next((orcid for orcid, name in people.items() if orcid and name == row.assigned), "")
        st.selectbox(
            "Assigned to",
            list(people),
            list(people).index(now),
            format_func=lambda orcid: people[orcid],
            key="label·person",
        )
        st.form_submit_button("Save", on_click=_save_labels, args=(desk, row.id))
    with right, st.form("retraction"):
        st.text_input(
            "Retracted because",
            row.marked,
            max_chars=overview.LONGEST_NOTE,
            key="label·withdrawn",
            placeholder="the notice, its address, or what you know",
        )
        st.caption(
            "This decides nothing; its statements are flagged. Leave it empty to remove the mark."
        )
        st.form_submit_button("Mark as retracted", on_click=_save_mark, args=(desk, row.id))


def _save_labels(desk: Desk, document: str) -> None:
    if person := page.current_curator():
        try:
            tags = str(state.get("label·tags") or "").split(",")
            overview.set_tags(desk, document, tags, person)
            overview.assign_document(desk, document, str(state.get("label·person") or ""), person)
            state.show_message("Saved.", "toast")
        except GroundworkError as error:
            state.show_message(str(error), "error")


def _save_mark(desk: Desk, document: str) -> None:
    if person := page.current_curator():
        try:
            note = str(state.get("label·withdrawn") or "")
            overview.mark_withdrawn(desk, document, note, person)
            state.show_message("Marked." if note.strip() else "The mark was removed.", "toast")
        except GroundworkError as error:
            show_error(error)
