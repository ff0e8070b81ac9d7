"""Asking a gene question: the form, examples of each kind, recorded examples, earlier questions."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Run
from core.services.genes import questions as genes
from core.services.genes import strategy, trace
from core.services.genes.options import PLANNER, AskOptions
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model

ICONS = {
    "answered": "✓",
    "incomplete": "◐",
    "partly": "◔",
    "ambiguous": "≟",
    "not found": "∅",
    "unsupported": "⚠",
    "not understood": "?",
    "failed": "✕",
}
TEXT, WAY, MASK, REUSE = "gene·text", "gene·way", "gene·mask", "gene·reuse"
MODEL = "gene·model"
EARLIER = 100  # questions in the table


def open_run(run: str, job: str = "", other_run: str = "") -> None:
    """Show a run from the next page run on; `other_run` is the run that it is compared with."""
    state.set_url(run=run, job=job, other=other_run, otherjob="")


def ask_form(desk: Desk, in_view: bool = True) -> None:
    """The form; its key sends nothing while another tab is in view."""
    st.selectbox(
        "Examples",
        list(genes.example_questions()),
        index=None,
        format_func=lambda kind: f"{kind}: {genes.example_questions()[kind][:90]}",
        placeholder="An example of each kind of question",
        key="gene·example",
        on_change=_take_example,
    )
    text = st.text_area(
        "Question", key=TEXT, height=100, placeholder="What is the official gene symbol of LMP10?"
    )
    left, right = st.columns([3, 2])
    way = choose_strategy(desk, left, WAY)
    if not desk.settings.has_model_for("interpretation"):
        right.caption("Two more ways need a language model: see Settings.")
    right.checkbox(
        "Reuse earlier answers of NCBI",
        value=True,
        key=REUSE,
        help="Their age is shown with each step.",
    )
    model = ""
    if strategy.strategy_of(way).needs_model:
        model = choose_model(desk, "interpretation", MODEL, right)
    if strategy.strategy_of(way).masked:
        right.text_input("Demonstrations (full, slim or six bits)", "full", key=MASK)
    keys = "Ctrl+Enter" if in_view else None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Ask",
            type="primary",
            icon=":material/search:",
            on_click=_ask,
            args=(desk,),
            shortcut=keys,
        )
        st.caption(escaped(trace.what_leaves_machine(desk, text, way=way, model=model), 300))


def choose_strategy(desk: Desk, place: DeltaGenerator, key: str) -> str:
    """How to answer, of the strategies that can be used here."""
    titles = {way.name: way.title for way in strategy.usable_strategies(desk)}
    return str(place.radio("How to answer", list(titles), key=key, format_func=titles.__getitem__))


def _take_example() -> None:
    kind = state.get("gene·example")
    if kind:
        state.put(TEXT, genes.example_questions()[kind])


def _ask(desk: Desk) -> None:
    way = str(state.get(WAY, PLANNER))
    options = AskOptions(
        way=way,
        mask=state.get(MASK, "full"),
        reuse=bool(state.get(REUSE, True)),
        model=str(state.get(MODEL) or "") if strategy.strategy_of(way).needs_model else "",
    )
    ask_in_background(desk, state.get(TEXT, ""), options)


def ask_in_background(  # noqa: PLR0917
    desk: Desk, text: str, options: AskOptions, beside: bool = False, against: str = ""
) -> None:
    """Ask in the background and show it; `beside` shows it next to the one that is open, `against`
    names a run that it is compared with.
    """
    try:
        job, run = genes.start_gene_question(desk, text, options, page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    if beside:
        state.set_url(other=run, otherjob=job.id)
    else:
        open_run(run, job.id, against)


def shipped_examples(desk: Desk) -> None:
    """The shipped examples: they open without a network."""
    st.subheader("Recorded examples")
    st.caption(
        "Answered from small records that come with the app; they open and replay without a"
        " network."
    )
    columns = st.columns(2)
    for number, (run, text) in enumerate(strategy.EXAMPLES.items()):
        columns[number % 2].button(
            escaped(text),
            key=f"gene·example·{run}",
            on_click=_open_example,
            args=(desk, run),
            icon=":material/play_arrow:",
            width="stretch",
        )


def _open_example(desk: Desk, run: str) -> None:
    """The first to open an example records it, which a reader may not."""
    try:
        if not strategy.is_recorded(desk, run):
            page.acting_orcid(desk)
            strategy.record(desk, run)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    open_run(run)


def earlier_questions(desk: Desk) -> None:
    """Questions asked before in this project, newest first; a click on one opens it."""
    runs = [run for run in genes.asked_runs(desk, EARLIER) if not run.id.startswith("example-")]
    if not runs:
        return
    st.subheader("Asked before")
    st.caption("Click a line to open it.")
    show_rows(
        [_row(desk, run) for run in runs],
        [run.id for run in runs],
        state.key("gene·earlier", runs[0].id),
    )


def _row(desk: Desk, run: Run) -> dict[str, object]:
    status, answer = genes.answer_outcome(desk, run.id)
    return {
        "question": str(run.settings.get("question", ""))[:300],
        "answer": answer[:200],
        "status": f"{ICONS[status]} {status}" if status else "… not finished",
        "way": run.engine,
        "asked (UTC)": run.created[:16].replace("T", " "),
    }


def show_rows(rows: list[dict[str, object]], runs: list[str], key: str, height: int = 0) -> None:
    """A table of questions; a click on a line opens its run."""

    def chosen() -> None:
        row = state.selected_cell_row(key)
        if row is not None:
            open_run(runs[row])

    st.dataframe(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-cell",
        height=height or min(38 + 35 * len(rows), 400),
        column_config={"question": st.column_config.TextColumn(width="large")},
    )
