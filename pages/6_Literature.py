"""Literature: ask a namespace, see why passages rank, judge papers, answer from what is ticked,
take it to curation.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator
from core.services.literature import namespaces, search_page, update
from core.services.literature import triage as literature_triage
from core.services.literature.search_page import SearchRequest, SearchResults
from pages.components.literature.answer import answer_panel
from pages.components.literature.evidence import curation_panel, evidence_panel
from pages.components.literature.namespace import namespace_panel
from pages.components.literature.question import ask, asked_of, pager, question_form
from pages.components.literature.recommend import recommend_panel
from pages.components.literature.triage import triage
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import begin_page, curator
from pages.components.shared.problem import show_error, show_problems

NEW = "Namespaces"
VIEWS = ("Search", "Recommend", NEW)


def main() -> None:
    desk = begin_page("Literature")
    person = curator()
    names = [namespace.name for namespace in namespaces.namespaces(desk)]
    _update_once(desk)
    statement = state.url_value("statement")
    asked = asked_of(names)
    found = _found(desk, asked) if asked else None
    view = _view(bool(names), bool(statement))
    if view == NEW or not names:
        if not names:
            empty_state(
                "No literature yet.",
                "Make a namespace below: a PubMed query, PDFs, text files, or the project's own"
                " documents.",
                "Then ask it a question, judge what it finds, and extract from the best passages.",
            )
        namespace_panel(desk, person)
        return
    if view == "Recommend":
        recommend_panel(desk, names)
        return
    if view == "Evidence":
        evidence_panel(desk, statement, names, person)
        return
    question_form(desk, names, found)
    if found and asked:
        _results(desk, asked, found, person)
    elif asked is None:
        st.caption(
            "Ask a question, or use WeiseEule's syntax: `#What does **p53** do in *apoptosis*?`"
        )


def _update_once(desk: Desk) -> None:
    """Namespaces that are to be updated when opened are, once a session."""
    if not state.get("_updated"):
        state.put("_updated", True)
        person = curator()
        for job in update.update_when_opened(desk, person.orcid if person else ""):
            state.set_url(**{f"job-{job.arguments['namespace']}": job.id})


def _view(any_namespace: bool, statement: bool) -> str:
    options = ("Evidence", *VIEWS) if statement else VIEWS
    now = state.url_value("view", options[0] if any_namespace else NEW)
    key = state.key("view", now, statement)
    chosen = st.segmented_control(
        "View",
        options,
        default=now if now in options else options[0],
        key=key,
        label_visibility="collapsed",
        on_change=lambda: state.set_url(view=str(state.get(key) or "")),
    )
    return str(chosen or options[0])


def _found(desk: Desk, asked: SearchRequest) -> SearchResults | None:
    """The search, done once for each question and state of its namespaces."""
    versions = tuple(
        namespace.version
        for namespace in namespaces.namespaces(desk)
        if namespace.name in asked.namespaces
    )
    judged = len(literature_triage.judged_papers(desk, asked.namespaces)) if asked.marks else 0
    key = ("found", str(desk.folder), asked, versions, judged)
    kept = state.get("_found")
    if kept and kept[0] == key:
        return kept[1]  # type: ignore[no-any-return]
    try:
        with st.spinner("Searching…"):
            found = search_page.run(desk, asked)
    except GroundworkError as error:
        show_error(error)
        return None
    state.put("_found", (key, found))
    return found


def _results(
    desk: Desk, asked: SearchRequest, found: SearchResults, person: Curator | None
) -> None:
    for repair in found.repairs:
        left, right = st.columns([5, 1])
        left.text(f"No chunk holds “{repair.word}”; “{repair.instead}” is looked for instead.")
        right.button("As typed", key=f"repair·{repair.word}", on_click=lambda: ask(repair="0"))
    if found.expanded:
        left, right = st.columns([5, 1])
        names = ", ".join(f"{one.keyword} = {one.instead}" for one in found.expanded)
        left.text(f"Also looked for, as the papers define it: {names}.")
        right.button("As asked", key="expand·no", on_click=lambda: ask(expand="0"))
    show_problems(found.problems, expanded=not found.results)
    if not found.results:
        empty_state(
            "Nothing was found.", "Try fewer or other words, or add papers under **Namespaces**."
        )
        return
    answer_panel(desk, asked, found)
    pager(found, asked.k)
    triage(desk, asked, found, person)
    curation_panel(desk, found, person)


try:
    main()
except GroundworkError as error:
    show_error(error)
