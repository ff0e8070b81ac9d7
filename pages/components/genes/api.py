"""API agents on screen: choose one, ask it by question or by its form. Adding one is
`api_add`.
"""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.genes import api_agents, api_catalogue, api_form, trace
from core.services.genes.options import PLANNER, WITH_TOOLS, AskOptions
from pages.components.genes.api_add import DESCRIPTION, SOURCE, START, add_api_form
from pages.components.genes.ask import ask_in_background
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error

PART, NAME, BESIDE, MODEL = "api·part", "api·name", "api·beside", "api·model"
PYTHON_QUESTION, PYTHON_CALL = "python·question", "python·call"
ASK, ADD, PYTHON = "Ask one", "Add one", "Python calls"


def other_apis_tab(desk: Desk) -> None:
    if state.get(PART) is None:
        state.put(PART, ASK)
    part = st.segmented_control(
        "Web APIs", [ASK, ADD, PYTHON], key=PART, required=True, label_visibility="collapsed"
    )
    if part == ADD:
        add_api_form(desk, show_kept_api)
    elif part == PYTHON:
        _python()
    else:
        _asking(desk)


def show_kept_api(name: str) -> None:
    """Show the API that was just kept. For callbacks."""
    state.put(PART, ASK)
    state.put(NAME, name)


def _asking(desk: Desk) -> None:
    by_name = {agent.name: agent for agent in api_catalogue.api_agents(desk)}
    if state.get(NAME) not in by_name:
        state.drop(NAME)
    name = st.selectbox(
        "API", list(by_name), key=NAME, format_func=lambda name: f"{by_name[name].title} ({name})"
    )
    api = by_name[name]
    st.text(api.summary)
    st.caption(
        f"What you type is sent to {escaped(api.host)}."
        f" On the command line: `ask --api {api.name}`."
    )
    why = api_catalogue.why_inert(desk, api)
    if why:
        _waiting(desk, api, why)
    _question(desk, api, bool(why))
    _form(desk, api, bool(why))
    with st.expander("Documentation, parameters, source"):
        _about(desk, api)
    for file, trouble in api_catalogue.unreadable_apis(desk).items():
        st.text(f"✕ {file} is left out: {trouble}")


def _waiting(desk: Desk, api: Any, why: str) -> None:
    with st.container(border=True):
        st.markdown(f":material/lock: {escaped(why)}")
        st.caption("Ask your administrator to set this variable and restart Groundwork:")
        st.code(api_catalogue.for_operator(desk, api), language="bash", wrap_lines=True)


def _question(desk: Desk, api: Any, inert: bool) -> None:
    key = f"api·text·{api.name}"
    placeholder = api.examples[0].question if api.examples else ""
    how = (
        ""
        if desk.settings.has_model_for("interpretation")
        else ", like the examples or as name=value (other words need a model)"
    )
    left, right = st.columns([6, 1], vertical_alignment="bottom")
    text = left.text_input(f"Question{how}", key=key, placeholder=placeholder)
    right.button(
        "Ask",
        key=f"api·ask·{api.name}",
        type="primary",
        disabled=inert or not text.strip(),
        on_click=_start,
        args=(desk, api.name, text),
        width="stretch",
    )
    if desk.settings.has_model_for("interpretation"):
        st.checkbox("Let the model use it along with NCBI's tools", key=BESIDE)
        model = choose_model(desk, "interpretation", MODEL)
        way = WITH_TOOLS if state.get(BESIDE) else PLANNER
        st.caption(
            escaped(trace.what_leaves_machine(desk, text, way=way, api=api.name, model=model), 400)
        )
    if api.examples:
        st.caption("Examples (click one to fill in the question)")
    for number, example in enumerate(api.examples):
        st.button(
            escaped(example.question),
            key=f"{key}·{number}",
            type="tertiary",
            on_click=state.put,
            args=(key, example.question),
        )


def _start(desk: Desk, name: str, text: str) -> None:
    beside = bool(state.get(BESIDE)) and desk.settings.has_model_for("interpretation")
    try:
        if not beside:
            api_agents.check_api_question(desk, name, text)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    model = str(state.get(MODEL) or "")
    ask_in_background(
        desk, text, AskOptions(way=WITH_TOOLS if beside else PLANNER, api=name, model=model)
    )


def _form(desk: Desk, api: Any, inert: bool) -> None:
    """A form made from the parameters' JSON Schema."""
    fields = api_form.api_form_fields(api)
    with st.form(f"api·form·{api.name}"):
        st.text("Or fill in its parameters yourself:")
        for name, field in fields.items():
            _widget(_key(api.name, name), name, field)
        st.form_submit_button("Ask with these", disabled=inert, on_click=_send, args=(desk, api))


def _key(api: str, name: str) -> str:
    return f"api·{api}·{name}"


def _widget(key: str, name: str, field: api_form.FormField) -> Any:
    """A parameter's field with its words below; the name is the label, since a label's escapes
    would be read aloud.
    """
    with st.container(gap=None):
        value = _input(key, f"{name} (needed)" if field.required else name, field)
        several = "separate several with commas" if field.kind == "array" else ""
        if caption := "; ".join(filter(None, (field.description, several))):
            st.caption(escaped(caption, 300))
    return value


def _input(key: str, label: str, field: api_form.FormField) -> Any:
    if field.choices or (field.kind == "boolean" and field.default is None):
        options: list[Any] = list(field.choices) or [True, False]
        index = options.index(field.default) if field.default in options else None
        return st.selectbox(
            label, options, index=index, key=key, placeholder="not said", format_func=_value_words
        )
    if field.kind == "boolean":
        return st.checkbox(label, bool(field.default), key=key)
    if field.kind in ("integer", "number"):
        kind: Any = int if field.kind == "integer" else float
        low, high, value = (
            None if bound is None else kind(bound)
            for bound in (field.low, field.high, field.default)
        )
        return st.number_input(label, low, high, value, kind(1) if kind is int else 0.1, key=key)
    value = (
        ", ".join(map(str, field.default))
        if isinstance(field.default, list)
        else str(field.default or "")
    )
    return st.text_input(label, value, key=key)


def _value_words(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) or "any"


def _send(desk: Desk, api: Any) -> None:
    typed = {name: state.get(_key(api.name, name)) for name in api_form.api_form_fields(api)}
    try:
        question = api_form.form_to_question(api, typed)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    ask_in_background(desk, question, AskOptions(api=api.name))


def _about(desk: Desk, api: Any) -> None:
    st.text(api.documentation or "No documentation.")
    for example in api.examples:
        st.text(
            f"{example.question}  →  {json.dumps(dict(example.parameters), ensure_ascii=False)}"
        )
    st.code(json.dumps(api.parameters.model_json_schema(), indent=2), language="json", height=240)
    if api.added:
        st.code(api.source, language="yaml", height=240)
        change, remove, _ = st.columns([1, 1, 4])
        change.button(
            "Change it",
            key=f"api·change·{api.name}",
            on_click=_change,
            args=(api.source,),
            width="stretch",
        )
        remove.button(
            "Remove it",
            key=f"api·remove·{api.name}",
            on_click=_remove,
            args=(desk, api.name),
            width="stretch",
        )


def _change(source: str) -> None:
    state.put(START, DESCRIPTION)
    state.put(SOURCE, source)
    state.put(PART, ADD)


def _remove(desk: Desk, name: str) -> None:
    try:
        api_catalogue.remove_api(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{name} was removed.")


def _choose_call() -> None:
    """The form shows the call that the question means, so that what it lacks can be filled in."""
    if name := api_form.python_call_named(str(state.get(PYTHON_QUESTION, ""))):
        state.put(PYTHON_CALL, name)


def _python() -> None:
    """Calls of Python libraries: filled, shown, never run."""
    calls = api_form.python_calls()
    question = st.text_input(
        "What should the call do?",
        key=PYTHON_QUESTION,
        placeholder="plot a UMAP colored by n_genes_by_counts",
        on_change=_choose_call,
    )
    if question.strip():
        try:
            st.code(api_form.python_call_of(question), language="python")
        except GroundworkError as error:
            show_error(error)
    st.caption("Or fill in a request yourself:")
    chosen = st.selectbox(
        "Call",
        list(calls),
        format_func=lambda name: f"{calls[name].function}: {calls[name].summary}",
        key=PYTHON_CALL,
    )
    fields = api_form.python_form(chosen)
    typed = {
        name: _widget(_key("python" + chosen, name), name, field) for name, field in fields.items()
    }
    lacking = [
        name for name, field in fields.items() if field.required and typed[name] in ("", None)
    ]
    try:
        if lacking:
            st.caption(escaped(f"Still needed: {', '.join(lacking)}."))
        else:
            st.code(api_form.propose_python_call(chosen, typed), language="python")
    except GroundworkError as error:
        show_error(error)
    st.caption("To copy into your own notebook. It is not run here.")
