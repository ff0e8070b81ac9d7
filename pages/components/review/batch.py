"""Many statements in one gesture: never without a look at what it would do first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Reason, Verdict
from core.services.review import bulk, decision
from core.services.review.bulk import BatchPreview
from core.services.review.card import Card
from core.services.review.decision import Judgement
from core.services.shared.screen import counted
from pages.components.review.review_desk import OPEN, decided_elsewhere
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.term import statement_label

PREVIEW = "_batch_preview"
SAID = {Verdict.APPROVE: "Approve", Verdict.REJECT: "Reject", Verdict.UNSURE: "Mark unsure"}
ALIKE = {
    "pair": "same subject and object",
    "subject": "same subject",
    "object": "same object",
    "predicate": "same predicate",
    "rule": "found by the same rule",
}


def batch_form(desk: Desk, seen: Sequence[tuple[str, int]], person: Curator, name: str) -> None:
    """A verdict for these statements (id, version seen), then its preview. No reason is preset."""
    with st.container():
        st.caption(f"{counted(len(seen), 'statement')} selected.")
        verdict = st.segmented_control(
            "Verdict", list(SAID), format_func=lambda v: SAID[v], key=state.key(name, "verdict")
        )
        reason = None
        if verdict is Verdict.REJECT:
            reason = st.selectbox(
                "Reason",
                list(Reason),
                index=None,
                placeholder="Choose a reason",
                key=state.key(name, "reason"),
            )
        note = st.text_input("Note", max_chars=500, key=state.key(name, "note"))
        ready = bool(seen) and verdict is not None
        ready = ready and (verdict is not Verdict.REJECT or reason is not None)
        judgement = Judgement(verdict, reason, note) if ready and verdict else None
        st.button(
            "Preview",
            disabled=judgement is None,
            on_click=_preview,
            args=(desk, tuple(seen), judgement),
            key=state.key(name, "preview"),
        )
        shown: BatchPreview | None = state.get(PREVIEW)
        if shown is not None and judgement == shown.judgement and shown.seen == tuple(seen):
            _previewed(desk, shown, person, name)


def _preview(desk: Desk, seen: Sequence[tuple[str, int]], judgement: Judgement) -> None:
    try:
        state.put(PREVIEW, bulk.preview_many(desk, seen, judgement))
    except GroundworkError as error:
        state.show_message(str(error), "warning")


def _previewed(desk: Desk, shown: BatchPreview, person: Curator, name: str) -> None:
    """Count, samples, and what is left out; then the one button that does it."""
    what = SAID[shown.judgement.verdict]
    st.markdown(f"**{what} {counted(shown.count, 'statement')}**")
    if shown.count > len(shown.samples):
        st.caption(f"{len(shown.samples)} of them, spread over the selection:")
    for record in shown.samples:
        st.text(f"· {statement_label(record.statement)}")
    if shown.left:
        with st.expander(f"Left out: {len(shown.left)}", expanded=len(shown.left) < 6):
            for record, why in shown.left[:50]:
                st.text(f"· {statement_label(record.statement)}: {why}")
    st.button(
        f"{what} {shown.count:,}",
        type="primary",
        disabled=not shown.count,
        on_click=_decide,
        args=(desk, shown.seen, shown.judgement, person, shown.id),
        key=state.key(name, "do"),
    )


def _decide(
    desk: Desk,
    seen: Sequence[tuple[str, int]],
    judgement: Judgement,
    person: Curator,
    preview: str,
) -> None:
    """One judgement on many; what is left out is told, and the queue goes on."""
    state.drop(PREVIEW)
    try:
        done = bulk.decide_many(desk, seen, judgement, person, preview=preview)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    count = counted(len(done.done), "statement")
    state.show_message(f"{count} decided. Press U to take all of it back.", "toast")
    for _, why in done.left[:5]:
        state.show_message(f"One was left out: {why}", "warning")
    state.drop(OPEN)
    after = decision.state_after(judgement.verdict)
    decided_elsewhere({made.statement: after for made in done.done})


def alike_form(desk: Desk, card: Card, person: Curator) -> None:
    """All statements that share something with the one in view, in one gesture."""
    groups = {by: bulk.statements_alike(desk, card.record, by) for by in ALIKE}
    options = [by for by, seen in groups.items() if len(seen) > 1]
    if not options:
        st.caption("No other open statement shares a term with this one.")
        return
    by = st.radio(
        "Which statements",
        options,
        format_func=lambda name: escaped(f"{ALIKE[name]} ({len(groups[name])})"),
        key=state.key("alike", card.record.id),
        horizontal=True,
    )
    batch_form(desk, groups[by], person, state.key("alike", card.record.id, by))
