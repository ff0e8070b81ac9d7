"""An answer on screen: the value first, what it rests on, then what can be done with it."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services import gene_questions as genes
from core.services import gene_statement, gene_trace
from core.services.screen import link
from pages.components import page, state
from pages.components.gene_ask import WAY_TEXT, open_run, start
from pages.components.problem import show_error

ICONS = {
    genes.Status.ANSWERED: "✓",
    genes.Status.AMBIGUOUS: "≟",
    genes.Status.NOT_FOUND: "∅",
    genes.Status.UNSUPPORTED: "⚠",
    genes.Status.NOT_UNDERSTOOD: "?",
    genes.Status.FAILED: "✕",
}


def show_answer(desk: Desk, found: genes.Asked, side: str = "") -> None:
    """Question, answer, evidence, notes."""
    answer = found.answer
    st.caption("Question")
    st.text(answer.question)
    text = ", ".join(answer.text) if isinstance(answer.text, list) else answer.text
    with st.container(border=True):
        st.caption(f"{ICONS[answer.status]} {answer.status} · {answer.kind} · way {found.way}")
        if text and len(text) < 120:
            st.html(f'<div style="font-size:1.7rem;font-weight:600">{_escaped(text)}</div>')
        else:
            st.text(text or "No answer.")
        for note in answer.notes:
            st.text(f"· {note}")
    if answer.found:
        st.caption("What it rests on")
        rows = [
            {
                "value": one.value,
                "record": one.record,
                "source": link(one.record),
                "field": one.field,
                "in the record": one.raw[:400],
            }
            for one in answer.found
        ]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"gene·found·{side}·{found.run}",
            column_config={"source": st.column_config.LinkColumn("source", display_text="open")},
        )
    st.caption(genes.totals(answer.steps))


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)


def actions(desk: Desk, found: genes.Asked) -> None:
    """Send to review, export, replay, compare."""
    claims = gene_statement.claims(desk, found.run, found.answer)
    send, markdown, whole, again, new = st.columns([4, 3, 2, 5, 4])
    send.button(
        f"Send {len(claims.proposed)} to review",
        type="primary",
        disabled=not claims.proposed,
        on_click=_send,
        args=(desk, found),
        icon=":material/send:",
        width="stretch",
    )
    markdown.download_button(
        "Markdown", found.markdown, f"gene-question-{found.run[:8]}.md", "text/markdown", width="stretch"
    )
    body = json.dumps(found.whole, ensure_ascii=False, indent=2)
    whole.download_button("JSON", body, f"gene-question-{found.run[:8]}.json", "application/json", width="stretch")
    again.button(
        "Replay without network", on_click=_replay, args=(desk, found), icon=":material/replay:", width="stretch"
    )
    new.button("New question", on_click=open_run, args=("",), icon=":material/add:", width="stretch")
    for value, why in claims.held:
        st.text(f"Held back: {value[:80]}: {why}.")


def _send(desk: Desk, found: genes.Asked) -> None:
    curator = page.curator()
    if curator is None:
        state.say("Say who you are in the sidebar first: statements carry who sent them.", "info")
        return
    try:
        sent = gene_statement.send(desk, found.run, found.answer, curator.orcid)
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.say(
        f"{len(sent.proposal.new)} new statements wait on the Review page; {len(sent.proposal.known)} were known."
    )


def _replay(desk: Desk, found: genes.Asked) -> None:
    try:
        again = genes.replay(desk, found.run)
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    same = again.answer.text == found.answer.text and again.answer.status == found.answer.status
    state.say(
        "Replayed from the record: the same answer." if same else "Replayed: the answer differs.",
        "success" if same else "warning",
    )
    open_run(again.run)


def compare(desk: Desk, found: genes.Asked) -> None:
    """The same question answered another way, side by side."""
    other = state.url("other")
    if not other:
        ways = [one for one in genes.WAYS if one != found.way and (one == "planner" or desk.settings.has_model)]
        if not ways:
            st.caption("Another way needs a model: see Settings.")
        for way in ways:
            options = genes.Options(way=way)
            st.button(
                WAY_TEXT[way],
                key=f"gene·other·{way}",
                on_click=start,
                args=(desk, found.answer.question, options, True),
            )
        return
    try:
        second = genes.view(desk, other)
    except GroundworkError as error:
        show_error(error)
        return
    same = second.answer.text == found.answer.text
    st.text("Both ways agree." if same else "The two ways differ.")
    left, right = st.columns(2)
    for column, one, side in ((left, found, "left"), (right, second, "right")):
        with column:
            show_answer(desk, one, side)


def judge(desk: Desk, found: genes.Asked) -> None:
    """How the answer went wrong, by a click (GeneGPT's classes)."""
    names = ["", *genes.ERRORS]
    current = gene_trace.judged(desk, found.run)
    st.selectbox(
        "If the answer is wrong: how",
        names,
        index=names.index(current) if current in names else 0,
        format_func=lambda one: f"{one}: {genes.ERRORS[one]}" if one else "it is not, or not judged",
        key=f"gene·judge·{found.run}",
        on_change=_judged,
        args=(desk, found.run),
    )
    judged_so_far(desk)


def judged_so_far(desk: Desk) -> None:
    """How many answers of this project were judged wrong, and how."""
    counts = gene_trace.error_counts(desk)
    if not any(counts.values()):
        return
    st.caption("Judged in this project so far (`evaluate geneturing` and `evaluate genehop` count these too)")
    rows = [{"class": kind, "what went wrong": genes.ERRORS[kind], "answers": count} for kind, count in counts.items()]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="gene·judged")


def _judged(desk: Desk, run: str) -> None:
    gene_trace.judge(desk, run, str(state.get(f"gene·judge·{run}") or ""))
