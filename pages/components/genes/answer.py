"""An answer on screen: the value first, what it rests on, then what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.genes import questions as genes
from core.services.genes import statement as gene_statement
from core.services.genes import trace
from core.services.shared.screen import web_link
from pages.components.genes.ask import ICONS, open_run, start
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.term import STATE_ICONS

NOTES = 2  # notes that are shown at once
LONG = 400  # characters: a longer question or answer scrolls


def show_question(text: str) -> None:
    """What was asked, as it was typed; a long sequence does not push the answer off the screen."""
    with st.container(height=110 if len(text) > LONG else "content", border=False):
        st.text(text)


def show_answer(desk: Desk, found: genes.AskedQuestion, side: str = "") -> None:
    """Answer, notes, evidence, totals."""
    answer = found.answer
    changed = (
        " · ✎ a step was changed by you"
        if any(step.origin == "you" for step in answer.steps)
        else ""
    )
    kind = f" · {answer.kind}" if answer.kind != str(answer.status) else ""
    with st.container(border=True, gap="small"):
        st.caption(f"{ICONS[answer.status]} {answer.status}{kind} · way: {found.way}{changed}")
        _value(found.said)
        if answer.missing:
            st.text("Not complete: " + "; ".join(answer.missing) + ".")
        if not answer.found:
            _notes(answer.notes, f"{side}·{found.run}")
    if answer.found:
        rows = [
            {
                "value": one.value,
                "about": one.subject.label[:80],
                "record": one.record,
                "source": web_link(one.record),
                "field": one.field,
                "in the record": one.raw[:400],
            }
            for one in answer.found
        ]
        st.caption("What it rests on")
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"gene·found·{side}·{found.run}",
            height=min(38 + 35 * len(rows), 250),
            column_config={"source": st.column_config.LinkColumn("source", display_text="open")},
        )
        _notes(answer.notes, f"{side}·{found.run}")
    _nearest(desk, found, side)
    st.caption(found.totals)


def _nearest(desk: Desk, found: genes.AskedQuestion, side: str) -> None:
    """What could be asked instead of a question that no rule knows; a click asks it."""
    if not found.answer.nearest:
        return
    st.caption("Nearest to it, and answered from NCBI's records:")
    for number, text in enumerate(found.answer.nearest):
        st.button(
            escaped(text, 120),
            key=f"gene·near·{side}·{found.run}·{number}",
            on_click=start,
            args=(desk, text, genes.options_of(desk, found.run)),
            icon=":material/search:",
        )


def _notes(notes: Sequence[str], key: str) -> None:
    """The first notes; the others fold away."""
    if notes:
        st.text("\n".join(f"· {note}" for note in notes[:NOTES]))
    if rest := notes[NOTES:]:
        with st.expander(
            f"{len(rest)} more notes" if len(rest) > 1 else "1 more note", key=f"gene·notes·{key}"
        ):
            st.text("\n".join(f"· {note}" for note in rest))


def _value(text: str) -> None:
    if text and len(text) < 120:
        st.html(f'<div class="gw-answer">{escape(text)}</div>')
        return
    with st.container(height=220 if len(text) > 1200 else "content", border=False):
        st.text(text or "No answer.")


def actions(desk: Desk, found: genes.AskedQuestion) -> None:
    """Send to review, export, replay, a new question."""
    incomplete = bool(found.answer.missing) and st.checkbox(
        "Send although the answer is incomplete",
        key=f"gene·incomplete·{found.run}",
        help="What is missing: " + "; ".join(found.answer.missing),
    )
    claims = gene_statement.claims(desk, found.run, found.answer, incomplete)
    send, markdown, whole, again, new = st.columns([4, 3, 2, 5, 4])
    known = gene_statement.in_review(desk, claims)
    left = sum(
        one.id not in known or found.run not in known[one.id].runs for one, _ in claims.proposed
    )
    send.button(
        f"Send {left} to review" if left else "Sent to review" if known else "Nothing to send",
        type="primary" if left else "secondary",
        disabled=not left,
        on_click=_send,
        args=(desk, found, incomplete),
        icon=":material/send:",
        width="stretch",
    )
    name = f"gene-question-{found.run[:8]}"
    markdown.download_button(
        "Markdown",
        found.markdown,
        f"{name}.md",
        "text/markdown",
        on_click="ignore",
        width="stretch",
    )
    whole.download_button(
        "JSON",
        lambda: trace.full_trace(desk, found),
        f"{name}.json",
        "application/json",
        on_click="ignore",
        width="stretch",
    )
    if found.failed:
        again.button(
            "Ask again",
            on_click=_again,
            args=(desk, found),
            icon=":material/refresh:",
            width="stretch",
        )
    else:
        again.button(
            "Replay without network",
            on_click=_replay,
            args=(desk, found),
            icon=":material/replay:",
            width="stretch",
        )
    with new:
        leave()
    _review(claims, known)


def leave() -> None:
    """Away from an answer: to the batch that it belongs to, else to a new question."""
    label, icon = (
        ("Back to the batch", "arrow_back") if state.url_value("batch") else ("New question", "add")
    )
    st.button(label, on_click=open_run, args=("",), icon=f":material/{icon}:", width="stretch")


def _review(claims: gene_statement.Claims, known: dict[str, gene_statement.InReview]) -> None:
    """What was sent, with its state and a way to it; what is held back, and why."""
    for statement, _ in claims.proposed:
        if statement.id in known:
            at = known[statement.id].state
            said = escaped(gene_statement.statement_sentence(statement))
            with suppress(st.errors.StreamlitAPIException):  # where the Review page is not there
                st.page_link(
                    "pages/3_Review.py",
                    label=f"{STATE_ICONS[at]} {at} in review: {said}",
                    query_params={"id": statement.id, "project": page.project()},
                )
    if claims.held:
        st.text("\n".join(f"Held back: {value[:80]}: {why}." for value, why in claims.held[:20]))


def _send(desk: Desk, found: genes.AskedQuestion, incomplete: bool) -> None:
    curator = page.curator()
    if curator is None:
        state.show_message(
            "Say who you are in the sidebar first: statements carry who sent them.", "info"
        )
        return
    try:
        sent = gene_statement.send(
            desk, found.run, found.answer, curator.orcid, incomplete
        ).proposal
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    new = len(sent.new)
    known = (
        f"; {len(sent.known)} {'was' if len(sent.known) == 1 else 'were'} known"
        if sent.known
        else ""
    )
    state.show_message(
        f"{new} new {'statement waits' if new == 1 else 'statements wait'} on the Review"
        f" page{known}.",
        "toast",
    )


def _again(desk: Desk, found: genes.AskedQuestion) -> None:
    start(desk, found.answer.question, genes.options_of(desk, found.run))


def _replay(desk: Desk, found: genes.AskedQuestion) -> None:
    try:
        again = genes.replay(desk, found.run)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    same = genes.same_answer(again.answer, found.answer)
    state.show_message(
        "Replayed from the record: the same answer." if same else "Replayed: the answer differs.",
        "toast" if same else "warning",
    )
    open_run(again.run, other="" if same else found.run)


def judge(desk: Desk, found: genes.AskedQuestion) -> None:
    """How the answer went wrong, by a click (GeneGPT's classes)."""
    names = ["", *trace.error_classes()]
    current = trace.judged(desk, found.run)
    st.selectbox(
        "If the answer is wrong: how",
        names,
        index=names.index(current) if current in names else 0,
        format_func=lambda one: (
            f"{one}: {trace.error_classes()[one]}" if one else "it is not, or not judged"
        ),
        key=f"gene·judge·{found.run}",
        on_change=_judged,
        args=(desk, found.run),
    )
    judged_so_far(desk)


def judged_so_far(desk: Desk) -> None:
    """How many answers of this project were judged wrong, and how."""
    counts = trace.error_counts(desk)
    if not any(counts.values()):
        return
    st.caption(
        "Judged in this project so far (`evaluate geneturing` and `evaluate genehop` count these"
        " too)"
    )
    rows = [
        {"class": kind, "what went wrong": trace.error_classes()[kind], "answers": count}
        for kind, count in counts.items()
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="gene·judged")


def _judged(desk: Desk, run: str) -> None:
    trace.judge(desk, run, str(state.get(f"gene·judge·{run}") or ""))
