"""What the project grounds to: a table of vocabularies, what is still prepared, what of each could
not be read, and what kinds of thing those without hierarchy hold.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category
from core.services.shared.screen import counted
from core.services.vocabularies import (
    installation,
    own_files,
    prefix_context,
    preparation,
    schema_use,
)
from core.services.vocabularies.vocabularies import Vocabulary
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_problems


def vocabularies_tab(desk: Desk, listed: list[Vocabulary]) -> None:
    """The tab *In this project*."""
    preparing_note(desk)
    if not listed:
        empty_state(
            "There are no vocabularies yet.", "Install one, or add your own file, under *Add*."
        )
        return
    st.dataframe(
        [vocabulary_row(vocabulary) for vocabulary in listed], hide_index=True, width="stretch"
    )
    if any(vocabulary.licence for vocabulary in listed):
        offer_newer_release(desk, listed)
    unreadable_row(listed)
    ask_prefixes(desk, listed)
    unused = use_lines(desk, listed)
    ask_kinds(
        desk,
        [
            vocabulary
            for vocabulary in listed
            if not vocabulary.error
            and (not vocabulary.hierarchy or vocabulary.holds or vocabulary.name in unused)
        ],
    )
    removal_form(desk, [vocabulary.name for vocabulary in listed if not vocabulary.built_in])


def offer_newer_release(desk: Desk, listed: list[Vocabulary]) -> None:
    """The current release of what is there only as a dated base set, one click away."""
    releases = installation.installable_names()
    dated = {
        vocabulary.name: vocabulary.advice
        for vocabulary in listed
        if vocabulary.built_in and vocabulary.name in releases
    }
    if not dated:
        return
    choice, button = st.columns([3, 1], vertical_alignment="bottom")
    names_in_order: list[str] = sorted(
        dated,
        key=lambda vocabulary_name: (vocabulary_name != "mesh", dated[vocabulary_name].lower()),
    )
    name = choice.selectbox(
        "The base set comes with the app and is dated",
        names_in_order,
        format_func=lambda name: dated[name],
        key="newer",
    )
    button.button(
        "Install", key="install_newer", type="primary", on_click=start_install, args=(desk, name)
    )


def start_install(desk: Desk, name: str) -> None:
    """Start the job that installs a release; the page stays as it is."""
    try:
        installation.start_installing(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def preparing_note(desk: Desk) -> None:
    """How far the vocabularies are that are compiled for the first time; looks again by itself."""
    if preparation.preparation_progress(desk):
        _preparing(desk)


@st.fragment(run_every=1.0)
def _preparing(desk: Desk) -> None:
    waiting = preparation.preparation_progress(desk)
    if not waiting:
        st.rerun()
    everything = (
        len(desk.vocabulary_registry.base.vocabularies)
        if desk.vocabulary_registry.base
        else len(waiting)
    )
    everything = max(everything, len(waiting))
    prepared = everything - len(waiting) + max(waiting.values())
    st.progress(
        min(1.0, prepared / everything),
        text=f"Preparing vocabularies, once: {everything - len(waiting)} of {everything} are ready."
        " You can go on working meanwhile.",
    )


def vocabulary_row(vocabulary: Vocabulary) -> dict[str, object]:
    state_words = (
        "cannot be read"
        if vocabulary.error
        else "comes with the app"
        if vocabulary.built_in
        else "project"
    )
    state_words = (
        state_words if vocabulary.ready >= 1 else f"being prepared ({vocabulary.ready:.0%})"
    )
    return {
        "name": vocabulary.name,
        "title": vocabulary.title,
        "version": vocabulary.version,
        "terms": vocabulary.terms,
        "names": vocabulary.names,
        "ids": ", ".join(prefix for prefix, _ in vocabulary.prefixes[:4]),
        "status": state_words,
        "licence": vocabulary.licence,
        "source": vocabulary.source,
        "hierarchy": "yes" if vocabulary.hierarchy else "no",
        "contains": ", ".join(vocabulary.holds),
        "obsolete ids": vocabulary.obsolete,
        "advice": vocabulary.advice,
    }


def unreadable_row(listed: list[Vocabulary]) -> None:
    for vocabulary in listed:
        if vocabulary.error:
            with st.container(border=True):
                st.text(f"⛔ {vocabulary.path.name}: {vocabulary.error}")
        elif vocabulary.problems:
            more = (
                f" (of {vocabulary.problem_count})"
                if vocabulary.problem_count > len(vocabulary.problems)
                else ""
            )
            place = f"in {vocabulary.path.name}{more}"
            show_problems(vocabulary.problems, f"problem {place}", f"problems {place}")
        if vocabulary.ledger:
            st.text(f"{vocabulary.path.name}: {vocabulary.ledger}")


def use_lines(desk: Desk, listed: list[Vocabulary]) -> list[str]:
    """Which schemas use each of the project's own vocabularies, in a sentence each; the names of
    those that none uses.
    """
    own = [
        vocabulary.name for vocabulary in listed if not (vocabulary.built_in or vocabulary.error)
    ]
    unused = [name for name in schema_use.unused_vocabularies(desk) if name in own]
    for name in unused:
        st.info(escaped(schema_use.use_words(desk, name), 400))
    used = [name for name in own if name not in unused]
    if used:
        with st.expander("Which schemas use your own vocabularies?", icon=":material/schema:"):
            for name in used:
                st.text(schema_use.use_words(desk, name))
    return unused


def ask_prefixes(desk: Desk, listed: list[Vocabulary]) -> None:
    """Ask for the IRIs of prefixes that no file says: statements with them are not exported."""
    own = (vocabulary for vocabulary in listed if not vocabulary.built_in)
    names = [prefix for vocabulary in own for prefix, _ in vocabulary.prefixes]
    strange = prefix_context.without_iri(desk, dict.fromkeys(names))
    if not strange:
        return
    st.info(escaped(prefix_context.question_words(strange), 400), icon=":material/link:")
    prefix_column, iri_column, button = st.columns([1, 3, 1], vertical_alignment="bottom")
    prefix_column.selectbox("Prefix", strange, key="unknown_prefix")
    iri_column.text_input(
        "Its IRI: what the addresses of its ids begin with",
        placeholder="https://example.org/lab/",
        key="unknown_prefix_iri",
    )
    button.button("Keep the IRI", key="keep_prefix", on_click=_keep_prefix, args=(desk,))


def _keep_prefix(desk: Desk) -> None:
    prefix, iri = (str(state.get(key) or "") for key in ("unknown_prefix", "unknown_prefix_iri"))
    try:
        prefix_context.say_prefix(desk, prefix, iri, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put("unknown_prefix_iri", "")
    state.show_message(f"{prefix} stands for {iri.strip()}.")


def ask_kinds(desk: Desk, flat: list[Vocabulary]) -> None:
    """Ask what kinds of thing vocabularies without hierarchy hold; the answer is remembered. Open
    while some are the project's own, with those first of which nobody said it.
    """
    if not flat:
        return
    own = [vocabulary for vocabulary in flat if not vocabulary.built_in]
    unsaid = [vocabulary.name for vocabulary in own if not vocabulary.holds]
    with st.expander(
        "What kinds of thing does it contain?", icon=":material/category:", expanded=bool(own)
    ):
        st.caption(
            "A vocabulary without hierarchy does not say what kind of things its terms are. Say it"
            " once, so that the kinds of terms can be checked. If your own vocabulary contains only"
            " one kind, every schema that asks for this kind then uses it, after the vocabularies"
            " that the schema names."
        )
        if unsaid:
            st.warning(f"Not said yet: {', '.join(unsaid)}.")
        others = [vocabulary.name for vocabulary in flat if vocabulary.name not in unsaid]
        name = st.selectbox("Vocabulary", [*unsaid, *others], key="kinds_name")
        kinds_held = next((vocabulary.holds for vocabulary in flat if vocabulary.name == name), ())
        st.multiselect(
            "It contains",
            [str(kind) for kind in Category],
            default=list(kinds_held),
            key=f"kinds·{name}",
            on_change=_keep_kinds,
            args=(desk, name),
            select_all=False,
        )


def _keep_kinds(desk: Desk, name: str) -> None:
    kinds = [Category(kind) for kind in state.get(f"kinds·{name}", [])]
    try:
        own_files.say_kinds(desk, name, kinds, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def removal_form(desk: Desk, names: list[str]) -> None:
    if not names:
        return
    choice, button = st.columns([3, 1], vertical_alignment="bottom")
    name = choice.selectbox("Remove one from the project", names, index=None, key="remove_name")
    if name:
        st.warning(
            "Terms that were chosen from it stay in statements, but can no longer be checked."
        )
    button.button("Remove", disabled=not name, key="remove", on_click=_removed, args=(desk, name))


def _removed(desk: Desk, name: str) -> None:
    try:
        again = own_files.remove_vocabulary(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    stand_in_note = " The one that comes with the app is used instead." if again else ""
    state.show_message(f"{name} was removed.{stand_in_note}")


def file_size(vocabulary: Vocabulary) -> str:
    return f"{counted(vocabulary.terms, 'term')}, {counted(vocabulary.names, 'name')}"
