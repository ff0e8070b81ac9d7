"""Vocabularies: what the project grounds to, a search over its terms, and the names that its
curators gave.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Term
from core.services.shared.screen import counted
from core.services.vocabularies import vocabularies
from core.services.vocabularies.vocabularies import Entry
from pages.components.shared import state
from pages.components.shared.empty import empty
from pages.components.shared.page import begin
from pages.components.shared.problem import show_error, show_problems
from pages.components.shared.term import curie_html, term_html

SHOWN = 50
ENDINGS = ["tsv", "txt", "obo", "json", "owl", "ofn", "rdf", "xml", "ttl", "db", "sqlite", "gz"]


def main() -> None:
    desk = begin("Vocabularies")
    entries = vocabularies.entries(desk)
    found, terms, own, adding = st.tabs(
        ["In this project", "Search terms", "Project synonyms", "Add"]
    )
    with found:
        _list(desk, entries)
    with terms:
        _search(desk, [one.name for one in entries if not one.error])
    with own:
        _synonyms(desk)
    with adding:
        _add(desk)


def _list(desk: Desk, entries: list[Entry]) -> None:
    if not entries:
        empty(
            "There is no vocabulary yet.",
            "Install a starter or add a file of your own under *Add*.",
        )
        return
    st.dataframe([_row(one) for one in entries], hide_index=True, width="stretch")
    st.caption(
        "Those that come with the app hold a few terms for the examples. Add the full ones for real"
        " work."
    )
    for one in entries:
        if one.error:
            with st.container(border=True):
                st.text(f"⛔ {one.path.name}: {one.error}")
        elif one.problems:
            in_file = f"in {one.path.name}{_more(one)}"
            show_problems(one.problems, f"problem {in_file}", f"problems {in_file}")
    _remove(desk, [one.name for one in entries if not one.built_in])


def _row(one: Entry) -> dict[str, object]:
    kind = "cannot be read" if one.error else "comes with the app" if one.built_in else "project"
    return {
        "name": one.name,
        "terms": one.terms,
        "names": one.names,
        "ids": ", ".join(prefix for prefix, _ in one.prefixes[:4]),
        "version": one.version,
        "source": one.source,
        "hierarchy": "yes" if one.hierarchy else "no",
        "obsolete ids": one.obsolete,
        "kept": kind,
    }


def _more(one: Entry) -> str:
    return f" (of {one.problem_count})" if one.problem_count > len(one.problems) else ""


def _remove(desk: Desk, names: list[str]) -> None:
    if not names:
        return
    choice, button = st.columns([3, 1], vertical_alignment="bottom")
    name = choice.selectbox("Take one out of the project", names, index=None, key="remove_name")
    if name:
        st.warning(
            "Terms that were chosen from it stay in statements, but can no longer be checked."
        )
    button.button("Remove", disabled=not name, key="remove", on_click=_removed, args=(desk, name))


def _removed(desk: Desk, name: str) -> None:
    try:
        again = vocabularies.remove(desk, name)
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.say(f"{name} was removed." + (" The starter of that name stands in." if again else ""))


def _search(desk: Desk, names: list[str]) -> None:
    words, chosen = st.columns([3, 2])
    text = words.text_input(
        "Words of a name, or an id", value=state.url("q"), key="term_words", max_chars=200
    )
    within = chosen.multiselect(
        "In", names, key="term_vocabularies", placeholder="all vocabularies"
    )
    state.set_url(q=text)
    if not text.strip():
        st.caption("The last word may be a beginning: “malignant hyper”.")
        return
    found = vocabularies.search(desk, text, within, SHOWN)
    if not found:
        st.info("No term has these words in one of its names.")
        return
    rows = [
        {"label": one.term.label, "id": one.term.id, "met by": one.surface, "vocabulary": one.vocabulary,
         "obsolete": "yes" if one.obsolete else ""}
        for one in found
    ]  # fmt: skip
    st.dataframe(
        rows,
        hide_index=True,
        width="stretch",
        key="terms",
        on_select="rerun",
        selection_mode="single-row",
    )
    if len(found) == SHOWN:
        st.caption(f"The first {SHOWN} are shown: more words find fewer.")
    place = next(iter(state.selected_rows("terms")), 0)
    one = found[place if place < len(found) else 0]
    _detail(desk, one.vocabulary, one.term.id)


def _detail(desk: Desk, vocabulary: str, id: str) -> None:
    try:
        found = vocabularies.detail(desk, vocabulary, id)
    except GroundworkError as error:
        show_error(error)
        return
    term = found.term
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
        for title, listed in (("Above it", found.parents), ("Below it", found.children)):
            if listed:
                st.caption(title)
                st.html("<br>".join(term_html(Term(one, label or one)) for one, label in listed))
        st.caption("From")
        st.text(f"{found.vocabulary} {found.version}")


def _synonyms(desk: Desk) -> None:
    listed = vocabularies.synonyms(desk)
    if not listed:
        empty(
            "No names were given yet.",
            "When a curator chooses a term for words of a text, the project remembers it and uses"
            " it next time.",
        )
        return
    st.caption("Used before every vocabulary. Forgetting one changes nothing that was decided.")
    for one in listed[-200:][::-1]:
        words, means, who, button = st.columns([3, 4, 2, 1], vertical_alignment="center")
        words.text(one.words)
        means.html(f"{term_html(one.term, with_id=False)} {curie_html(one.term.id)}")
        who.text(f"{one.curator}\n{one.time[:10]}")
        button.button("Forget", key=f"forget·{one.id}", on_click=_forget, args=(desk, one.id))


def _forget(desk: Desk, id: int) -> None:
    vocabularies.forget(desk, id)
    state.say("It was forgotten.")


def _add(desk: Desk) -> None:
    st.caption(
        "A table (TSV with id, label and synonym), OBO, OBO Graphs JSON, OWL in RDF/XML, or"
        " semantic-SQL."
    )
    with st.form("add_file", clear_on_submit=True):
        st.file_uploader("A vocabulary file", type=ENDINGS, key="upload")
        st.form_submit_button("Add it", on_click=_uploaded, args=(desk,))
    names = vocabularies.available(desk)
    with st.form("install"):
        name = st.selectbox("Or install one by name", list(names), key="install_name")
        full = st.checkbox("Download the full release from its authority", key="install_full")
        pressed = st.form_submit_button("Install")
    if pressed and name:
        _install(desk, name, full)


def _uploaded(desk: Desk) -> None:
    file = state.get("upload")
    if file is None:
        state.say("Choose a file first.", "warning")
        return
    try:
        found = vocabularies.add_upload(desk, file.name, file.getvalue())
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.say(f"{found.name} was added: {_size(found)}, {counted(found.problem_count, 'problem')}.")


def _size(one: Entry) -> str:
    return f"{counted(one.terms, 'term')}, {counted(one.names, 'name')}"


def _install(desk: Desk, name: str, full: bool) -> None:
    try:
        with st.spinner("Getting it …"):
            found = vocabularies.install(desk, name, full=full)
    except GroundworkError as error:
        show_error(error)
        return
    state.say(f"{found.name} was installed: {_size(found)}.")
    st.rerun()


try:
    main()
except GroundworkError as error:
    show_error(error)
