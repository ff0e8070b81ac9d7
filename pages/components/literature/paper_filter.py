"""Choosing which papers are shown; the choice stands in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.desk import Desk
from core.services.literature import paper_choice
from core.services.literature.search_page import (
    KINDS,
    VERDICTS,
    NamedCount,
    NamingFilter,
    PaperFilter,
)
from pages.components.shared import state

SEPARATOR = "\x1f"  # between the values in the address


def filter_of() -> PaperFilter:
    """The filter that the address names."""

    def several(name: str) -> frozenset[str]:
        return frozenset(part for part in state.url_value(name).split(SEPARATOR) if part)

    def year(name: str) -> int:
        words = state.url_value(name)
        return int(words) if words.isascii() and words.isdigit() and len(words) == 4 else 0

    return PaperFilter(
        year("from"),
        year("to"),
        several("journal"),
        types=several("type"),
        kinds=several("kind"),
        verdicts=several("verdict"),
        sections=several("section"),
    )


def naming_of() -> NamingFilter:
    """What passages must name, by the address."""

    def several(name: str) -> tuple[str, ...]:
        return tuple(part for part in state.url_value(name).split(SEPARATOR) if part)

    return NamingFilter(
        tuple(kind for kind in several("naming") if kind in KINDS), several("thing")
    )


def naming_panel(things_in_view: Callable[[], Sequence[NamedCount]]) -> None:
    """Single sentences or passages; only those that name things of some kinds, or some things.
    `things_in_view`: those that the passages in view name, asked for when the panel is open.
    """
    now = naming_of()
    panel = st.popover(
        _naming_words(now),
        icon=":material/label:",
        width="stretch",
        key="naming-panel",
        on_change="rerun",
    )
    things = things_in_view() if panel.open else ()
    with panel:
        sentences = state.url_value("sentences") == "1"
        key = state.key("sentences", sentences)
        st.toggle(
            "Single sentences instead of passages",
            sentences,
            key=key,
            on_change=lambda: state.set_url(sentences="1" if state.get(key) else "", page=""),
        )
        _several(
            st,
            "naming",
            "Naming one of each kind",
            dict.fromkeys(KINDS),
            chosen=frozenset(now.kinds),
        )
        labels = {
            named_count.id: f"{named_count.label} ({named_count.kind}, {named_count.passages})"
            for named_count in things
        }
        chosen = _key("thing")
        st.multiselect(
            "Naming each of these",
            [*labels, *(id for id in now.things if id not in labels)],
            now.things,
            key=chosen,
            format_func=lambda id: labels.get(id, id),
            placeholder="Things named in the passages shown",
            on_change=lambda: state.set_url(thing=SEPARATOR.join(state.get(chosen) or []), page=""),
        )
        if now or sentences:
            st.button("All passages again", on_click=_clear_naming, key="naming·clear")


def _naming_words(now: NamingFilter) -> str:
    unit_words = "Sentences" if state.url_value("sentences") == "1" else "Passages"
    names_asked = ", ".join((*now.kinds, *now.things)).replace("[", "(").replace("]", ")")
    return f"{unit_words} naming: {names_asked[:100]}" if names_asked else f"{unit_words}: all"


def _clear_naming() -> None:
    state.set_url(sentences="", naming="", thing="", page="")


def filter_panel(desk: Desk, names: Sequence[str], *, passages: bool) -> PaperFilter:
    """Year, journal, type, text, verdict and, for passages, section."""
    now = filter_of()
    with st.popover(_filter_words(now), icon=":material/filter_alt:", width="stretch"):
        choices = paper_choice.paper_choices(desk, names)
        left, middle, right = st.columns(3)
        start, end = choices.years
        left.text_input("From year", str(now.since or ""), 4, key=_key("from"),
                        placeholder=str(start or ""), on_change=_typed, args=("from",))  # fmt: skip
        middle.text_input("To year", str(now.until or ""), 4, key=_key("to"),
                          placeholder=str(end or ""), on_change=_typed, args=("to",))  # fmt: skip
        _several(right, "kind", "Text", dict(choices.kinds), chosen=now.kinds)
        left, right = st.columns(2)
        _several(left, "journal", "Journal", choices.journals, chosen=now.journals)
        _several(right, "type", "Type of publication", choices.types, chosen=now.types)
        left, right = st.columns(2)
        verdicts = dict.fromkeys((paper_choice.UNJUDGED, *filter(None, VERDICTS)))
        _several(left, "verdict", "Verdict", verdicts, chosen=now.verdicts)
        if passages:
            _several(
                right, "section", "Section", dict.fromkeys(choices.sections), chosen=now.sections
            )
        if now:
            st.button("Show all again", on_click=_clear, key="filter·clear")
    return now


def _filter_words(now: PaperFilter) -> str:
    years = f"{now.since or '…'}–{now.until or '…'}" if now.since or now.until else ""
    several = (now.kinds, now.journals, now.types, now.verdicts, now.sections)
    filter_words = [years, *(", ".join(sorted(values)) for values in several)]
    words = " · ".join(part for part in filter_words if part).replace("[", "(").replace("]", ")")
    return f"Only: {words[:120]}" if words else "Filter"


def _key(name: str) -> str:
    return state.key("filter", name, state.url_value(name))


def _several(
    place: Any,
    name: str,
    label: str,
    options: Mapping[str, int | None],
    *,
    chosen: frozenset[str],
) -> None:
    key = _key(name)
    place.multiselect(
        label,
        [*options, *sorted(chosen - {*options})],
        sorted(chosen),
        key=key,
        format_func=lambda value: f"{value} ({options[value]:,})" if options.get(value) else value,
        on_change=lambda: state.set_url(**{name: SEPARATOR.join(state.get(key) or []), "page": ""}),
        select_all=False,
    )


def _typed(name: str) -> None:
    value = str(state.get(_key(name)) or "").strip()
    state.set_url(**{name: value if value.isdigit() else "", "page": ""})


def _clear() -> None:
    names = ("from", "to", "journal", "type", "kind", "verdict", "section", "page")
    state.set_url(**dict.fromkeys(names, ""))
