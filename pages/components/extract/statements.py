"""The statements of an extraction, with what is held back, and the button that sends them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import (
    NOT_JUDGED,
    Evidence,
    Modality,
    Statement,
    Support,
    SupportVerdict,
    TextGround,
    relation_words,
)
from core.services.documents.text_reading import UNSEEN
from core.services.extract import pasting, result
from core.services.extract.difference import RunDifference
from core.services.extract.readiness import (
    untyped_terms,
    why_held,
    why_nothing,
)
from core.services.extract.result import ExtractionView
from core.services.learning.rule_record import RuleRecord, rule_records
from core.services.shared.screen import counted
from core.services.support.shown_support import support_words
from pages.components.extract.gaps import sure_of_gaps
from pages.components.shared import page, state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.term import (
    statement_html,
    statement_label,
    thing_name,
)

HEAD, LINE, TALLEST = 38, 35, 25  # pixels of a table's head and of a line; lines before it scrolls


def show_statements(desk: Desk, run_view: ExtractionView, apart: RunDifference) -> None:
    """Each statement with its ground; what goes to review, what is there already or was rejected
    before, and what is held back and why.
    """
    mentions = run_view.extraction.mentions
    if not run_view.statements:
        empty_state(
            "No statements were found in this text.",
            escaped(why_nothing(run_view.problems, len(mentions), reader_of(run_view)), 400),
        )
        return
    untyped = untyped_terms(run_view.schema, run_view.extraction)
    held_back = [
        (statement, why)
        for statement, evidence in run_view.statements
        if statement.id not in apart.settled
        and (why := why_held(statement, untyped, evidence, run_view.support_of(evidence)))
    ]
    reasons = {statement.id: f"○ {why}" for statement, why in held_back}
    reasons |= dict.fromkeys(apart.settled, "✓ in review")
    reasons |= {
        returning_statement.statement.id: f"↩ {returning_statement.words}"
        for returning_statement in apart.returning
    }
    _send_panel(desk, run_view, held_back, len(apart.settled))
    table = state.key("claims", run_view.run.id, len(run_view.statements))
    st.dataframe(
        _table(
            [
                _row(run_view, statement, evidence, reasons.get(statement.id, ""))
                for statement, evidence in run_view.statements
            ]
        ),
        key=table,
        hide_index=True,
        height=HEAD + LINE * min(len(run_view.statements), TALLEST),
        on_select="rerun",
        selection_mode="single-row",
    )
    chosen = state.selected_rows(table)
    statement, evidence = run_view.statements[
        chosen[0] if chosen and chosen[0] < len(run_view.statements) else 0
    ]
    records = rule_records(desk) if any(piece.rule for piece in evidence) else {}
    with st.container(border=True):
        st.html(statement_html(statement))
        for piece in evidence:
            if isinstance(piece.ground, TextGround):
                st.text(f"“{piece.ground.quote}”{proposed_by(piece, records)}")
                st.text(support_words(run_view.support.get(piece.id)))
        if not evidence:
            st.text("⚠️ Unsupported: the words were not found in the text.")


def _table(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Without the columns that no row fills."""
    filled = [name for name in rows[0] if any(row[name] not in ("", None) for row in rows)]
    return pd.DataFrame(rows, columns=filled)


def proposed_by(evidence: Evidence, records: Mapping[str, RuleRecord]) -> str:
    """The rule, how often curators agreed with it, and its cue in words; empty where no rule
    proposed it.
    """
    if not evidence.rule:
        return ""
    cue = f", by “{evidence.cue}”" if evidence.cue else ""
    rule = re.sub(r"\bO\b", "object", re.sub(r"\bS\b", "subject", evidence.rule))
    agreed = records.get(evidence.rule)
    track_record = f": {agreed.words}" if agreed else ""
    return f"\n    Rule {rule}{track_record}{cue} · {evidence.score:.0%} likely"


def _readiness(evidence: Sequence[Evidence], support: Support | None) -> str:
    if not evidence:
        return "⚠️ unsupported"
    if support is None:
        return f"○ {NOT_JUDGED}"
    if support.verdict is not SupportVerdict.SUPPORTS:
        return "○ unclear: please check"
    return "✓ ready" if support.is_calibrated else "✓ ready (not calibrated)"


def _row(
    run_view: ExtractionView, statement: Statement, evidence: Sequence[Evidence], reason: str
) -> dict[str, Any]:
    """A line of the table; “ready” needs both: terms for its ends, and words that say it."""
    support = run_view.support_of(evidence)
    quotes = [piece.ground.quote for piece in evidence if isinstance(piece.ground, TextGround)]
    return {
        "ready": reason or _readiness(evidence, support),
        "is it that thing?": run_view.grounding_of(statement),
        "does it say so?": support.probability if support else None,
        "subject": thing_name(statement.subject),
        "not": "NOT" if statement.negated else "",
        "predicate": relation_words(statement.predicate),
        "object": thing_name(statement.object),
        "qualifiers": "; ".join(
            f"{q.name.replace('_', ' ')}: {thing_name(q.value)}" for q in statement.qualifiers
        ),
        "modality": "" if statement.modality is Modality.ASSERTED else str(statement.modality),
        "likely": max((f"{piece.score:.0%}" for piece in evidence if piece.rule), default=""),
        "quote": quotes[0] if quotes else "",
    }


def _send_panel(
    desk: Desk, run_view: ExtractionView, held_back: list[tuple[Statement, str]], settled: int
) -> None:
    """What is in review already, the `settled`, is not sent again."""
    ready = len(run_view.statements) - len(held_back) - settled
    left, right = st.columns([2, 5], vertical_alignment="center")
    also = False
    with right:
        if held_back:
            also = st.checkbox(
                f"Also send {len(held_back)} held back",
                key=state.key("also", run_view.run.id),
            )
            with st.expander(f"Held back: {len(held_back)}"):
                for statement, why in held_back[:100]:
                    st.text(f"○ {statement_label(statement)}: {why}")
        elif not ready:
            st.page_link(
                "pages/3_Review.py",
                label="All of them are in review: decide there"
                if settled > 1
                else "It is in review: decide there",
                icon=":material/rate_review:",
                query_params={"document": run_view.document.id},
            )
        else:
            st.caption("Every statement has all its terms.")
    # the box that `sure_of_gaps` asks to tick says so where a reading is to be looked at
    looked = any(problem.code == UNSEEN for problem in run_view.problems)
    number = ready + (len(held_back) if also else 0)
    sure = bool(number) and sure_of_gaps(run_view)  # nothing is asked where nothing is left to send
    left.button(
        f"Send {number} to review" if number or not settled else "Sent",
        type="primary",
        disabled=not sure,
        width="stretch",
        icon=":material/send:",
        on_click=_send,
        args=(desk, run_view.run.id, also, looked),
        key=state.key("send", run_view.run.id),
    )


def _send(desk: Desk, run: str, also: bool, looked: bool) -> None:
    orcid = orcid_or_warning(desk)
    if not orcid:
        return
    try:
        send_result = result.send_to_review(
            desk, run, orcid, include_ungrounded=also, looked=looked
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    new = counted(len(send_result.new), "statement is", "statements are")
    state.show_message(
        f"{new} new in review, {len(send_result.already_known)} known already. Decide on Review."
    )
    if send_result.held_back:
        state.show_message(
            f"{len(send_result.held_back)} held back: the reasons are shown next to them.",
            "warning",
        )


def reader_of(run_view: ExtractionView) -> str:
    """The model that read a text, in words; "" where none did."""
    model = run_view.run.model
    return "What you pasted" if model == pasting.MODEL else f"The model {model}" if model else ""


def orcid_or_warning(desk: Desk) -> str:
    """The ORCID iD of whoever may choose here; for others it is empty, and the page says why."""
    if page.current_curator() is None:
        state.show_message("Enter your name in the sidebar first: choices carry a name.", "warning")
        return ""
    try:
        return page.acting_orcid(desk)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return ""
