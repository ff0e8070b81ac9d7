"""One thing, one id: which ids are known as one thing, what curators said of them, and things that
statements name by several.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator
from core.services.review.consequences import resolve_same
from core.services.shared.screen import counted
from core.services.vocabularies import same_things
from core.services.vocabularies.same_things import SameThing, SameVerdict
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import current_curator
from pages.components.shared.problem import show_error

SHOWN = 100
_VERDICTS = {
    SameVerdict.SAME: "are one thing",
    SameVerdict.DIFFERENT: "are two things, whatever a mapping says",
    SameVerdict.WITHDRAWN: "as the mappings say (take back)",
}


def same_tab(desk: Desk) -> None:
    _in_use(desk)
    _not_preferred(desk)
    _known(desk)
    _judge(desk)
    _references(desk)
    _sources(desk)


def _in_use(desk: Desk) -> None:
    things = same_things.same_things(desk)
    if not things:
        st.caption("No statement names a thing that another names by another id.")
        return
    st.subheader("Named by more than one id")
    st.dataframe(
        [
            {
                "thing": thing.preferred.label,
                "preferred": thing.preferred.id,
                "others": ", ".join(term.id for term in thing.others),
                "statements with another": len(thing.statements),
            }
            for thing in things[:SHOWN]
        ],
        hide_index=True,
        width="stretch",
    )
    st.button(
        f"Name {'each thing' if len(things) > 1 else 'it'} by its preferred id",
        key="same_resolve",
        type="primary",
        on_click=_resolve,
        args=(desk, things),
        help="One decision, which can be taken back. New statements are derived from the old ones"
        " and keep their evidence and approvals.",
    )


def _not_preferred(desk: Desk) -> None:
    """Ids that came by no schema and are not those that the project prefers."""
    if not st.toggle(
        "Look for ids that are not the preferred ones",
        key="same_look",
        help="In statements that were imported, marked by hand or answered by gene questions.",
    ):
        return
    things = {thing.preferred.id: thing for thing in same_things.not_preferred(desk)}
    if not things:
        st.caption("Every statement names its things by the preferred ids.")
        return
    chosen = st.multiselect(
        "Name by the preferred id",
        list(things),
        format_func=lambda id: _renaming_words(things[id]),
        key="same_chosen",
    )
    st.button(
        "Rename",
        key="same_rename",
        disabled=not chosen,
        on_click=_resolve,
        args=(desk, [things[id] for id in chosen]),
        help="One decision, which can be taken back.",
    )


def _renaming_words(thing: SameThing) -> str:
    """`type 2 diabetes mellitus MONDO:0005148, now MESH:D003924 in 3 statements`"""
    now = ", ".join(term.id for term in thing.others)
    where = counted(len(thing.statements), "statement")
    return f"{thing.preferred.label[:80]} {thing.preferred.id}, now {now} in {where}"


def _known(desk: Desk) -> None:
    id = st.text_input("What is known of an id", key="same_id", placeholder="MESH:D003924").strip()
    if not id:
        return
    try:
        known = same_things.known_equivalents(desk, id)
    except GroundworkError as error:
        show_error(error)
        return
    if len(known.terms) < 2:
        st.caption("No other id is known for this thing.")
        return
    st.dataframe(
        [
            {
                "id": term.id,
                "label": term.label,
                "said by": ", ".join(
                    sorted({r.set for r in known.rows if term.id in (r.subject, r.object)})
                ),
            }
            for term in known.terms
        ],
        hide_index=True,
        width="stretch",
    )
    st.caption("The first one is preferred: it names the thing.")


def _judge(desk: Desk) -> None:
    with st.form("same_judge", border=True):
        one, other = st.columns(2)
        first = one.text_input("One id", key="same_one", max_chars=100)
        second = other.text_input("Another id", key="same_other", max_chars=100)
        verdict = st.selectbox(
            "They", list(_VERDICTS), format_func=_VERDICTS.__getitem__, key="same_verdict"
        )
        note = st.text_input("Why (optional)", key="same_note", max_chars=500)
        pressed = st.form_submit_button("Keep")
    if not pressed or verdict is None or (person := _person()) is None:
        return
    try:
        same_things.judge_pair(
            desk, first.strip(), second.strip(), verdict=verdict, curator=person, note=note
        )
    except GroundworkError as error:
        show_error(error)
        return
    if verdict is SameVerdict.SAME and (remarks := same_things.pair_remarks(desk, first, second)):
        state.show_message(" ".join(["Kept.", *remarks]), "warning")
    st.rerun()


def _sources(desk: Desk) -> None:
    judged = same_things.judgements(desk)
    if judged:
        st.dataframe(
            [
                {
                    "ids": f"{row.first}, {row.second}",
                    "verdict": _VERDICTS[row.verdict],
                    "why": row.note,
                    "curator": row.curator,
                    "time": row.time[:10],
                }
                for row in judged[:SHOWN]
            ],
            hide_index=True,
            width="stretch",
        )
    for mapping_set in same_things.mapping_sets(desk):
        words = f"{mapping_set.name} {mapping_set.version}: {mapping_set.rows:,} mappings"
        st.caption(escaped(f"{words}, {mapping_set.licence}", 300))


def _references(desk: Desk) -> None:
    """What the project's own vocabularies say, to be looked through and corrected above."""
    for count in (counts := same_things.reference_counts(desk)):
        words = f"{count.name}: {counted(count.ties, 'cross-reference')} of one thing"
        why = "one to many, of a vocabulary that is not here, or against the mappings"
        if count.capped:
            why += f", or beyond the first {same_things.MOST_TIES:,} of all vocabularies"
        left = f"; {count.unused:,} tie nothing ({why})"
        st.caption(escaped(words + (left if count.unused else ""), 400))
    if not counts:
        return
    with st.expander("Cross-references of your vocabularies", icon=":material/link:"):
        total = sum(count.ties for count in counts)
        first = 0
        if total > SHOWN:
            pages = -(-total // SHOWN)
            page = st.number_input("Page", 1, pages, key="same_references_page")
            first = (int(page) - 1) * SHOWN
        st.dataframe(
            [
                {"one": row.subject, "other": row.object, "said by": row.set, "as": row.predicate}
                for row in same_things.reference_pairs(desk, first, SHOWN)
            ],
            hide_index=True,
            width="stretch",
        )


def _resolve(desk: Desk, things: list[SameThing]) -> None:
    if (person := _person()) is None:
        return
    try:
        done = resolve_same(desk, person, things)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(
        f"{counted(len(done.done), 'statement')} now name the preferred id. The key u on Review"
        " takes it back."
    )
    for problem in done.problems[:5]:
        state.show_message(problem.message, "warning")


def _person() -> Curator | None:
    person = current_curator()
    if person is None:
        state.show_message("Enter your name in the sidebar: decisions carry a name.", "warning")
    return person
