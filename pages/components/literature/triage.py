"""Judging what was found: verdicts by key on the chunk in view, its hits and why it ranks, the list
beside it.

The list is judged in the browser (`browser/triage.js`), so that a key acts on what is on screen and
at once; what was pressed comes here numbered, is kept in the store, and the numbers kept are told
back. Keys: a include, x exclude, s maybe, n no evidence here, 1–8 the reason of the next verdict, u
undo, j and k next and previous, l the next unjudged, t tick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category, Curator, Span, status_mark
from core.services.literature import search_page
from core.services.literature import triage as literature_triage
from core.services.literature.reference_style import Citation
from core.services.literature.screening import LEARNED
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
from pages.components.literature.references import references_panel
from pages.components.shared import state
from pages.components.shared.browser_component import browser_component
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.text import MarkedWords, highlighted_html

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
_desk = browser_component("triage", Path(__file__).parent / "browser")


def in_view(search_results: SearchResults) -> int:
    """The place of the chunk that the browser last said it shows; the first one otherwise."""
    chunk_id = state.get(AT, "")
    return next(
        (
            place
            for place, result in enumerate(search_results.results)
            if result.chunk.id == chunk_id
        ),
        0,
    )


def ticked_papers() -> list[SearchHit]:
    """What is ticked on the pages of this list that were looked at."""
    _, hits_by_chunk = state.get(SEEN, (None, {}))
    chosen = state.get(TICKED, frozenset())
    return [result for id, result in hits_by_chunk.items() if id in chosen]


def _see(request: SearchRequest, search_results: SearchResults) -> None:
    request_of_list = replace(request, page=1)
    request_before, hits_before = state.get(SEEN, (None, {}))
    new = {result.chunk.id: result for result in search_results.results}
    state.put(
        SEEN,
        (request_of_list, {**hits_before, **new} if request_before == request_of_list else new),
    )


@st.fragment
def draw_triage(
    desk: Desk,
    request: SearchRequest,
    search_results: SearchResults,
    person: Curator | None,
    *,
    beneath: Callable[[Mapping[str, str]], None] | None = None,
) -> None:
    """The list to judge, the rankings side by side and the judged set. A verdict draws this part of
    the page anew. `beneath` takes the verdicts and draws what stands in place of the rankings.
    """
    if state.get(CHANGED):  # answers and extractions are of what is ticked
        state.put(CHANGED, False)
        st.rerun()
    for kind, message in state.take_messages():
        st.toast(message, icon="⚠️" if kind == "warning" else None)
    _see(request, search_results)
    verdicts = literature_triage.paper_verdicts(desk, request.namespaces)
    key = state.key("triage", hash(request))
    _desk(
        key=key,
        data={
            "rows": _rows(search_results),
            "verdicts": verdicts,
            "precision": _precision(request, search_results, verdicts),
            "done": state.get(KEPT, {}),
            "refused": state.get(REFUSED, {}),
            "question": request.text,
            "skipped": search_results.skipped,
            "total": search_results.total,
            "ticked": sorted(state.get(TICKED, frozenset())),
            "off": person is None,
            "names": VERDICTS,
            "reasons": list(REASONS),
        },
        on_desk_change=lambda: _heard(desk, request, search_results, person, key=key),
    )
    if person is None:
        st.caption("Enter your name in the sidebar to judge: verdicts carry a name.")
    _export(desk, request, len(verdicts))
    if beneath:
        beneath(verdicts)
    else:
        _compared(desk, request, search_results, verdicts)


def _heard(
    desk: Desk,
    request: SearchRequest,
    search_results: SearchResults,
    person: Curator | None,
    *,
    key: str,
) -> None:
    """Keep what the browser says: verdicts, the place, the ticks."""
    now: Mapping[str, Any] = (state.get(key) or {}).get("desk") or {}
    window = str(now.get("window"))[:40]
    numbers_saved, refused = state.get(KEPT, {}), state.get(REFUSED, {})
    presses = literature_triage.presses_of_page(now.get("presses"), numbers_saved.get(window, 0))
    if presses and person is not None:
        try:
            refused_presses = literature_triage.keep_presses(
                desk,
                request.namespaces,
                search_results,
                presses,
                question=request.text,
                curator=person.orcid,
            )
        except GroundworkError as error:
            refused_presses = [(press.number, str(error)) for press in presses]
        for words in dict.fromkeys(message for _, message in refused_presses):
            state.show_message(words, "warning")
        state.put(KEPT, {window: presses[-1].number})
        state.put(
            REFUSED,
            {window: [*refused.get(window, ()), *(number for number, _ in refused_presses)]},
        )
    ticks = frozenset(map(str, now.get("ticked") or ()))
    state.put(CHANGED, ticks != state.get(TICKED, frozenset()))
    state.put(TICKED, ticks)
    state.put(AT, str(now.get("at") or ""))


# ------------------------------------------------------------------ what is in view


def _rows(search_results: SearchResults) -> list[dict[str, Any]]:
    """The cards of all chunks found, made once for each search."""
    cards = state.get("_cards")
    if cards is None or cards[0] is not search_results:
        cards = (
            search_results,
            [_row(search_results, result) for result in search_results.results],
        )
        state.put("_cards", cards)
    return cards[1]  # type: ignore[no-any-return]


def _row(search_results: SearchResults, result: SearchHit) -> dict[str, Any]:
    """A chunk with its hits, where it comes from, and why it stands where it stands. Only `html` is
    markup.
    """
    chunk = result.chunk
    hits = search_page.keyword_marks(search_results, chunk.text)
    colours = dict(
        zip(result.counts, list(Category) * (1 + len(result.counts) // len(Category)), strict=False)
    )
    marks = [
        MarkedWords(span, colours.get(word, Category.THING), word, "grounded")
        for span, word in hits
    ]
    title, body = search_page.split_title(chunk)
    where = f"from character {chunk.start:,}" if chunk.start else ""
    return {
        "id": chunk.id,
        "document": chunk.document,
        "title": chunk.title,
        "words": chunk.text[:120],
        "withdrawn": search_page.is_withdrawn([*chunk.flags, chunk.status]),
        "flags": list(dict.fromkeys(filter(None, [chunk.status, *chunk.flags]))),
        "facts": [
            fact for fact in (chunk.journal, chunk.year, chunk.section, chunk.kind, where) if fact
        ],
        "link": search_page.link(chunk.document),
        "head": highlighted_html(title, marks) if title else "",
        "html": highlighted_html(body, _later(marks, len(chunk.text) - len(body))),
        "counts": [[word, count, str(colours[word])] for word, count in result.counts.items()],
        "parts": search_page.explain_score(result, search_results.mode),
        "year": chunk.year,
        "score": _score(search_results, result),
    }


def _score(search_results: SearchResults, result: SearchHit) -> str:
    if search_results.mode != LEARNED:
        return f"{result.score:.2f}"
    return f"{result.score:.0%}" if result.parts else ""


def _later(marks: list[MarkedWords], start: int) -> list[MarkedWords]:
    """Marks by their place in the text that begins at `start`."""
    return [
        mark._replace(span=Span(mark.span.start - start, mark.span.end - start)) for mark in marks
    ]


def _precision(
    request: SearchRequest, search_results: SearchResults, verdicts: Mapping[str, str]
) -> str:
    precise = literature_triage.ranking_precisions({request.mode: search_results}, verdicts)[
        request.mode
    ]
    judged = sum(result.chunk.document in verdicts for result in search_results.results)
    so_far = f"{judged} of {len(search_results.results)} judged · "
    if search_results.mode == LEARNED:
        return f"{judged} of these {len(search_results.results)} judged"
    if search_results.skipped:
        return so_far + "Precision@10 is shown next to the first passages."
    if precise.value is None:
        return so_far + "Precision@10: judge the first ten to see it."
    return so_far + f"Precision@10 of {precise.judged} judged: {precise.value:.2f}"


def _compared(
    desk: Desk, request: SearchRequest, search_results: SearchResults, verdicts: Mapping[str, str]
) -> None:
    """Other modes next to this one, with the precision of each."""
    with st.expander("Rankings side by side"):
        others = st.multiselect(
            "Compare with",
            [m for m in COMPARED if m != request.mode],
            key="compare",
            format_func=lambda m: MODES[m],
            select_all=False,
        )
        if not others:
            return
        if search_results.skipped:  # the first ten of this one are on another page
            rankings = _beside(desk, request, search_results, (request.mode, *others))
        else:
            rankings = {request.mode: search_results} | _beside(
                desk, request, search_results, tuple(others)
            )
        precise = literature_triage.ranking_precisions(rankings, verdicts)
        for column, (mode, ranking) in zip(
            st.columns(len(rankings)), rankings.items(), strict=True
        ):
            value = precise[mode].value
            column.caption(
                f"{MODES.get(mode, mode)} · P@10 {'–' if value is None else f'{value:.2f}'}"
            )
            for place, result in enumerate(ranking.results[:10], start=1):
                mark = VERDICTS.get(verdicts.get(result.chunk.document, ""), "")[:1]
                column.text(
                    f"{place}. {mark} {shorten(_heading(result.chunk), 70, placeholder=' …')}"
                )


def _beside(
    desk: Desk, request: SearchRequest, search_results: SearchResults, others: tuple[str, ...]
) -> dict[str, SearchResults]:
    """The other rankings, searched once for what is in view."""
    rankings_in_view = state.get("_beside")
    if (
        rankings_in_view is None
        or rankings_in_view[0] is not search_results
        or rankings_in_view[1] != others
    ):
        rankings_in_view = (
            search_results,
            others,
            search_page.compare_modes(desk, request, search_results.question, others),
        )
        state.put("_beside", rankings_in_view)
    return rankings_in_view[2]  # type: ignore[no-any-return]


def _export(desk: Desk, request: SearchRequest, judged: int) -> None:
    """The judged set as files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        names = escaped(", ".join(request.namespaces))
        st.caption(f"{counted(judged, 'paper')} judged in {names}")
        for form, mime in FORMATS.items():
            st.download_button(
                form.upper(),
                partial(literature_triage.export_judged, desk, request.namespaces, form),
                f"judged.{form}",
                mime,
                disabled=not judged,
                key=f"export·{form}",
                icon=":material/download:",
            )
        references_panel(partial(_included, desk, request), "included papers", "judged")


def _included(desk: Desk, request: SearchRequest) -> list[Citation]:
    judged = literature_triage.judged_entries(desk, request.namespaces)
    return [entry for entry in judged if entry.verdict == "include"]


def _heading(chunk: search_page.Chunk) -> str:
    return chunk.marked_title if chunk.title else f"{status_mark(chunk.status)}{chunk.text}"
