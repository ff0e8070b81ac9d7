"""Asking a gene question: the form, examples of each kind, recorded examples, earlier questions."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services import gene_example, gene_trace
from core.services import gene_questions as genes
from pages.components import page, state
from pages.components.problem import show_error

WAY_TEXT = {
    "planner": "Planner: rules over NCBI's records, no model",
    "tools": "Tools: a model names typed tools",
    "decoding": "Decoding: GeneGPT's own algorithm, for reproduction",
}
TEXT, WAY, MASK, REUSE = "gene·text", "gene·way", "gene·mask", "gene·reuse"


def open_run(run: str, job: str = "") -> None:
    """Show a run from the next page run on."""
    state.set_url(run=run, job=job, other="", otherjob="")


def ask_form(desk: Desk) -> None:
    example = st.selectbox(
        "Examples",
        list(genes.EXAMPLES),
        index=None,
        format_func=lambda kind: f"{kind}: {genes.EXAMPLES[kind][:90]}",
        placeholder="An example of each kind of question",
        key="gene·example",
        on_change=_take_example,
    )
    del example
    text = st.text_area(
        "Question", key=TEXT, height=100, max_chars=25_000, placeholder="What is the official gene symbol of LMP10?"
    )
    left, right = st.columns([3, 2])
    ways = list(genes.WAYS) if desk.settings.has_model else ["planner"]
    way = left.radio("How to answer", ways, key=WAY, format_func=WAY_TEXT.__getitem__)
    if way == "decoding":
        right.text_input("Demonstrations (full, slim or six bits)", "full", key=MASK)
    if not desk.settings.has_model:
        right.caption("Two more ways need a model: see Settings.")
    right.checkbox("Reuse earlier answers of NCBI", value=True, key=REUSE, help="Their age is shown with each step.")
    if text.strip():
        st.caption(_plain(gene_trace.leaves(desk, text, way)))
    st.button("Ask", type="primary", icon=":material/search:", disabled=not text.strip(), on_click=_ask, args=(desk,))


def _take_example() -> None:
    kind = state.get("gene·example")
    if kind:
        state.put(TEXT, genes.EXAMPLES[kind])


def _ask(desk: Desk) -> None:
    options = genes.Options(
        way=state.get(WAY, "planner"), mask=state.get(MASK, "full"), reuse=bool(state.get(REUSE, True))
    )
    start(desk, state.get(TEXT, ""), options)


def start(desk: Desk, text: str, options: genes.Options, beside: bool = False) -> None:
    """Ask in the background and show it; `beside` shows it next to the one that is open."""
    found = page.curator()
    try:
        job, run = genes.start(desk, text, options, found.orcid if found else "")
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    if beside:
        state.set_url(other=run, otherjob=job.id)
    else:
        open_run(run, job.id)


def recorded(desk: Desk) -> None:
    """The shipped examples: they open without a network."""
    st.subheader("Recorded examples")
    st.caption("Answered from small records that ship with the app; they open and replay without a network.")
    try:
        runs = gene_example.examples(desk)
    except GroundworkError as error:
        show_error(error)
        return
    for run in runs:
        text = str(desk.store.run(run).settings.get("question", ""))
        st.button(
            _plain(text),
            key=f"gene·example·{run}",
            on_click=open_run,
            args=(run,),
            type="tertiary",
            icon=":material/play_arrow:",
        )


def earlier(desk: Desk) -> None:
    """Questions asked before in this project."""
    found = [run for run in genes.asked(desk, 30) if not run.id.startswith("example-")]
    if not found:
        return
    st.subheader("Asked before")
    for run in found[:12]:
        text = str(run.settings.get("question", ""))[:100]
        st.button(
            _plain(f"{text} · {run.engine}"),
            key=f"gene·run·{run.id}",
            on_click=open_run,
            args=(run.id,),
            type="tertiary",
        )


def _plain(text: str) -> str:
    """Markdown signs escaped: the words come from people and records."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+!|<>~$:" else c for c in text)
