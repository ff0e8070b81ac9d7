"""Several files at once: what reading them takes, and the start of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import batch_file
from core.services.extract import batch
from core.services.extract.budget import preview_many
from core.services.extract.engines import asks_model
from core.services.extract.run_options import RunOptions
from core.services.settings import models
from pages.components.extract.budget import budget_words
from pages.components.shared import page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import say_what_goes

DOLLARS = "%g"  # 0.004 is a limit, and not 0.00
FILES, READ = "extract·file", "_batch_texts"


def offer_batch(desk: Desk, schema: str, engine: str, options: RunOptions) -> None:
    """Several chosen files can be read together, once it is said what that takes."""
    files = _files()
    texts = [text for file in files for text in file.texts]
    for file in files:
        if file.note:
            st.caption(escaped(file.note, 400))
    is_list = len(texts) > len(files)
    if len(texts) < 2 or engine == "paste":
        return
    asks = asks_model(desk, engine)
    dollars = asks and st.number_input(
        "Spending limit in dollars (0: no limit)",
        0.0,
        100_000.0,
        0.0,
        1.0,
        format=DOLLARS,
        key="batch·dollars",
        help="The batch may exceed it by the cost of one document.",
    )
    provider = asks and st.checkbox(
        "Use the endpoint's batch interface, if it has one",
        key="batch·provider",
        help="Cheaper, and answered within a day. It continues while the app is closed.",
    )
    last = st.checkbox(
        "Start after all other jobs", key="batch·last", help="For example overnight."
    )
    if provider:
        model = options.model or desk.settings.model_for("extraction")
        st.caption(escaped(models.batch_price_words(desk, model), 300))
    st.button(
        f"Read all {sum(file.readable for file in files)} papers"
        if is_list
        else f"Read all {len(texts)} files",
        type="primary",
        on_click=start_batch,
        args=(desk, schema, engine, options, float(dollars), bool(provider), bool(last)),
    )
    if asks:
        say_what_goes(desk, "extraction", options.model, "The texts, with their questions,")
    _say_budget(desk, schema, texts, engine, options=options, provider=bool(provider))


def _say_budget(
    desk: Desk,
    schema: str,
    texts: Sequence[batch.BatchText],
    engine: str,
    *,
    options: RunOptions,
    provider: bool,
) -> None:
    """What reading them all will take; where that is not known before the first questions are
    answered, these can be asked alone.
    """
    try:
        batch_budget = preview_many(
            desk,
            schema,
            [batch.batch_text_content(text) for text in texts],
            engine=engine,
            options=options,
            provider=provider,
        )
    except GroundworkError as error:
        st.caption(escaped(str(error), 400))
        return
    st.caption(f"In total: {budget_words(batch_budget)}")
    if batch_budget.least < batch_budget.most:
        st.button(
            "First questions only",
            key="batch·first",
            on_click=start_batch,
            args=(desk, schema, engine, replace(options, calls=1)),
            kwargs={"provider": provider},
            help="One question per text. The answers show how many questions remain and what they"
            " will cost. No answer is paid for twice.",
        )


def _files() -> list[batch_file.BatchFile]:
    """The chosen files, each read once."""
    files = state.get(FILES) or []
    read_before = state.get(READ) or {}
    read_files = {
        file.file_id: read_before.get(file.file_id)
        or batch_file.read_file(file.name, file.getvalue())
        for file in files
    }
    state.put(READ, read_files)
    return list(read_files.values())


def papers_in_file() -> int:
    """How many papers the only chosen file holds; 0 where several were chosen."""
    files = _files()
    return files[0].readable if len(files) == 1 else 0


def start_batch(  # noqa: PLR0917
    desk: Desk,
    schema: str,
    engine: str,
    options: RunOptions,
    dollars: float = 0.0,
    provider: bool = False,
    last: bool = False,
) -> None:
    """Read several files in one job; one that cannot be read is named and the others go on."""
    texts = [text for file in _files() for text in file.texts]
    try:
        orcid = page.acting_orcid(desk)
        job = batch.start_batch(
            desk,
            schema,
            texts,
            engine=engine,
            curator=orcid,
            options=options,
            dollars=dollars,
            provider=provider,
            last=last,
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id, run="", job="")
