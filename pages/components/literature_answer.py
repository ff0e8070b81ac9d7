"""Answers from ticked chunks, the ways into curation, evidence for a statement, recommendations."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Span
from core.services import literature_answer, literature_curation, literature_page
from core.services.literature_answer import MARKS, Given
from core.services.literature_curation import Recommended
from core.services.literature_page import MODES, PROOFS, TEMPLATES, Asked, Chunk, Found, Template
from pages.components import state
from pages.components.empty import empty
from pages.components.literature_triage import in_view, ticked
from pages.components.page import curator
from pages.components.plain import plain
from pages.components.problem import show_error, show_problems
from pages.components.term import statement_html
from pages.components.text import Mark, highlighted
from pages.components.trace import show_calls

TOP = 5
CHOSEN = 3  # recommended articles that are chosen at first


def answer_panel(desk: Desk, asked: Asked, found: Found) -> None:
    """Answer, extract, add as evidence: from the ticked chunks, or the first few."""
    chosen = ticked(found) or list(found.results[:TOP])
    chunks = [result.chunk for result in chosen]
    what = f"{len(chunks)} ticked" if ticked(found) else f"the first {len(chunks)}"
    with st.container(border=True):
        left, middle, right = st.columns([2, 2, 2], vertical_alignment="bottom")
        template = left.selectbox("Form", TEMPLATES, key="template", persist_state="session")
        per_paper = middle.toggle("One answer a paper", key="per-paper")
        label = f"Answer from {what}"
        if right.button(label, icon=":material/edit_note:", key="do·Answer"):
            _answer(desk, asked, found, chunks, Template(template), per_paper)
        if run := state.url("answer"):
            _show_answer(desk, run, Template(template))
    _into_curation(desk, chunks, found)


def _answer(
    desk: Desk, asked: Asked, found: Found, chunks: Sequence[Chunk], template: Template, per_paper: bool
) -> None:
    place, said = st.empty(), []

    def on_text(words: str) -> None:
        said.append(words)
        place.text("".join(said)[-4000:])

    person = curator()
    try:
        given = literature_answer.answer(
            desk, found.question.text, chunks, template=template, per_paper=per_paper, mode=asked.mode,
            curator=person.orcid if person else "", on_text=on_text,
        )  # fmt: skip
    except GroundworkError as error:
        show_error(error)
        return
    place.empty()
    state.set_url(answer=given.run)


def _show_answer(desk: Desk, run: str, template: Template) -> None:
    try:
        given = literature_answer.shown_as(literature_answer.stored(desk, run), template)
    except GroundworkError as error:
        show_error(error)
        return
    if given.engine == "extractive":
        st.caption("No model was asked: these are the best sentences of the chunks, word for word.")
    st.code(given.text, language=None, wrap_lines=True)
    _proofs(given)
    _rating(desk, given)
    if calls := literature_answer.calls(desk, run):
        with st.expander("Prompts, answers and costs"):
            show_calls(calls, key=f"calls·{run}")


def _proofs(given: Given) -> None:
    """Each sentence with the chunks that it cites and its quotes' badges."""
    numbers = {chunk.id: number for number, chunk in enumerate(given.chunks, start=1)}
    with st.expander("Citations and quotes", expanded=True):
        for number, chunk in enumerate(given.chunks, start=1):
            st.text(f"[{number}] {literature_curation.citation(chunk)} {chunk.section}".strip())
        for one in given.answers:
            for sentence in one.sentences:
                cited = ", ".join(f"{numbers.get(id, '?')}: {id}" for id in sentence.chunks) or "no passage"
                st.text(f"• {sentence.text}\n  cites {cited}")
                for quote in sentence.quotes:
                    st.text(f"  {PROOFS[quote.proof]}: “{quote.words}”")
            show_problems(one.problems)


def _rating(desk: Desk, given: Given) -> None:
    key = state.key("rating", given.run)
    person = curator()

    def rate() -> None:
        chosen = state.get(key)
        if chosen is not None:
            literature_answer.rate(desk, given.run, MARKS.index(str(chosen)), person.orcid if person else "")
            state.say("The rating is kept.")

    st.segmented_control("Rate the answer", MARKS, key=key, on_change=rate)
    means = literature_answer.ratings(desk)
    if means:
        lines = [f"{MODES.get(mode, mode)}: {mean:.1f} ({count})" for mode, (count, mean) in means.items()]
        st.caption("Mean ratings, 0–4: " + " · ".join(lines))


# ------------------------------------------------------------------ into curation


def _into_curation(desk: Desk, chunks: Sequence[Chunk], found: Found) -> None:
    with st.container(border=True):
        schemas = literature_page.schemas(desk)
        left, right = st.columns([3, 2], vertical_alignment="bottom")
        schema = left.selectbox("Schema", schemas, key="extract-schema", persist_state="session")
        right.button(
            f"Extract from these {len(chunks)}", icon=":material/arrow_forward:", disabled=not schema,
            on_click=_extract, args=(desk, chunks, str(schema or "")), key="do·Extract",
        )  # fmt: skip
        for name, job, run in state.get("_extractions", ()):
            st.page_link("pages/1_Extract.py", label=f"Open the extraction of {plain(name)}",
                         query_params={"run": run, "job": job})  # fmt: skip
        chunk = found.results[in_view(found)].chunk
        with st.popover("Add as evidence"):
            st.text_input("Id of the statement (s1-…)", key="evidence-statement", max_chars=80)
            st.text_area("Words of the chunk in view that prove it", key="evidence-words", max_chars=2000)
            st.button("Add", on_click=_typed_evidence, args=(desk, chunk), key="do·Evidence")


def _extract(desk: Desk, chunks: Sequence[Chunk], schema: str) -> None:
    person = curator()
    try:
        jobs = literature_curation.extract_from(desk, chunks, schema, curator=person.orcid if person else "")
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    names = (f"{chunk.document} {chunk.section}".strip() for chunk in chunks)
    runs = [(name, job.id, str(job.arguments["run"])) for name, job in zip(names, jobs, strict=True)]
    state.put("_extractions", tuple(runs))
    state.say(f"{len(jobs)} extractions are under way; open them below.")


def _typed_evidence(desk: Desk, chunk: Chunk) -> None:
    words = str(state.get("evidence-words") or "").strip()
    place = chunk.text.find(words) if words else -1
    if place < 0:
        state.say("These words are not in the chunk; copy them exactly.", "error")
        return
    _add(desk, str(state.get("evidence-statement") or "").strip(), chunk, Span(place, place + len(words)))


def _add(desk: Desk, statement: str, chunk: Chunk, span: Span) -> None:
    person = curator()
    try:
        made = literature_curation.add_evidence(desk, statement, chunk, span, curator=person.orcid if person else "")
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.say("The evidence waits in Review." if made.evidence else "This evidence was known already.")


def evidence_panel(desk: Desk, statement: str, names: Sequence[str], person: Curator | None) -> None:
    """What may prove a statement: both of its things in one sentence first."""
    try:
        record = literature_curation.statement_of(desk, statement)
        chosen = st.multiselect("Namespaces", list(names), default=list(names), key="evidence-ns")
        found = literature_curation.find_evidence(desk, record.statement, chosen) if chosen else []
    except GroundworkError as error:
        show_error(error)
        return
    st.html(statement_html(record.statement))
    with suppress(st.errors.StreamlitAPIException, KeyError):  # the page is not there when this one is run alone
        st.page_link("pages/4_Review.py", label="Back to Review", icon=":material/rule:",
                     query_params={"id": statement, "state": str(record.state)})  # fmt: skip
    st.caption(f"{len(record.evidence)} pieces of evidence so far")
    if not found:
        empty("No chunk names these things.", "Add papers about them under **Namespaces**.")
    for place, one in enumerate(found):
        chunk = one.result.chunk
        with st.container(border=True):
            where = "both in one sentence" if one.together else "not in one sentence"
            st.text(f"{chunk.title or chunk.document}\n{where}{', with a cue' if one.cue else ''} · {chunk.document}")
            st.html(f'<div class="gw-text">{highlighted(chunk.text, [Mark(one.sentence, state="quote")])}</div>')
            st.button("Add this sentence as evidence", on_click=_add, args=(desk, statement, chunk, one.sentence),
                      disabled=person is None, key=f"add·{place}")  # fmt: skip


# ------------------------------------------------------------------ recommendations


def recommend_panel(desk: Desk, names: Sequence[str]) -> None:
    """Articles to cite for a paragraph that one has written."""
    chosen = st.multiselect("Namespaces", list(names), default=[names[0]], key="recommend-ns")
    paragraph = st.text_area("Your paragraph", key="paragraph", height=160, max_chars=10_000, persist_state="session")
    if not paragraph.strip() or not chosen:
        empty(
            "Paste a paragraph that you have written.", "Articles for it are listed with score, summary and citation."
        )
        return
    try:
        found = literature_curation.recommended(desk, chosen, paragraph)
    except GroundworkError as error:
        show_error(error)
        return
    _summary(desk, paragraph, found)
    for place, one in enumerate(found):
        with st.container(border=True):
            left, right = st.columns([9, 1])
            left.text(f"{one.score:.2f}  {one.chunk.title or one.document}")
            right.checkbox("Choose", place < CHOSEN, key=state.key("choose", one.document))
            if one.chunk.flags:
                st.text("⚠️ " + ", ".join(one.chunk.flags))
            st.text(one.summary)
            st.code(literature_curation.citation(one.chunk), language=None, wrap_lines=True)


def _summary(desk: Desk, paragraph: str, found: Sequence[Recommended]) -> None:
    """A summary of the chosen articles, cited."""
    names = [one.document for one in found]
    st.button("Summarise the chosen", icon=":material/edit_note:", on_click=_summarise, key="do·Summarise",
              args=(desk, paragraph, found), disabled=not names)  # fmt: skip
    if run := state.url("summary"):
        with st.container(border=True):
            _show_answer(desk, run, Template.PARAGRAPH)


def _summarise(desk: Desk, paragraph: str, found: Sequence[Recommended]) -> None:
    person = curator()
    chosen = [one for place, one in enumerate(found) if state.get(state.key("choose", one.document), place < CHOSEN)]
    try:
        given = literature_curation.summarise(desk, paragraph, chosen, person.orcid if person else "")
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.set_url(summary=given.run)
