"""What was clicked in the drawing: a thing and what can be done with it, or a statement with its
evidence and who decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape

import streamlit as st

from core.desk import Desk
from core.errors import NotFound
from core.model import RecordGround, ReferenceGround
from core.services.graph import explore, view_request
from core.services.graph.explore import Drawing
from core.services.graph.view_request import ViewRequest
from core.services.review import card as cards
from core.services.review.card import EvidenceView, StatementCard
from core.services.shared.screen import counted
from pages.components.shared import cached, state
from pages.components.shared.page import curator_orcid
from pages.components.shared.term import curie_html, drawable_text, statement_html

PIECES = 5  # of evidence that are shown
LONGEST = 700  # characters of a passage


def record_panel(desk: Desk, statement: str) -> None:
    """A statement with its evidence and its decisions."""
    try:
        record = cards.statement_card(desk, statement, curator_orcid())
    except NotFound:
        st.caption("This statement is not in this project any more.")
        return
    with st.container(border=True, key="gw-record"):
        st.html(statement_html(record.record.statement))
        for piece in record.passages[:PIECES]:
            _passage(record, piece)
        more = len(record.passages) - PIECES
        if more > 0:
            st.caption(f"{counted(more, 'more piece')} of evidence on Review.")
        if record.hidden:
            st.caption(
                "Others have judged this. You see their verdicts once you have judged it yourself."
            )
        for entry in () if record.hidden else record.folded.history[-3:]:
            decision = entry.decision
            who = decision.curator_name or decision.curator
            undone = ", taken back" if entry.undone else ""
            st.text(f"{decision.verdict}{undone}: {who}, {decision.time[:10]}")
        with st.container(horizontal=True):
            st.page_link(
                "pages/3_Review.py",
                label="Open on Review",
                icon=":material/rule:",
                query_params={
                    "id": statement,
                    "state": "all" if record.hidden else str(record.folded.state),
                },
            )
            st.button(
                "Close", key="close-record", on_click=lambda: state.set_url(statement=""),
                type="tertiary",
            )  # fmt: skip


def _passage(card: StatementCard, piece: EvidenceView) -> None:
    ground = piece.evidence.ground
    if isinstance(ground, RecordGround):
        st.text(f"{ground.record}: {card.record_words(ground)}"[:LONGEST])
        return
    if isinstance(ground, ReferenceGround):
        st.text(" · ".join(filter(None, (ground.reference, ground.locator, ground.note)))[:LONGEST])
        return
    words, span = piece.sentence or ground.quote, piece.span
    if span is not None and piece.sentence:
        marked = (
            escape(words[: span.start])
            + f'<span class="gw-quote">{escape(words[span.start : span.end])}</span>'
            + escape(words[span.end :])
        )
    else:
        marked = f'<span class="gw-quote">{escape(words[:LONGEST])}</span>'
    source = " · ".join(filter(None, (ground.document, piece.title, ground.section)))
    st.html(
        drawable_text(
            f'<div class="gw-passage">{marked}</div>'
            f'<div class="gw-source">{escape(source[:200])}</div>'
        )
    )


def thing_panel(
    desk: Desk, drawing: Drawing, request: ViewRequest, key: str, *, ask: Callable[..., None]
) -> None:
    """A thing, and what can be done with it in the drawing."""
    point = cached.cached_graph(desk).points[key]
    with st.container(border=True, key="gw-thing"):
        st.text(point.label)
        name = curie_html(key) if point.kind == "term" and not key.startswith("words\n") else ""
        st.html(f"{name} {escape(str(point.category))}")
        st.caption(f"{counted(point.degree, 'statement')} in the knowledge base")
        with st.container(horizontal=True, gap="small"):
            for label, then in record_actions(drawing, request, key):
                st.button(label, key=f"deed·{label}", on_click=ask, args=(then,))
            st.button(
                "Close", key="close-thing", on_click=lambda: state.set_url(thing=""),
                type="tertiary",
            )  # fmt: skip


def record_actions(
    drawing: Drawing, request: ViewRequest, key: str
) -> list[tuple[str, ViewRequest]]:
    """What can be done with a thing: the words of a button, and the view it leads to."""
    around = replace(request, view=view_request.AROUND, part=())
    deed_views = []
    if request.centre != (key,) or drawing.mode != view_request.AROUND:
        deed_views.append(("Centre", replace(around, centre=(key,), also=())))
    if key not in request.centre and request.centre:
        deed_views.append(("Add as a centre", replace(around, centre=(*request.centre, key))))
        ends = (request.centre[0], key)
        deed_views.append(
            ("Paths to it", replace(request, view=view_request.PATHS, centre=ends, part=()))
        )
    if key in request.also:
        names_left = tuple(name for name in request.also if name != key)
        deed_views.append(("Collapse", replace(request, also=names_left)))
    elif key in request.fold:
        names_left = tuple(name for name in request.fold if name != key)
        deed_views.append(("Show its neighbours again", replace(request, fold=names_left)))
    else:
        if drawing.mode in (view_request.AROUND, view_request.PATHS):
            deed_views.append(("Expand", replace(request, also=(*request.also, key))))
        deed_views.append(("Collapse", replace(request, fold=(*request.fold, key))))
    pins = tuple(pin for pin in request.pin if pin.rpartition("@")[0] != key)
    if pins != request.pin:
        deed_views.append(("Unpin", replace(request, pin=pins)))
    elif key in drawing.placement.positions:
        deed_views.append(("Pin", replace(request, pin=(*pins, explore.pin_words(drawing, key)))))
    centres = tuple(centre for centre in request.centre if centre != key)
    hidden = replace(request, hide=(*request.hide, key), centre=centres or request.centre)
    deed_views.append(("Hide", hidden))
    return deed_views
