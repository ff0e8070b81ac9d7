"""Answers from ticked chunks: asked, shown with their citations and checked quotes, rated."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.literature import answer, curation
from core.services.literature.answer import MARKS, StoredAnswer
from core.services.literature.search_page import (
    MODES,
    TEMPLATES,
    AnswerTemplate,
    Chunk,
    SearchRequest,
    SearchResults,
)
from pages.components.literature.answer_text import answer_html
from pages.components.literature.triage import ticked
from pages.components.shared import state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.page import curator
from pages.components.shared.problem import show_error, show_problems
from pages.components.shared.trace import show_calls

TOP = 5
BY = {"model": "The model", "extractive": "Best sentences, word for word"}


def chosen_chunks(found: SearchResults) -> tuple[list[Chunk], str]:
    """The ticked chunks, or the first few, and how to call them."""
    some = ticked()
    chunks = [result.chunk for result in some or found.results[:TOP]]
    return chunks, f"{len(chunks)} ticked" if some else f"the first {len(chunks)}"


def answer_panel(desk: Desk, asked: SearchRequest, found: SearchResults) -> None:
    """The best sentences of what was found, at once; and, on demand, an answer from the ticked
    chunks or the first few, kept with its run.
    """
    chunks, what = chosen_chunks(found)
    with st.container(border=True):
        best_sentences = st.container()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            template = st.selectbox(
                "Form", TEMPLATES, key="template", persist_state="session", width=160
            )
            by = "auto"
            if answer.has_model(desk):
                by = st.selectbox(
                    "By",
                    list(BY),
                    format_func=lambda by: BY[by],
                    key="answer-by",
                    persist_state="session",
                    width=260,
                )
            per_paper = st.toggle("One answer a paper", key="per-paper", persist_state="session")
            st.space("stretch")
            asks = st.button(
                f"Answer from {what}", icon=":material/edit_note:", key="do·Answer", type="primary"
            )
        if asks:
            _answer(desk, asked, found, chunks, AnswerTemplate(template), per_paper, by)
        if not found.skipped and not state.url_value("answer"):
            best_sentences.html(answer_html(answer.at_once(found, TOP)))
        if run := state.url_value("answer"):
            job = state.url_value("answering")
            if not job or _ended(desk, job, run):
                show_answer(desk, run, AnswerTemplate(template))


def _answer(
    desk: Desk,
    asked: SearchRequest,
    found: SearchResults,
    chunks: Sequence[Chunk],
    template: AnswerTemplate,
    per_paper: bool,
    by: str,
) -> None:
    """A model's answer is a job, which a click or a reload does not end; best sentences are there
    at once.
    """
    person = curator()
    orcid = person.orcid if person else ""
    try:
        run = answer.begin(
            desk,
            found.question.text,
            chunks,
            template=template,
            per_paper=per_paper,
            engine=by,
            mode=asked.mode,
            curator=orcid,
            plan=found.plan,
        )
        if answer.has_model(desk) and by != "extractive":
            state.set_url(answer=run, answering=answer.start(desk, run, orcid).id)
        else:
            answer.answer_run(desk, run)
            state.set_url(answer=run, answering="")
    except GroundworkError as error:
        state.set_url(answer="", answering="")
        show_error(error)


def _ended(desk: Desk, job_id: str, run: str) -> bool:
    """Whether the job is done; else how far it is."""
    job = job_panel(desk, job_id, "Answering")
    if job is not None and job.state in ACTIVE:
        _so_far(desk, run)
    return job is None or job.state is JobState.DONE


@st.fragment(run_every=0.7)
def _so_far(desk: Desk, run: str) -> None:
    st.text(answer.words_so_far(desk, run))


def show_answer(desk: Desk, run: str, template: AnswerTemplate) -> None:
    """A stored answer: its text, the passages it may cite, what is wrong with it, its rating and
    its calls.
    """
    try:
        stored_answer = answer.shown_as(answer.stored(desk, run), template)
    except GroundworkError as error:
        show_error(error)
        return
    if stored_answer.engine == "extractive":
        st.caption("No model was asked: these are the best sentences of the chunks, word for word.")
    st.html(answer_html(stored_answer))
    show_problems(
        [problem for one in stored_answer.answers for problem in one.problems], expanded=True
    )
    _rating(desk, stored_answer)
    passages, plain_text, trace = st.tabs(
        ["Passages", "As plain text", "Prompts, answers and costs"]
    )
    with passages, st.container(height=220, border=False):
        for number, chunk in enumerate(stored_answer.chunks, start=1):
            st.text(f"[{number}] {curation.citation(chunk)} {chunk.section}\n{chunk.id}")
    plain_text.code(stored_answer.text, language=None, wrap_lines=True)
    with trace:
        if calls := answer.calls(desk, run):
            show_calls(calls, key=f"calls·{run}")
        else:
            st.caption("No model was asked.")


def _rating(desk: Desk, stored_answer: StoredAnswer) -> None:
    key = state.key("rating", stored_answer.run)
    person = curator()

    def rate() -> None:
        chosen = state.get(key)
        if chosen is not None:
            answer.rate(
                desk, stored_answer.run, MARKS.index(str(chosen)), person.orcid if person else ""
            )
            state.show_message("The rating is kept.", "toast")

    st.segmented_control("Rate the answer", MARKS, key=key, on_change=rate)
    means = answer.ratings(desk)
    if means:
        lines = [
            f"{MODES.get(mode, mode)}: {mean:.1f} ({count})"
            for mode, (count, mean) in means.items()
        ]
        st.caption("Mean ratings, 0–4: " + " · ".join(lines))
