"""Literature: ask a namespace, see why passages rank, judge papers, answer from what is ticked,
take it to curation.
"""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from core.desk import Desk
from core.errors import Forbidden, GroundworkError
from core.model import Curator
from core.services.literature import namespaces, search_page, update
from core.services.literature import triage as literature_triage
from core.services.literature.search_page import SearchRequest, SearchResults
from pages.components.literature.answer import answer_panel
from pages.components.literature.evidence import curation_panel, evidence_panel
from pages.components.literature.namespace import namespace_panel
from pages.components.literature.paper_filter import filter_panel, naming_panel
from pages.components.literature.paper_table import table_panel
from pages.components.literature.question import ask_anew, asked_of, pager, question_form
from pages.components.literature.recommend import recommend_panel
from pages.components.literature.screening import screening_panel
from pages.components.literature.triage import draw_triage
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import acting_orcid, begin_page, current_curator
from pages.components.shared.problem import show_error, show_problems

NEW = "Namespaces"
VIEWS = ("Search", "Screen", "Table", "Recommend", NEW)


def main() -> None:
    desk = begin_page("Literature")
    person = current_curator()
    names = [namespace.name for namespace in namespaces.list_namespaces(desk)]
    _update_once(desk)
    statement = state.url_value("statement")
    request = asked_of(names)
    search_results = _search(desk, request) if request else None
    view = _view(bool(names), bool(statement))
    if view == NEW or not names:
        if not names:
            empty_state(
                "No literature yet.",
                "Create a namespace below from a PubMed query, PDFs, text files, or the project's"
                " own documents.",
                "Then ask it a question, judge what it finds, and extract from the best passages.",
            )
            st.button(
                "Try it with the example texts",
                icon=":material/school:",
                on_click=_example,
                args=(desk,),
                help="Creates a namespace from the example texts and asks it a question",
            )
        namespace_panel(desk)
        return
    if view == "Screen":
        screening_panel(desk, names, person)
        return
    if view == "Table":
        table_panel(desk, names, person)
        return
    if view == "Recommend":
        recommend_panel(desk, names)
        return
    if view == "Evidence":
        evidence_panel(desk, statement, names, person)
        return
    question_form(desk, names, search_results)
    if request:
        left, right = st.columns(2)
        with left:
            filter_panel(desk, request.namespaces, passages=True)
        with right:
            naming_panel(lambda: _things(desk, search_results))
    if search_results and request:
        _results(desk, request, search_results, person)
    elif request is None:
        st.caption(
            "Ask a question, or use WeiseEule's syntax: `#What does **p53** do in *apoptosis*?`"
        )


def _example(desk: Desk) -> None:
    try:
        namespace = namespaces.make_example_namespace(desk, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(view="", ns=namespace.name, q=namespaces.EXAMPLE_QUESTION)


def _update_once(desk: Desk) -> None:
    """Namespaces that are to be updated when opened are, once a session."""
    if not state.get("_updated"):
        state.put("_updated", True)
        with suppress(Forbidden):  # whoever only looks begins no update
            for job in update.update_when_opened(desk, acting_orcid(desk)):
                state.set_url(**{f"job-{job.arguments['namespace']}": job.id})


def _view(any_namespace: bool, statement: bool) -> str:
    options = ("Evidence", *VIEWS) if statement else VIEWS
    now = state.url_value("view", options[0] if any_namespace else NEW)
    key = state.key("view", now, statement)
    chosen = st.segmented_control(
        "View",
        options,
        default=now if now in options else options[0],
        required=True,
        key=key,
        label_visibility="collapsed",
        on_change=lambda: state.set_url(view=str(state.get(key) or "")),
    )
    return str(chosen or options[0])


def _search(desk: Desk, request: SearchRequest) -> SearchResults | None:
    """The search, done once for each question and state of its namespaces."""
    versions = tuple(
        namespace.version
        for namespace in namespaces.list_namespaces(desk)
        if namespace.name in request.namespaces
    )
    judged = (
        len(literature_triage.judged_papers(desk, request.namespaces))
        if request.options.marks
        else 0
    )
    key = ("found", str(desk.folder), request, versions, judged)
    cached_search = state.get("_found")
    if cached_search and cached_search[0] == key:
        return cached_search[1]  # type: ignore[no-any-return]
    try:
        with st.spinner("Searching…"):
            search_results = search_page.run_search(desk, request)
    except GroundworkError as error:
        show_error(error)
        return None
    state.put("_found", (key, search_results))
    return search_results


def _things(desk: Desk, search_results: SearchResults | None) -> list[search_page.NamedCount]:
    """What the passages in view name, once for each list."""
    counts_in_view = state.get("_things")
    if counts_in_view is None or counts_in_view[0] is not search_results:
        counts_in_view = (
            search_results,
            search_page.things_in(desk, search_results) if search_results else [],
        )
        state.put("_things", counts_in_view)
    return list(counts_in_view[1])


def _results(
    desk: Desk, request: SearchRequest, search_results: SearchResults, person: Curator | None
) -> None:
    for repair in search_results.repairs:
        left, right = st.columns([5, 1])
        left.text(
            f"No passage contains “{repair.word}”; “{repair.instead}” is searched for instead."
        )
        right.button("As typed", key=f"repair·{repair.word}", on_click=lambda: ask_anew(repair="0"))
    if search_results.expanded:
        left, right = st.columns([5, 1])
        names = ", ".join(
            f"{expansion.keyword} = {expansion.instead}" for expansion in search_results.expanded
        )
        left.text(f"Also searched for, as the papers define it: {names}.")
        right.button("As asked", key="expand·no", on_click=lambda: ask_anew(expand="0"))
    show_problems(search_results.problems, expanded=not search_results.results)
    if not search_results.results:
        empty_state("No results.", "Try fewer or other words, or add papers under **Namespaces**.")
        return
    answer_panel(desk, request, search_results)
    pager(search_results, request.k)
    draw_triage(desk, request, search_results, person)
    curation_panel(desk, search_results, person)


try:
    main()
except GroundworkError as error:
    show_error(error)
