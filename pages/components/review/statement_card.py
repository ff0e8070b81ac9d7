"""One statement with everything a curator needs to judge it: the words it rests on, the candidates,
its history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from html import escape

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.model import (
    Candidate,
    Category,
    Curator,
    Reason,
    RecordGround,
    ReferenceGround,
    Span,
    State,
    Term,
    TextGround,
    Verdict,
    relation_words,
)
from core.services.review.card import Card, EvidenceView
from core.services.review.decision import Judgement
from core.services.review.queue import StatementRow
from core.services.shared.screen import counted
from pages.components.review.absent_text import absent_text
from pages.components.review.batch import alike_form, batch_form
from pages.components.review.decision_bar import decided, show, take_back
from pages.components.shared import state
from pages.components.shared.markdown_escape import plain
from pages.components.shared.term import STATE_ICONS, curie_html, statement_html, statement_label
from pages.components.shared.text import Mark, highlighted
from pages.components.shared.trace import show_call

PROOFS = {
    "quote": "✓ quote proven",
    "record": "✓ recorded answer",
    "typed": "typed by a curator",
    "none": "⚠ not proven",
}
OPEN = (State.PROPOSED, State.UNSURE)
STANDINGS = {"accepted": "✓ accepted", "waiting": "○ to be judged", "rejected": "✕ rejected"}


def statement_card(desk: Desk, card: Card, person: Curator | None) -> None:
    with st.container(border=True):
        st.html(_heading(card))
        for one, other in card.conflicts:
            _conflict(str(one.kind), other.id, statement_label(other))
        if card.unproven and card.record.state is not State.REJECTED:
            st.text("⚠ No verifiable evidence: it will not be exported even if approved.")
        for shown in card.passages:
            _passage(desk, card, shown, person)
        if not card.passages:
            st.text("⚠ No evidence. Add a reference below, or reject it.")
        if card.unsupported:
            _find_evidence(card)


def _find_evidence(card: Card) -> None:
    """A link to the search for passages that support the statement."""
    with suppress(
        st.errors.StreamlitAPIException, KeyError
    ):  # the page is not there when Review is run alone
        st.page_link(
            "pages/6_Literature.py",
            label="Find evidence",
            icon=":material/search:",
            query_params={"statement": card.record.id},
        )


def _heading(card: Card) -> str:
    """The statement in large letters, and its state in words."""
    record, found = card.record, card.folded
    words = [f"{STATE_ICONS[record.state]} {record.state}"]
    if found.deciding:
        words.append(
            f"by {found.deciding.curator}"
            + (f": {found.deciding.reason}" if found.deciding.reason else "")
        )
    if found.has_news:
        words.append(f"{counted(len(found.waiting), 'piece')} of new evidence waiting")
    if card.unsupported:
        words.append("⚠ unsupported")
    if record.statement.derived_from:
        words.append("a correction")
    small = escape(" · ".join(words))
    return (
        f'<div style="font-size:1.22rem;line-height:1.5">{statement_html(record.statement)}</div>'
        f'<div style="opacity:.75;font-size:.9rem;padding-top:.3rem">{small}</div>'
    )


def _conflict(kind: str, other: str, label: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"⚠ {kind}: {label}" if other else f"⚠ {kind}")
        st.button(
            "Open",
            key=state.key("conflict", kind, other),
            type="tertiary",
            on_click=show,
            args=(other,),
        )


def _passage(desk: Desk, card: Card, shown: EvidenceView, person: Curator | None) -> None:
    ground = shown.evidence.ground
    st.html('<hr style="margin:0;opacity:.35">')
    if shown.span is not None:
        _sentence(card, shown, shown.span)
    elif isinstance(ground, TextGround) and shown.absent:
        absent_text(desk, ground, shown.evidence.id)
    elif isinstance(ground, TextGround):
        st.text(f"“{ground.quote}”\n⚠ Not found in the text. Check before approving.")
    elif isinstance(ground, RecordGround):
        value, pointer = escape(ground.value), escape(ground.pointer)
        st.html(f"<div>{curie_html(ground.record)} <b>{value}</b> at <code>{pointer}</code></div>")
        if shown.absent:
            st.text(
                "⚠ The recorded answer is not in this project. Ask the same question again, or add"
                " a reference."
            )
        if shown.call is not None:
            with st.popover("The recorded answer", type="tertiary"):
                show_call(shown.call)
    elif isinstance(ground, ReferenceGround):
        st.html(
            f"<div>{curie_html(ground.reference)} {escape(ground.locator)}"
            f" <i>{escape(ground.note)}</i></div>"
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<div style="opacity:.75;font-size:.85rem">{_source(shown)}</div>')
        if person is not None and (len(card.passages) > 1 or card.folded.has_news):
            _judge_evidence(desk, card, shown, person)


def _sentence(card: Card, shown: EvidenceView, span: Span) -> None:
    """The sentence with its neighbours: the quote marked, and in it what the statement's things
    were read from.
    """
    text = shown.before + shown.sentence + shown.after
    quote = Span(span.start + len(shown.before), span.end + len(shown.before))
    st.html(
        highlighted(
            text, _marks(quote, [mark for mark in _words(card, shown) if mark.span.overlaps(quote)])
        )
    )


def _words(card: Card, shown: EvidenceView) -> list[Mark]:
    """Where the statement's things stand in what is shown."""
    readings = [
        reading for reading in card.readings if reading.run == shown.evidence.run and reading.spans
    ]
    return [
        Mark(Span(span.start - shown.start, span.end - shown.start), reading.category, reading.role)
        for reading in readings
        for span in reading.spans
        if span.start >= shown.start
    ]


def _marks(quote: Span, words: list[Mark]) -> list[Mark]:
    """The words' marks, and the quote's around and between them: marks do not nest."""
    found, at = [], quote.start
    for mark in sorted(words, key=lambda mark: mark.span.start):
        if mark.span.start >= at:
            found += [Mark(Span(at, mark.span.start), Category.THING, "the quote", "quote"), mark]
            at = mark.span.end
    return (
        [*found, Mark(Span(at, quote.end), Category.THING, "the quote", "quote")]
        if at < quote.end
        else found
    )


def _source(shown: EvidenceView) -> str:
    ground, piece = shown.evidence.ground, shown.evidence
    document = ground.document if isinstance(ground, TextGround) else ""
    words = [PROOFS[shown.proof], STANDINGS[shown.standing]]
    words += (
        [piece.engine + (f" {piece.score:.2f}" if piece.engine else "")] if piece.engine else []
    )
    words += [shown.title] if shown.title else []
    return escape(" · ".join(words)) + (f" {curie_html(document)}" if document else "")


def _judge_evidence(desk: Desk, card: Card, shown: EvidenceView, person: Curator) -> None:
    """Accept or reject this piece of evidence alone."""
    args = (desk, card.record.id, card.record.version)
    name = shown.evidence.id
    yes = Judgement(Verdict.APPROVE)
    st.button(
        "Accept",
        key=f"yes·{name}",
        type="tertiary",
        on_click=_decide_evidence,
        args=(*args, yes, person, name),
    )
    with st.popover("Reject", type="tertiary"):
        reason = st.selectbox("Why?", list(Reason)[:-1], key=f"why·{name}")
        no = Judgement(Verdict.REJECT, Reason(reason))
        st.button(
            "Reject this evidence",
            key=f"no·{name}",
            on_click=_decide_evidence,
            args=(*args, no, person, name),
        )


def _decide_evidence(
    desk: Desk, statement: str, version: int, judgement: Judgement, person: Curator, evidence: str
) -> None:
    decided(desk, statement, version, judgement, person, evidence)


def details(desk: Desk, card: Card, person: Curator | None) -> None:
    """Candidates, history, and the statements of the same node, under the card."""
    names = [
        f"Candidates ({sum(len(one.candidates) for one in card.readings)})",
        f"History ({len(card.folded.history)})",
    ]
    names += ["All alike"]
    names += [f"Same {plain(card.node.cls, 40)} ({len(card.together)})"] if card.node else []
    tabs = st.tabs(names)
    with tabs[0]:
        _candidates(card)
    with tabs[1]:
        _history(desk, card, person)
    with tabs[2]:
        if person is not None:
            alike_form(desk, card, person)
    if card.node:
        with tabs[3]:
            if person is not None:
                seen = [(row.id, row.version) for row in card.together if row.state in OPEN]
                if len(seen) > 1:
                    batch_form(desk, seen, person, state.key("together", card.record.id))
            rows_table(
                card.together, state.key("together", card.record.id), 260, current=card.record.id
            )


WIDTHS = {
    "": 28,
    "words": 90,
    "label": 100,
    "id": 118,
    "score": 48,
}  # pixels of columns; the rest is for `match`


def _candidates(card: Card) -> None:
    rows = [
        {
            "": "✓" if candidate.term.id in _ids(card) else "",
            "words": (
                reading.words
                if reading.role != "predicate"
                else relation_words(Term("", reading.words))
            ),
            "label": (
                relation_words(candidate.term)
                if reading.role == "predicate"
                else candidate.term.label
            ),
            "id": candidate.term.id,
            "score": candidate.score,
            "match": _match(candidate),
        }
        for reading in card.readings
        for candidate in reading.candidates
    ]
    if not rows:
        st.caption(
            "No candidates: its parts are values, parts of this text, or came from a file or a"
            " database record."
        )
        return
    columns = {name: st.column_config.Column(width=width) for name, width in WIDTHS.items()}
    height = min(HEAD + LINE * len(rows), 300)
    key = f"why·{card.record.id}"
    st.dataframe(pd.DataFrame(rows), hide_index=True, height=height, key=key, column_config=columns)


def _match(candidate: Candidate) -> str:
    """How the words met the term, what differed, and where it is from."""
    words = [str(candidate.match) + (f" ({candidate.differed})" if candidate.differed else "")]
    words += ["obsolete"] if candidate.obsolete else []
    words.append(f"{candidate.vocabulary} {candidate.version}".strip())
    return " · ".join(word for word in words if word)


def _ids(card: Card) -> set[str]:
    statement = card.record.statement
    things = (
        statement.subject,
        statement.predicate,
        statement.object,
        *(q.value for q in statement.qualifiers),
    )
    return {getattr(thing, "id", "") for thing in things} - {""}


def _history(desk: Desk, card: Card, person: Curator | None) -> None:
    if not card.folded.history:
        st.caption("No decisions yet.")
    for entry in reversed(card.folded.history):
        made = entry.decision
        words = [made.time[:19].replace("T", " "), made.curator, str(made.verdict)]
        words += [str(made.reason)] if made.reason else []
        words += [f"“{made.note}”"] if made.note else []
        words += ["(one piece of evidence)"] if made.evidence else []
        words += ["undone"] if entry.undone else []
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(" · ".join(words))
            if person is not None and not entry.undone:
                again = "Restore" if made.verdict is Verdict.UNDO else "Undo"
                st.button(
                    again,
                    key=f"back·{made.id}",
                    type="tertiary",
                    on_click=take_back,
                    args=(desk, made.id, person),
                )
    if card.corrected_by:
        st.button(
            "Open the correction", key="open·correction", on_click=show, args=(card.corrected_by,)
        )
    if origin := card.record.statement.derived_from:
        st.button("Open what it corrects", key="open·origin", on_click=show, args=(origin,))


HEAD, LINE = 38, 35  # pixels of a table's head and of a line


def rows_table(
    rows: Sequence[StatementRow],
    key: str,
    height: int,
    *,
    current: str = "",
    many: bool = False,
    documents: bool = True,
    chosen: Callable[[StatementRow], None] | None = None,
) -> list[int]:
    """Statements as a table. A click anywhere on a line puts it in view (or calls `chosen`); with
    `many` lines are ticked instead, and their numbers are given back. `height` is the most that it
    takes, in pixels.
    """
    act = chosen or (lambda row: show(row.id))
    documents = documents and len({row.document for row in rows}) > 1
    st.dataframe(
        pd.DataFrame([_cells(row, row.id == current) for row in rows]),
        key=key,
        hide_index=True,
        height=min(height, HEAD + LINE * max(len(rows), 1)),
        on_select="rerun" if many else (lambda: _chosen(rows, key, act)),
        selection_mode="multi-row" if many else "single-cell",
        column_order=["state", "statement", "document"] if documents else ["state", "statement"],
        column_config={
            "state": st.column_config.TextColumn(" ", width=46),
            "statement": st.column_config.TextColumn("statement", width=215 if documents else None),
            "document": st.column_config.TextColumn("document", width=110),
        },
    )
    return [at for at in state.selected_rows(key) if at < len(rows)]


def _chosen(rows: Sequence[StatementRow], key: str, act: Callable[[StatementRow], None]) -> None:
    number = state.selected_cell_row(key)
    if number is not None and number < len(rows):
        act(rows[number])


def _cells(row: StatementRow, current: bool) -> dict[str, str]:
    """`▸` the one in view, `＋` new evidence waits, `⚠` unsupported."""
    flags = ("＋" if row.has_news else "") + (
        "⚠" if row.unsupported and row.state is not State.REJECTED else ""
    )
    count = f" · {row.evidence} pieces" if row.evidence > 1 else ""
    return {
        "state": ("▸" if current else "") + STATE_ICONS[row.state] + flags,
        "statement": statement_label(row.statement) + count,
        "document": f"{row.title} · {row.document}" if row.title else row.document,
    }
