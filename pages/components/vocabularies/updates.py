"""What updates of installed vocabularies changed, and the approved statements that they touch."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.review import consequences
from core.services.shared.screen import counted
from core.services.vocabularies import changes
from core.services.vocabularies.changes import TouchedStatement, VocabularyChanges
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import acting_orcid, current_curator
from pages.components.shared.term import statement_label

SHOWN = 100
QUEUE = 20  # choices that are asked at once
_KINDS = {
    "replaced": "Replaced by one term",
    "consider": "A curator must choose the replacement",
    "gone": "No replacement",
    "renamed": "Its label changed",
}


def updates_tab(desk: Desk) -> None:
    """The tab *Updates*."""
    changed_by_name = changes.latest_changes(desk)
    if not changed_by_name:
        empty_state(
            "No vocabulary has been updated yet.",
            "Install the current release of one, or add a newer file under *Add*: what it changes"
            " compared with the one before is listed here.",
        )
        return
    for name, changed in changed_by_name.items():
        st.subheader(name)
        st.text(
            f"{counted(changed.counts['new'], 'new term')},"
            f" {changed.counts['renamed']} renamed, {changed.counts['obsolete']} obsolete,"
            f" {changed.counts['missing']} missing"
        )
        touched = changes.touched_statements(desk, changed)
        _statements(touched)
        _actions(desk, name, touched)
        _terms(changed)


def _statements(touched: list[TouchedStatement]) -> None:
    if not touched:
        st.caption("It affects no approved statement.")
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
            "statement": statement_label(touched_statement.claim),
        }
        for touched_statement in touched[:SHOWN]
    ]
    st.dataframe(rows, hide_index=True, width="stretch")
    if len(touched) > SHOWN:
        st.caption(f"The first {SHOWN} are shown.")


def _actions(desk: Desk, name: str, touched: list[TouchedStatement]) -> None:
    """Refresh labels, put single successors in place in one go, and choose where several may be."""
    kinds = [touched_row.kind for touched_row in touched]
    if "renamed" in kinds:
        st.button(
            "Refresh the labels",
            key=f"labels·{name}",
            on_click=_refresh,
            args=(desk, name),
            help="Statements then show the new labels. No decision changes.",
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
    for touched_statement in [
        touched_row for touched_row in touched if touched_row.kind == "consider"
    ][:QUEUE]:
        _choice(desk, name, touched_statement)


def _choice(desk: Desk, name: str, touched_statement: TouchedStatement) -> None:
    """One obsolete term that several may take the place of."""
    key = f"{name}·{touched_statement.statement}·{touched_statement.change.id}"
    choice, button = st.columns([3, 1], vertical_alignment="bottom")
    labels = consequences.labels_of_terms(desk, name, touched_statement.change.consider)
    choice.selectbox(
        f"In place of {touched_statement.change.before} ({touched_statement.change.id}) in:"
        f" {statement_label(touched_statement.claim)}",
        labels,
        format_func=labels.__getitem__,
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
    try:
        count = consequences.refresh_labels(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"The labels of {counted(count, 'statement')} were refreshed.")


def _replace(desk: Desk, name: str) -> None:
    who = current_curator()
    if who is None:
        state.show_message("Enter your name in the sidebar: decisions carry a name.", "warning")
        return
    result = consequences.replace_terms(desk, name, who)
    state.show_message(
        f"{counted(len(result.done), 'statement')} got the new terms. The key u on Review takes"
        " it back."
    )
    for problem in result.problems[:5]:
        state.show_message(problem.message, "warning")


def _chosen(desk: Desk, name: str, touched_statement: TouchedStatement) -> None:
    who = current_curator()
    id = state.get(f"consider·{name}·{touched_statement.statement}·{touched_statement.change.id}")
    if who is None or not id:
        state.show_message("Enter your name in the sidebar, and choose a term.", "warning")
        return
    try:
        consequences.choose_successor(
            desk,
            name,
            touched_statement.statement,
            touched_statement.change,
            id=str(id),
            curator=who,
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"1 statement got {id}. The key u on Review takes it back.")


def _terms(changed: VocabularyChanges) -> None:
    with st.expander("Renamed and obsolete terms"):
        kinds = {
            "renamed": changed.renamed,
            "obsolete": changed.obsolete,
            "missing": changed.missing,
        }
        rows = [
            {
                "term": change.id,
                "before": change.before,
                "now": change.after,
                "in its place": change.replaced_by or " ".join(change.consider),
                "what happened": kind,
            }
            for kind, several in kinds.items()
            for change in several[:SHOWN]
        ]
        st.dataframe(rows, hide_index=True, width="stretch")
