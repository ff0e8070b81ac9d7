"""A table over papers: questions to each of many papers, filled in the background, every cell
quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, JobState
from core.services.literature import answer, paper_table
from core.services.literature.paper_table import PaperTable
from core.services.literature.search_page import PaperFilter
from core.services.shared.screen import counted
from pages.components.literature.answer import BY
from pages.components.literature.answer_text import answer_html
from pages.components.literature.paper_filter import SEPARATOR, filter_panel
from pages.components.literature.question import namespaces_in_address
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model, say_what_goes
from pages.components.shared.problem import show_error
from pages.components.shared.text import MarkedWords, highlighted_html

EXAMPLES = "Which patients or animals were studied?\nWhat was found?"
NAMES = {"csv": "CSV", "md": "Markdown", "json": "JSON"}


def table_panel(desk: Desk, names: Sequence[str], person: Curator | None) -> None:
    now = list(namespaces_in_address(names)) or [names[0]]
    left, right = st.columns([2, 5])
    with left:
        key = state.key("table-ns", *now)
        st.multiselect(
            "Namespaces",
            list(names),
            now,
            key=key,
            on_change=lambda: state.set_url(ns=SEPARATOR.join(state.get(key) or [])),
            select_all=False,
        )
        only = filter_panel(desk, now, passages=False)
    questions = right.text_area(
        "Questions, one per line: each becomes a column",
        key="table-questions",
        height=120,
        placeholder=EXAMPLES,
        persist_state="session",
    )
    _begin(desk, now, only, questions, person=person)
    _earlier(desk, now)
    run = state.url_value("table")
    if not run:
        empty_state(
            "No table yet.",
            "Write your questions, choose the papers by the filter (such as the included ones), and"
            " fill the table: every cell quotes its paper.",
        )
        return
    job = state.url_value("filling")
    filling = job_panel(desk, job, "Filling the table") if job else None
    try:
        table = paper_table.stored_table(desk, run)
    except GroundworkError as error:
        show_error(error)
        return
    if filling is None or filling.state not in ACTIVE or table.waiting < len(table.columns):
        _table(desk, table, filling is not None and filling.state is not JobState.DONE)


def _begin(
    desk: Desk, names: Sequence[str], only: PaperFilter, questions: str, *, person: Curator | None
) -> None:
    papers, passing = paper_table.chosen_papers(desk, names, only, questions)
    question_lines = [line for line in questions.splitlines() if line.strip()]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by, model = "auto", ""
        if answer.has_model(desk):
            by = st.selectbox(
                "By", list(BY), format_func=BY.__getitem__, key="table-by",
                persist_state="session", width=260,
            )  # fmt: skip
            if by == "model":
                model = choose_model(desk, "answers", "table-model", width=260)
        st.text(
            f"{counted(len(papers), 'paper')} × {counted(len(question_lines), 'question')}"
            + (
                f" (the nearest of {passing:,} that pass the filter)"
                if passing > len(papers)
                else ""
            )
        )
        st.space("stretch")
        st.button(
            "Fill the table",
            icon=":material/table_chart:",
            type="primary",
            key="do·Table",
            disabled=not question_lines or not papers,
            on_click=_fill,
            args=(desk, tuple(names), only, questions, by, model, person),
        )
    if by == "model":
        calls = counted(len(papers) * len(question_lines), "question")
        say_what_goes(desk, "answers", model, f"{calls} with passages of each paper")


def _fill(  # noqa: PLR0917
    desk: Desk,
    names: Sequence[str],
    only: PaperFilter,
    questions: str,
    by: str,
    model: str,
    person: Curator | None,
) -> None:
    orcid = person.orcid if person else ""
    try:
        run = paper_table.begin_table(
            desk, names, questions.splitlines(), only, engine=by, model=model, curator=orcid
        )
        job = paper_table.start_table(desk, run, orcid)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(table=run, filling=job.id)


def _earlier(desk: Desk, names: Sequence[str]) -> None:
    """Earlier tables, to open one again."""
    runs = {run.id: run for run in paper_table.stored_tables(desk, names)}
    now = state.url_value("table")
    if not runs or (len(runs) == 1 and now in runs):
        return
    key = state.key("table-earlier", now, *runs)

    def label(id: str) -> str:
        questions = runs[id].settings["questions"]
        return f"{runs[id].created[:16].replace('T', ' ')} · {' · '.join(questions)}"[:160]

    st.selectbox(
        "Earlier tables",
        list(runs),
        list(runs).index(now) if now in runs else None,
        format_func=label,
        key=key,
        placeholder="Open one again",
        on_change=lambda: state.set_url(table=str(state.get(key) or ""), filling=""),
    )


def _table(desk: Desk, table: PaperTable, filling: bool) -> None:
    """The cells as words, downloads, and the chosen paper's cells with their passages."""
    if table.passing > len(table.papers):
        st.caption(
            f"{table.passing:,} papers passed the filter; these are the {len(table.papers):,}"
            " nearest to the questions."
        )
    if table.waiting and not filling:
        st.caption(f"{counted(table.waiting, 'question')} not asked yet: fill the table again.")
    heads = {f"q{place}": column.question for place, column in enumerate(table.columns)}
    rows = []
    for paper in table.papers:
        cells = (paper_table.cell_words(column, paper.document) for column in table.columns)
        row = {"paper": paper.marked_title, "year": paper.year}
        rows.append(row | dict(zip(heads, cells, strict=True)))
    selection_table = st.dataframe(
        rows,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key=state.key("paper-table", table.run, table.waiting),
        row_height=96,
        column_config={"paper": st.column_config.TextColumn(width="medium", pinned=True)}
        | {name: st.column_config.TextColumn(head, width="large") for name, head in heads.items()},
    )
    with st.container(horizontal=True):
        for form, name in NAMES.items():
            st.download_button(
                name,
                paper_table.table_file(table, form),
                f"papers.{form}",
                key=f"table·{form}",
                icon=":material/download:",
            )
    chosen = selection_table.selection.rows
    if chosen and chosen[0] < len(table.papers):
        _paper(desk, table, chosen[0])
    else:
        st.caption("Select a row to read its cells beside the passages they quote.")


def _paper(desk: Desk, table: PaperTable, place: int) -> None:
    """What a paper says to each question: the answer, its quotes checked, and its passages."""
    paper = table.papers[place]
    with st.container(border=True):
        st.text(f"{paper.marked_title} · {paper.document} {paper.year}")
        for column in table.columns:
            st.markdown(f"**{escaped(column.question, 300)}**")
            cited_answer = column.answers.get(paper.document)
            if cited_answer is None:
                st.caption("Not asked yet.")
                continue
            stored_answer = answer.kept_answer(desk, column.run)
            own = tuple(c for c in stored_answer.chunks if c.document == paper.document)
            alone = (replace(cited_answer, document=""),)
            st.html(answer_html(replace(stored_answer, answers=alone, chunks=own)))
            quotes = [
                quote
                for sentence in cited_answer.sentences
                for quote in sentence.quotes
                if quote.span
            ]
            with st.expander("Passages", icon=":material/menu_book:"):
                for chunk in own:
                    spans = [q.span for q in quotes if q.chunk == chunk.id and q.span]
                    st.caption(escaped(chunk.id))
                    marked = [MarkedWords(span, state="quote") for span in spans]
                    st.html(highlighted_html(chunk.text, marked))
