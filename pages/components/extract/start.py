"""The beginning of an extraction: which schema, which text, which engine, what it will take; then
Run.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import recipe_page, upload
from core.services.extract import pasting, schemas
from core.services.extract.budget import estimate_preview
from core.services.extract.engines import asks_model, offered_engines
from core.services.extract.run import start_run
from core.services.extract.run_options import RunOptions
from core.services.extract.species import species_choices
from core.services.shared.screen import counted
from pages.components.extract.batch_offer import offer_batch, papers_in_file
from pages.components.extract.budget import budget_words
from pages.components.extract.guidance import guidance_settings, is_note_unsaved, show_examples
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model, say_what_goes
from pages.components.shared.page import acting_orcid

SCHEMA, TEXT, SOURCE, ENGINE = "extract·schema", "extract·text", "extract·source", "extract·engine"
PASTE = "paste"
PASTE_TITLE = "I paste a model's answers"
CUTS = {
    "whole text at once": ("sentences", 0, 0),
    "20 sentences": ("sentences", 20, 2),
    "4,000 characters": ("characters", 4000, 400),
}


def start_form(desk: Desk, in_view: bool) -> None:
    """Everything is kept while the session lasts, also while another page is open. Ctrl+Enter runs
    it where it is the tab that is `in_view`.
    """
    choices = {choice.name: choice for choice in schemas.schema_choices(desk)}
    if (asked := state.url_value("schema")) in choices:  # a link from the Schemas page
        state.put(SCHEMA, asked)
        state.set_url(schema="")
    if choices and state.get(SCHEMA) not in choices:
        state.put(SCHEMA, next((n for n in choices if not choices[n].own), next(iter(choices))))
    left, right = st.columns([3, 2], gap="large")
    with right:
        name = st.selectbox(
            "Schema: what to look for",
            list(choices),
            key=SCHEMA,
            persist_state="session",
            format_func=lambda name: (
                f"{choices[name].title}{' (yours)' if choices[name].own else ''}"
            ),
        )
        if name is None:
            st.warning("This project has no schema.")
            return
        st.text(choices[name].summary)
        _engine(desk)
        options = _options(desk, name)
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
        place.text_input(
            "Where the text is from", key=SOURCE, persist_state="session", max_chars=200,
            placeholder="PMID:12345678, DOI:10.1000/x, or leave it empty",
        )  # fmt: skip
        fetch.button(
            "From PubMed",
            on_click=_fetch,
            args=(desk,),
            width="stretch",
            icon=":material/download:",
        )
    with right:
        _go(desk, name, text, options, in_view=in_view)


def _engine(desk: Desk) -> None:
    titles = offered_engines(desk) | {PASTE: PASTE_TITLE}
    offered = list(titles)
    if state.get(ENGINE) not in offered:
        state.put(ENGINE, offered[0])
    st.selectbox(
        "Engine", offered, key=ENGINE, format_func=titles.__getitem__, persist_state="session"
    )
    if desk.settings.has_model_for("extraction"):
        return
    drafts = "the built-in engine drafts from vocabularies and rules."
    if not desk.settings.connections:
        st.caption(f"No language model is configured: {drafts}")
        return
    st.caption(f"An endpoint is set up, but no model is chosen for reading texts: {drafts}")
    st.page_link(
        "pages/8_Settings.py",
        label="Choose a model",
        icon=":material/settings:",
        query_params={"section": "Models"},
    )


def _chosen() -> str:
    """The engine that asks, also where a person pastes its answers."""
    engine = str(state.get(ENGINE, "auto"))
    return pasting.ENGINE if engine == PASTE else engine


def _options(desk: Desk, schema: str) -> RunOptions:
    with st.expander("Settings of this run"):
        cut = st.selectbox("Read", list(CUTS), key="extract·cut", persist_state="session")
        calls = st.number_input(
            "Maximum calls for this run",
            1,
            100_000,
            desk.settings.max_calls,
            key="extract·calls",
            persist_state="session",
        )
        depth = st.number_input(
            "Levels of nested questions",
            0,
            10,
            RunOptions().depth,
            key="extract·depth",
            persist_state="session",
        )
        context = st.checkbox(
            "Nested questions include the sentence around their words",
            key="extract·context",
            persist_state="session",
        )
        model = choose_model(desk, "extraction", "extract·model")
        examples = guidance_settings(desk, schema) if asks_model(desk, _chosen()) else 0
        species_names = species_choice(desk)
        taxon = st.selectbox(
            "Species of genes if the text names none",
            ["", *species_names],
            key="extract·taxon",
            format_func=lambda taxon: species_names.get(
                taxon, "unknown: equal names stay undecided"
            ),
            persist_state="session",
        )
        reuse = st.checkbox(
            "Reuse recorded answers to the same requests",
            True,
            key="extract·reuse",
            persist_state="session",
        )
    unit, size, overlap = CUTS[cut]
    run_options = RunOptions(
        int(depth), int(calls), context=context, unit=unit, size=size, overlap=overlap, reuse=reuse
    )
    return replace(run_options, taxon=str(taxon or ""), model=model, examples=examples)


def species_choice(desk: Desk) -> dict[str, str]:
    """The species that genes may be of, by their names."""
    return {taxon: escaped(name) for taxon, name in species_choices(desk).items()}


def _ways_in(desk: Desk, schema: str, options: RunOptions) -> None:
    left, right, page_in = st.columns([2, 2, 2])
    examples = schemas.example_texts(schema)
    left.button(
        "Example text",
        on_click=_example,
        args=(examples,),
        disabled=not examples,
        width="stretch",
        icon=":material/menu_book:",
    )
    with right.popover("Open a file", width="stretch", icon=":material/upload_file:"):
        st.file_uploader(
            "A paper (text, PDF, Word, web page, XML) or a list (RIS, BibTeX, CSV …)",
            type=upload.FILE_TYPES,
            key="extract·file",
            accept_multiple_files=True,
            on_change=_files,
            args=(desk,),
        )
        offer_batch(desk, schema, str(state.get(ENGINE, "auto")), options)
    with page_in.popover("Recipe page", width="stretch", icon=":material/public:"):
        recipe_way(desk, TEXT, SOURCE)


def _example(examples: list[str]) -> None:
    """The next of the schema's examples, so that pressing again shows another."""
    text_shown = str(state.get(TEXT, ""))
    at = examples.index(text_shown) + 1 if text_shown in examples else 0
    state.put(TEXT, examples[at % len(examples)])
    state.put(SOURCE, "")


def _files(desk: Desk) -> None:
    """One file goes to the text box; several are read as a batch, each with a result of its own."""
    files = state.get("extract·file") or []
    if len(files) != 1:
        return
    if papers_in_file() > 1:  # the list of files says so, beside what reads them all
        return
    try:
        brought = upload.read_uploaded_text(files[0].name, files[0].getvalue())
        upload.keep_reading(desk, brought)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(TEXT, brought.text)
    state.put(SOURCE, brought.source)
    state.show_message(f"{files[0].name} is in the text box: check it, then run.")


def _fetch(desk: Desk) -> None:
    if not str(state.get(SOURCE) or "").strip():
        state.show_message("Enter a PMID first, such as PMID:12345678.", "warning")
        return
    try:
        page.acting_orcid(desk)
        brought = upload.fetch_pubmed_text(desk, str(state.get(SOURCE, "")))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(TEXT, brought.text)
    state.put(SOURCE, brought.source)
    state.show_message(f"Title and abstract of {brought.source} are in the text box.")


def _go(desk: Desk, schema: str, text: str, options: RunOptions, *, in_view: bool) -> None:
    """Run is never disabled, and what it takes is said below it: a text that was just pasted is
    taken with the same click, and the button does not move under it.
    """
    engine = str(state.get(ENGINE, "auto"))
    if engine != PASTE:  # said whether or not there is a text yet: the button stays in its place
        if asks_model(desk, engine):
            say_what_goes(desk, "extraction", options.model, "The text, with its questions,")
        else:
            st.caption("The text stays on this machine.")
    st.button(
        "Run",
        key="extract·run",
        type="primary",
        shortcut="Ctrl+Enter" if in_view else None,
        width="stretch",
        icon=":material/play_arrow:",
        on_click=_run,
        args=(desk, schema, engine, options),
        help="Ctrl+Enter",
    )
    if text.strip() and engine != PASTE:
        _say_budget(desk, schema, text, engine, options=options)
        if options.examples and asks_model(desk, engine):
            source = str(state.get(SOURCE) or "")
            show_examples(desk, schema, text, source, count=options.examples)


def _say_budget(desk: Desk, schema: str, text: str, engine: str, *, options: RunOptions) -> None:
    """What the run will take; where that is not known before the first question is answered, it can
    be asked alone.
    """
    try:
        budget = estimate_preview(desk, schema, text, engine=engine, options=options)
    except GroundworkError as error:
        st.caption(escaped(str(error), 400))
        return
    st.caption(f"{counted(len(text), 'character')}. {budget_words(budget)}")
    if budget.open and budget.parts == 1:
        st.button(
            "First question only",
            key="extract·first",
            on_click=_run,
            args=(desk, schema, engine, replace(options, calls=1)),
            help="Its answer shows how many questions remain and what they will cost. It is not"
            " paid for again.",
        )


def _run(desk: Desk, schema: str, engine: str, options: RunOptions) -> None:
    text = str(state.get(TEXT) or "")  # as it is now, not as it was when the button was drawn
    if not text.strip():
        state.show_message("Paste a text, open a file, or use the example text first.", "warning")
        return
    try:
        if is_note_unsaved(desk, schema):
            state.show_message(
                "You changed the text added to every prompt without saving it. Save it or undo the"
                " change, then run again.",
                "warning",
            )
            return
        orcid = page.acting_orcid(desk)
        source = upload.source_curie(str(state.get(SOURCE) or ""))
        if engine == PASTE:
            begun = pasting.begin_pasting(
                desk, schema, text, source=source, curator=orcid, options=replace(options, size=0)
            )
            state.set_url(run=begun.run, job="", other="")
            return
        job = start_run(
            desk, schema, text, source=source, engine=engine, curator=orcid, options=options
        )
        state.set_url(job=job.id, run=job.arguments["run"], other="")
    except GroundworkError as error:
        state.show_message(str(error), "error")


ADDRESS = "extract·recipe"


def recipe_way(desk: Desk, text: str, source: str) -> None:
    """The field and its button; `text` and `source` are the keys of what they fill."""
    if why := recipe_page.why_no_recipe_pages(desk):
        st.info(escaped(why, 400))
        return
    address = st.text_input(
        "Address of a recipe's page",
        key=ADDRESS,
        persist_state="session",
        max_chars=2000,
        placeholder="https://…",
    )
    st.button(
        "Read the page",
        on_click=_read_recipe,
        args=(desk, text, source),
        disabled=not address.strip(),
        type="primary",
    )
    st.caption("Only this address is requested; its answer is stored with the run.")


def _read_recipe(desk: Desk, text: str, source: str) -> None:
    try:
        acting_orcid(desk)
        brought = recipe_page.fetch_recipe_page(desk, str(state.get(ADDRESS, "")))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(text, brought.text)
    state.put(source, brought.source)
    state.show_message(f"{escaped(brought.title, 100)} is in the text box: check it, then run.")
