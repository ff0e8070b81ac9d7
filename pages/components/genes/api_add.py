"""Adding an API on screen: a description with every mistake named, made from an OpenAPI document if
there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Severity
from core.services.genes import api_catalogue
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import problem_line, show_error

DRAFT = "api·draft"
START, SOURCE, SAMPLE, DOCUMENT, OPERATION = (
    "api·start",
    "api·new",
    "api·sample",
    "api·document",
    "api·operation",
)
DESCRIPTION, OPENAPI = "From a description", "From an OpenAPI document"
SHOWN = 8
FIELDS = (
    ("name", "yes", "Small letters and digits; what `ask --api` calls it."),
    ("title, summary", "", "What the list of APIs shows."),
    ("base", "yes", "Its address: https, a public host, and the path that all requests share."),
    (
        "documentation",
        "",
        "What its own pages say. A model that fills the parameters reads all of it.",
    ),
    (
        "token",
        "",
        "Only if it needs a key: NAME, for GROUNDWORK_TOKEN_NAME. The key itself never goes here.",
    ),
    ("token_header, token_prefix", "", "How the key is sent, if not as `Authorization: Bearer …`."),
    (
        "parameters",
        "yes",
        "What may be asked; the form is made from it. Each has a type (string, integer, number,"
        " boolean, list) and may have description, required, default, enum, pattern, minimum,"
        " maximum.",
    ),
    (
        "request.path",
        "yes",
        "What follows the base. {symbol} is put where the parameter symbol belongs.",
    ),
    ("request.query", "", "What follows the ?, as name: value. An empty value is left out."),
    ("request.repeat", "", "Fields of query that send a list as a=1&a=2 and not as a=1,2."),
    (
        "second",
        "",
        "A second request. {first:/a/0/b} is the value at that place of the first answer.",
    ),
    (
        "answer.records",
        "",
        "Where the records are in the answer, as a path of names: /response/docs. If left out,"
        " the whole answer is one record, or a list of them.",
    ),
    ("answer.fields", "", "Which values of a record are read: name: /path/inside/it."),
    ("answer.value", "", "Which of these fields is the answer."),
    (
        "answer.id, answer.prefix",
        "",
        "Which field is the record's id, and the CURIE prefix to put before it.",
    ),
    (
        "examples",
        "",
        "A question and its parameters: shown, used by a model, and tried by the check.",
    ),
)


def add_api_form(desk: Desk, on_added: Callable[[str], None]) -> None:
    """Describe an API, check it, save it; `on_added` is told its name."""
    st.text(
        "A web API is added without code: say where it is, what may be asked, and where its answer"
        " is found."
    )
    choices = [DESCRIPTION, OPENAPI]
    if state.get(START) is None:
        state.put(START, DESCRIPTION)
    chosen = st.segmented_control(
        "Start", choices, key=START, required=True, label_visibility="collapsed"
    )
    if chosen == OPENAPI:
        _openapi()
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        trial = _editor(desk, on_added)
    with right:
        _result(desk, trial)
        _fields()


def _fields() -> None:
    st.caption("What each line means (* is needed)")
    mark = " \\*"
    for name, needed, meaning in FIELDS:
        st.markdown(
            f"**{escaped(name)}**{mark if needed else ''}  \n{meaning.replace('{', '&#123;')}"
        )


def _editor(desk: Desk, on_added: Callable[[str], None]) -> api_catalogue.DescriptionTrial:
    if (
        state.get(SOURCE) is None
    ):  # what was typed before another part of the page was looked at, or the example
        text, sample = state.get(
            DRAFT, (api_catalogue.EXAMPLE_DESCRIPTION, api_catalogue.EXAMPLE_RESPONSE)
        )
        state.put(SOURCE, text)
        state.put(SAMPLE, sample)
    with st.container(key="gw-source-api"):
        text = st.text_area(
            "Description (this example is complete: change it into yours)", key=SOURCE, height=500
        )
        buttons = st.container()
        sample = st.text_area(
            "An answer of the API, pasted (optional: the check then shows what is read)",
            key=SAMPLE,
            height=130,
        )
    state.put(DRAFT, (text, sample))
    trial = api_catalogue.try_description(desk, text, sample or "")
    with buttons:
        _buttons(desk, trial, on_added)
    return trial


def _buttons(
    desk: Desk, trial: api_catalogue.DescriptionTrial, on_added: Callable[[str], None]
) -> None:
    check, keep, again, _ = st.columns([3, 3, 5, 1])
    check.button("Check", key="api·check", icon=":material/fact_check:", width="stretch")
    keep.button(
        "Save this description",
        key="api·keep",
        type="primary",
        icon=":material/save:",
        disabled=trial.api is None,
        on_click=_keep,
        args=(desk, on_added),
        width="stretch",
    )
    again.button(
        "Start again from the example", key="api·again", type="tertiary", on_click=_example
    )


def _result(desk: Desk, trial: api_catalogue.DescriptionTrial) -> None:
    """What the check found, beside the text: mistakes with their lines, or what would be asked and
    read.
    """
    problems = trial.checked.problems
    with st.container(border=True, key="api·result"):
        if trial.api is None:
            wrong = [problem for problem in problems if problem.severity is Severity.ERROR]
            st.text(f"{len(wrong)} {'error' if len(wrong) == 1 else 'errors'} to fix")
        else:
            st.text(
                f"✓ {trial.api.title} is described correctly:"
                f" {', '.join(trial.api.parameters.model_fields)}."
            )
        for problem in problems[:SHOWN]:
            st.text(problem_line(problem))
            if written := _line(trial.checked.text, problem.where):
                st.code(written, language=None)
        if len(problems) > SHOWN:
            st.caption(f"and {len(problems) - SHOWN} more")
        if trial.question and trial.api:
            st.caption(
                "Its first example would send this request (nothing was sent):"
                f" {escaped(trial.api.examples[0].question)}"
            )
            st.code(trial.question, language=None, wrap_lines=True)
        if trial.rows:
            st.caption(
                "What is read from the pasted answer; the answer would be "
                + escaped(", ".join(trial.values) or "none")
            )
            st.dataframe(pd.DataFrame(trial.rows).fillna(""), hide_index=True, key="api·rows")
        if trial.api and (lines := api_catalogue.for_operator(desk, trial.api)):
            st.caption(
                "Once saved, it stays switched off until your administrator sets this variable and"
                " restarts Groundwork:"
            )
            st.code(lines, language="bash", wrap_lines=True)


def _line(text: str, where: str) -> str:
    """The line of a text that a problem is about."""
    line_match, lines = re.match(r"Line (\d+)", where), text.splitlines()
    return (
        lines[int(line_match[1]) - 1][:200]
        if line_match and int(line_match[1]) <= len(lines)
        else ""
    )


def _keep(desk: Desk, on_added: Callable[[str], None]) -> None:
    try:
        api = api_catalogue.add_api(desk, str(state.get(SOURCE, "")), curator=acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    why = api_catalogue.why_inert(desk, api)
    state.show_message(f"{api.title} was added. {why}", "info" if why else "success")
    on_added(api.name)


def _example() -> None:
    state.put(SOURCE, api_catalogue.EXAMPLE_DESCRIPTION)
    state.put(SAMPLE, api_catalogue.EXAMPLE_RESPONSE)


# ------------------------------------------------------------------ OpenAPI
def _openapi() -> None:
    st.caption(
        "Many APIs publish one, often as openapi.json or openapi.yaml (version 3, or Swagger 2)."
        " One of its GET operations becomes a description that you can change. Nothing is fetched."
    )
    file = st.file_uploader("The document as a file", ["json", "yaml", "yml"], key="api·file")
    pasted = st.text_area(
        "or pasted",
        key=DOCUMENT,
        height=260,
        placeholder="openapi: 3.0.3\ninfo: {title: …}\nservers: …",
    )
    text = file.getvalue().decode("utf-8", "replace") if file else str(pasted or "")
    if not text.strip():
        st.button("Read it", key="api·read")
        return
    try:
        operations = api_catalogue.listed_operations(text)
    except GroundworkError as error:
        show_error(error)
        st.button("Read it", key="api·read")
        return
    operation = st.selectbox(
        "Which of its operations",
        list(operations),
        key=OPERATION,
        format_func=lambda name: f"{name}: {operations[name]}",
    )
    st.button(
        "Make a description",
        key="api·make",
        type="primary",
        on_click=_make,
        args=(text, operation),
    )


def _make(text: str, operation: str) -> None:
    try:
        checked = api_catalogue.description_of_operation(text, operation)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(SOURCE, checked.text)
    state.put(SAMPLE, "")
    state.put(START, DESCRIPTION)
    for problem in checked.problems:
        if problem.severity is not Severity.ERROR:
            state.show_message(f"{problem.message} {problem.hint}", "info")
