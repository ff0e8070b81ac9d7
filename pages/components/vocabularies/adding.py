"""Adding vocabularies: install a current release by name, or a file of one's own, whose columns are
mapped on screen where it is a plain table. Both run in the background.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from core import COMMAND
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Category, Job
from core.services.shared.screen import counted
from core.services.vocabularies import (
    dismissal,
    installation,
    own_files,
    prefix_context,
    schema_use,
)
from core.services.vocabularies.installation import ColumnMapping, columns, reader_of, registry
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error
from pages.components.vocabularies.listing import start_install

SMALL = 200_000  # bytes of a file that is added at once
MOST = 5  # jobs that run, and as many that ended


def add_tab(desk: Desk) -> None:
    """The tab *Add*."""
    install, own = st.columns(2, gap="large")
    with install:
        install_form(desk)
    with own:
        upload_form(desk)


def vocabulary_work(desk: Desk) -> None:
    """Jobs of vocabularies: progress with Stop, or why the newest ended with Resume and Dismiss;
    those that ended before are folded away, so that the tabs stay in view.
    """
    jobs = dismissal.shown_jobs(desk, installation.vocabulary_jobs(desk))
    ended = [job for job in jobs if job.state in dismissal.ENDED]
    newest = [job for job in ended[:1] if not _is_past(job)]
    for job in [job for job in jobs if job not in ended][:MOST] + newest:
        _panel(desk, job)
    if earlier := ended[len(newest) : MOST + 1]:
        with st.expander(f"{counted(len(earlier), 'earlier installation')} without success"):
            for job in earlier:
                _panel(desk, job)


def _is_past(job: Job) -> bool:
    """Whether another file was chosen since: what is said of that one comes first."""
    file = state.get("upload")
    if not file:
        return False
    try:
        return own_files.safe_name(file.name) != installation.vocabulary_of_job(job)
    except InputError:  # the form says what is wrong with its name
        return True


def _panel(desk: Desk, job: Job) -> None:
    job_panel(
        desk,
        job.id,
        f"Installing {installation.vocabulary_of_job(job)}",
        counts=False,
        dismiss=partial(dismissal.dismiss_job, desk),
    )


def install_form(desk: Desk) -> None:
    st.subheader("Install by name")
    releases = dict(
        sorted(installation.installable_names().items(), key=lambda item: item[1].title.lower())
    )
    own = desk.vocabulary_registry.own()
    name = st.selectbox(
        "Current release of",
        list(releases),
        format_func=lambda release_name: (
            f"{releases[release_name].title}{' (installed)' if release_name in own else ''}"
        ),
        key="install_name",
    )
    st.caption(f"Licence: {releases[name].licence}. It is downloaded from its authority.")
    label = "Update it" if name in own else "Install"
    st.button(label, key="install", type="primary", on_click=start_install, args=(desk, name))


def upload_form(desk: Desk) -> None:
    st.subheader("Add your own file")
    st.caption(
        "An ontology (OBO, OWL, SKOS …), a release as its authority publishes it, or any table of"
        " your own, compressed or not. Up to 50 MB here; a larger file is added with"
        f" `{COMMAND} vocabularies add FILE`."
    )
    file = st.file_uploader(
        "A vocabulary file", key="upload", help=f"Formats: {registry.known_formats()}."
    )
    if file is None:
        return
    content = file.getvalue()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / own_files.safe_name(file.name)
            path.write_bytes(content)
            format = reader_of(path)
            header, rows = ([], []) if format else columns.table_preview(path)
    except GroundworkError as error:
        show_error(error)
        return
    mapping = None
    if format:
        st.text(f"It will be read as {format.title}.")
    else:
        mapping = map_columns(header, rows)
    kinds = st.multiselect(
        "What kind of thing does it contain? Schemas that ask for this kind then use it.",
        [str(kind) for kind in Category],
        key="upload_kinds",
        select_all=False,
    )
    replaces = st.checkbox(
        "Use it instead of the vocabulary of its name or prefix that is here",
        key="upload_replaces",
        help="Otherwise its names are added to what is here.",
    )
    languages = st.text_input(
        "Further languages",
        key="upload_languages",
        placeholder="de fr",
        help="Names in English, in Latin or without a language are kept; `all` keeps every one.",
    )
    st.button(
        "Add it",
        key="add_upload",
        type="primary",
        disabled=mapping is not None and not (mapping.id and mapping.label),
        on_click=_add,
        args=(desk, file.name, content, mapping, tuple(map(Category, kinds))),
        kwargs={"replaces": replaces, "languages": tuple(languages.split())},
    )


def map_columns(header: list[str], rows: list[list[str]]) -> ColumnMapping:
    """Ask which column holds what, with a guess to begin with and the first rows in view."""
    st.text("This is a table. Choose what each column contains:")
    width = len(header)
    st.dataframe(
        [dict(zip(header, [*row, *[""] * width], strict=False)) for row in rows],
        hide_index=True,
        width="stretch",
    )
    guess = columns.guess(header)
    chosen: dict[str, str] = {}
    for role in columns.ROLES:
        options = ["", *header]
        guessed = getattr(guess, role)
        chosen[role] = st.selectbox(
            f"Column of {role if role in ('synonyms', 'parents') else f'the {role}'}",
            options,
            index=options.index(guessed) if guessed in options else 0,
            format_func=lambda column_name: column_name or "none",
            key=f"column·{role}",
        )
    prefix = st.text_input(
        "Prefix for ids that have none", key="column_prefix", max_chars=40, placeholder="LAB"
    )
    separator = st.text_input(
        "Separator between several values in a cell", "|", key="column_separator"
    )
    return ColumnMapping(**chosen, prefix=prefix.strip(), separator=separator or "|")


def _add(  # noqa: PLR0917
    desk: Desk,
    name: str,
    content: bytes,
    mapping: ColumnMapping | None,
    kinds: tuple[Category, ...],
    *,
    replaces: bool,
    languages: tuple[str, ...],
) -> None:
    """Small files at once, larger ones by a job."""
    try:
        if len(content) > SMALL:
            installation.start_adding(
                desk,
                name,
                content,
                mapping=mapping,
                kinds=kinds,
                languages=languages,
                replaces=replaces,
                curator=acting_orcid(desk),
            )
            return
        vocabulary = installation.add_upload(
            desk,
            name,
            content,
            mapping=mapping,
            languages=languages,
            replaces=replaces,
            curator=acting_orcid(desk),
        )
        if kinds:
            own_files.say_kinds(desk, vocabulary.name, kinds, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    ask = ""
    if not (vocabulary.hierarchy or kinds):
        ask = " It has no hierarchy: say under “In this project” what it contains."
        state.put("kinds_name", vocabulary.name)  # asked for it, whichever was looked at before
    use = schema_use.use_words(desk, vocabulary.name)
    adds = own_files.addition_words(desk, vocabulary.name)
    strange = prefix_context.unknown_prefixes(desk, vocabulary.name)
    use = " ".join(filter(None, (use, adds, prefix_context.question_words(strange))))
    state.show_message(
        f"{vocabulary.name} was added: {vocabulary.terms} terms, {vocabulary.names} names.{ask}"
        f" {use}"
    )
