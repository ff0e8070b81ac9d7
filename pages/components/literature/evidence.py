"""From chunks into curation: extraction, evidence for a statement that one chooses or came from
Review with.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Span
from core.services.literature import curation, search_page
from core.services.literature.search_page import Chunk, SearchResults
from core.services.shared.screen import counted
from core.services.support.shown_support import support_words
from pages.components.literature.answer import chosen_chunks
from pages.components.literature.triage import in_view
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error
from pages.components.shared.term import statement_html, statement_label
from pages.components.shared.text import MarkedWords, highlighted_html

MOST = 10  # chunks that evidence is offered from at once


def curation_panel(desk: Desk, search_results: SearchResults, person: Curator | None) -> None:
    """Extract from the ticked chunks, or the first few; add words of them as evidence."""
    chunks, chunk_words = chosen_chunks(search_results)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            schemas = search_page.passage_schemas(desk)
            schema = st.selectbox(
                "Schema", schemas, key="extract-schema", persist_state="session", width=320
            )
            st.space("stretch")
            st.button(
                f"Extract from {chunk_words}",
                icon=":material/arrow_forward:",
                disabled=not schema,
                on_click=_extract,
                args=(desk, chunks, str(schema or "")),
                key="do·Extract",
            )
        for name, job, run in state.get("_extractions", ()):
            st.page_link(
                "pages/1_Extract.py",
                label=f"Open the extraction of {escaped(name)}",
                query_params={"run": run, "job": job},
            )
        if st.toggle("Add as evidence of a statement", key="as-evidence", persist_state="session"):
            _as_evidence(
                desk,
                chunks
                if chunk_words.endswith("ticked")
                else [search_results.results[in_view(search_results)].chunk],
                person,
            )


def _extract(desk: Desk, chunks: Sequence[Chunk], schema: str) -> None:
    try:
        jobs = curation.extract_from(desk, chunks, schema, curator=acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    names = (f"{chunk.document} {chunk.section}".strip() for chunk in chunks)
    runs = [
        (name, job.id, str(job.arguments["run"])) for name, job in zip(names, jobs, strict=True)
    ]
    state.put("_extractions", tuple(runs))
    state.show_message(f"{counted(len(jobs), 'extraction')} started: open below.", "toast")


# ------------------------------------------------------------------ as evidence of a statement one
# chooses


def _as_evidence(desk: Desk, chunks: Sequence[Chunk], person: Curator | None) -> None:
    """The statement, then of each ticked chunk (of the one in view, while none is ticked) the words
    to keep.
    """
    left, right = st.columns([2, 5], vertical_alignment="bottom")
    words = left.text_input(
        "Words or id of the statement", key="evidence-find", max_chars=200, persist_state="session"
    )
    labels = {
        statement_record.statement.id: statement_label(statement_record.statement)
        for statement_record in curation.extendable_statements(desk, words)
    }
    chosen = right.selectbox(
        "Statement",
        list(labels),
        None,
        key="evidence-statement",
        format_func=lambda id: labels.get(id, id),
        placeholder=f"Choose one of {len(labels)}, the newest first"
        if labels
        else "No statement has these words",
    )
    if not chosen:
        return
    try:
        quotes = curation.best_quotes(desk, chosen, chunks)
    except GroundworkError as error:
        show_error(error)
        return
    for chunk in chunks[:MOST]:
        key = state.key("evidence-words", chosen, chunk.id)
        st.text(f"{chunk.document}  {chunk.marked_title or chunk.text[:80]}")
        st.text_area(
            "Words that prove it, copied exactly",
            quotes[chunk.id],
            key=key,
            max_chars=2000,
            height="content",
        )
        st.button(
            "Add as evidence",
            on_click=_typed,
            args=(desk, chosen, chunk, key),
            disabled=person is None,
            key=state.key("do·Evidence", chunk.id),
        )
    if len(chunks) > MOST:
        st.caption(
            f"The first {MOST} of {len(chunks)} ticked chunks are shown: untick those that are"
            " done."
        )


def _typed(desk: Desk, statement: str, chunk: Chunk, key: str) -> None:
    words = str(state.get(key) or "").strip()
    place = chunk.text.find(words) if words else -1
    if place < 0:
        state.show_message(
            f"These words are not in {chunk.document} exactly as typed; copy them from the text.",
            "error",
        )
        return
    _add(desk, statement, chunk, Span(place, place + len(words)))


def _add(desk: Desk, statement: str, chunk: Chunk, span: Span) -> None:
    try:
        proposal = curation.add_evidence(desk, statement, chunk, span, curator=acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    known_message = "This evidence was known already."
    state.show_message(
        f"Words of {chunk.document} are in Review as new evidence."
        if proposal.evidence
        else known_message,
        "toast",
    )


# ------------------------------------------------------------------ for a statement that came from
# Review


def evidence_panel(
    desk: Desk, statement: str, names: Sequence[str], person: Curator | None
) -> None:
    """What may prove a statement: both of its things in one sentence first."""
    try:
        record = curation.statement_of(desk, statement)
        chosen = st.multiselect(
            "Namespaces", list(names), default=list(names), key="evidence-ns", select_all=False
        )
        evidence_passages = curation.find_evidence(desk, record.statement, chosen) if chosen else []
    except GroundworkError as error:
        show_error(error)
        return
    st.html(statement_html(record.statement))
    with suppress(
        st.errors.StreamlitAPIException, KeyError
    ):  # the page is not there when this one is run alone
        st.page_link(
            "pages/3_Review.py",
            label="Back to Review",
            icon=":material/rule:",
            query_params={"id": statement, "state": str(record.state)},
        )
    st.caption(f"{counted(len(record.evidence), 'piece of evidence', 'pieces of evidence')} so far")
    if not evidence_passages:
        empty_state("No passage names these things.", "Add papers about them under **Namespaces**.")
    verdicts = curation.support_of_passages(desk, record.statement, evidence_passages)
    for place, (passage, support) in enumerate(zip(evidence_passages, verdicts, strict=True)):
        chunk = passage.result.chunk
        with st.container(border=True):
            where = "both in one sentence" if passage.together else "not in one sentence"
            relation = ", with words for the relation" if passage.cue else ""
            st.text(f"{chunk.marked_title or chunk.document}\n{where}{relation} · {chunk.document}")
            marked = highlighted_html(chunk.text, [MarkedWords(passage.sentence, state="quote")])
            st.html(f'<div class="gw-text">{marked}</div>')
            st.text(support_words(support))
            st.button(
                "Add this sentence as evidence",
                on_click=_add,
                args=(desk, statement, chunk, passage.sentence),
                disabled=person is None,
                key=f"add·{place}",
            )
