"""Classes that curators define, and the groups that a reasoner finds by them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.graph import knowledge_base
from core.services.reasoning import reasoning
from core.services.reasoning.reasoning import (
    DefinedClass,
    MembershipCondition,
    MergedOntology,
    Reasoner,
    ReasoningResult,
    RelationPath,
)
from core.services.shared.screen import counted
from pages.components.shared import cached, page, state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error

TIES = 4  # conditions of one class in the form
LISTED = 30  # terms that the words of a condition may mean
FORM = "class·form"  # how many classes were saved: the next form is empty
WARNINGS = 20  # contradictions shown one by one
CENTRES = 40  # members that are shown on Explore at once


def classes_tab(desk: Desk) -> None:
    """What there is, what was found, and a form for more."""
    for kind, message in state.take_messages():
        st.toast(message, icon="⚠️" if kind == "warning" else None)
    st.caption(
        "A class groups things by their kind and by what they are related to: a recipe with a wheat"
        " product. A reasoner reads the approved statements and the vocabularies' broader terms,"
        " so that wheat flour counts as a wheat product. What it finds is inferred: no curator"
        " stated it, and only a file of its own contains it."
    )
    if not cached.cached_graph(desk).points:
        empty_state("Nothing is approved yet.", "Approve statements on **Review**.")
        return
    defined = reasoning.class_definitions(desk)
    try:
        if defined:
            _classified(desk, defined)
        if page.may_change(desk):
            with st.expander("Define a class", expanded=not defined):
                _form(desk, defined)
        elif not defined:
            st.text("No class is defined yet. A curator of this project can define one here.")
    except GroundworkError as error:
        show_error(error)


def _classified(desk: Desk, defined: list[DefinedClass]) -> None:
    """The classes with their last result, and the job that updates it."""
    reasoned = reasoning.last_classification(desk)
    _work(desk, reasoned)
    for definition in defined:
        with st.container(border=True):
            is_classified = reasoned is not None and definition in reasoned.definitions
            members = (
                reasoned.classification.groups.get(definition.name, ())
                if reasoned and is_classified
                else ()
            )
            count = counted(len(members), "member") if is_classified else "not classified yet"
            st.markdown(f"**{escaped(definition.name)}** · {count}")
            st.text(reasoning.definition_words(definition))
            if reasoned and members:
                _members(desk, reasoned, definition, members)
            st.button(
                "Remove this class",
                key=f"class·remove·{definition.name}",
                type="tertiary",
                on_click=_remove,
                args=(desk, definition.name),
                disabled=page.current_curator() is None,
            )
    if reasoned is not None:
        _beside_the_groups(desk, reasoned)


def _remove(desk: Desk, name: str) -> None:
    try:
        reasoning.remove_definition(desk, name, page.current_curator())
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _work(desk: Desk, reasoned: ReasoningResult | None) -> None:
    """The reasoner at work, or how new what it found is and the button that starts it."""
    job = state.url_value("class-job")
    if job:
        at_work = job_panel(desk, job, "Classifying")
        if at_work and at_work.state is JobState.DONE:
            state.set_url(**{"class-job": ""})
            st.rerun()
        if at_work and at_work.state in ACTIVE:
            return
    current = reasoned is not None and reasoning.is_current(desk, reasoned)
    if reasoned is not None:
        since = "nothing changed since" if current else "⚠ made before the latest changes"
        st.caption(f"The results below were found by {reasoned.reasoner}: {since}.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reasoner = _reasoner(desk)
        st.button(
            "Classify again" if reasoned is not None else "Classify",
            key="class·start",
            type="secondary" if current else "primary",
            icon=":material/account_tree:",
            on_click=lambda: _start(desk, reasoner),
            disabled=page.current_curator() is None,
            help=None if page.current_curator() else "Enter your name in the sidebar first.",
        )


def _reasoner(desk: Desk) -> Reasoner:
    """The one that is chosen; where there is one only, nothing is asked."""
    reasoners = {reasoner.name: reasoner for reasoner in reasoning.available_reasoners(desk)}
    if len(reasoners) < 2:
        return next(iter(reasoners.values()))
    name = st.selectbox(
        "Reasoner",
        list(reasoners),
        format_func=lambda name: reasoners[name].title,
        key="class·reasoner",
        help="pyELK and ELK are fast and cover OWL 2 EL; HermiT covers all of OWL 2.",
        width=220,
    )
    return reasoners[name]


def _start(desk: Desk, reasoner: Reasoner) -> None:
    try:
        job = reasoning.start_classifying(desk, reasoner.name, page.acting_orcid(desk))
        state.set_url(**{"class-job": job.id})
    except GroundworkError as error:
        state.show_message(str(error), "warning")


def _beside_the_groups(desk: Desk, reasoned: ReasoningResult) -> None:
    """What cannot be, what was not reasoned over, and all that was inferred as a file."""
    _contradictions(desk, reasoned)
    if reasoned.left_out:
        st.caption(
            f"Left out of the reasoning, so that some results may be missing: "
            f"{', '.join(reasoned.left_out)}."
        )
    st.download_button(
        "Download what was inferred",
        partial(reasoning.inferred_turtle, reasoned),
        "inferred.ttl",
        "text/turtle",
        icon=":material/download:",
        on_click="ignore",
    )


def _members(
    desk: Desk,
    reasoned: ReasoningResult,
    defined: DefinedClass,
    members: tuple[tuple[str, str], ...],
) -> None:
    key = state.key("class·members", defined.name, len(members))
    rows = [{"thing": label, "id": reasoned.curie_of(iri)} for iri, label in members]
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, key=key, on_select="rerun", selection_mode="single-row"
    )
    keys = [reasoned.key_of(iri) for iri, _ in members[:CENTRES]]
    st.button(
        "Show on Explore",
        key=f"class·explore·{defined.name}",
        on_click=lambda: _explore(keys),
        icon=":material/hub:",
    )
    for row in state.selected_rows(key)[:1]:
        iri, label = members[row]
        because = reasoning.why_member(desk, _merged_ontology(desk), iri, defined.name)
        _reasons(f"{label} belongs to it because:", because)


def _explore(keys: list[str]) -> None:
    state.set_url_lists({"centre": keys}, view="around", thing="", statement="")
    state.put("tab", "Explore")


def _contradictions(desk: Desk, reasoned: ReasoningResult) -> None:
    """What can have no member by all that is said of it."""
    contradictions = reasoned.classification.contradictions
    for iri, label in contradictions[:WARNINGS]:
        trouble = (
            "is contradictory: the statements about it cannot all be true."
            if reasoned.key_of(iri)
            else "can have no member as the classes are defined."
        )
        st.warning(f"**{escaped(label)}** {trouble}")
        if st.toggle("Why?", key=f"class·why·{iri}"):
            because = reasoning.why_member(desk, _merged_ontology(desk), iri)
            _reasons("These cannot all be true:", because)
    if (more := len(contradictions) - WARNINGS) > 0:
        noun = counted(more, "more contradiction")
        st.text(f"{noun} not shown: settle these first, then classify again.")


def _reasons(title: str, because: list[str]) -> None:
    st.text(title if because else "Too many statements are involved to name the reasons.")
    for words in because:
        st.text(f"• {words}")


def _form(desk: Desk, defined: list[DefinedClass]) -> None:
    ways = _relation_paths(desk)
    if not ways:
        st.info("No approved statement passes the checks yet. **Export** says what is missing.")
        return
    kinds = {way.kind: way.kind_words for way in ways}
    left, right = st.columns(2)
    form = int(state.get(FORM) or 0)
    name = left.text_input(
        "Name",
        key=state.key("class·name", form),
        max_chars=100,
        placeholder="recipe with wheat",
    )
    kind = right.selectbox(
        "Kind of thing",
        list(kinds),
        format_func=lambda kind: kinds[kind] or "anything",
        key="class·kind",
    )
    paths = {way.path: way.words for way in ways if way.kind == (kind or "")}
    ties: list[MembershipCondition] = []
    for at in range(TIES):  # the next is asked for once this one is filled in
        tie = _tie(desk, paths, at, form)
        if tie is None:
            break
        ties.append(tie)
    either = len(ties) > 1 and st.toggle(
        "One of these relations is enough", key=state.key("class·either", form)
    )
    others = [definition.name for definition in defined if definition.name != name]
    apart = (
        st.multiselect(
            "Nothing can be both this class and",
            others,
            key=state.key("class·apart", form),
            select_all=False,
        )
        if others
        else []
    )
    new_class = DefinedClass(
        name,
        kind or "",
        tuple(ties),
        either=either,
        apart=tuple(apart),
        kind_words=kinds.get(kind or "", ""),
    )
    st.text(reasoning.definition_words(new_class))
    st.button(
        "Save this class",
        on_click=lambda: _keep(desk, new_class),
        disabled=page.current_curator() is None or not name or not (ties or kind),
        help=None if page.current_curator() else "Enter your name in the sidebar first.",
    )


def _tie(
    desk: Desk, paths: dict[tuple[str, ...], str], at: int, form: int
) -> MembershipCondition | None:
    """One condition: by which relations, to which term; None while it is not filled in."""
    left, middle, right = st.columns(3)
    path = left.selectbox(
        "Related by" if not at else "and by",
        list(paths),
        0 if not at and paths else None,
        format_func=lambda path: paths[path],
        key=state.key("class·path", at, len(paths), form),
        placeholder="No second relation",
    )
    if path is None:
        return None
    words = middle.text_input(
        "Term: search",
        key=state.key("class·words", at, form),
        placeholder="Type a name or an id, then press Enter",
    )
    choices = reasoning.terms_like(desk, words, LISTED) if words else {}
    term = right.selectbox(
        "Term, with all below it",
        list(choices),
        format_func=lambda term_id: f"{choices[term_id]} · {term_id}",
        key=state.key("class·term", at, words, form),
        placeholder="Search first",
    )
    return MembershipCondition(path, term, paths[path], choices[term]) if term else None


def _keep(desk: Desk, new_class: DefinedClass) -> None:
    try:
        stored_class = reasoning.define_class(desk, new_class, page.current_curator())
        state.show_message(f"The class “{stored_class.name}” is saved.", "toast")
        state.put(FORM, int(state.get(FORM) or 0) + 1)
        _start(desk, reasoning.available_reasoners(desk)[0])
    except GroundworkError as error:
        state.show_message(str(error), "warning")


def _merged_ontology(desk: Desk) -> MergedOntology:
    """What is reasoned over, to name the reasons of what was found."""
    return _reasoned_over(str(desk.folder), reasoning.reasoning_stamp(desk), desk)


@st.cache_resource(max_entries=4, show_spinner=False)
def _reasoned_over(folder: str, stamp: str, _desk: Desk) -> MergedOntology:
    return reasoning.ontology_of(_desk, cached.gate_report(_desk))


def _relation_paths(desk: Desk) -> list[RelationPath]:
    """What a definition of a class can ask of each kind of thing."""
    return _tie_paths(str(desk.folder), knowledge_base.gate_stamp(desk), desk)


@st.cache_resource(max_entries=4, show_spinner=False)
def _tie_paths(folder: str, stamp: str, _desk: Desk) -> list[RelationPath]:
    return reasoning.ways_to_define(_desk, cached.gate_report(_desk))
