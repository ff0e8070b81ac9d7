"""Ask the knowledge base by a question to fill in or by SPARQL: a table, a graph, a file."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.graph import question
from core.services.graph.question import EXAMPLES, FIELDS, PATTERNS, QueryAnswer, QuestionPattern
from core.services.shared.screen import counted
from pages.components.graph.explorer import ExplorerAct, draw_explorer
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error

SHOWN = 1_000  # rows in the table
OWN = "SPARQL"
LISTED = 50  # things that the words of a field may mean
FILES = (("csv", "text/csv"), ("tsv", "text/tab-separated-values"), ("json", "application/json"))


def asking_tab(desk: Desk) -> None:
    graph = cached.cached_graph(desk)
    if not graph.points:
        empty_state(
            "Nothing is approved yet, so there is nothing to ask.",
            "Approve statements on **Review**.",
        )
        return
    names = [*(pattern.name for pattern in PATTERNS), OWN]
    words = {pattern.name: _blank(pattern) for pattern in PATTERNS} | {
        OWN: "Your own query (SPARQL)"
    }
    chosen = st.selectbox(
        "Question",
        names,
        names.index(state.url_value("ask")) if state.url_value("ask") in names else 0,
        format_func=lambda name: words[name],
        key="ask",
        on_change=lambda: state.set_url(ask=str(state.get("ask"))),
    )
    try:
        text = _own() if chosen == OWN else _filled(desk, chosen)
        if text is not None:
            _answer(desk, text, chosen)
    except GroundworkError as error:
        show_error(error)


def _blank(pattern: QuestionPattern) -> str:
    """`What … …?`"""
    words = pattern.words
    for field in pattern.fields:
        words = words.replace(f"{{{field}}}", f"‹{FIELDS[field]}›")
    return words


def _filled(desk: Desk, name: str) -> str | None:
    """The question's SPARQL once every field is chosen."""
    pattern = question.pattern_named(name)
    values = {}
    columns = st.columns(max(len(pattern.fields), 1))
    for field, column in zip(pattern.fields, columns, strict=False):
        with column:
            values[field] = _field(desk, field, name)
    if not all(values.get(field) for field in pattern.fields):
        return None
    text = question.fill_question(desk, name, values, cached.cached_graph(desk))
    with st.expander("The query in SPARQL"):
        st.code(text, language="sparql")
    return text


def _field(desk: Desk, field: str, pattern: str) -> str:
    key = state.key("ask", pattern, field)
    if field == "relation":
        relations = dict(question.approved_relations(desk))
        return (
            st.selectbox(
                "Relation",
                list(relations),
                None,
                format_func=lambda relation: relations[relation],
                key=key,
            )
            or ""
        )
    if field == "paper":
        return st.text_input("Paper", key=key, placeholder="PMID:12345678")
    graph = cached.cached_graph(desk)
    title = FIELDS[field].capitalize()
    words = st.text_input(
        title, key=f"{key}·words", placeholder="Type a name or an id, then press Enter"
    )
    names = cached.approved_names(desk).matching(words, LISTED) if words else []
    if words and not names:
        st.caption("Nothing approved has this name.")
    if not names:
        return ""
    return (
        st.selectbox(
            f"{title} is",
            names,
            format_func=lambda key: f"{graph.points[key].label} · {key}",
            key=state.key(key, words),
        )
        or ""
    )


def _own() -> str | None:
    """The query once it was asked; what was edited since is asked again."""
    titles = [title for title, _ in EXAMPLES]
    example = st.selectbox("Example", titles, key="ask·example")
    text = st.text_area(
        "SPARQL",
        dict(EXAMPLES)[example],
        height=220,
        key=state.key("ask·sparql", example),
        help="It searches only what is approved and ready for export. Prefixes of common"
        " vocabularies are known already; kb: is this knowledge base.",
    )
    if st.button("Ask", type="primary", icon=":material/search:"):
        state.put("ask·asked", text)
    return text if state.get("ask·asked") == text else None


def _answer(desk: Desk, text: str, chosen: str) -> None:
    with st.spinner("Asking …"):
        query_answer = cached.query_answer(desk, text)
    if query_answer.truth is not None:
        st.markdown(f"**{'Yes' if query_answer.truth else 'No'}**")
        return
    if not query_answer.rows and not cached.gate_report(desk).entries:
        st.info("No approved statement passes the checks yet. **Export** says what is missing.")
        return
    if not query_answer.rows:
        st.info("No approved statement answers this.", icon=":material/search_off:")
        return
    count = counted(len(query_answer.rows), "row")
    st.caption(f"The first {count}; there are more." if query_answer.cut else count)
    if query_answer.also:
        st.caption(escaped(f"One thing under several ids: {' '.join(query_answer.also)}", 600))
    rows = question.readable_rows(desk, query_answer)[:SHOWN]
    st.dataframe(
        pd.DataFrame(rows, columns=list(query_answer.columns)),
        hide_index=True,
        key=state.key("ask·rows", chosen, hash(text)),
    )
    if len(query_answer.rows) > SHOWN:
        st.caption(f"The first {SHOWN:,} are shown; the files below have all.")
    _downloads(query_answer)
    drawing = question.answer_drawing(desk, query_answer)
    if drawing is not None and st.toggle("Draw the answer", key="ask·draw"):
        draw_explorer(desk, drawing, state.key("ask·graph", hash(text)), _go)


def _downloads(query_answer: QueryAnswer) -> None:
    with st.container(horizontal=True):
        for name, mime in (
            *FILES,
            *((("nt", "application/n-triples"),) if query_answer.graph else ()),
        ):
            st.download_button(
                name.upper(),
                question.answer_file(query_answer, name),
                f"answer.{name}",
                mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"ask·file·{name}",
            )


def _go(act: ExplorerAct) -> None:
    """Show on Explore what was clicked in the drawing."""
    if act.kind == "statement":
        state.set_url(statement=act.key)
    elif act.kind == "thing":
        state.set_url(centre=act.key, statement="")
    else:
        return
    state.put("tab", "Explore")
