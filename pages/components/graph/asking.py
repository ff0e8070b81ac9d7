"""Ask the knowledge base by a question to fill in or by SPARQL: a table, a graph, a file."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.asking import question
from core.services.asking.question import EXAMPLES, FIELDS, PATTERNS, QueryAnswer, QuestionPattern
from core.services.graph import knowledge_base
from core.services.shared.screen import counted
from pages.components.graph.chart import graph_chart
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.problem import show_error

SHOWN = 1_000  # rows in the table
OWN = "SPARQL"
LISTED = 50  # things that the words of a field may mean
FILES = (("csv", "text/csv"), ("tsv", "text/tab-separated-values"), ("json", "application/json"))


def asking_tab(desk: Desk) -> None:
    graph = cached.graph(desk)
    if not graph.points:
        empty_state(
            "Nothing is approved yet, so there is nothing to ask.",
            "Approve statements on **Review**.",
        )
        return
    names = [*(pattern.name for pattern in PATTERNS), OWN]
    words = {pattern.name: _blank(pattern) for pattern in PATTERNS} | {
        OWN: "A query of your own (SPARQL)"
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
        if text:
            _answer(desk, text, chosen)
    except GroundworkError as error:
        show_error(error)


def _blank(pattern: QuestionPattern) -> str:
    """`What … …?`"""
    words = pattern.words
    for field in pattern.fields:
        words = words.replace(f"{{{field}}}", f"‹{FIELDS[field]}›")
    return words


def _filled(desk: Desk, name: str) -> str:
    """The question's SPARQL once every field is chosen; "" before."""
    pattern = question.pattern_named(name)
    values = {}
    columns = st.columns(max(len(pattern.fields), 1))
    for field, column in zip(pattern.fields, columns, strict=False):
        with column:
            values[field] = _field(desk, field, name)
    if not all(values.get(field) for field in pattern.fields):
        return ""
    text = question.filled(desk, name, values, cached.graph(desk))
    with st.expander("The query in SPARQL"):
        st.code(text, language="sparql")
    return text


def _field(desk: Desk, field: str, pattern: str) -> str:
    key = state.key("ask", pattern, field)
    if field == "relation":
        known = dict(question.relations(desk))
        return (
            st.selectbox("Relation", list(known), None, format_func=lambda one: known[one], key=key)
            or ""
        )
    if field == "paper":
        return st.text_input("Paper", key=key, placeholder="PMID:12345678")
    graph = cached.graph(desk)
    title = FIELDS[field].capitalize()
    words = st.text_input(title, key=f"{key}·words", placeholder="A name or an id, Enter")
    names = knowledge_base.matching(graph, words)[:LISTED] if words else []
    if words and not names:
        st.caption("Nothing approved is called so.")
    if not names:
        return ""
    return (
        st.selectbox(
            f"{title} is",
            names,
            format_func=lambda one: f"{graph.points[one].label} · {one}",
            key=state.key(key, words),
        )
        or ""
    )


def _own() -> str:
    titles = [title for title, _ in EXAMPLES]
    example = st.selectbox("Example", titles, key="ask·example")
    text = st.text_area(
        "SPARQL",
        dict(EXAMPLES)[example],
        height=220,
        key=state.key("ask·sparql", example),
        help="It reads what is approved and passes the gate, and nothing else. Prefixes of common"
        " vocabularies are known already; kb: is this knowledge base.",
    )
    if st.button("Ask", type="primary", icon=":material/search:"):
        state.put("ask·asked", text)
    return text if state.get("ask·asked") == text else ""  # what was edited is asked again


def _answer(desk: Desk, text: str, chosen: str) -> None:
    with st.spinner("Asking …"):
        found = cached.answered(desk, text)
    if found.truth is not None:
        st.markdown(f"**{'Yes' if found.truth else 'No'}**")
        return
    if not found.rows:
        st.info("Nothing that is approved answers this.", icon=":material/search_off:")
        return
    more = f"; the first {len(found.rows):,} of them" if found.cut else ""
    st.caption(f"{counted(len(found.rows), 'row')}{more}")
    rows = question.rows(desk, found)[:SHOWN]
    st.dataframe(
        pd.DataFrame(rows, columns=list(found.columns)),
        hide_index=True,
        key=state.key("ask·rows", chosen, hash(text)),
    )
    if len(found.rows) > SHOWN:
        st.caption(f"The first {SHOWN:,} are shown; the files below have all.")
    _downloads(found)
    drawing = question.drawn(desk, found)
    if drawing is not None and st.toggle("Draw the answer", key="ask·draw"):
        relations = [name for name, _ in cached.relations(desk)]
        key = state.key("ask·graph", hash(text))
        graph_chart(drawing, key, _go, relations)


def _downloads(found: QueryAnswer) -> None:
    with st.container(horizontal=True):
        for name, mime in (*FILES, *((("nt", "application/n-triples"),) if found.graph else ())):
            st.download_button(
                name.upper(),
                question.download(found, name),
                f"answer.{name}",
                mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"ask·file·{name}",
            )


def _go(point: str, statement: str) -> None:
    """Show on Explore what was clicked in the drawing."""
    if statement:
        state.set_url(statement=statement, tab="Explore")
    elif not point.startswith("value·"):
        state.set_url(centre=point, tab="Explore", statement="")
