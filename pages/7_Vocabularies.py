"""Vocabularies: what the project grounds to, a search over its terms, and the names that its
curators gave.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Term
from core.services.vocabularies import vocabularies
from pages.components.shared import state
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error
from pages.components.shared.term import term_html
from pages.components.vocabularies.adding import add_tab, vocabulary_work
from pages.components.vocabularies.listing import vocabularies_tab
from pages.components.vocabularies.remembered import memory_tab
from pages.components.vocabularies.remote_search import remote_search
from pages.components.vocabularies.same import same_tab
from pages.components.vocabularies.updates import updates_tab

SHOWN = 50


def main() -> None:
    desk = begin_page("Vocabularies")
    vocabulary_work(desk)
    listed = vocabularies.vocabulary_entries(desk)
    listing_tab, terms, own, adding_tab, changes, same = st.tabs(
        ["In this project", "Search terms", "Memory", "Add", "Updates", "Same things"],
        key="vocabulary_tabs",
    )
    with listing_tab:
        vocabularies_tab(desk, listed)
    with terms:
        _search(desk, [vocabulary.name for vocabulary in listed if not vocabulary.error])
        remote_search(desk)
    with own:
        memory_tab(desk)
    with adding_tab:
        add_tab(desk)
    with changes:
        updates_tab(desk)
    with same:
        same_tab(desk)


def _search(desk: Desk, names: list[str]) -> None:
    words, chosen = st.columns([3, 2])
    text = words.text_input(
        "Part of a name, or an id", value=state.url_value("q"), key="term_words", max_chars=200
    )
    within = chosen.multiselect(
        "In",
        names,
        key="term_vocabularies",
        placeholder="all vocabularies",
        select_all=False,
    )
    state.set_url(q=text)
    if not text.strip():
        st.caption("The last word may be incomplete: “malignant hyper”.")
        return
    match = vocabularies.search_terms(desk, text, within, SHOWN)
    if not match:
        st.info("No term has a name with these words.")
        return
    rows = [
        {
            "label": candidate.term.label,
            "id": candidate.term.id,
            "matching name": candidate.surface,
            "vocabulary": candidate.vocabulary,
            "obsolete": "yes" if candidate.obsolete else "",
        }
        for candidate in match
    ]
    st.dataframe(
        rows,
        hide_index=True,
        width="stretch",
        key="terms",
        on_select="rerun",
        selection_mode="single-row",
    )
    if len(match) == SHOWN:
        st.caption(f"The first {SHOWN} are shown. Add words to narrow the search.")
    place = next(iter(state.selected_rows("terms")), 0)
    candidate = match[place if place < len(match) else 0]
    _detail(desk, candidate.vocabulary, candidate.term.id)


def _detail(desk: Desk, vocabulary: str, id: str) -> None:
    try:
        term_detail = vocabularies.term_detail(desk, vocabulary, id)
    except GroundworkError as error:
        show_error(error)
        return
    term = term_detail.term
    with st.container(border=True):
        st.html(term_html(Term(term.id, term.label)))
        if term.obsolete:
            st.text(
                "⚠️ Obsolete."
                f" {'Use ' + term.replaced_by if term.replaced_by else 'Nothing takes its place.'}"
            )
        if term.definition:
            st.text(term.definition)
        names = "\n".join(f"{name.text}  ({name.scope.lower()})" for name in term.names[:100])
        st.text(names or "no names")
        for title, listed in (
            ("Above it", term_detail.parents),
            ("Below it", term_detail.children),
        ):
            if listed:
                st.caption(title)
                st.html(
                    "<br>".join(term_html(Term(curie, label or curie)) for curie, label in listed)
                )
        st.caption("From")
        st.text(f"{term_detail.vocabulary} {term_detail.version}")


try:
    main()
except GroundworkError as error:
    show_error(error)
