"""Two runs on one text side by side: what both say, what only one of them says, and what they say
differently.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.extract import compare, result
from core.services.extract.engines import engine_titles, needs_model
from core.services.extract.result import ExtractionView
from core.services.settings import models
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import TYPED, say_what_goes
from pages.components.shared.problem import show_error
from pages.components.shared.term import drawable_text, statement_label

SIGNS = {
    compare.ReadingAgreement.DIFFERS: "≠ differs",
    compare.ReadingAgreement.LEFT: "− only here",
    compare.ReadingAgreement.RIGHT: "+ only there",
    compare.ReadingAgreement.SAME: "= both",
}
SHOWN = 1000  # statements: a longer table is slow


def show_comparison(desk: Desk, run_view: ExtractionView) -> None:
    """Start a second run with another engine, or show the one that was made."""
    other_run, job = state.url_value("other"), state.url_value("other_job")
    if job:
        running = job_panel(desk, job, "Reading it again")
        if running is None or running.state in ACTIVE:
            return
    if not other_run:
        _offer(desk, run_view)
        return
    try:
        _table(desk, run_view, other_run)
    except GroundworkError as error:
        show_error(error)
    st.button("Compare with another", on_click=_another)


def is_comparing() -> bool:
    """Whether a comparison is open: one is shown, or another was asked for."""
    return bool(state.url_value("other")) or bool(state.get("compare·open"))


def _another() -> None:
    state.put("compare·open", True)
    state.set_url(other="", other_job="")


def _offer(desk: Desk, run_view: ExtractionView) -> None:
    engine, model = choose_way(desk, run_view.run.engine, run_view.run.id)
    st.button(
        "Read this text again",
        key="other",
        on_click=_start,
        args=(desk, run_view, engine, model),
    )
    st.caption("With the settings of this run: parts, species, context and limits.")


def choose_way(desk: Desk, used: str, place: str) -> tuple[str, str]:
    """An engine and a model to compare with; `used` is the engine that has read already."""
    titles = engine_titles(desk)
    names = sorted(titles, key=lambda name: name == used)
    if len(names) == 1:
        st.caption(
            "Another engine needs a language model. You can also read the same text again after a"
            " vocabulary has changed."
        )
    left, right = st.columns(2)
    engine = left.selectbox(
        "Engine", names, key=state.key("compare engine", place), format_func=titles.__getitem__
    )
    offered = models.model_names(desk)
    if not engine or not needs_model(engine) or not offered:
        st.caption("The text stays on this machine.")
        return str(engine), ""
    own = desk.settings.model_for("extraction")
    names = list(dict.fromkeys([own, *offered]))
    model = right.selectbox(
        "Model",
        names,
        key=state.key("compare model", place),
        accept_new_options=True,
        help=TYPED,
    )
    chosen = str(model or "").strip()
    say_what_goes(desk, "extraction", chosen, "The text, with its questions,")
    return str(engine), chosen


def _start(desk: Desk, run_view: ExtractionView, engine: str, model: str) -> None:
    try:
        job = compare.read_again(
            desk, run_view, engine, model=model, curator=page.acting_orcid(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(other=job.arguments["run"], other_job=job.id)


def show_figures(comparison: compare.ReadingComparison) -> tuple[str, str]:
    """Both sides in figures; the titles of the sides, never equal."""
    first_title, two = comparison.left.title, comparison.right.title
    st.dataframe(
        pd.DataFrame(compare.comparison_rows(comparison), columns=["", first_title, two]),
        hide_index=True,
    )
    return first_title, two


def _table(desk: Desk, run_view: ExtractionView, other_run: str) -> None:
    second = result.result_of_run(desk, other_run)
    comparison = compare.compare_results(desk, run_view, second)
    first_title, two = show_figures(comparison)
    st.caption(
        escaped(
            f"{comparison.same} the same · {comparison.changed} different ·"
            f" {comparison.only_left} only {first_title} · {comparison.only_right} only {two}",
            500,
        )
    )
    show_statements(comparison, documents=False)


def show_statements(comparison: compare.ReadingComparison, documents: bool) -> None:
    """Which statements differ and which agree, side by side; of many texts with the `documents`."""
    columns = ["", comparison.left.title, comparison.right.title, "Text"]
    rows = [
        (
            SIGNS[pair.kind],
            statement_label(pair.left) if pair.left else "",
            statement_label(pair.right) if pair.right else "",
            drawable_text(pair.document),
        )
        for pair in comparison.statements[:SHOWN]
    ]
    if len(comparison.statements) > SHOWN:
        st.caption(
            f"The first {SHOWN:,} of {len(comparison.statements):,} statements; `compare` on the"
            " command line lists all."
        )
    table = pd.DataFrame(rows, columns=columns)
    st.dataframe(table if documents else table[columns[:3]], hide_index=True)
