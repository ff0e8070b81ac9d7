"""Progress as a picture: proposed, decided and approved by week, in the colours of people."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.services.home.day import WeekCount

STEPS = ["proposed", "decided", "approved"]
ENGINES = "engines"  # who proposed


def progress_picture(counts: Sequence[WeekCount]) -> None:
    """Bars side by side for the three steps of each week, stacked by person."""
    if not counts:
        st.text("Nothing was proposed or decided in the last twelve weeks.")
        return
    rows = pd.DataFrame(
        [
            {
                "week": week_count.week,
                "step": week_count.what,
                "who": week_count.who or ENGINES,
                "statements": week_count.count,
            }
            for week_count in counts
        ]
    )
    chart = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("week:O", title="week from", axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("step:N", sort=STEPS),
            y=alt.Y("sum(statements):Q", title="statements"),
            color=alt.Color("who:N", title=None, legend=alt.Legend(orient="bottom")),
            opacity=alt.Opacity(
                "step:N",
                sort=STEPS,
                scale=alt.Scale(domain=STEPS, range=[0.35, 0.65, 1.0]),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
            tooltip=["week", "step", "who", "statements"],
        )
    )
    st.altair_chart(chart, height=260)
