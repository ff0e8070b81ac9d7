"""The beginning of an extraction: which schema, which text, which engine, what it will take; then
Run.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import upload
from core.services.extract import pasting, result, schemas
from core.services.extract.engines import offered_engines
from core.services.extract.result import RunOptions
from core.services.settings import models
from core.services.shared.screen import counted
from pages.components.extract.batch import offer_batch
from pages.components.extract.budget import budget_words
from pages.components.extract.recipe import recipe_way
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped

SCHEMA, TEXT, SOURCE, ENGINE = "extract·schema", "extract·text", "extract·source", "extract·engine"
PASTE = "paste"
PASTE_TITLE = "I paste a model's answers"
CUTS = {
    "whole text at once": ("sentences", 0, 0),
    "20 sentences": ("sentences", 20, 2),
    "4,000 characters": ("characters", 4000, 400),
}


def start_form(desk: Desk) -> None:
    """Everything is kept while the session lasts, also while another page is open."""
    known = {choice.name: choice for choice in schemas.choices(desk)}
    left, right = st.columns([3, 2], gap="large")
    with right:
        name = st.selectbox(
            "Schema: what to look for",
            list(known),
            key=SCHEMA,
            persist_state="session",
            format_func=lambda one: f"{known[one].title}{' (yours)' if known[one].own else ''}",
        )
        if name is None:
            st.warning("There is no schema in this project.")
            return
        st.text(known[name].summary)
        _engine(desk)
        options = _options(desk)
    with left:
        text = st.text_area(
            "Text",
            key=TEXT,
            height=330,
            persist_state="session",
            placeholder="Paste an abstract, a report, a recipe …",
        )
        _ways_in(desk, name, options)
        place, fetch = st.columns([3, 2], vertical_alignment="bottom")
        source = place.text_input(
            "Where the text is from", key=SOURCE, persist_state="session", max_chars=200,
            placeholder="PMID:12345678, DOI:10.1000/x or nothing",
        )  # fmt: skip
        fetch.button(
            "From PubMed",
            on_click=_fetch,
            args=(desk,),
            disabled=not source.strip(),
            width="stretch",
            icon=":material/download:",
        )
    with right:
        _go(desk, name, text, source, options)


def _engine(desk: Desk) -> None:
    titles = offered_engines(desk) | {PASTE: PASTE_TITLE}
    offered = list(titles)
    if state.get(ENGINE) not in offered:
        state.put(ENGINE, offered[0])
    st.selectbox(
        "Engine", offered, key=ENGINE, format_func=titles.__getitem__, persist_state="session"
    )
    if not desk.settings.has_model:
        st.caption(
            "No language model is configured: the built-in engine drafts by vocabularies and rules."
        )


def _options(desk: Desk) -> RunOptions:
    with st.expander("Settings of this run"):
        cut = st.selectbox("Read", list(CUTS), key="extract·cut", persist_state="session")
        calls = st.number_input(
            "At most so many calls",
            1,
            100_000,
            desk.settings.max_calls,
            key="extract·calls",
            persist_state="session",
        )
        depth = st.number_input(
            "Nested questions, levels",
            0,
            10,
            RunOptions().depth,
            key="extract·depth",
            persist_state="session",
        )
        context = st.checkbox(
            "Nested questions carry the sentence around their words",
            key="extract·context",
            persist_state="session",
        )
        model = _model(desk)
        known = species(desk)
        taxon = st.selectbox(
            "Genes are of this species where the text names none",
            ["", *known],
            key="extract·taxon",
            format_func=lambda one: known.get(one, "not known: equal names tie"),
            persist_state="session",
        )
        reuse = st.checkbox(
            "Take answers from the record where the same was asked before",
            True,
            key="extract·reuse",
            persist_state="session",
        )
    unit, size, overlap = CUTS[cut]
    run_options = RunOptions(
        int(depth), int(calls), context=context, unit=unit, size=size, overlap=overlap, reuse=reuse
    )
    return replace(run_options, taxon=str(taxon or ""), model=model)


def _model(desk: Desk) -> str:
    """The model of this run, where there is more than one; "" is the project's."""
    names = models.model_names(desk)
    if len(names) < 2:
        return ""
    own = desk.settings.model_for("extraction")
    chosen = st.selectbox(
        "Model",
        ["", *(name for name in names if name != own)],
        key="extract·model",
        format_func=lambda name: name or f"{own}, as set in Settings",
        persist_state="session",
    )
    return str(chosen or "")


def species(desk: Desk) -> dict[str, str]:
    """The species that genes may be of, by their names."""
    return {taxon: escaped(name) for taxon, name in result.species_choices(desk).items()}


def _ways_in(desk: Desk, schema: str, options: RunOptions) -> None:
    left, right, page_in = st.columns([2, 2, 2])
    found = schemas.example_texts(schema)
    left.button(
        "Example text",
        on_click=_example,
        args=(found,),
        disabled=not found,
        width="stretch",
        icon=":material/menu_book:",
    )
    with right.popover("Open a file", width="stretch", icon=":material/upload_file:"):
        st.file_uploader(
            "Text, PDF, Word, web page or XML of a paper", type=upload.FILE_TYPES,
            key="extract·file",
            accept_multiple_files=True, on_change=_files, args=(desk, schema),
        )  # fmt: skip
        offer_batch(desk, schema, str(state.get(ENGINE, "auto")), options)
    with page_in.popover("Recipe page", width="stretch", icon=":material/public:"):
        recipe_way(desk, TEXT, SOURCE)


def _example(found: list[str]) -> None:
    """The next of the schema's examples, so that pressing again shows another."""
    shown = str(state.get(TEXT, ""))
    at = found.index(shown) + 1 if shown in found else 0
    state.put(TEXT, found[at % len(found)])
    state.put(SOURCE, "")


def _files(desk: Desk, schema: str) -> None:
    """One file goes to the text box; several are read as a batch, each with a result of its own."""
    given = state.get("extract·file") or []
    if len(given) != 1:
        return
    try:
        brought = upload.of_file(given[0].name, given[0].getvalue())
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(TEXT, brought.text)
    state.put(SOURCE, brought.source)
    state.show_message(f"{given[0].name} is in the text box: look it over, then run.")


def _fetch(desk: Desk) -> None:
    try:
        brought = upload.of_pubmed(desk, str(state.get(SOURCE, "")))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(TEXT, brought.text)
    state.put(SOURCE, brought.source)
    state.show_message(f"Title and abstract of {brought.source} are in the text box.")


def _go(desk: Desk, schema: str, text: str, source: str, options: RunOptions) -> None:
    engine = str(state.get(ENGINE, "auto"))
    if text.strip() and engine != PASTE:
        st.caption(_budget(desk, schema, text, engine, options))
    st.button(
        "Run",
        key="extract·run",
        type="primary",
        shortcut="Ctrl+Enter",
        width="stretch",
        icon=":material/play_arrow:",
        disabled=not text.strip(),
        on_click=_run,
        args=(desk, schema, text, source, engine, options),
        help="Ctrl+Enter" if text.strip() else "Paste a text first",
    )


def _budget(desk: Desk, schema: str, text: str, engine: str, options: RunOptions) -> str:
    try:
        found = result.preview(desk, schema, text, engine, options=options)
    except GroundworkError as error:
        return escaped(str(error), 400)
    return f"{counted(len(text), 'character')}. {budget_words(found)}"


def _run(desk: Desk, schema: str, text: str, source: str, engine: str, options: RunOptions) -> None:
    who = page.curator()
    orcid = who.orcid if who else ""
    try:
        known = upload.source(source)
        if engine == PASTE:
            begun = pasting.begin(
                desk, schema, text, known, curator=orcid, options=replace(options, size=0)
            )
            state.set_url(run=begun.run, job="", other="")
            return
        job = result.start(desk, schema, text, known, engine, curator=orcid, options=options)
        state.set_url(job=job.id, run=job.arguments["run"], other="")
    except GroundworkError as error:
        state.show_message(str(error), "error")
