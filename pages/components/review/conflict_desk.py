"""Conflicts one by one: both sentences side by side, and what becomes of them."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Reason, State, Verdict
from core.services.home import project
from core.services.review import conflict_work
from core.services.review.card import EvidenceView, StatementCard
from core.services.review.conflict_work import (
    Conflict,
    ConflictKind,
    ConflictVerdict,
    conflict_of,
)
from core.services.review.undo import undo_decision
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import curator_orcid
from pages.components.shared.term import STATE_ICONS, statement_html, statement_label
from pages.components.shared.text import MarkedWords, highlighted_html

MOST_KEPT = 20  # settled conflicts that are listed
DISAGREEING = (ConflictKind.OPPOSITE, ConflictKind.REVERSED, ConflictKind.EXCLUDING)


def conflict_desk(desk: Desk, person: Curator | None) -> None:
    """One conflict in view, with the way to the others."""
    work = conflict_work.read_conflicts(desk)
    if not work.open:
        settled_note = (
            f"{counted(work.settled, 'conflict')} settled before." if work.settled else ""
        )
        empty_state(
            "No open conflicts.",
            settled_note or "Statements that contradict each other will be listed here.",
        )
        _take_back(desk, person)
        _kept(desk, person)
        return
    at = min(int(state.get("_conflict_at", 0)), len(work.open) - 1)
    conflict = work.open[at]
    words = f"{at + 1:,} of {len(work.open):,} · {conflict.kind}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(words)
        st.space("stretch")
        _take_back(desk, person)
        _step("↑ Back", at - 1, at > 0)
        _step("↓ Next", at + 1, at < len(work.open) - 1)
    if work.cut:
        st.caption(
            f"Only the first {conflict_work.MOST_COMPARED:,} statements that may contradict each"
            " other were compared. More will show once these are settled."
        )
    try:
        conflict_case = conflict_work.conflict_case(desk, conflict, curator_orcid())
    except GroundworkError as error:
        st.warning(escaped(str(error)))
        return
    sides = [card for card in (conflict_case.first, conflict_case.second) if card is not None]
    for column, card, name in zip(st.columns(len(sides)), sides, ("first", "second"), strict=False):
        with column.container(border=True, height=290):
            _side(card, name)
    _outcomes(desk, conflict, sides, person)
    _kept(desk, person)


def _kept(desk: Desk, person: Curator | None) -> None:
    """What was settled by keeping both, and the way back from each."""
    kept = conflict_work.kept_conflicts(desk)
    if not kept:
        return
    names = project.curator_names(desk)
    with st.expander(f"Settled by keeping both ({len(kept):,})"):
        for said in kept[: -MOST_KEPT - 1 : -1]:
            conflict = conflict_of(said.first, said.second, said.kind)
            head = (said.outcome, names.get(said.curator, said.curator), said.time[:10], said.note)
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{_words(desk, conflict)}\n{' · '.join(word for word in head if word)}")
                st.space("stretch")
                st.button(
                    "Open again",
                    key=f"conflict·reopen·{said.seq}",
                    disabled=person is None,
                    on_click=_reopen,
                    args=(desk, conflict, person),
                )
        if len(kept) > MOST_KEPT:
            st.caption(f"The latest {MOST_KEPT} are shown.")


def _words(desk: Desk, conflict: Conflict) -> str:
    try:
        case = conflict_work.conflict_case(desk, conflict)
    except GroundworkError as error:
        return str(error)
    sides = [card for card in (case.first, case.second) if card is not None]
    return " · ".join(statement_label(card.record.statement) for card in sides)


def _reopen(desk: Desk, conflict: Conflict, person: Curator) -> None:
    try:
        conflict_work.reopen_conflict(desk, conflict, person.orcid)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.show_message("Taken back.", "toast")


def _step(name: str, at: int, is_possible: bool) -> None:
    st.button(name, disabled=not is_possible, on_click=state.put, args=("_conflict_at", at))


def _take_back(desk: Desk, person: Curator | None) -> None:
    """The way back from the last conflict that was settled here."""
    if state.get(_last(desk)) is not None and person is not None:
        st.button("↶ Undo", key="conflict·undo", on_click=_undo, args=(desk, person), shortcut="u")


def _last(desk: Desk) -> str:
    """Where the conflict settled last is kept, with the rejection that settled it."""
    return f"_conflict_settled·{desk.folder}"


def _undo(desk: Desk, person: Curator) -> None:
    conflict, rejection = state.get(_last(desk))
    try:
        if rejection:
            undo_decision(desk, rejection, person)
        conflict_work.reopen_conflict(desk, conflict, person.orcid)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.put(_last(desk), None)
    state.show_message("Taken back: the conflict is open again.", "toast")


def _side(card: StatementCard, name: str) -> None:
    record = card.record
    st.html(f'<div style="font-size:1.1rem">{statement_html(record.statement)}</div>')
    shown_state = State.PROPOSED if card.hidden else record.state
    st.caption(f"{STATE_ICONS[shown_state]} {shown_state} · {name} statement")
    for passage in card.passages[:5]:
        _sentence(passage)
    if len(card.passages) > 5:
        st.caption(f"and {len(card.passages) - 5} more pieces of evidence")
    if not card.passages:
        st.caption("No evidence.")


def _sentence(passage: EvidenceView) -> None:
    if passage.span is not None:
        mark = MarkedWords(passage.span, title="the quote", state="quote")
        st.html(highlighted_html(passage.sentence, [mark]))
    ground = passage.evidence.ground
    source = getattr(ground, "document", "") or getattr(ground, "reference", "")
    st.caption(escaped(" · ".join(word for word in (passage.title, source) if word), 200))


def _outcomes(
    desk: Desk, conflict: Conflict, sides: list[StatementCard], person: Curator | None
) -> None:
    """Keep both, reject one, or say that they are about different things."""
    off = person is None
    with st.container(horizontal=True, vertical_alignment="center"):
        for outcome, name in (
            (ConflictVerdict.KEEP, _keep_words(conflict)),
            (ConflictVerdict.DIFFERENT, "They are about different things"),
        ):
            st.button(
                name,
                key=f"conflict·{outcome.name}",
                disabled=off,
                on_click=_settle,
                args=(desk, conflict, outcome, person, None, None),
            )
        st.text_input(
            "Note",
            key="conflict·note",
            max_chars=500,
            placeholder="Note, if any",
            label_visibility="collapsed",
        )
    if len(sides) < 2:
        return
    reasons = [reason for reason in Reason if reason not in (Reason.DUPLICATE, Reason.OTHER)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reason = st.selectbox(
            "Why is one wrong?",
            reasons,
            index=None,
            placeholder="Why is one wrong?",
            label_visibility="collapsed",
            key="conflict·reason",
            width=260,
        )
        for card, name in zip(sides, ("first", "second"), strict=True):
            st.button(
                f"Reject the {name}",
                key=f"conflict·wrong·{name}",
                disabled=off or reason is None,
                on_click=_settle,
                args=(desk, conflict, ConflictVerdict.WRONG, person, card, reason),
            )
        for card, name in _duplicates(conflict, sides):
            st.button(
                _duplicate_words(conflict, name),
                key=f"conflict·duplicate·{name}",
                disabled=off,
                on_click=_settle,
                args=(desk, conflict, ConflictVerdict.DUPLICATE, person, card, None),
            )
    st.caption(
        "If both ids mean the same thing, choose the id to use: the other statement is corrected,"
        " and its correction goes to review."
        if conflict.kind is ConflictKind.NAME
        else "Statements that you do not reject here stay unchanged, but a statement gets the"
        " evidence of its duplicate, unless one of the two is negated or their relations differ."
    )


def _keep_words(conflict: Conflict) -> str:
    disagrees = conflict.kind in DISAGREEING
    return "Keep both: the literature disagrees" if disagrees else "Keep both"


def _duplicates(conflict: Conflict, sides: list[StatementCard]) -> list[tuple[StatementCard, str]]:
    """The statement that goes, and which the button names: of two ids, that which stays."""
    first, second = sides
    if conflict.kind is ConflictKind.NAME:
        return [(second, "first"), (first, "second")]
    return [(first, "first"), (second, "second")]


def _duplicate_words(conflict: Conflict, name: str) -> str:
    is_name = conflict.kind is ConflictKind.NAME
    return f"Use the {name}'s id" if is_name else f"The {name} is a duplicate"


def _settle(  # noqa: PLR0917
    desk: Desk,
    conflict: Conflict,
    outcome: ConflictVerdict,
    person: Curator,
    wrong: StatementCard | None,
    reason: Reason | None,
) -> None:
    try:
        rejected = conflict_work.settle_conflict(
            desk,
            conflict,
            outcome,
            person,
            wrong=wrong.record.id if wrong else "",
            version=wrong.record.version if wrong else -1,
            reason=reason,
            note=str(state.get("conflict·note") or ""),
        )
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.put(_last(desk), (conflict, rejected.decisions[0].id if rejected else ""))
    state.put("conflict·note", "")
    state.put("conflict·reason", None)  # none is preset for the next conflict
    which = f": {statement_label(wrong.record.statement)}" if wrong else ""
    if rejected and rejected.decisions[0].verdict is Verdict.SUPERSEDE:
        which += "; the correction is to be reviewed"
    state.show_message(f"Settled: {outcome}{which}", "toast")
