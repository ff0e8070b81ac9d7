"""What updates of installed vocabularies changed, and the approved statements that they touch."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.services.shared.screen import counted
from core.services.vocabularies import changes, installation
from core.services.vocabularies.changes import TouchedStatement, VocabularyChanges
from pages.components.shared.empty import empty

SHOWN = 100
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
        empty(
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
        _statements(changes.touched(desk, changed))
        _terms(changed)


def _statements(touched: list[TouchedStatement]) -> None:
    if not touched:
        st.caption("It touches no approved statement.")
        return
    st.text(f"It touches {counted(len(touched), 'approved statement')}:")
    rows = [
        {
            "what happened": _KINDS[one.kind],
            "term": one.change.id,
            "label before": one.change.before,
            "label now": one.change.after,
            "in its place": one.change.replaced_by or " ".join(one.change.consider),
            "statement": one.statement,
        }
        for one in touched[:SHOWN]
    ]
    st.dataframe(rows, hide_index=True, width="stretch")
    if len(touched) > SHOWN:
        st.caption(f"The first {SHOWN} are shown.")


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
