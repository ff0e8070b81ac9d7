"""Judging what was found: the bar of verdicts, the chunk in view with its hits, the list, rankings side by side.

Keys: a include, x exclude, s maybe, n no evidence here, u undo, j and k next and previous, t tick.
"""

from __future__ import annotations

from functools import partial
from html import escape

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category, Curator
from core.services import literature_page, literature_triage
from core.services.literature_page import COMPARED, MODES, REASONS, VERDICTS, Asked, Found, Mode, Result, Verdict
from pages.components import state
from pages.components.text import Mark, highlighted

TICKED = "_ticked"
FORMATS = {"csv": "text/csv", "ris": "application/x-research-info-systems", "bib": "application/x-bibtex"}
BUTTONS = (
    (Verdict.INCLUDE, "Include", "a", ":material/check:"),
    (Verdict.EXCLUDE, "Exclude", "x", ":material/close:"),
    (Verdict.MAYBE, "Maybe", "s", ":material/help:"),
    (Verdict.NO_EVIDENCE, "No evidence", "n", ":material/block:"),
)


def in_view(found: Found) -> int:
    """The place of the chunk that the address names; the first one otherwise."""
    wanted = state.url("chunk")
    places = [place for place, result in enumerate(found.results) if result.chunk.id == wanted]
    return places[0] if places else 0


def ticked(found: Found) -> list[Result]:
    chosen = state.get(TICKED, frozenset())
    return [result for result in found.results if result.chunk.id in chosen]


def triage_bar(desk: Desk, asked: Asked, found: Found, person: Curator | None) -> None:
    """Verdict buttons for the paper in view, drawn first; without a curator they are greyed."""
    if not found.results:
        return
    place = in_view(found)
    result, off = found.results[place], person is None
    with st.container(horizontal=True, gap="small", key="triage-bar", vertical_alignment="center"):
        for verdict, name, key, icon in BUTTONS:
            kind = "primary" if verdict is Verdict.INCLUDE else "secondary"
            args = (desk, asked, found, place, verdict, person)
            st.button(
                name, shortcut=key, icon=icon, type=kind, disabled=off, on_click=_judge, args=args, key=f"do·{name}"
            )
        st.button(
            "Undo",
            shortcut="u",
            icon=":material/undo:",
            disabled=off,
            on_click=_undo,
            args=(desk, asked, person),
            key="do·Undo",
        )
        chosen = result.chunk.id in state.get(TICKED, frozenset())
        name = "Untick" if chosen else "Tick"
        st.button(
            name, shortcut="t", icon=":material/check_box:", on_click=_tick, args=(result.chunk.id,), key="do·Tick"
        )
        st.caption(f"{place + 1} of {len(found.results)}")
        st.button(
            "Previous",
            shortcut="k",
            icon=":material/arrow_upward:",
            disabled=not place,
            on_click=_go,
            args=(found, place - 1),
            key="do·Previous",
        )
        last = place == len(found.results) - 1
        st.button(
            "Next",
            shortcut="j",
            icon=":material/arrow_downward:",
            disabled=last,
            on_click=_go,
            args=(found, place + 1),
            key="do·Next",
        )
        with st.popover("Reason", disabled=off):
            st.selectbox("Reason for the next verdict", ["", *REASONS], key="_reason", persist_state="session")


def _judge(desk: Desk, asked: Asked, found: Found, place: int, verdict: Verdict, person: Curator) -> None:
    chunk = found.results[place].chunk
    try:
        for name in _homes(desk, asked, chunk.document):
            literature_triage.judge(
                desk, name, chunk.document, verdict, reason=str(state.get("_reason") or ""), chunk=chunk.id,
                question=asked.text, curator=person.orcid,
            )  # fmt: skip
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    _go(found, place + 1)


def _homes(desk: Desk, asked: Asked, document: str) -> list[str]:
    """The namespaces asked that hold the paper."""
    return desk.store.holders(asked.namespaces, document)[:1] or [asked.namespaces[0]]


def _undo(desk: Desk, asked: Asked, person: Curator) -> None:
    for name in asked.namespaces:
        if document := literature_triage.undo(desk, name, person.orcid):
            state.say(f"The verdict on {document} is taken back.", "info")
            return
    state.say("There is nothing of yours to take back here.", "info")


def _tick(chunk: str) -> None:
    state.put(TICKED, frozenset(state.get(TICKED, frozenset()) ^ {chunk}))


def _go(found: Found, place: int) -> None:
    state.set_url(chunk=found.results[min(max(place, 0), len(found.results) - 1)].chunk.id)


# ------------------------------------------------------------------ what is in view


def chunk_card(asked: Asked, found: Found) -> None:
    """The chunk with its hits, where it comes from, and why it stands where it stands."""
    result = found.results[in_view(found)]
    chunk = result.chunk
    with st.container(border=True, key="chunk"):
        title = chunk.title or "Without a title"
        if literature_page.withdrawn(chunk.flags):
            st.html(f"<s>{escape(title)}</s>")
        else:
            st.text(title)
        facts = [chunk.journal, chunk.year, chunk.section, chunk.kind, f"from character {chunk.start:,}"]
        st.text(" · ".join(part for part in facts if part))
        if chunk.flags:
            st.text("⚠️ " + ", ".join(chunk.flags))
        if address := literature_page.link(chunk.document):
            st.link_button(chunk.document, address)
        else:
            st.code(chunk.document, language=None)
        hits = literature_page.marks(found, chunk.text)
        words = list(dict.fromkeys(word for _, word in hits))
        colours = list(Category)
        shown = [Mark(span, colours[words.index(word) % 12], word, "grounded") for span, word in hits]
        st.html(f'<div class="gw-text">{highlighted(chunk.text, shown)}</div>')
        st.caption("Why it stands here")
        counts = {f"“{word}”": count for word, count in result.counts.items()}
        parts = {"score": result.score, "coverage": result.coverage, **result.parts}
        left, right = st.columns(2)
        left.dataframe(pd.DataFrame({"keyword": list(counts), "count": list(counts.values())}), hide_index=True)
        right.dataframe(
            pd.DataFrame({"part": list(parts), "value": [float(v) for v in parts.values()]}), hide_index=True
        )


def struck(words: str) -> str:
    """Words struck through, for tables, which know no styles of letters."""
    return "".join(f"{letter}\u0336" for letter in words)


def chunk_table(desk: Desk, asked: Asked, found: Found) -> None:
    """The list; a click brings a chunk into view."""
    verdicts = literature_triage.verdicts(desk, asked.namespaces)
    rows = literature_page.rows(found, verdicts)
    chosen = state.get(TICKED, frozenset())
    table = pd.DataFrame(
        {
            "✓": ["✓" if row.chunk in chosen else "" for row in rows],
            "verdict": [VERDICTS.get(row.verdict, row.verdict) for row in rows],
            "paper": [struck(row.title) if row.withdrawn else row.title for row in rows],
            "section": [row.section for row in rows],
            "year": [row.year for row in rows],
            "journal": [row.journal for row in rows],
            "marks": [", ".join(row.flags) for row in rows],
            "score": [round(row.score, 2) for row in rows],
            "coverage": [row.coverage for row in rows],
            "id": [row.document for row in rows],
        }
    )
    key = state.key("chunks", asked.text, asked.mode, len(rows), asked.keywords)
    st.dataframe(
        table, hide_index=True, key=key, selection_mode="single-row", height=420,
        on_select=lambda: [_go(found, place) for place in state.selected_rows(key)[:1]],
    )  # fmt: skip
    precise = literature_triage.precisions({asked.mode: found}, verdicts)[asked.mode]
    if precise.value is None:
        st.caption("Precision@10: judge the first ten to see it.")
    else:
        st.caption(f"Precision@10 of {precise.judged} judged: {precise.value:.2f}")


def compared(desk: Desk, asked: Asked, found: Found) -> None:
    """Other modes beside this one, with the precision of each."""
    with st.expander("Rankings side by side"):
        others = st.multiselect(
            "Compare with", [m for m in COMPARED if m != asked.mode], key="compare", format_func=lambda m: MODES[m]
        )
        if not others:
            return
        modes = [Mode(name) for name in others]
        rankings = {asked.mode: found} | literature_page.beside(desk, asked, found.question, modes)
        verdicts = literature_triage.verdicts(desk, asked.namespaces)
        precise = literature_triage.precisions(rankings, verdicts)
        for column, (mode, one) in zip(st.columns(len(rankings)), rankings.items(), strict=True):
            value = precise[mode].value
            column.caption(f"{MODES.get(mode, mode)} · P@10 {'–' if value is None else f'{value:.2f}'}")
            for place, result in enumerate(one.results[:10], start=1):
                mark = VERDICTS.get(verdicts.get(result.chunk.document, ""), "")[:1]
                column.text(f"{place}. {mark} {(result.chunk.title or result.chunk.text)[:70]}")


def export_panel(desk: Desk, asked: Asked) -> None:
    """The judged set as files."""
    judged = literature_triage.judged(desk, asked.namespaces)
    with st.container(horizontal=True):
        st.caption(f"{len(judged)} papers judged")
        for form, mime in FORMATS.items():
            st.download_button(
                form.upper(), partial(literature_triage.export, desk, asked.namespaces, form), f"judged.{form}", mime,
                disabled=not judged, key=f"export·{form}",
            )  # fmt: skip
