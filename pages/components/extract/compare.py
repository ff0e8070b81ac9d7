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
from core.services.extract import compare, difference, result
from core.services.extract.engines import engine_titles, needs_model
from core.services.extract.result import ExtractionView
from core.services.settings import models
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.problem import show_error
from pages.components.shared.term import statement_label


def show_comparison(desk: Desk, found: ExtractionView) -> None:
    """Start a second run with another engine, or show the one that was made."""
    other, job = state.url_value("other"), state.url_value("other_job")
    if job:
        running = job_panel(desk, job, "Reading it once more")
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
    return bool(state.url_value("other")) or bool(state.get("compare·open"))


def _another() -> None:
    state.put("compare·open", True)
    state.set_url(other="", other_job="")


def _offer(desk: Desk, found: ExtractionView) -> None:
    engine, model = choose_way(desk, found.run.engine, found.run.id)
    st.button(
        "Read this text once more",
        key="other",
        on_click=_start,
        args=(desk, found, engine, model),
    )
    st.caption("With the settings of this run: parts, species, context and limits.")


def choose_way(desk: Desk, used: str, place: str) -> tuple[str, str]:
    """An engine and a model to compare with; `used` is the engine that has read already."""
    titles = engine_titles(desk)
    names = sorted(titles, key=lambda name: name == used)
    if len(names) == 1:
        st.caption(
            "A second engine needs a language model. The same text can be read again after a"
            " vocabulary changed."
        )
    left, right = st.columns(2)
    engine = left.selectbox(
        "Engine", names, key=state.key("compare engine", place), format_func=titles.__getitem__
    )
    offered = models.model_names(desk)
    if not engine or not needs_model(engine) or not offered:
        return str(engine), ""
    own = desk.settings.model_for("extraction")
    names = list(dict.fromkeys([own, *offered]))
    return str(engine), str(
        right.selectbox("Model", names, key=state.key("compare model", place)) or ""
    )


def _start(desk: Desk, found: ExtractionView, engine: str, model: str) -> None:
    who = page.curator()
    try:
        job = compare.again(desk, found, engine, model, who.orcid if who else "")
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(other=job.arguments["run"], other_job=job.id)


def show_figures(found: compare.ReadingComparison) -> tuple[str, str]:
    """Both sides in figures; the titles of the sides, never equal."""
    one, two = found.left.title, found.right.title
    two = f"{two} (once more)" if one == two else two
    st.dataframe(pd.DataFrame(compare.rows(found), columns=["", one, two]), hide_index=True)
    return one, two


def _table(desk: Desk, found: ExtractionView, other: str) -> None:
    second = result.view(desk, other)
    apart = difference.difference(found.statements, second.statements)
    one, two = show_figures(compare.beside(desk, found, second))
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
