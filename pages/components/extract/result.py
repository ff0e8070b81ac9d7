"""What an extraction gave: the text with its mentions, the terms to check, the statements that
follow, the steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
from core.services.extract import result, undo
from core.services.extract.engines import engine_line
from core.services.extract.place import in_words
from core.services.extract.readiness import (
    obstacles,
    untyped_terms,
    why_held,
    why_nothing,
)
from core.services.extract.result import ExtractionView
from core.services.extract.term_search import search_terms
from core.services.shared.screen import counted
from pages.components.extract.gaps import show_gaps, sure_of_gaps
from pages.components.extract.mention_form import mention_form
from pages.components.extract.mention_table import Choosing, label_of, mention_table, status
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
from pages.components.shared.text import Mark, highlighted_html
from pages.components.shared.trace import show_calls

SHOWN_TEXT = 400_000  # characters of a text that are drawn
HEAD, LINE, TALLEST = 38, 35, 25  # pixels of a table's head and of a line; lines before it scrolls


def show_result(desk: Desk, found: ExtractionView) -> None:
    """The whole result: tabs keep their places while choices are made."""
    _headline(found, document_title(desk, found.document.id))
    terms, claims, source, steps = st.tabs(_tabs(found), key=state.key("tabs", found.run.id))
    with terms:
        show_terms(desk, found)
    with claims:
        show_statements(desk, found)
    with source:
        show_text(found)
    with steps:
        show_problems(
            in_words(found.problems),
            "thing to know about this run",
            "things to know about this run",
            expanded=not found.calls,
        )
        show_calls(found.calls, key=state.key("calls", found.run.id))
        _download(desk, found)


def _download(desk: Desk, found: ExtractionView) -> None:
    """The run as a file: a draft that says inside that nobody decided."""
    left, right = st.columns([2, 5], vertical_alignment="bottom")
    format = left.selectbox(
        "Download this draft as", extraction_draft.FORMATS, key="extract·format"
    )
    text = extraction_draft.render(desk, found, format)
    name = f"draft-{found.run.id[:8]}{extraction_draft.SUFFIXES[format]}"
    right.download_button("Download the draft", text, name, on_click="ignore")
    if remarks := extraction_draft.remarks(desk, found, format):
        show_problems(remarks, "thing to know about this file", "things to know about this file")


def _tabs(found: ExtractionView) -> list[str]:
    return [
        f"Terms ({len(found.extraction.mentions)})",
        f"Statements ({len(found.statements)})",
        "Text",
        "How it was read",
    ]


def _headline(found: ExtractionView, name: str) -> None:
    engine = engine_line(found.run.engine, found.run.model)
    counts = {one: sum(m.outcome is one for m in found.extraction.mentions) for one in Outcome}
    terms = " · ".join(
        f"{OUTCOME_ICONS[one]} {number} {one}" for one, number in counts.items() if number
    )
    title = found.schema.title or found.schema.name
    code = "`" + found.document.id.replace("`", "") + "`"
    st.caption(f"{escaped(title)} · {escaped(name)} {code} · {escaped(engine)}  \n{terms}")
    show_gaps(found)
    if lacking := obstacles(found.problems):
        words, button = st.columns([5, 2], vertical_alignment="center")
        more = f" And {len(lacking) - 1} more: see *How it was read*." if len(lacking) > 1 else ""
        words.caption(f"⚠️ {escaped(lacking[0])}{more}")
        if button.button("Open Vocabularies", icon=":material/library_books:", width="stretch"):
            st.switch_page("pages/7_Vocabularies.py")


def show_terms(desk: Desk, found: ExtractionView) -> None:
    """The text on the left, the table below it, the form on the right."""
    mentions = found.extraction.mentions
    if not mentions:
        empty_state(
            "No mentions were found.",
            why_nothing(found.problems, 0),
            "Are the vocabularies of the schema installed?",
        )
        return
    run = found.run.id
    choosing = Choosing(
        _choose(desk, run), _search(desk, run), _set_species(desk, run), species(desk),
        _take_back(desk, run), undo.undoable_slots(desk, run),
    )  # fmt: skip
    version = _version(mentions)
    left, right = st.columns([5, 2], gap="medium")
    with left:
        place = st.container(height=270, border=True)
        focus = mention_table(mentions, found.run.id, version, choosing, found.text.text)
        with place:
            st.html(f'<div class="gw-wide">{marked(found, focus)}</div>')
    if focus is not None:
        with right:
            mention_form(focus, mentions, found.text.text, found.run.id, choosing)


def _version(mentions: Sequence[Mention]) -> str:
    """Changes when any choice does."""
    return str(
        hash(tuple((m.slot, m.chosen.id if m.chosen else "", m.outcome, m.taxon) for m in mentions))
    )


def marked(found: ExtractionView, focus: Mention | None = None) -> str:
    """The source text with every mention marked; the one in focus stands out."""
    marks = [
        Mark(span, m.category, _title(m), m.outcome,
             focus is not None and m.slot == focus.slot and span == m.spans[0])
        for m in found.extraction.mentions
        for span in m.spans
    ]  # fmt: skip
    start = found.read.start
    marks = [
        mark._replace(span=Span(mark.span.start - start, mark.span.end - start)) for mark in marks
    ]
    return highlighted_html(
        found.read.quote(found.text.text)[:SHOWN_TEXT], list(dict.fromkeys(marks))
    )


def _title(mention: Mention) -> str:
    chosen = mention.chosen
    return (
        f"{mention.cls}:"
        f" {label_of(chosen, mention.category) + ' ' + chosen.id if chosen else status(mention)}"
    )


def show_text(found: ExtractionView) -> None:
    """The text at its full length, with what the colours mean."""
    st.html(
        "<div"
        f' class="gw-legend">{legend_html([m.category for m in found.extraction.mentions])}</div>'
    )
    st.caption("Solid: grounded. Dashed: several terms fit. Dotted: no term yet.")
    st.html(marked(found))
    size = found.read.end - found.read.start
    if found.part:
        st.caption(
            f"Read: characters {found.part.start:,} to {found.part.end:,} of"
            f" {len(found.text.text):,}."
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
        done = result.choose_term(desk, run, slot, orcid, term, outcome, everywhere)
        for problem in done.problems:
            state.show_message(f"⚠ {problem.message} {problem.hint}", "toast")
        return len(done.slots)

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
    found = page.curator()
    if found is None:
        state.show_message("Say who you are in the sidebar first: choices carry a name.", "warning")
        return ""
    return found.orcid


def _search(desk: Desk, run: str) -> Any:
    def look(cls: str, words: str) -> Sequence[Candidate]:
        return search_terms(desk, run, cls, words)

    return look


# ------------------------------------------------------------------ statements


def show_statements(desk: Desk, found: ExtractionView) -> None:
    """Each statement with its ground; then what goes to review, and what is held back and why."""
    if not found.statements:
        empty_state(
            "No statements follow from this text.",
            why_nothing(found.problems, len(found.extraction.mentions)),
        )
        return
    untyped = untyped_terms(found.schema, found.extraction)
    held = [
        (statement, why)
        for statement, evidence in found.statements
        if (why := why_held(statement, untyped, evidence))
    ]
    reasons = {statement.id: why for statement, why in held}
    _send_panel(desk, found, held)
    table = state.key("claims", found.run.id, len(found.statements))
    st.dataframe(
        _table(
            [_row(one, evidence, reasons.get(one.id, "")) for one, evidence in found.statements]
        ),
        key=table,
        hide_index=True,
        height=HEAD + LINE * min(len(found.statements), TALLEST),
        on_select="rerun",
        selection_mode="single-row",
    )
    chosen = state.selected_rows(table)
    statement, evidence = found.statements[
        chosen[0] if chosen and chosen[0] < len(found.statements) else 0
    ]
    with st.container(border=True):
        st.html(statement_html(statement))
        for one in evidence:
            if isinstance(one.ground, TextGround):
                st.text(f"“{one.ground.quote}”{proposed_by(one)}")
        if not evidence:
            st.text("⚠️ Unsupported: the words were not found in the text.")


def _table(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Without the columns that no row fills."""
    filled = [name for name in rows[0] if any(row[name] for row in rows)]
    return pd.DataFrame(rows, columns=filled)


def proposed_by(evidence: Evidence) -> str:
    """The rule and its cue in words; empty where no rule proposed it."""
    if not evidence.rule:
        return ""
    cue = f", by “{evidence.cue}”" if evidence.cue else ""
    rule = re.sub(r"\bO\b", "object", re.sub(r"\bS\b", "subject", evidence.rule))
    return f"\n    Rule: {rule}{cue} · {evidence.score:.0%} likely"


def _row(statement: Statement, evidence: Sequence[Evidence], held: str) -> dict[str, Any]:
    quotes = [one.ground.quote for one in evidence if isinstance(one.ground, TextGround)]
    return {
        "ready": (f"○ {held}" if held else "✓ ready" if evidence else "⚠️ unsupported"),
        "subject": thing_name(statement.subject),
        "not": "NOT" if statement.negated else "",
        "predicate": relation_words(statement.predicate),
        "object": thing_name(statement.object),
        "qualifiers": "; ".join(
            f"{q.name.replace('_', ' ')}: {thing_name(q.value)}" for q in statement.qualifiers
        ),
        "modality": "" if statement.modality is Modality.ASSERTED else str(statement.modality),
        "likely": max((f"{one.score:.0%}" for one in evidence if one.rule), default=""),
        "quote": quotes[0] if quotes else "",
    }


def _send_panel(desk: Desk, found: ExtractionView, held: list[tuple[Statement, str]]) -> None:
    ready = len(found.statements) - len(held)
    left, right = st.columns([2, 5], vertical_alignment="center")
    also = False
    with right:
        if held:
            also = st.checkbox(
                f"Also send {len(held)} held back",
                key=state.key("also", found.run.id),
            )
            with st.expander(f"Held back: {len(held)}"):
                for statement, why in held[:100]:
                    st.text(f"○ {statement_label(statement)}: {why}")
        else:
            st.caption("Every statement has its terms.")
    sure = sure_of_gaps(found)
    number = ready + (len(held) if also else 0)
    left.button(
        f"Send {number} to review",
        type="primary",
        disabled=not number or not sure,
        width="stretch",
        icon=":material/send:",
        on_click=_send,
        args=(desk, found.run.id, also),
        key=state.key("send", found.run.id),
    )


def _send(desk: Desk, run: str, also: bool) -> None:
    orcid = _who()
    if not orcid:
        return
    try:
        sent = result.send_to_review(desk, run, orcid, include_ungrounded=also)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    new = counted(len(sent.new), "statement is", "statements are")
    state.show_message(f"{new} new in review, {len(sent.known)} known already. Decide on Review.")
    if sent.held:
        state.show_message(f"{len(sent.held)} held back: the reasons are beside them.", "warning")
