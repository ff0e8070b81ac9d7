"""An answer on screen: the value first, its evidence, then what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.desk import Desk
from core.errors import GroundworkError
from core.services.genes import questions as genes
from core.services.genes import statement as gene_statement
from core.services.genes import trace
from core.services.genes.evidence_row import evidence_rows, held_lines
from pages.components.genes.ask import ICONS, ask_in_background, open_run
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.term import STATE_ICONS
from pages.components.shared.trace import totals_line

NOTES = 2  # notes that are shown at once
LONG = 400  # characters: a longer question or answer scrolls


def show_question(text: str) -> None:
    """What was asked, as it was typed; a long sequence does not push the answer off the screen."""
    with st.container(height=110 if len(text) > LONG else "content", border=False):
        st.text(text)


def show_answer(desk: Desk, asked_question: genes.AskedQuestion, side: str = "") -> None:
    """Answer, notes, evidence, totals."""
    answer = asked_question.answer
    changed = (
        " · ✎ you changed a step" if any(step.origin == "you" for step in answer.steps) else ""
    )
    kind = f" · {answer.kind}" if answer.kind != str(answer.status) else ""
    status = f"{ICONS[answer.status]} {answer.status}"
    if answer.unconfirmed:
        status = f"⚠ {answer.status}, unconfirmed"
    with st.container(border=True, gap="small"):
        st.caption(f"{status}{kind} · answered by: {asked_question.way}{changed}")
        _value(asked_question.answer_line)
        if answer.missing:
            st.text("Not complete: " + "; ".join(answer.missing) + ".")
        if not answer.values:
            _notes(answer.notes, f"{side}·{asked_question.run}")
    if answer.values:
        rows = evidence_rows(answer.values)
        st.caption("Evidence")
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"gene·found·{side}·{asked_question.run}",
            height=min(38 + 35 * len(rows), 250),
            column_config={"source": st.column_config.LinkColumn("source", display_text="open")},
        )
        _notes(answer.notes, f"{side}·{asked_question.run}")
    _nearest(desk, asked_question, side)
    st.caption(asked_question.totals)
    if asked := [
        call for call in genes.gene_answer_calls(desk, asked_question.run) if call.kind == "model"
    ]:
        st.caption(escaped(f"The model {asked[0].request['model']}: {totals_line(asked)}", 300))


def _nearest(desk: Desk, asked_question: genes.AskedQuestion, side: str) -> None:
    """What could be asked instead of a question that no rule knows; a click asks it."""
    if not asked_question.answer.nearest:
        return
    st.caption("Similar questions that NCBI's records can answer:")
    for number, text in enumerate(asked_question.answer.nearest):
        st.button(
            escaped(text, 120),
            key=f"gene·near·{side}·{asked_question.run}·{number}",
            on_click=ask_in_background,
            args=(desk, text, genes.options_of(desk, asked_question.run)),
            icon=":material/search:",
        )


def _notes(notes: Sequence[str], key: str) -> None:
    """The first notes; the others fold away."""
    if notes:
        st.text("\n".join(f"· {note}" for note in notes[:NOTES]))
    if more_notes := notes[NOTES:]:
        with st.expander(
            f"{len(more_notes)} more notes" if len(more_notes) > 1 else "1 more note",
            key=f"gene·notes·{key}",
        ):
            st.text("\n".join(f"· {note}" for note in more_notes))


def _value(text: str) -> None:
    if text and len(text) < 120:
        st.html(f'<div class="gw-answer">{escape(text)}</div>')
        return
    with st.container(height=220 if len(text) > 1200 else "content", border=False):
        st.text(text or "No answer.")


def answer_actions(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    """Send to review, export, replay, a new question."""
    incomplete = bool(asked_question.answer.missing) and st.checkbox(
        "Send even though the answer is incomplete",
        key=f"gene·incomplete·{asked_question.run}",
        help="What is missing: " + "; ".join(asked_question.answer.missing),
    )
    claims = gene_statement.claims_of_answer(
        desk, asked_question.run, asked_question.answer, incomplete
    )
    send, markdown, trace_column, again, new = st.columns([4, 3, 2, 5, 4])
    reviewed = gene_statement.statements_in_review(desk, claims)
    unsent = sum(
        statement.id not in reviewed or asked_question.run not in reviewed[statement.id].runs
        for statement, _ in claims.proposed
    )
    send.button(
        f"Send {unsent} to review"
        if unsent
        else "Sent to review"
        if reviewed
        else "Nothing to send",
        type="primary" if unsent else "secondary",
        disabled=not unsent,
        on_click=_send,
        args=(desk, asked_question, incomplete),
        icon=":material/send:",
        width="stretch",
    )
    _downloads(desk, asked_question, markdown, trace_column)
    with again:
        _ask_again(desk, asked_question)
    with new:
        leave_answer()
    _review(claims, reviewed)


def _downloads(
    desk: Desk,
    asked_question: genes.AskedQuestion,
    markdown: DeltaGenerator,
    trace_column: DeltaGenerator,
) -> None:
    name = f"gene-question-{asked_question.run[:8]}"
    markdown.download_button(
        "Markdown",
        asked_question.markdown,
        f"{name}.md",
        "text/markdown",
        on_click="ignore",
        width="stretch",
    )
    trace_column.download_button(
        "JSON",
        lambda: trace.full_trace(desk, asked_question),
        f"{name}.json",
        "application/json",
        on_click="ignore",
        width="stretch",
    )


def _ask_again(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    label, act, icon = (
        ("Ask again", _again, "refresh")
        if asked_question.failed
        else ("Replay without network", _replay, "replay")
    )
    st.button(
        label,
        on_click=act,
        args=(desk, asked_question),
        icon=f":material/{icon}:",
        width="stretch",
    )


def leave_answer() -> None:
    """Away from an answer: to the batch that it belongs to, else to a new question."""
    label, icon = (
        ("Back to the batch", "arrow_back") if state.url_value("batch") else ("New question", "add")
    )
    st.button(label, on_click=open_run, args=("",), icon=f":material/{icon}:", width="stretch")


def _review(
    claims: gene_statement.AnswerClaims, reviewed: dict[str, gene_statement.StatementInReview]
) -> None:
    """What was sent, with its state and a way to it; what is held back, and why."""
    for statement, _ in claims.proposed:
        if statement.id in reviewed:
            at = reviewed[statement.id].state
            sentence = escaped(gene_statement.statement_sentence(statement))
            with suppress(st.errors.StreamlitAPIException):  # where the Review page is not there
                st.page_link(
                    "pages/3_Review.py",
                    label=f"{STATE_ICONS[at]} {at} in review: {sentence}",
                    query_params={"id": statement.id, "project": page.current_project()},
                )
    if claims.held_back:
        st.text("\n".join(f"Held back: {line}" for line in held_lines(claims.held_back)))


def _send(desk: Desk, asked_question: genes.AskedQuestion, incomplete: bool) -> None:
    curator = page.current_curator()
    if curator is None:
        state.show_message(
            "Enter your name in the sidebar first: statements carry who sent them.", "info"
        )
        return
    try:
        proposal = gene_statement.send_answer(
            desk, asked_question.run, asked_question.answer, curator.orcid, incomplete=incomplete
        ).proposal
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    new = len(proposal.new)
    known_note = f", {len(proposal.already_known)} already known" if proposal.already_known else ""
    state.show_message(
        f"Sent to review: {new} new{known_note}.",
        "toast",
    )


def _again(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    ask_in_background(
        desk, asked_question.answer.question, genes.options_of(desk, asked_question.run)
    )


def _replay(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    try:
        again = genes.replay_question(desk, asked_question.run)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    same = genes.same_answer(again.answer, asked_question.answer)
    state.show_message(
        "Replayed from the record: the same answer." if same else "Replayed: the answer differs.",
        "toast" if same else "warning",
    )
    open_run(again.run, other_run="" if same else asked_question.run)


def judge_form(desk: Desk, asked_question: genes.AskedQuestion) -> None:
    """How the answer went wrong, by a click (GeneGPT's classes)."""
    names = ["", *trace.error_classes()]
    current = trace.judgement_of_answer(desk, asked_question.run)
    st.selectbox(
        "If the answer is wrong, in what way?",
        names,
        index=names.index(current) if current in names else 0,
        format_func=lambda name: (
            f"{name}: {trace.error_classes()[name]}" if name else "not wrong, or not judged yet"
        ),
        key=f"gene·judge·{asked_question.run}",
        on_change=_judged,
        args=(desk, asked_question.run),
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
    trace.judge_answer(desk, run, str(state.get(f"gene·judge·{run}") or ""))
