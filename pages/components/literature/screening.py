"""Screening a namespace paper by paper: in the order that the verdicts teach, with how much was
found and the flow of papers through the review.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, ReadingOrder
from core.services.literature import paper_choice, screening
from core.services.literature.screening import FoundEstimate, Screening
from core.services.literature.search_page import PaperFilter, SearchRequest
from core.services.shared.screen import counted
from pages.components.literature.paper_filter import filter_panel
from pages.components.literature.question import namespaces_in_address
from pages.components.literature.triage import draw_triage
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.problem import show_error

ORDERS = {
    ReadingOrder.LIKELY: "Likely first",
    ReadingOrder.UNSURE: "Uncertain first",
    ReadingOrder.ADDED: "As added",
}
AT_ONCE = 20  # papers of one list
LIST = "_screened"


def screening_panel(desk: Desk, names: Sequence[str], person: Curator | None) -> None:
    left, middle, right = st.columns([3, 4, 5], vertical_alignment="bottom")
    now = list(namespaces_in_address(names)) or [names[0]]
    key = state.key("screen-ns", *now)
    left.multiselect(
        "Namespaces",
        list(names),
        now,
        key=key,
        on_change=lambda: state.set_url(ns="\x1f".join(state.get(key) or [])),
        select_all=False,
    )
    question_key = state.key("screen-q", state.url_value("q"))
    middle.text_input(
        "What the review asks (counts as one more included paper)",
        state.url_value("q"),
        2000,
        key=question_key,
        on_change=lambda: state.set_url(q=" ".join(str(state.get(question_key) or "").split())),
    )
    order = right.segmented_control(
        "Order",
        list(ORDERS),
        default=_order(),
        required=True,
        format_func=lambda order: ORDERS[order],
        key=state.key("screen-order", _order()),
        on_change=lambda: state.set_url(
            order=str(state.get(state.key("screen-order", _order())) or "")
        ),
    )
    only = filter_panel(desk, now, passages=False)
    try:
        with st.spinner("Ordering the papers…"):
            screened = _list(desk, tuple(now), order or _order(), state.url_value("q"), only=only)
    except GroundworkError as error:
        show_error(error)
        return
    if not screened.papers:
        _nothing_left(screened)
    else:
        _judging(desk, tuple(now), screened, person)
    _flow(desk, tuple(now))


def _order() -> ReadingOrder:
    value = state.url_value("order")
    return ReadingOrder(value) if value in tuple(ReadingOrder) else ReadingOrder.LIKELY


def _list(
    desk: Desk, names: tuple[str, ...], order: ReadingOrder, question: str, *, only: PaperFilter
) -> Screening:
    """The list in hand; it stays as it is until the next one is asked for, so that nothing moves
    under the hand.
    """
    now = paper_choice.state_of(desk, names)
    key = (now, order, question, only)
    cached_list = state.get(LIST)
    if cached_list is None or cached_list[0] != key:
        cached_list = (
            key,
            screening.papers_to_judge(
                desk, names, order=order, question=question, only=only, k=AT_ONCE
            ),
        )
        state.put(LIST, cached_list)
    screened: Screening = cached_list[1]
    return screened


def _judging(
    desk: Desk, names: tuple[str, ...], screened: Screening, person: Curator | None
) -> None:
    learned = screened.learned
    st.caption(
        f"Ordered by what {counted(learned, 'verdict')} show; the words below each paper say why."
        if learned
        else "Include one paper and exclude one: from then on the order is learned."
    )
    request = SearchRequest(names, state.url_value("q"), screening.LEARNED)
    search_results = screening.as_results(screened, state.url_value("q"))
    draw_triage(
        desk, request, search_results, person, beneath=partial(_beneath, desk, names, screened)
    )


def _beneath(
    desk: Desk, names: tuple[str, ...], screened: Screening, verdicts: Mapping[str, str]
) -> None:
    """The way to the next papers, and what is estimated now."""
    judged_count = sum(paper.document in verdicts for paper in screened.papers)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            f"Learn and show the next {AT_ONCE}",
            type="primary" if judged_count == len(screened.papers) else "secondary",
            icon=":material/model_training:",
            key="screen·next",
        ):
            state.drop(LIST)
            st.rerun()
        st.caption(
            f"{judged_count} of these {len(screened.papers)} judged, {screened.left:,} to judge"
        )
    _estimate(screening.screening_estimate(desk, names, state.url_value("q")))


def _estimate(now: FoundEstimate) -> None:
    first_column, second, third, last_column = st.columns(4)
    first_column.metric("Judged", f"{now.read:,} of {now.papers:,}")
    second.metric("Included", f"{now.included:,}")
    if not now.read:
        return
    expected = "–" if now.expected_left is None else f"{now.expected_left:,.0f}"
    third.metric("Expected unread", expected, help=EXPECTED)
    last_column.metric("At most unread", f"{now.most_left:,}", help=AT_MOST)
    if now.enough:
        st.success(
            "You may stop: with 95 % confidence, at least 95 % of the relevant papers are found."
        )
    elif now.included and now.share >= 0.95:
        st.info(
            f"The model estimates that about {now.share:.0%} of the relevant papers are found."
            f" To be sure, read on: so far it is at least {now.share_at_least:.0%}, with 95 %"
            " confidence."
        )


EXPECTED = "Sum of the estimated chances of all papers without a verdict."
AT_MOST = (
    "With 95 % confidence, taking the papers read last as a random sample (Callaghan and"
    " Müller-Hansen 2020)."
)


def _nothing_left(screened: Screening) -> None:
    if screened.shown_of:
        empty_state("Every paper here has been judged.", "The flow diagram of the review is below.")
    else:
        empty_state("No paper passes the filter.", "Show all again, or add papers.")


def _flow(desk: Desk, names: tuple[str, ...]) -> None:
    """PRISMA's counts as a diagram and as a table."""
    with st.expander("Flow of the review (PRISMA)", icon=":material/account_tree:"):
        flow = screening.paper_flow(desk, names)
        left, right = st.columns([3, 2])
        left.image(screening.flow_svg(flow))
        right.dataframe(
            [
                {"step": step, "what": counted_what, "papers": count}
                for step, counted_what, count in flow.rows()
            ],
            hide_index=True,
        )
        with right.container(horizontal=True):
            st.download_button(
                "SVG", screening.flow_svg(flow), "prisma.svg", "image/svg+xml", key="flow·svg"
            )
            st.download_button(
                "CSV", screening.flow_csv(flow), "prisma.csv", "text/csv", key="flow·csv"
            )
