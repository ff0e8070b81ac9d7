"""What a browser session remembers, and what its address holds: the only place that touches
`st.session_state`.

A reload wipes the session and keeps the address, so ids go to the address, work goes to the store,
and only what may be forgotten (a widget's value, a message to show after the next run) stays here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

_SAID, _WRITTEN, _PAGE = "_said", "_address_written", "_address_page"
LATE = 3.0  # seconds in which a browser may still send the address that it had before


class _Written(NamedTuple):
    """A value that was written to the address of a page, what stood there, and when."""

    page: str
    before: str
    value: str
    time: float


def get(name: str, default: Any = None) -> Any:
    """What this session holds under `name`, a widget's key included."""
    return st.session_state.get(name, default)


def put(name: str, value: Any) -> None:
    """Remember until the next reload. A widget's key may be set only before the widget is drawn, or
    in a callback.
    """
    st.session_state[name] = value


def drop(*names: str) -> None:
    for name in names:
        st.session_state.pop(name, None)


def key(*parts: object) -> str:
    """A widget's key. Name everything its content depends on: page, document, filter, store
    version.
    """
    return "·".join(str(part) for part in parts)


def cell_edits(editor: str) -> dict[int, dict[str, Any]]:
    """The cells changed in the `st.data_editor` whose key is `editor`: {row number: {column: new
    value}}.
    """
    changed = st.session_state.get(editor)
    rows = changed.get("edited_rows", {}) if isinstance(changed, Mapping) else {}
    return {int(row): dict(cells) for row, cells in rows.items() if cells}


def selected_rows(table: str) -> list[int]:
    """The row numbers selected in the `st.dataframe` whose key is `table`."""
    chosen = st.session_state.get(table)
    selection = chosen.get("selection", {}) if isinstance(chosen, Mapping) else {}
    return [int(row) for row in selection.get("rows", [])]


def selected_cell_row(table: str) -> int | None:
    """The row number of the cell selected in the `st.dataframe` whose key is `table`; None when
    there is none.
    """
    chosen = st.session_state.get(table)
    selection = chosen.get("selection", {}) if isinstance(chosen, Mapping) else {}
    cells = selection.get("cells", [])
    return int(cells[0][0]) if cells else None


def url_value(name: str, default: str = "") -> str:
    """A value from the page's address (`?name=value`)."""
    return str(st.query_params.get(name, default))


def set_url(**values: str) -> None:
    """Write values to the page's address; an empty one is taken out. Writes nothing that is there
    already.
    """
    set_url_lists({}, **values)


def _write(values: Mapping[str, Sequence[str]]) -> None:
    """In one message, so that the browser goes back over all of it in one step. What has no value
    is not written to the address.
    """
    changes = {
        name: list(several)
        for name, several in values.items()
        if st.query_params.get_all(name) != list(several)
    }
    if changes:
        st.query_params.update(changes)


def keep_url(page: str) -> None:
    """Write again what was just written to this page's address and what a second, quick click took
    back: the browser sends each click with the address that it has, and that may be the one before
    the first.
    """
    put(_PAGE, page)
    now = time.monotonic()
    recent = {
        name: written
        for name, written in get(_WRITTEN, {}).items()
        if written.page == page and now - written.time < LATE
    }
    put(_WRITTEN, recent)
    for name, written in recent.items():
        if st.query_params.get(name, "") == written.before:
            _write({name: [written.value] if written.value else []})


def url_values() -> dict[str, list[str]]:
    """Everything in the page's address; a name may be there several times."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def set_url_lists(values: Mapping[str, Sequence[str]], **further: str) -> None:
    """Write values to the page's address, each name as often as it has values; one without is taken
    out. `further` have one value each, and an empty one is taken out.
    """
    changes = {name: list(several) for name, several in values.items()}
    for name, value in further.items():
        before = st.query_params.get(name, "")
        if before != value:
            written = _Written(get(_PAGE, ""), before, value, time.monotonic())
            put(_WRITTEN, get(_WRITTEN, {}) | {name: written})
            changes[name] = [value] if value else []
    _write(changes)


def show_message(message: str, kind: str = "success") -> None:
    """Show a message after the next run: `kind` is success, info, warning, error, or toast: in a
    corner, for some seconds, so that nothing on the page moves.
    """
    st.session_state.setdefault(_SAID, []).append((kind, message))


def take_messages() -> list[tuple[str, str]]:
    """The messages waiting to be shown, as (kind, message); they are given once."""
    return list(st.session_state.pop(_SAID, []))
