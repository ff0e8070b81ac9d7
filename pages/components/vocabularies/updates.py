"""What updates of installed vocabularies changed, and the approved statements that they touch."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.shared.screen import counted
from core.services.vocabularies import changes, consequences, installation
from core.services.vocabularies.changes import TouchedStatement, VocabularyChanges
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import curator

SHOWN = 100
QUEUE = 20  # choices that are asked at once
_KINDS = {
    "replaced": "One term took its place",
    "consider": "A person must choose what takes its place",
    "gone": "Nothing took its place",
    "renamed": "Its label changed",
}


def updates(desk: Desk) -> None:
    """The tab *Updates*."""
    found = {
        name: changed
        for name in installation.updatable(desk)
        if (changed := changes.last(desk, name)) is not None
    }
    if not found:
        empty_state(
            "No vocabulary was updated yet.",
            "Install one by name under *Add*, and install it again when there is a newer release.",
        )
        return
    for name, changed in found.items():
        st.subheader(name)
        st.text(
            f"{counted(changed.counts['new'], 'new term')},"
            f" {changed.counts['renamed']} renamed, {changed.counts['obsolete']} obsolete,"
            f" {changed.counts['missing']} missing"
        )
        touched = changes.touched(desk, changed)
        _statements(touched)
        _actions(desk, name, touched)
        _terms(changed)


def _statements(touched: list[TouchedStatement]) -> None:
    if not touched:
        st.caption("It touches no approved statement.")
        return
    st.text(f"It touches {counted(len(touched), 'approved statement')}:")
    rows = [
        {
            "what happened": _KINDS[touched_statement.kind],
            "term": touched_statement.change.id,
            "label before": touched_statement.change.before,
            "label now": touched_statement.change.after,
            "in its place": touched_statement.change.replaced_by
            or " ".join(touched_statement.change.consider),
            "statement": touched_statement.statement,
        }
        for touched_statement in touched[:SHOWN]
    ]
    st.dataframe(rows, hide_index=True, width="stretch")
    if len(touched) > SHOWN:
        st.caption(f"The first {SHOWN} are shown.")


def _actions(desk: Desk, name: str, touched: list[TouchedStatement]) -> None:
    """Refresh labels, put single successors in place in one go, and choose where several may be."""
    kinds = [one.kind for one in touched]
    if "renamed" in kinds:
        st.button(
            "Refresh the labels",
            key=f"labels·{name}",
            on_click=_refresh,
            args=(desk, name),
            help="Statements then show the new labels. Nothing that was decided changes.",
        )
    if "replaced" in kinds:
        st.button(
            f"Replace the terms in {counted(kinds.count('replaced'), 'statement')}",
            key=f"replace·{name}",
            type="primary",
            on_click=_replace,
            args=(desk, name),
            help="One decision, which can be taken back. New statements are approved and derived"
            " from the old ones.",
        )
    for touched_statement in [one for one in touched if one.kind == "consider"][:QUEUE]:
        _choice(desk, name, touched_statement)


def _choice(desk: Desk, name: str, touched_statement: TouchedStatement) -> None:
    """One obsolete term that several may take the place of."""
    key = f"{name}·{touched_statement.statement}·{touched_statement.change.id}"
    choice, button = st.columns([3, 1], vertical_alignment="bottom")
    choice.selectbox(
        f"In the place of {touched_statement.change.id} ({touched_statement.change.before})",
        touched_statement.change.consider,
        index=None,
        key=f"consider·{key}",
    )
    button.button(
        "Put it in place",
        key=f"choose·{key}",
        on_click=_chosen,
        args=(desk, name, touched_statement),
    )


def _refresh(desk: Desk, name: str) -> None:
    count = consequences.refresh_labels(desk, name)
    state.show_message(f"The labels of {counted(count, 'statement')} were refreshed.")


def _replace(desk: Desk, name: str) -> None:
    who = curator()
    if who is None:
        state.show_message("Say who you are in the sidebar: decisions carry a name.", "warning")
        return
    done = consequences.replace_terms(desk, name, who)
    state.show_message(f"{counted(len(done.done), 'statement')} got the new terms.")
    for problem in done.problems[:5]:
        state.show_message(problem.message, "warning")


def _chosen(desk: Desk, name: str, touched_statement: TouchedStatement) -> None:
    who = curator()
    id = state.get(f"consider·{name}·{touched_statement.statement}·{touched_statement.change.id}")
    if who is None or not id:
        state.show_message("Say who you are in the sidebar, and choose a term.", "warning")
        return
    try:
        consequences.choose(
            desk, name, touched_statement.statement, touched_statement.change, str(id), who
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _terms(changed: VocabularyChanges) -> None:
    with st.expander("Renamed and obsolete terms"):
        rows = [
            {"term": one.id, "before": one.before, "now": one.after, "in its place":
             one.replaced_by or " ".join(one.consider), "what happened": what}
            for what, several in (("renamed", changed.renamed), ("obsolete", changed.obsolete),
                                  ("missing", changed.missing))
            for one in several[:SHOWN]
        ]  # fmt: skip
        st.dataframe(rows, hide_index=True, width="stretch")
