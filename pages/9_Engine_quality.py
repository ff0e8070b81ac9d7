"""How good are the engines? Precision from the decisions made, calibration, time, corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core import COMMAND
from core.errors import GroundworkError
from core.services.extract.engines import engine_title
from core.services.learning import quality, ranking
from core.services.learning.quality import EngineQuality, QualityRow
from core.services.shared.screen import counted
from pages.components.quality.lessons import lesson_table
from pages.components.quality.own_rules import own_rule_desk
from pages.components.shared import state
from pages.components.shared.engine_figures import engine_quality
from pages.components.shared.job import job_panel
from pages.components.shared.page import acting_orcid, begin_page
from pages.components.shared.problem import show_error

JOB = "learning·job"
FEW = 20  # decisions below which an interval is too wide to say much

desk = begin_page("Engine quality")


def per_cent(share: float) -> str:
    return f"{100 * share:.0f} %"


def seconds_words(seconds: float | None) -> str:
    """`4.5 s`, `below 1 s`; a dash where there is nothing to tell."""
    if seconds is None:
        return "–"
    return "below 1 s" if seconds < 1 else f"{seconds:.3g} s"


def key_figures(engine_figures: EngineQuality) -> None:
    """The three numbers that one looks for first."""
    overall, decided, time = st.columns(3)
    overall.metric("right as proposed", per_cent(engine_figures.overall.share))
    overall.caption(
        f"between {per_cent(engine_figures.overall.low)} and"
        f" {per_cent(engine_figures.overall.high)} (95 %)"
    )
    decided.metric("proposals decided", f"{engine_figures.decided:,}")
    if engine_figures.cut:
        decided.caption(f"of the newest {quality.MOST:,} decided statements")
    time.metric(
        "time per decision",
        seconds_words(engine_figures.seconds),
    )
    time.caption("median, without pauses")


def quality_table(rows: tuple[QualityRow, ...], title: Callable[[str], str]) -> None:
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "name": title(row.name),
                    "right": row.precision.right,
                    "decided": row.precision.decided,
                    "precision": per_cent(row.precision.share),
                    "between": f"{per_cent(row.precision.low)} – {per_cent(row.precision.high)}",
                }
                for row in rows
            ]
        ),
        hide_index=True,
    )


def group_tables(engine_figures: EngineQuality) -> None:
    st.markdown("#### Precision by")
    groupings = [by for by in quality.BY if engine_figures.groups[by]]
    for tab, by in zip(st.tabs(groupings), groupings, strict=True):
        with tab:
            quality_table(engine_figures.groups[by], engine_title if by == "engine" else str)
    if engine_figures.decided < FEW:
        st.caption(f"Under {FEW} decisions the intervals are too wide to compare engines.")


def calibration_chart(engine_figures: EngineQuality) -> None:
    st.markdown("#### How far can scores be trusted?")
    draw_bins(engine_figures.bins, engine_figures.error, "score that the engine gave")
    title = "probability that the text says so"
    draw_bins(engine_figures.support_bins, engine_figures.support_error, title)
    if engine_figures.bins or engine_figures.support_bins:
        st.caption(
            "Points on the dashed line: a score of 0.8 is right eight times in ten."
            " Lines are 95 % intervals."
        )


def draw_bins(bins: Sequence[quality.CalibrationBin], error: float, title: str) -> None:
    """What was right in each tenth of a score; nothing where no statement has one."""
    if not bins:
        return
    rows = pd.DataFrame(
        [
            {
                "score": calibration_bin.score,
                "right": calibration_bin.precision.share,
                "low": calibration_bin.precision.low,
                "high": calibration_bin.precision.high,
                "decided": calibration_bin.precision.decided,
            }
            for calibration_bin in bins
        ]
    )
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("score:Q", scale=scale, title=title)
    chart = alt.Chart(rows)
    line = alt.Chart(pd.DataFrame({"score": [0, 1], "right": [0, 1]})).mark_line(
        strokeDash=[4, 4], color="gray"
    )
    bars = chart.mark_rule(color="gray", size=2).encode(
        x=x, y=alt.Y("low:Q", scale=scale, title="share that was right"), y2="high:Q"
    )
    points = chart.mark_circle(size=80).encode(
        x=x, y=alt.Y("right:Q", scale=scale), tooltip=["score", "right", "decided"]
    )
    st.altair_chart(line.encode(x=x, y=alt.Y("right:Q", scale=scale)) + bars + points, height=260)
    st.caption(f"Calibration error {error:.2f}.")


def correction_table(engine_figures: EngineQuality) -> None:
    if engine_figures.corrections:
        st.markdown("#### What was corrected to what")
        rows = [
            {
                "part": correction_row.part,
                "from": correction_row.before,
                "to": correction_row.after,
                "times": correction_row.count,
            }
            for correction_row in engine_figures.corrections[:100]
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True)
    if engine_figures.reasons:
        st.markdown("#### Why proposals were rejected")
        rows = [{"reason": reason, "times": count} for reason, count in engine_figures.reasons]
        st.dataframe(pd.DataFrame(rows), hide_index=True)


def learning_form() -> None:
    try:
        job = ranking.refresh_ranking(desk, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    if job:
        state.put(JOB, job.id)
    else:
        state.show_message("The order already reflects every decision.", "info")


def learned() -> None:
    """The order of statements to review that these decisions give."""
    st.markdown("#### To review, in learned order")
    learned_order = ranking.stored_ranking(desk)
    if learned_order.time:
        words = counted(learned_order.approved + learned_order.rejected, "decision")
        st.text(
            f"{learned_order.ranked:,} statements ordered by {words}; {learned_order.behind:,}"
            " made since then."
        )
    else:
        st.text(
            "Not learned yet: statements to review are in the order in which they were proposed."
        )
    st.button("Learn from the decisions", on_click=learning_form, icon=":material/model_training:")
    st.caption(
        "A small model on this machine orders the statements to review: likely right first, or"
        " most uncertain first. It decides nothing."
    )
    if job := str(state.get(JOB, "")):
        job_panel(desk, job, "Learning")


def gold_standard_download() -> str:
    return "\n".join(quality.gold_lines(desk)) + "\n"


def draw_page() -> None:
    engine_figures = engine_quality(desk)
    if not engine_figures.decided:
        st.text(
            "Nothing that an engine proposed has been decided yet. Decide some statements in"
            " Review; then this page says how often each engine, schema, predicate and rule was"
            " right."
        )
        learned()
        own_rule_desk(desk)
        return
    key_figures(engine_figures)
    left, right = st.columns([3, 2], gap="large")
    with left:
        group_tables(engine_figures)
        lesson_table(desk)
        correction_table(engine_figures)
        own_rule_desk(desk)
    with right:
        learned()
        calibration_chart(engine_figures)
        st.download_button(
            "Decisions as a gold standard (JSON lines)",
            data=gold_standard_download,
            file_name="gold.jsonl",
            on_click="ignore",
            icon=":material/download:",
            help=f"Read by `{COMMAND} evaluate bc5cdr --input gold.jsonl --schema NAME`. Texts"
            " that an import quotes and that are not in this project are left out.",
        )


try:
    draw_page()
except GroundworkError as error:
    show_error(error)
