"""Judging what was found: verdicts by key on the chunk in view, its hits and why it ranks, the list
beside it.

The list is judged in the browser (`triage.js`), so that a key acts on what is on screen and at
once; what was pressed comes here numbered, is kept in the store, and the numbers kept are told
back. Keys: a include, x exclude, s maybe, n no evidence here, 1–8 the reason of the next verdict, u
undo, j and k next and previous, t tick.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category, Curator, Span
from core.services.literature import search_page
from core.services.literature import triage as literature_triage
from core.services.literature.search_page import (
    COMPARED,
    MODES,
    REASONS,
    VERDICTS,
    SearchHit,
    SearchRequest,
    SearchResults,
)
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.text import Mark, highlighted_html

AT, TICKED, SEEN, KEPT, REFUSED, CHANGED = (
    "_at",
    "_ticked",
    "_seen",
    "_kept",
    "_refused",
    "_ticks_changed",
)
FORMATS = {
    "csv": "text/csv",
    "ris": "application/x-research-info-systems",
    "bib": "application/x-bibtex",
}
HERE = Path(__file__).parent
_desk = st.components.v2.component(
    "triage",
    js=(HERE / "triage.js").read_text("utf-8"),
    css=(HERE / "triage.css").read_text("utf-8"),
    isolate_styles=False,
)


def in_view(found: SearchResults) -> int:
    """The place of the chunk that the browser last said it shows; the first one otherwise."""
    wanted = state.get(AT, "")
    return next(
        (place for place, result in enumerate(found.results) if result.chunk.id == wanted), 0
    )


def ticked() -> list[SearchHit]:
    """What is ticked on the pages of this list that were looked at."""
    _, seen = state.get(SEEN, (None, {}))
    chosen = state.get(TICKED, frozenset())
    return [result for id, result in seen.items() if id in chosen]


def _see(asked: SearchRequest, found: SearchResults) -> None:
    whole = replace(asked, page=1)
    known, seen = state.get(SEEN, (None, {}))
    new = {result.chunk.id: result for result in found.results}
    state.put(SEEN, (whole, {**seen, **new} if known == whole else new))


@st.fragment
def triage(desk: Desk, asked: SearchRequest, found: SearchResults, person: Curator | None) -> None:
    """The list to judge, the rankings side by side and the judged set. A verdict draws this part of
    the page anew.
    """
    if state.get(CHANGED):  # answers and extractions are of what is ticked
        state.put(CHANGED, False)
        st.rerun()
    for kind, message in state.take_messages():
        st.toast(message, icon="⚠️" if kind == "warning" else None)
    _see(asked, found)
    verdicts = literature_triage.verdicts(desk, asked.namespaces)
    key = state.key("triage", hash(asked))
    _desk(
        key=key,
        data={
            "rows": _rows(found),
            "verdicts": verdicts,
            "precision": _precision(asked, found, verdicts),
            "done": state.get(KEPT, {}),
            "refused": state.get(REFUSED, {}),
            "question": asked.text,
            "skipped": found.skipped,
            "total": found.total,
            "ticked": sorted(state.get(TICKED, frozenset())),
            "off": person is None,
            "names": VERDICTS,
            "reasons": list(REASONS),
        },
        on_desk_change=lambda: _heard(desk, asked, found, person, key),
    )
    if person is None:
        st.caption("Say who you are in the sidebar to judge: verdicts carry a name.")
    _export(desk, asked, len(verdicts))
    _compared(desk, asked, found, verdicts)


def _heard(
    desk: Desk, asked: SearchRequest, found: SearchResults, person: Curator | None, key: str
) -> None:
    """Keep what the browser says: verdicts, the place, the ticks."""
    now: Mapping[str, Any] = (state.get(key) or {}).get("desk") or {}
    window = str(now.get("window"))[:40]
    kept, refused = state.get(KEPT, {}), state.get(REFUSED, {})
    made = literature_triage.presses(now.get("presses"), kept.get(window, 0))
    if made and person is not None:
        try:
            left = literature_triage.keep_presses(
                desk, asked.namespaces, found, made, question=asked.text, curator=person.orcid
            )
        except GroundworkError as error:
            left = [(press.number, str(error)) for press in made]
        for words in dict.fromkeys(said for _, said in left):
            state.show_message(words, "warning")
        state.put(KEPT, {window: made[-1].number})
        state.put(REFUSED, {window: [*refused.get(window, ()), *(number for number, _ in left)]})
    ticks = frozenset(map(str, now.get("ticked") or ()))
    state.put(CHANGED, ticks != state.get(TICKED, frozenset()))
    state.put(TICKED, ticks)
    state.put(AT, str(now.get("at") or ""))


# ------------------------------------------------------------------ what is in view


def _rows(found: SearchResults) -> list[dict[str, Any]]:
    """The cards of all chunks found, made once for each search."""
    kept = state.get("_cards")
    if kept is None or kept[0] is not found:
        kept = (found, [_row(found, result) for result in found.results])
        state.put("_cards", kept)
    return kept[1]  # type: ignore[no-any-return]


def _row(found: SearchResults, result: SearchHit) -> dict[str, Any]:
    """A chunk with its hits, where it comes from, and why it stands where it stands. Only `html` is
    markup.
    """
    chunk = result.chunk
    hits = search_page.marks(found, chunk.text)
    colours = dict(
        zip(result.counts, list(Category) * (1 + len(result.counts) // len(Category)), strict=False)
    )
    shown = [Mark(span, colours.get(word, Category.THING), word, "grounded") for span, word in hits]
    title, body = search_page.split_title(chunk)
    where = f"from character {chunk.start:,}" if chunk.start else ""
    return {
        "id": chunk.id,
        "document": chunk.document,
        "title": chunk.title,
        "words": chunk.text[:120],
        "withdrawn": search_page.is_withdrawn(chunk.flags),
        "flags": list(chunk.flags),
        "facts": [
            fact for fact in (chunk.journal, chunk.year, chunk.section, chunk.kind, where) if fact
        ],
        "link": search_page.link(chunk.document),
        "head": highlighted_html(title, shown) if title else "",
        "html": highlighted_html(body, _later(shown, len(chunk.text) - len(body))),
        "counts": [[word, count, str(colours[word])] for word, count in result.counts.items()],
        "parts": search_page.explained(result),
        "year": chunk.year,
        "score": f"{result.score:.2f}",
    }


def _later(marks: list[Mark], start: int) -> list[Mark]:
    """Marks as they stand in the text that begins at `start`."""
    return [
        mark._replace(span=Span(mark.span.start - start, mark.span.end - start)) for mark in marks
    ]


def _precision(asked: SearchRequest, found: SearchResults, verdicts: Mapping[str, str]) -> str:
    precise = literature_triage.precisions({asked.mode: found}, verdicts)[asked.mode]
    judged = sum(result.chunk.document in verdicts for result in found.results)
    so_far = f"{judged} of {len(found.results)} judged · "
    if found.skipped:
        return so_far + "Precision@10 stands beside the first chunks."
    if precise.value is None:
        return so_far + "Precision@10: judge the first ten to see it."
    return so_far + f"Precision@10 of {precise.judged} judged: {precise.value:.2f}"


def _compared(
    desk: Desk, asked: SearchRequest, found: SearchResults, verdicts: Mapping[str, str]
) -> None:
    """Other modes beside this one, with the precision of each."""
    with st.expander("Rankings side by side"):
        others = st.multiselect(
            "Compare with",
            [m for m in COMPARED if m != asked.mode],
            key="compare",
            format_func=lambda m: MODES[m],
        )
        if not others:
            return
        if found.skipped:  # the first ten of this one are on another page
            rankings = _beside(desk, asked, found, (asked.mode, *others))
        else:
            rankings = {asked.mode: found} | _beside(desk, asked, found, tuple(others))
        precise = literature_triage.precisions(rankings, verdicts)
        for column, (mode, one) in zip(st.columns(len(rankings)), rankings.items(), strict=True):
            value = precise[mode].value
            column.caption(
                f"{MODES.get(mode, mode)} · P@10 {'–' if value is None else f'{value:.2f}'}"
            )
            for place, result in enumerate(one.results[:10], start=1):
                mark = VERDICTS.get(verdicts.get(result.chunk.document, ""), "")[:1]
                column.text(
                    f"{place}. {mark}"
                    f" {shorten(result.chunk.title or result.chunk.text, 70, placeholder=' …')}"
                )


def _beside(
    desk: Desk, asked: SearchRequest, found: SearchResults, others: tuple[str, ...]
) -> dict[str, SearchResults]:
    """The other rankings, searched once for what is in view."""
    kept = state.get("_beside")
    if kept is None or kept[0] is not found or kept[1] != others:
        kept = (
            found,
            others,
            search_page.compare_modes(desk, asked, found.question, others),
        )
        state.put("_beside", kept)
    return kept[2]  # type: ignore[no-any-return]


def _export(desk: Desk, asked: SearchRequest, judged: int) -> None:
    """The judged set as files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{counted(judged, 'paper')} judged in {', '.join(asked.namespaces)}")
        for form, mime in FORMATS.items():
            st.download_button(
                form.upper(),
                partial(literature_triage.export, desk, asked.namespaces, form),
                f"judged.{form}",
                mime,
                disabled=not judged,
                key=f"export·{form}",
                icon=":material/download:",
            )
