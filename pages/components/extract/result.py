"""What an extraction gave: the text with its mentions, the terms to check, the statements that
follow, the steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import (
    Candidate,
    Evidence,
    Mention,
    Modality,
    Outcome,
    Span,
    Statement,
    TextGround,
    relation_words,
)
from core.services.documents.name import document_title
from core.services.extract import draft as extraction_draft
from core.services.extract import pasting, result, undo
from core.services.extract.difference import Difference
from core.services.extract.engines import engine_line
from core.services.extract.guidance import guidance_of
from core.services.extract.place import in_words
from core.services.extract.readiness import (
    untyped_terms,
    why_held,
    why_nothing,
)
from core.services.extract.result import ExtractionView
from core.services.extract.term_search import ask_service, search_terms
from core.services.learning.rule_record import RuleRecord, rule_records
from core.services.shared.screen import counted
from core.services.vocabularies import remote
from pages.components.extract.gaps import show_gaps, sure_of_gaps
from pages.components.extract.guidance import show_guidance
from pages.components.extract.mention_form import mention_form
from pages.components.extract.mention_table import MentionServices, label_of, mention_table, status
from pages.components.extract.obstacle_lines import show_obstacles
from pages.components.extract.start import species
from pages.components.shared import page, state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_problems
from pages.components.shared.term import (
    OUTCOME_ICONS,
    legend_html,
    statement_html,
    statement_label,
    thing_name,
)
from pages.components.shared.text import MarkedWords, highlighted_html
from pages.components.shared.trace import show_calls

SHOWN_TEXT = 400_000  # characters of a text that are drawn
HEAD, LINE, TALLEST = 38, 35, 25  # pixels of a table's head and of a line; lines before it scrolls


def show_result(desk: Desk, run_view: ExtractionView, apart: Difference) -> None:
    """The whole result: tabs keep their places while choices are made. `apart` is how it differs
    from what is in review.
    """
    _headline(desk, run_view, document_title(desk, run_view.document.id))
    terms, claims, source, steps = st.tabs(_tabs(run_view), key=state.key("tabs", run_view.run.id))
    with terms:
        show_terms(desk, run_view)
    with claims:
        show_statements(desk, run_view, apart)
    with source:
        show_text(run_view)
    with steps:
        show_problems(
            in_words(run_view.problems),
            "note about this run",
            "notes about this run",
            expanded=not run_view.calls,
        )
        show_guidance(guidance_of(run_view.run))
        show_calls(run_view.calls, key=state.key("calls", run_view.run.id))
        _download(desk, run_view)


def _download(desk: Desk, run_view: ExtractionView) -> None:
    """The run as a file: a draft that says inside that nobody decided."""
    left, right = st.columns([2, 5], vertical_alignment="bottom")
    format = left.selectbox(
        "Download this draft as", tuple(extraction_draft.FORMATS), key="extract·format"
    )
    text = extraction_draft.render(desk, run_view, format)
    name = f"draft-{run_view.run.id[:8]}{extraction_draft.suffix(format)}"
    right.download_button("Download the draft", text, name, on_click="ignore")
    if remarks := extraction_draft.remarks(desk, run_view, format):
        show_problems(remarks, "note about this file", "notes about this file")


def _tabs(run_view: ExtractionView) -> list[str]:
    return [
        f"Terms ({len(run_view.extraction.mentions)})",
        f"Statements ({len(run_view.statements)})",
        "Text",
        "How it was read",
    ]


def _headline(desk: Desk, run_view: ExtractionView, name: str) -> None:
    engine = engine_line(run_view.run.engine, run_view.run.model)
    counts = {
        outcome: sum(m.outcome is outcome for m in run_view.extraction.mentions)
        for outcome in Outcome
    }
    terms = " · ".join(
        f"{OUTCOME_ICONS[outcome]} {number} {outcome}"
        for outcome, number in counts.items()
        if number
    )
    title = run_view.schema.title or run_view.schema.name
    code = "`" + run_view.document.id.replace("`", "") + "`"
    st.caption(f"{escaped(title)} · {escaped(name)} {code} · {escaped(engine)}  \n{terms}")
    show_gaps(desk, run_view)
    show_obstacles(desk, run_view)


def _reader(run_view: ExtractionView) -> str:
    """The model that read a text, in words; "" where none did."""
    model = run_view.run.model
    return "What you pasted" if model == pasting.MODEL else f"The model {model}" if model else ""


def show_terms(desk: Desk, run_view: ExtractionView) -> None:
    """The text on the left, the table below it, the form on the right."""
    mentions = run_view.extraction.mentions
    if not mentions:
        empty_state(
            "No mentions were found.",
            escaped(why_nothing(run_view.problems, 0, _reader(run_view)), 400),
            *([] if run_view.run.model else ["Are the vocabularies of the schema installed?"]),
        )
        return
    run = run_view.run.id
    choosing = MentionServices(
        _choose(desk, run), _search(desk, run), _set_species(desk, run), species(desk),
        _take_back(desk, run), undo.undoable_slots(desk, run), _ask(desk, run),
        {name: service.title for name, service in remote.usable(desk).items()},
    )  # fmt: skip
    version = _version(mentions)
    left, right = st.columns([5, 2], gap="medium")
    with left:
        place = st.container(height=270, border=True)
        focus = mention_table(mentions, run_view.run.id, version, choosing, run_view.text.text)
        with place:
            st.html(f'<div class="gw-wide">{marked(run_view, focus)}</div>')
    if focus is not None:
        with right:
            mention_form(focus, mentions, run_view.text.text, run_view.run.id, choosing)


def _ask(desk: Desk, run: str) -> Callable[[str, str, str], Sequence[Candidate]]:
    return lambda service, cls, words: ask_service(
        desk, run, cls, service, words, page.curator_orcid()
    )


def _version(mentions: Sequence[Mention]) -> str:
    """Changes when any choice does."""
    return str(
        hash(tuple((m.slot, m.chosen.id if m.chosen else "", m.outcome, m.taxon) for m in mentions))
    )


def marked(run_view: ExtractionView, focus: Mention | None = None) -> str:
    """The source text with every mention marked; the one in focus stands out."""
    marks = [
        MarkedWords(span, m.category, _title(m), m.outcome,
             focus is not None and m.slot == focus.slot and span == m.spans[0])
        for m in run_view.extraction.mentions
        for span in m.spans
    ]  # fmt: skip
    start = run_view.read.start
    marks = [
        mark._replace(span=Span(mark.span.start - start, mark.span.end - start)) for mark in marks
    ]
    return highlighted_html(
        run_view.read.quote(run_view.text.text)[:SHOWN_TEXT], list(dict.fromkeys(marks))
    )


def _title(mention: Mention) -> str:
    chosen = mention.chosen
    return (
        f"{mention.cls}:"
        f" {label_of(chosen, mention.category) + ' ' + chosen.id if chosen else status(mention)}"
    )


def show_text(run_view: ExtractionView) -> None:
    """The text at its full length, with what the colours mean."""
    st.html(
        "<div"
        ' class="gw-legend">'
        f"{legend_html([m.category for m in run_view.extraction.mentions])}</div>"
    )
    st.caption("Solid: grounded. Dashed: several terms fit. Dotted: no term yet.")
    st.html(marked(run_view))
    size = run_view.read.end - run_view.read.start
    if run_view.part:
        st.caption(
            f"Read: characters {run_view.part.start:,} to {run_view.part.end:,} of"
            f" {len(run_view.text.text):,}."
        )
    if size > SHOWN_TEXT:
        st.caption(f"The first {SHOWN_TEXT:,} of {size:,} characters are shown.")


# ------------------------------------------------------------------ choosing


def _choose(desk: Desk, run: str) -> Any:
    def keep(slot: str, term: str, outcome: Outcome | None, everywhere: bool) -> int:
        orcid = _who()
        if not orcid:
            return 0
        if not term and outcome is None:
            outcome = Outcome.NO_TERM_FITS
        choice = result.choose_term(desk, run, slot, orcid, term, outcome, everywhere)
        for problem in choice.problems:
            state.show_message(f"⚠ {problem.message} {problem.hint}", "toast")
        return len(choice.slots)

    return keep


def _take_back(desk: Desk, run: str) -> Any:
    def back(slot: str) -> int:
        return len(undo.take_back(desk, run, slot)) if _who() else 0

    return back


def _set_species(desk: Desk, run: str) -> Any:
    def keep(slot: str, taxon: str, everywhere: bool) -> None:
        if orcid := _who():
            result.set_species(desk, run, slot, orcid, taxon, everywhere)

    return keep


def _who() -> str:
    person = page.curator()
    if person is None:
        state.show_message("Enter your name in the sidebar first: choices carry a name.", "warning")
        return ""
    return person.orcid


def _search(desk: Desk, run: str) -> Any:
    def look(cls: str, words: str) -> Sequence[Candidate]:
        return search_terms(desk, run, cls, words)

    return look


# ------------------------------------------------------------------ statements


def show_statements(desk: Desk, run_view: ExtractionView, apart: Difference) -> None:
    """Each statement with its ground; what goes to review, what is there already or was rejected
    before, and what is held back and why.
    """
    mentions = run_view.extraction.mentions
    if not run_view.statements:
        empty_state(
            "This text gives no statements.",
            escaped(why_nothing(run_view.problems, len(mentions), _reader(run_view)), 400),
        )
        return
    untyped = untyped_terms(run_view.schema, run_view.extraction)
    held_back = [
        (statement, why)
        for statement, evidence in run_view.statements
        if statement.id not in apart.settled and (why := why_held(statement, untyped, evidence))
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
                _row(statement, evidence, reasons.get(statement.id, ""))
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
        if not evidence:
            st.text("⚠️ Unsupported: the words were not found in the text.")


def _table(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Without the columns that no row fills."""
    filled = [name for name in rows[0] if any(row[name] for row in rows)]
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


def _row(statement: Statement, evidence: Sequence[Evidence], reason: str) -> dict[str, Any]:
    quotes = [piece.ground.quote for piece in evidence if isinstance(piece.ground, TextGround)]
    return {
        "ready": reason or ("✓ ready" if evidence else "⚠️ unsupported"),
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
                label=f"All {settled} are in review: decide there",
                icon=":material/rate_review:",
                query_params={"document": run_view.document.id},
            )
        else:
            st.caption("Every statement has all its terms.")
    sure = sure_of_gaps(run_view)
    number = ready + (len(held_back) if also else 0)
    left.button(
        f"Send {number} to review" if number or not settled else "Sent",
        type="primary",
        disabled=not number or not sure,
        width="stretch",
        icon=":material/send:",
        on_click=_send,
        args=(desk, run_view.run.id, also),
        key=state.key("send", run_view.run.id),
    )


def _send(desk: Desk, run: str, also: bool) -> None:
    orcid = _who()
    if not orcid:
        return
    try:
        send_result = result.send_to_review(desk, run, orcid, include_ungrounded=also)
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
