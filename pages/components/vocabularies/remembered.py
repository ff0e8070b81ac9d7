"""What curators taught the project about names: listed, searched, taken back, written by hand, read
and written as SSSOM; and the words for which no term fits.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category
from core.services.home import project
from core.services.shared.screen import counted
from core.services.vocabularies import memory
from core.services.vocabularies.memory import RememberedName
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import acting_orcid, current_curator

SAYS = {
    memory.MEANS: "mean",
    memory.NOT: "do not mean",
    memory.NEVER: "are never linked",
}
MOST = 500  # rows on the page
LOW, HEIGHT = 7, 285  # rows of a whole table; pixels of a longer one: the form below is in view
LARGEST = 20_000_000  # bytes of an SSSOM table


def memory_tab(desk: Desk) -> None:
    """The tab *Memory*."""
    listed(desk)
    writing, exchange = st.columns(2, gap="large")
    with writing:
        written(desk)
    with exchange:
        sssom(desk)
    asked_for(desk)


def listed(desk: Desk) -> None:
    st.caption(
        "Used before any vocabulary, so each correction is needed only once. Undoing one changes "
        "no decision."
    )
    search = st.text_input("Words, a label or an id", key="memory_search", max_chars=200)
    names = memory.remembered_names(desk, search)[::-1]
    if not names:
        if search:
            st.info("Nothing in the project's memory contains these words.")
        else:
            empty_state(
                "No names have been taught yet.",
                "When a curator chooses another term for words of a text, or says that they mean"
                " none, the project remembers it and uses it next time.",
            )
        return
    people = {person.orcid: person.name for person in project.project_curators(desk)}
    st.dataframe(
        [_row(name, people) for name in names[:MOST]],
        hide_index=True,
        width="stretch",
        height="auto" if len(names) < LOW else HEIGHT,
        key="memory_rows",
        on_select="rerun",
        selection_mode="multi-row",
    )
    if len(names) > MOST:
        st.caption(f"The newest {MOST} of {len(names)} are shown: search for others.")
    chosen = [names[place] for place in state.selected_rows("memory_rows") if place < len(names)]
    st.button(
        f"Take back {len(chosen)} of them" if len(chosen) > 1 else "Undo it",
        key="memory_remove",
        icon=":material/undo:",
        disabled=not chosen,
        on_click=_remove,
        args=(desk, chosen),
    )


def _row(name: RememberedName, people: Mapping[str, str]) -> dict[str, str]:
    return {
        "words": name.words,
        "": SAYS[name.verdict],
        "term": name.label,
        "id": name.id,
        "where": name.scope or "everywhere",
        "reason": name.reason,
        "who": people.get(name.curator) or name.curator,
        "when": name.time[:10],
    }


def _remove(desk: Desk, names: list[RememberedName]) -> None:
    try:
        for name in names:
            memory.forget_name(desk, name.key, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{len(names)} taken back.")


def written(desk: Desk) -> None:
    with st.form("memory_form", border=True):
        st.markdown("**Teach it a name**")
        st.text_input("These words", key="memory_words", max_chars=200)
        st.selectbox("…", list(SAYS), format_func=SAYS.__getitem__, key="memory_verdict",
                     label_visibility="collapsed")  # fmt: skip
        st.text_input("the term with the id (not for “never linked”)", key="memory_id",
                      max_chars=100)  # fmt: skip
        st.selectbox(
            "where",
            ["", *(str(category) for category in Category if category is not Category.THING)],
            format_func=lambda scope_name: scope_name or "everywhere",
            key="memory_scope",
        )
        st.text_input("Reason (optional)", key="memory_reason", max_chars=300)
        st.form_submit_button("Remember", on_click=_remember, args=(desk,))


def _remember(desk: Desk) -> None:
    words, verdict, id, scope, reason = (
        str(state.get(f"memory_{name}") or "")
        for name in ("words", "verdict", "id", "scope", "reason")
    )
    who = current_curator()
    if who is None:
        state.show_message("Enter your name in the sidebar first.", "warning")
        return
    if verdict != memory.NEVER and not id.strip():
        state.show_message("Give the id of the term.", "warning")
        return
    try:
        if verdict == memory.MEANS:
            memory.remember_meaning(desk, words, id.strip(), who.orcid, scope=scope, reason=reason)
        else:
            term = id.strip() if verdict == memory.NOT else ""
            memory.remember_refusal(desk, words, who.orcid, id=term, reason=reason, scope=scope)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message("Saved in the project's memory.")


def sssom(desk: Desk) -> None:
    with st.container(border=True):
        st.markdown("**Exchange as SSSOM**")
        st.caption(
            "Words and terms as a table of literal mappings; what words do not mean has the"
            " modifier Not. Rows that map an id to another are kept too: *Search terms › Ask a"
            " remote service* finds them without a network."
        )
        st.download_button(
            "Download the memory",
            data=lambda: memory.to_sssom(desk),
            file_name="memory.sssom.tsv",
            mime="text/tab-separated-values",
            icon=":material/download:",
            on_click="ignore",
        )
        file = st.file_uploader("Read an SSSOM table", type=["tsv", "txt"], key="memory_file")
        if file is not None:
            st.button(
                "Import its rows", key="memory_read", on_click=_import_memory, args=(desk, file)
            )


def _import_memory(desk: Desk, file: object) -> None:
    who = current_curator()
    if who is None:
        state.show_message("Enter your name in the sidebar first.", "warning")
        return
    content: bytes = file.getvalue()  # type: ignore[attr-defined]
    if len(content) > LARGEST:
        state.show_message("The table is too large: 20 MB at most.", "error")
        return
    try:
        text = content.decode("utf-8-sig")
        with st.spinner("Importing its rows…"):
            bar, row_count = st.progress(0.0), max(text.count("\n"), 1)
            taken_count, problems = memory.from_sssom(
                desk,
                text,
                who.orcid,
                lambda number: bar.progress(min(number / row_count, 1.0), f"{number:,} rows read"),
            )
    except UnicodeDecodeError:
        state.show_message("The table is not UTF-8 text.", "error")
        return
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{counted(taken_count, 'row')} imported.")
    for problem in problems[:5]:
        state.show_message(f"{problem.where}: {problem.message} {problem.hint}", "warning")
    if len(problems) > 5:
        state.show_message(f"{len(problems) - 5:,} more rows were left out.", "warning")


def asked_for(desk: Desk) -> None:
    """The request list of new terms; it is made only when it is asked for, from all runs."""
    if not st.toggle("Words for which curators found no term", key="memory_requests"):
        return
    requests = memory.term_requests(desk)
    if not requests:
        st.caption("No words have been marked as having no term.")
        return
    find, save = st.columns([3, 1], vertical_alignment="bottom")
    search = find.text_input("Words or a kind", key="memory_request_search", max_chars=200)
    requests = memory.term_requests(desk, search.strip())
    save.download_button(
        "Download the list",
        data=memory.requests_table(requests),
        file_name="term-requests.tsv",
        mime="text/tab-separated-values",
        icon=":material/download:",
        on_click="ignore",
        width="stretch",
    )
    if not requests:
        st.info("No words on the list contain these.")
        return
    st.dataframe(
        [
            {"words": request.words, "kind": request.category, "times": request.times,
             "who": ", ".join(request.curators), "last": request.last[:10]}
            for request in requests
        ],
        hide_index=True,
        width="stretch",
        key="memory_request_rows",
    )  # fmt: skip
