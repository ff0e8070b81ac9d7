"""Progress as a picture: proposed, decided, approved, exported by week, in colours of people."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.services.home.day import WeekCount

STEPS = ["proposed", "decided", "approved", "exported"]
ENGINES = "engines"  # who proposed


def progress_picture(counts: Sequence[WeekCount]) -> None:
    """Bars side by side for the four steps of each week, stacked by person."""
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
                scale=alt.Scale(domain=STEPS, range=[0.3, 0.5, 0.75, 1.0]),
                legend=alt.Legend(title=None, orient="top", symbolFillColor="gray"),
            ),
            tooltip=["week", "step", "who", "statements"],
        )
    )
    st.altair_chart(chart, height=260)
    st.caption("Exported: in a release for the first time.")
