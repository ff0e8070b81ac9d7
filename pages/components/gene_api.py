"""API agents on screen: choose one, ask it by question or by its form, add one from a description."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services import api_agents, api_catalogue, api_form
from core.services import gene_questions as genes
from pages.components import page, state
from pages.components.gene_ask import open_run, start
from pages.components.problem import show_error


def apis(desk: Desk) -> None:
    known = api_catalogue.agents(desk)
    names = [one.name for one in known]
    name = st.selectbox(
        "API", names, key="api·name", format_func=lambda one: next(a.title for a in known if a.name == one)
    )
    api = next(one for one in known if one.name == name)
    st.text(api.summary)
    st.caption(f"Host: {api.host}. What you type is sent there.")
    if why := api_catalogue.inert(desk, api):
        st.text(f"⛔ {why}")
    by_question, by_form, about, adding, calls = st.tabs(["Ask", "Form", "About", "Add an API", "Python calls"])
    with by_question:
        _question(desk, api)
    with by_form:
        _form(desk, api)
    with about:
        _about(desk, api)
    with adding:
        _add(desk)
    with calls:
        _python()


def _question(desk: Desk, api: Any) -> None:
    if not desk.settings.has_model:
        st.caption("Without a model: simple questions like the examples, or name=value.")
    text = st.text_input(
        "Question", key=f"api·text·{api.name}", placeholder=api.examples[0].question if api.examples else ""
    )
    if st.button("Ask this API", disabled=not text.strip(), key=f"api·ask·{api.name}"):
        start(desk, text, genes.Options(api=api.name))
        st.rerun()


def _form(desk: Desk, api: Any) -> None:
    """A form made from the parameters' JSON Schema."""
    with st.form(f"api·form·{api.name}"):
        given = {name: _widget(api.name, name, one) for name, one in api_form.form(api).items()}
        if st.form_submit_button("Ask with these"):
            _send(desk, api, given)


def _widget(api: str, name: str, field: api_form.FormField) -> Any:
    key, label = f"api·{api}·{name}", f"{name}{' *' if field.required else ''}"
    if field.choices:
        return st.selectbox(
            label,
            field.choices,
            index=field.choices.index(field.default) if field.default in field.choices else 0,
            key=key,
            help=field.description,
        )
    if field.kind == "boolean":
        return st.checkbox(label, bool(field.default), key=key, help=field.description)
    if field.kind in ("integer", "number"):
        step = 1 if field.kind == "integer" else 0.1
        return st.number_input(label, value=field.default, step=step, key=key, help=field.description)
    return st.text_input(label, str(field.default or ""), key=key, help=field.description)


def _send(desk: Desk, api: Any, given: dict[str, Any]) -> None:
    found = page.curator()
    try:
        run, _ = api_agents.asked_form(desk, api, given, found.orcid if found else "")
    except GroundworkError as error:
        show_error(error)
        return
    open_run(run)
    st.rerun()


def _about(desk: Desk, api: Any) -> None:
    st.text(api.documentation or "No documentation.")
    for one in api.examples:
        st.text(f"{one.question}  →  {json.dumps(dict(one.parameters), ensure_ascii=False)}")
    st.code(json.dumps(api.parameters.model_json_schema(), indent=2), language="json", height=240)
    if api.added:
        st.code(api.source, language="yaml", height=240)
        st.button("Remove this API", on_click=_remove, args=(desk, api.name))


def _remove(desk: Desk, name: str) -> None:
    api_catalogue.remove(desk, name)
    state.say(f"{name} was removed.")


def _add(desk: Desk) -> None:
    st.text(
        "Paste a YAML description (the example below is whole), or an OpenAPI document with the operation you mean."
    )
    st.text_area("Description", api_catalogue.EXAMPLE, key="api·new", height=320)
    st.text_input("Operation (OpenAPI only)", key="api·operation")
    check, keep = st.columns(2)
    check.button("Check", on_click=_check, key="api·check")
    keep.button("Check and keep", on_click=_keep, args=(desk,), key="api·keep")
    st.caption(
        "It stays inert until the operator lists its host in GROUNDWORK_API_HOSTS. "
        "A token comes from GROUNDWORK_TOKEN_NAME."
    )
    for name, why in api_catalogue.troubles(desk).items():
        st.text(f"{name} cannot be read: {why}")


def _check() -> None:
    try:
        api = api_catalogue.read(str(state.get("api·new", "")), str(state.get("api·operation", "")))
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.say(f"{api.title} is well described: {', '.join(api.parameters.model_fields)}.")


def _keep(desk: Desk) -> None:
    try:
        api = api_catalogue.add(desk, str(state.get("api·new", "")), str(state.get("api·operation", "")))
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    why = api_catalogue.inert(desk, api)
    state.say(f"{api.title} was added. {why}", "info" if why else "success")


def _python() -> None:
    """Calls of Python libraries: filled, shown, never run."""
    calls = api_form.python_calls()
    chosen = st.selectbox(
        "Call", list(calls), format_func=lambda one: f"{calls[one].function}: {calls[one].summary}", key="python·call"
    )
    given = {name: _widget("python" + chosen, name, one) for name, one in api_form.python_form(chosen).items()}
    try:
        st.code(api_form.propose(chosen, given), language="python")
    except GroundworkError as error:
        show_error(error)
    st.caption("To copy into your own notebook. It is not run here.")
