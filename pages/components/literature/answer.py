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
from core.services.shared.screen import counted
from pages.components.literature.answer_text import answer_html
from pages.components.literature.triage import ticked_papers
from pages.components.shared import state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model, say_what_goes
from pages.components.shared.page import acting_orcid, curator_orcid
from pages.components.shared.problem import problem_line, show_error, show_problems
from pages.components.shared.trace import show_calls

TOP = 5
BY = {"model": "The model", "extractive": "Best sentences, word for word"}


def chosen_chunks(search_results: SearchResults) -> tuple[list[Chunk], str]:
    """The ticked chunks, or the first few, and how to call them."""
    some = ticked_papers()
    chunks = [result.chunk for result in some or search_results.results[:TOP]]
    return chunks, f"{len(chunks)} ticked" if some else f"the first {len(chunks)}"


def answer_panel(desk: Desk, request: SearchRequest, search_results: SearchResults) -> None:
    """The best sentences of what was found, at once; and, on demand, an answer from the ticked
    chunks or the first few, kept with its run.
    """
    chunks, chunk_words = chosen_chunks(search_results)
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
            model = ""
            if by == "model":
                model = choose_model(desk, "answers", "answer-model", width=260)
            per_paper = st.toggle("One answer per paper", key="per-paper", persist_state="session")
            st.space("stretch")
            asks = st.button(
                f"Answer from {chunk_words}",
                icon=":material/edit_note:",
                key="do·Answer",
                type="primary",
            )
        if by == "model":
            passages = counted(len(chunks), "passage")
            say_what_goes(desk, "answers", model, f"The question and {passages}")
        if asks:
            _answer(
                desk,
                request,
                search_results,
                chunks,
                template=AnswerTemplate(template),
                per_paper=per_paper,
                by=by,
                model=model,
            )
        if not search_results.skipped and not state.url_value("answer"):
            best_sentences.html(answer_html(answer.quick_answer(search_results, TOP)))
        if run := state.url_value("answer"):
            job = state.url_value("answering")
            if not job or _ended(desk, job, run):
                show_answer(desk, run, AnswerTemplate(template))


def _answer(
    desk: Desk,
    request: SearchRequest,
    search_results: SearchResults,
    chunks: Sequence[Chunk],
    *,
    template: AnswerTemplate,
    per_paper: bool,
    by: str,
    model: str,
) -> None:
    """A model's answer is a job, which a click or a reload does not end; best sentences are there
    at once.
    """
    orcid = curator_orcid()
    try:
        run = answer.begin_answer(
            desk,
            search_results.question.text,
            chunks,
            template=template,
            per_paper=per_paper,
            engine=by,
            mode=request.mode,
            curator=orcid,
            model=model,
            plan=search_results.plan,
        )
        if answer.has_model(desk) and by != "extractive":
            state.set_url(
                answer=run, answering=answer.start_answer(desk, run, acting_orcid(desk)).id
            )
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
        stored_answer = answer.answer_in_template(answer.kept_answer(desk, run), template)
    except GroundworkError as error:
        show_error(error)
        return
    asked = answer.run_of_answer(desk, run).settings
    if asked.get("after"):  # not the question in the box above
        st.markdown(f"**{escaped(str(asked['question']), 500)}**")
    if stored_answer.engine == "extractive":
        st.caption(
            "No model was asked: these are the best sentences of the passages, word for word."
        )
    shortcomings = [problem for part in stored_answer.answers for problem in part.shortcomings]
    for problem in shortcomings:
        st.warning(escaped(problem_line(problem), 400))
    st.html(answer_html(stored_answer))
    problems = [problem for part in stored_answer.answers for problem in part.problems]
    show_problems([problem for problem in problems if problem not in shortcomings], expanded=True)
    _rating(desk, stored_answer)
    _follow_up(desk, stored_answer)
    passages, plain_text, trace = st.tabs(
        ["Passages", "As plain text", "Prompts, answers and costs"]
    )
    with passages, st.container(height=220, border=False):
        for number, chunk in enumerate(stored_answer.chunks, start=1):
            st.text(f"[{number}] {curation.citation_line(chunk)} {chunk.section}\n{chunk.id}")
    plain_text.code(stored_answer.text, language=None, wrap_lines=True)
    with trace:
        if calls := answer.literature_answer_calls(desk, run):
            show_calls(calls, key=f"calls·{run}")
        else:
            st.caption("No model was asked.")


def _follow_up(desk: Desk, stored_answer: StoredAnswer) -> None:
    """Another question about the same passages; those before it stay in view."""
    if stored_answer.engine != "model" or not answer.has_model(desk):
        return
    for question, answer_text in answer.asked_before(
        desk, answer.run_of_answer(desk, stored_answer.run)
    ):
        with st.expander(escaped(question, 200)):
            st.text(answer_text)
    key = state.key("further", stored_answer.run)
    with st.form(f"form·{key}", border=False, clear_on_submit=False):
        words, send = st.columns([6, 1], vertical_alignment="bottom")
        words.text_input("Another question about the same passages", key=key)
        send.form_submit_button(
            "Ask a follow-up", on_click=_ask_further, args=(desk, stored_answer.run, key)
        )
    passages = counted(len(stored_answer.chunks), "passage")
    model = answer.run_of_answer(desk, stored_answer.run).model
    say_what_goes(desk, "answers", model, f"It, the answer above and {passages}")


def _ask_further(desk: Desk, run: str, key: str) -> None:
    try:
        orcid = acting_orcid(desk)
        further = answer.follow_up(desk, run, str(state.get(key) or ""), curator=orcid)
        state.set_url(answer=further, answering=answer.start_answer(desk, further, orcid).id)
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _rating(desk: Desk, stored_answer: StoredAnswer) -> None:
    key = state.key("rating", stored_answer.run)

    def rate() -> None:
        chosen = state.get(key)
        if chosen is None:
            return
        try:
            answer.rate_answer(
                desk, stored_answer.run, MARKS.index(str(chosen)), acting_orcid(desk)
            )
        except GroundworkError as error:
            state.show_message(str(error), "error")
            return
        state.show_message("The rating is saved.", "toast")

    st.segmented_control("Rate the answer", MARKS, key=key, on_change=rate)
    means = answer.answer_ratings(desk)
    if means:
        lines = [
            f"{MODES.get(mode, mode)}: {mean:.1f} ({count})"
            for mode, (count, mean) in means.items()
        ]
        st.caption("Mean ratings, 0–4: " + " · ".join(lines))
