"""Which records are one paper: pairs to decide side by side, merges with their reasons and a button
that undoes each, and papers that belong together.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import status_mark
from core.services.documents import same_papers
from core.services.documents.overview import DocumentRow
from core.services.documents.same_papers import (
    Identity,
    PairCard,
    PairShow,
    PairSide,
    PaperPair,
    SourceRecord,
)
from core.services.shared.screen import counted
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped

AT_ONCE = 20  # pairs or merges on the screen
MERGED = "merged"
TABS = {
    PairShow.ASK: "To decide",
    MERGED: "Merged",
    PairShow.DECIDED: "Decided",
    PairShow.RELATED: "Belong together",
}
FIELDS = ("title", "authors", "year", "journal", "volume", "issue", "pages", "ids", "from")
VERDICTS = {Identity.SAME: "one paper", Identity.DIFFERENT: "two papers", Identity.ASK: "open"}


def same_papers_desk(desk: Desk) -> None:
    """The work that is left on which records are one paper; nothing where none is known."""
    asked, pairs = same_papers.listed_pairs(desk, PairShow.ASK, AT_ONCE)
    merged = same_papers.merged_records(desk, AT_ONCE + 1)
    if not asked and not merged and not same_papers.listed_pairs(desk, PairShow.ALL, 1)[0]:
        return
    label = f"Same papers: {counted(asked, 'pair')} to decide" if asked else "Same papers"
    with st.expander(label, icon=":material/difference:", expanded=asked > 0):
        now = state.url_value("same", str(PairShow.ASK))
        key = state.key("same·show", now)
        st.segmented_control(
            "Show",
            list(TABS),
            format_func=lambda name: TABS[name],
            default=now if now in list(TABS) else str(PairShow.ASK),
            required=True,
            label_visibility="collapsed",
            key=key,
            on_change=lambda: state.set_url(same=str(state.get(key) or "")),
        )
        if now == MERGED:
            _merged(desk, merged)
            return
        show, number = PairShow(now) if now in list(PairShow) else PairShow.ASK, asked
        if show is not PairShow.ASK:
            number, pairs = same_papers.listed_pairs(desk, show, AT_ONCE)
        _pairs(desk, pairs, show, number)


def _pairs(desk: Desk, pairs: Sequence[PaperPair], show: PairShow, number: int) -> None:
    if not pairs:
        st.text("None.")
        return
    if number > AT_ONCE:
        rest = (
            "decide these to see the next"
            if show is PairShow.ASK
            else f"all of them: `python -m core documents pairs --show {show}`"
        )
        st.caption(f"The first {AT_ONCE} of {number:,}; {rest}.")
    for card in same_papers.pair_cards(desk, pairs):
        with st.container(border=True):
            _pair(desk, card)


def _pair(desk: Desk, card: PairCard) -> None:
    pair = card.pair
    verdict = f"{VERDICTS[pair.outcome]}: " if pair.curator else ""
    relation = f"{pair.relation} · " if pair.relation else ""
    st.text(f"{verdict}{relation}{', '.join(pair.reasons)} (fields that agree: {pair.score:.0%})")
    st.dataframe(
        pd.DataFrame(
            [{"": name, "one": one, "other": other}
             for name, one, other in zip(FIELDS, _side(card.first), _side(card.second), strict=True)
             if one or other]
        ),
        hide_index=True,
        key=state.key("pair·table", pair.first, pair.second),
    )  # fmt: skip
    for side in (card.first, card.second):
        if side.notice:
            st.warning(f"{escaped(side.document, 100)}: {escaped(side.notice, 300)}", icon="⚠️")
    can = page.current_curator() is not None and page.may_change(desk)
    left, right, _ = st.columns([1, 1, 4])
    for column, outcome, label in (
        (left, Identity.SAME, "One paper"),
        (right, Identity.DIFFERENT, "Two papers"),
    ):
        column.button(
            label,
            key=state.key("pair", str(outcome), pair.first, pair.second),
            disabled=not can or (bool(pair.curator) and pair.outcome is outcome),
            width="stretch",
            on_click=_say,
            args=(desk, pair.first, pair.second, outcome),
        )


def _side(side: PairSide) -> list[str]:
    """The fields of a paper; what its sources say differently stands side by side."""
    rows = [_fields(record) for record in side.records]
    columns = zip(*rows, strict=True) if rows else [() for _ in FIELDS]
    return [" / ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _fields(record: SourceRecord) -> list[str]:
    body = record.body or {}
    said = [str(body.get(name) or "") for name in ("year", "journal", "volume", "issue", "pages")]
    authors = ", ".join(map(str, body.get("authors") or ()))[:300]
    return [record.title, authors, *said, ", ".join(record.ids), record.namespace]


def _merged(desk: Desk, merged: list[SourceRecord]) -> None:
    st.caption(
        f"Merged by the app; what curators made one stands under *{TABS[PairShow.DECIDED]}*."
    )
    if not merged:
        st.text("None.")
        return
    can = page.current_curator() is not None and page.may_change(desk)
    if len(merged) > AT_ONCE:
        st.caption(f"The newest {AT_ONCE}; all of them: `python -m core documents merged`.")
    for record in merged[:AT_ONCE]:
        words, button = st.columns([6, 1], vertical_alignment="center")
        about = " · ".join(filter(None, _fields(record)))
        words.text(f"{about}\n→ {record.document}: {', '.join(record.reasons)}")
        button.button(
            "Undo",
            key=state.key("apart", record.number),
            disabled=not can,
            width="stretch",
            help="Make this record a paper of its own again.",
            on_click=_take_apart,
            args=(desk, record.number),
        )


def related_lines(desk: Desk, row: DocumentRow) -> None:
    """The papers that belong to one and are not it, above its text."""
    for related in same_papers.related_papers(desk, row.id):
        words, button = st.columns([6, 1], vertical_alignment="center")
        title = status_mark(related.status) + (related.title or related.document)
        words.caption(f"Belongs to it ({escaped(related.relation, 60)}): {escaped(title, 300)}")
        if not related.stored:
            button.caption("not here", help="The paper is not in this project.")
            continue
        button.button(
            "Open",
            key=state.key("related", row.id, related.document),
            width="stretch",
            on_click=lambda document=related.document: state.set_url(document=document, version=""),
        )


def sources_of(desk: Desk, row: DocumentRow) -> None:
    """What each source said of a paper, where more than one did."""
    records = same_papers.source_records(desk, row.id)
    if len(records) < 2:
        return
    st.caption(f"{counted(len(records), 'source')} of this paper, the oldest first")
    st.dataframe(
        pd.DataFrame(
            [dict(zip(FIELDS, _fields(record), strict=True)) | {"why": ", ".join(record.reasons)}
             for record in records]
        ),
        hide_index=True,
        key=state.key("sources", row.id),
    )  # fmt: skip


def _say(desk: Desk, first: str, second: str, outcome: Identity) -> None:
    if person := page.current_curator():
        try:
            same_papers.say_of_pair(desk, first, second, outcome, curator=person)
            state.show_message(f"Kept: {VERDICTS[outcome]}.", "toast")
        except GroundworkError as error:
            state.show_message(str(error), "error")


def _take_apart(desk: Desk, record: int) -> None:
    if person := page.current_curator():
        try:
            own = same_papers.take_apart(desk, record, person)
            state.show_message(f"It is a paper of its own: {own}.", "toast")
        except GroundworkError as error:
            state.show_message(str(error), "error")
