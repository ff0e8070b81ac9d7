"""Two runs on one text side by side: what both say, what only one says, and what they say
differently.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Statement
from core.services.extract import difference, result
from core.services.extract.engines import engine_titles
from core.services.extract.result import ExtractionView
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.problem import show_error
from pages.components.shared.term import statement_label


def show_comparison(desk: Desk, found: ExtractionView) -> None:
    """Start a second run with another engine, or show the one that was made."""
    other, job = state.url("other"), state.url("other_job")
    if job:
        running = job_panel(desk, job, "The other engine")
        if running is None or running.state in ACTIVE:
            return
    if not other:
        _offer(desk, found)
        return
    try:
        _table(desk, found, other)
    except GroundworkError as error:
        show_error(error)
    st.button("Compare with another", on_click=_another)


def comparing() -> bool:
    """Whether a comparison is open: one is shown, or another was asked for."""
    return bool(state.url("other")) or bool(state.get("compare·open"))


def _another() -> None:
    state.put("compare·open", True)
    state.set_url(other="", other_job="")


def _offer(desk: Desk, found: ExtractionView) -> None:
    titles = engine_titles(desk)
    names = [name for name in titles if name != found.run.engine]
    if not names:
        st.caption(
            "A second engine needs a language model. The same text can be run again after a"
            " vocabulary changed."
        )
        names = list(titles)
    columns = st.columns(len(names))
    for column, name in zip(columns, names, strict=True):
        column.button(
            f"Run “{titles[name]}” on this text",
            key=f"other·{name}",
            on_click=_start,
            args=(desk, found, name),
        )


def _start(desk: Desk, found: ExtractionView, engine: str) -> None:
    who = page.curator()
    try:
        schema, document, orcid = found.run.schema, found.document.id, who.orcid if who else ""
        if found.part:
            job = result.start_part(
                desk, schema, document, found.text.sha, found.part, engine, orcid
            )
        else:
            job = result.start(desk, schema, found.text.text, document, engine, curator=orcid)
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.set_url(other=job.arguments["run"], other_job=job.id)


def _table(desk: Desk, found: ExtractionView, other: str) -> None:
    apart = difference.between(desk, found.run.id, other)
    one, two = found.run.engine, f"{result.engine_of(desk, other)} "
    rows = [
        {"": "≠ differs", one: statement_label(a), two: statement_label(b)}
        for a, b in apart.changed
    ]
    rows += _side("− only here", one, apart.gone) + _side("+ only there", two, apart.new)
    rows += [{"": "= both", one: statement_label(s), two: statement_label(s)} for s in apart.same]
    st.caption(
        f"{len(apart.same)} the same · {len(apart.changed)} different · {len(apart.gone)} only"
        f" {one} · {len(apart.new)} only {two}"
    )
    st.dataframe(pd.DataFrame(rows, columns=["", one, two]).fillna(""), hide_index=True)


def _side(sign: str, column: str, statements: Sequence[Statement]) -> list[dict[str, str]]:
    return [{"": sign, column: statement_label(statement)} for statement in statements]
