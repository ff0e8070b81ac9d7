"""Many statements in one gesture: never without a look at what it would do first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Reason, Verdict
from core.services.review import bulk, decision
from core.services.review.bulk import BatchPreview
from core.services.review.card import StatementCard
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


def batch_form(
    desk: Desk, seen_versions: Sequence[tuple[str, int]], person: Curator, name: str
) -> None:
    """A verdict for these statements (id, version seen), then its preview. No reason is preset."""
    st.caption(f"{counted(len(seen_versions), 'statement')} selected.")
    choice, result = st.columns([2, 3], gap="large")
    with choice:
        judgement = _judgement(name)
        st.button(
            "Preview",
            disabled=judgement is None or not seen_versions,
            on_click=_preview,
            args=(desk, tuple(seen_versions), judgement),
            key=state.key(name, "preview"),
        )
    batch_preview: BatchPreview | None = state.get(PREVIEW)
    if (
        batch_preview is not None
        and judgement == batch_preview.judgement
        and batch_preview.seen == tuple(seen_versions)
    ):
        with result:
            _previewed(desk, batch_preview, person, name)


def _judgement(name: str) -> Judgement | None:
    """What was chosen; None until there is a verdict, and a reason where it is a rejection."""
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
    if verdict is None or (verdict is Verdict.REJECT and reason is None):
        return None
    return Judgement(verdict, reason, note)


def _preview(desk: Desk, seen_versions: Sequence[tuple[str, int]], judgement: Judgement) -> None:
    try:
        state.put(PREVIEW, bulk.preview_many(desk, seen_versions, judgement))
    except GroundworkError as error:
        state.show_message(str(error), "warning")


def _previewed(desk: Desk, batch_preview: BatchPreview, person: Curator, name: str) -> None:
    """Count, samples, and what is left out; then the one button that does it."""
    verdict_words = SAID[batch_preview.judgement.verdict]
    words, deed = st.columns([2, 1], vertical_alignment="center")
    words.markdown(f"**{verdict_words} {counted(batch_preview.count, 'statement')}**")
    deed.button(
        f"{verdict_words} {batch_preview.count:,}",
        type="primary",
        disabled=not batch_preview.count,
        on_click=_decide,
        args=(desk, batch_preview.seen, batch_preview.judgement, person, batch_preview.id),
        key=state.key(name, "do"),
    )
    if batch_preview.unsure:
        st.caption(f"Currently marked unsure: {batch_preview.unsure:,}.")
    if batch_preview.count > len(batch_preview.samples):
        st.caption(f"{len(batch_preview.samples)} of them, spread over the selection:")
    st.text("\n".join(f"· {statement_label(r.statement)}" for r in batch_preview.samples))
    if batch_preview.left:
        with st.expander(
            f"Left out: {len(batch_preview.left)}", expanded=len(batch_preview.left) < 6
        ):
            lines = [f"· {statement_label(r.statement)}: {why}" for r, why in batch_preview.left]
            st.text("\n".join(lines[:50]))


def _decide(  # noqa: PLR0917
    desk: Desk,
    seen_versions: Sequence[tuple[str, int]],
    judgement: Judgement,
    person: Curator,
    preview: str,
) -> None:
    """One judgement on many; the page says what was left out, and the queue continues."""
    state.drop(PREVIEW)
    try:
        batch_result = bulk.decide_many(desk, seen_versions, judgement, person, preview=preview)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    count = counted(len(batch_result.done), "statement")
    state.show_message(f"{count} decided. Press U to undo all of them.", "toast")
    for _, why in batch_result.left[:5]:
        state.show_message(f"One statement was left out: {why}", "warning")
    state.drop(OPEN)
    after = decision.state_after(judgement.verdict)
    decided_elsewhere({decision_made.statement: after for decision_made in batch_result.done})


def alike_form(desk: Desk, card: StatementCard, person: Curator) -> None:
    """All statements that share something with the one in view, in one gesture."""
    groups = {by: bulk.statements_alike(desk, card.record, by) for by in ALIKE}
    options = [by for by, alike in groups.items() if len(alike) > 1]
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
