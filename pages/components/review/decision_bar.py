"""The buttons of Review. Each is of one statement in one version, and they are drawn after its
card: a key acts on what is on screen, and one that was pressed again before the next statement is
drawn does nothing.

Keys: a approve, x reject, s unsure, e edit, u undo, k and j previous and next; 1–9 the reasons,
Enter repeats the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Reason, Verdict
from core.services.review import bulk, decision, undo
from core.services.review.card import Card
from core.services.review.decision import Judgement
from pages.components.shared import state
from pages.components.shared.markdown_escape import plain

REJECTING, EDITING, LAST_REASON, TOAST, DONE, PREVIEW = (
    "_rejecting",
    "_editing",
    "_last_reason",
    "_toast",
    "_done_here",
    "_batch_preview",
)
SAID = {Verdict.APPROVE: "Approved", Verdict.REJECT: "Rejected", Verdict.UNSURE: "Marked unsure"}


def decision_bar(desk: Desk, card: Card, person: Curator | None) -> None:
    """One row of buttons for the statement in view; without a curator they are greyed."""
    seen, off = (card.record.id, card.record.version), person is None
    following = card.next or card.previous
    with st.container(
        horizontal=True, gap="xsmall", key="decision-bar", vertical_alignment="center"
    ):
        for verdict, name, key, icon in (
            (Verdict.APPROVE, "Approve", "a", ":material/check:"),
            (Verdict.REJECT, "Reject", "x", ":material/close:"),
            (Verdict.UNSURE, "Unsure", "s", ":material/help:"),
        ):
            act: Callable[..., None] = _ask_reason if verdict is Verdict.REJECT else _judge
            args: tuple[object, ...] = (
                (desk, *seen, following)
                if verdict is Verdict.REJECT
                else (desk, *seen, verdict, person, following)
            )
            kind: Literal["primary", "secondary"] = (
                "primary" if verdict is Verdict.APPROVE else "secondary"
            )
            st.button(
                name,
                shortcut=key,
                icon=icon,
                type=kind,
                disabled=off,
                on_click=act,
                args=args,
                key=_key(name, *seen),
            )
        st.button(
            "Edit",
            shortcut="e",
            icon=":material/edit:",
            disabled=off,
            on_click=_edit,
            args=(desk, *seen, following),
            key=_key("Edit", *seen),
        )
        st.button(
            "Undo",
            shortcut="u",
            icon=":material/undo:",
            disabled=off,
            on_click=_undo,
            args=(desk, person),
            key="do·Undo",
        )
        st.space("stretch")
        st.caption(f"{card.place} of {card.total}" if card.place else "not in this queue")
        for name, key, where, icon in (
            ("Back", "k", card.previous, ":material/arrow_upward:"),
            ("Next", "j", card.next, ":material/arrow_downward:"),
        ):
            st.button(
                name,
                shortcut=key,
                icon=icon,
                disabled=not where,
                on_click=show,
                args=(where,),
                key=f"do·{name}",
            )
    if state.get(REJECTING) == seen[0] and person is not None:
        _reasons(desk, seen, person, following)


def _reasons(desk: Desk, seen: tuple[str, int], person: Curator, following: str) -> None:
    """The closed list; a note may go with any reason and must go with *other*."""
    last = state.get(LAST_REASON)
    with st.container(border=True):
        st.caption("Reason: keys 1–9 choose, Enter repeats the last one, x closes.")
        with st.container(horizontal=True, gap="small"):
            for number, reason in enumerate(Reason, 1):
                _reason_button(
                    desk, seen, person, following, reason, str(number) if number < 10 else None
                )
            if last:
                words = f"Again: {last}"
                args = (desk, *seen, Reason(last), person, following)
                st.button(
                    words,
                    shortcut="Enter",
                    type="primary",
                    on_click=_reject,
                    args=args,
                    key=state.key("why·again", *seen),
                )
        note = "Note (required for “other”)"
        st.text_input(
            "Note",
            key=_note(seen[0]),
            max_chars=500,
            placeholder=note,
            label_visibility="collapsed",
        )


def _reason_button(
    desk: Desk,
    seen: tuple[str, int],
    person: Curator,
    following: str,
    reason: Reason,
    key: str | None,
) -> None:
    args = (desk, *seen, reason, person, following)
    st.button(
        str(reason),
        shortcut=key,
        on_click=_reject,
        args=args,
        key=state.key(f"why·{reason.name}", *seen),
    )


def _key(name: str, statement: str, version: int) -> str:
    return state.key(f"do·{name}", statement, version)


def _note(statement: str) -> str:
    return state.key("note", statement)


def show(statement: str) -> None:
    """Put another statement in view."""
    state.drop(REJECTING, EDITING, DONE)
    state.set_url(id=statement)


def move_on() -> None:
    """An address that quick keys sent before the browser heard of the last decisions leads to what
    follows them.
    """
    here, trail = state.url("id"), state.get(DONE, {})
    there = here
    for _ in trail:
        there = trail[there][1] if there in trail else there
    if there and there != here:
        state.set_url(id=there)


def _go_on(statement: str, version: int, following: str) -> None:
    """Put what follows a decided statement in view, and remember the way."""
    trail = {**state.get(DONE, {}), statement: (version, following)}
    trail.pop(following, None)
    show(following)
    state.put(DONE, trail)


def _too_quick(statement: str, version: int) -> bool:
    """Whether a key came again before the statement after this one was on screen: it is said, and
    nothing is judged.
    """
    if state.get(DONE, {}).get(statement, (None,))[0] != version:
        return False
    state.put(TOAST, "That key came before the next statement was shown. Press it again.")
    return True


def _late(desk: Desk, statement: str, version: int) -> bool:
    """Whether somebody was faster: a form is opened only on what was seen."""
    late = decision.changed_since(desk, statement, version)
    if late:
        state.say(
            "This statement has changed since it was shown. Check it again, then decide.", "warning"
        )
    return late


def _ask_reason(desk: Desk, statement: str, version: int, following: str) -> None:
    state.drop(EDITING)
    if _too_quick(statement, version):
        return
    if state.get(REJECTING) == statement or _late(desk, statement, version):
        state.drop(REJECTING)
    else:
        state.put(REJECTING, statement)


def _edit(desk: Desk, statement: str, version: int, following: str) -> None:
    state.drop(REJECTING)
    if _too_quick(statement, version):
        return
    if state.get(EDITING) == statement or _late(desk, statement, version):
        state.drop(EDITING)
    else:
        state.put(EDITING, statement)


def _judge(
    desk: Desk, statement: str, version: int, verdict: Verdict, person: Curator, following: str
) -> None:
    if _too_quick(statement, version):
        return
    if decided(desk, statement, version, Judgement(verdict), person):
        state.put(TOAST, f"{SAID[verdict]}. Press u to undo.")
        _go_on(statement, version, following)


def _reject(
    desk: Desk, statement: str, version: int, reason: Reason, person: Curator, following: str
) -> None:
    if _too_quick(statement, version):
        return
    judgement = Judgement(Verdict.REJECT, reason, str(state.get(_note(statement), "")))
    if decided(desk, statement, version, judgement, person):
        if reason is not Reason.OTHER:
            state.put(LAST_REASON, str(reason))
        state.put(TOAST, f"Rejected: {reason}. Press u to undo.")
        _go_on(statement, version, following)


def decided(
    desk: Desk,
    statement: str,
    version: int,
    judgement: Judgement,
    person: Curator,
    evidence: str = "",
) -> bool:
    """Store a decision; a refusal (stale, no reason) is told and nothing moves."""
    try:
        decision.decide(desk, statement, version, judgement, person, evidence=evidence)
    except GroundworkError as error:
        state.say(str(error), "warning")
        return False
    return True


def undo_bar(desk: Desk, person: Curator | None) -> None:
    """Undo alone, where no statement is in view: after the last one, or with an empty queue."""
    st.button(
        "Undo",
        shortcut="u",
        icon=":material/undo:",
        disabled=person is None,
        on_click=_undo,
        args=(desk, person),
        key="do·Undo",
    )


def decide_many(
    desk: Desk,
    seen: Sequence[tuple[str, int]],
    judgement: Judgement,
    person: Curator,
    preview: str = "",
) -> None:
    """One judgement on many; what is left out is told, and the queue begins anew."""
    state.drop(PREVIEW)
    try:
        found = bulk.decide_many(desk, seen, judgement, person, preview=preview)
    except GroundworkError as error:
        state.say(str(error), "warning")
        return
    one = len(found.done) == 1
    state.put(
        TOAST,
        "1 decided. Press u to undo."
        if one
        else f"{len(found.done)} decided. Press u to undo all.",
    )
    for name, why in found.left[:5]:
        state.say(f"Left out {name[:14]}…: {why}", "warning")
    show("")


def _undo(desk: Desk, person: Curator) -> None:
    try:
        done = undo.undo_last(desk, person)
    except GroundworkError as error:
        state.say(str(error), "info")
        return
    count = f"{len(done.decisions)} decisions" if len(done.decisions) > 1 else "Your last decision"
    state.put(TOAST, f"{count} undone.")
    show(done.record.id)


def take_back(desk: Desk, decision_id: str, person: Curator) -> None:
    """Undo one entry of the history."""
    try:
        undo.undo(desk, decision_id, person)
    except GroundworkError as error:
        state.say(str(error), "info")


def toast() -> None:
    """A short word about what was done, that moves nothing on the page."""
    if words := state.get(TOAST):
        state.drop(TOAST)
        st.toast(plain(str(words)))
