"""Progress as a picture: proposed, decided, approved, exported by week, in colours of people.

Drawn with plain HTML: a chart library would be the largest part of the app's start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from html import escape

import streamlit as st

from core.services.home.project_day import WeekCount

STEPS = {"proposed": 0.3, "decided": 0.5, "approved": 0.75, "exported": 1.0}  # and how opaque
ENGINES = "engines"  # who proposed
COLOURS = ("#0F8A8A", "#C26A1B", "#7A7DC8", "#B04A7A", "#5E9130", "#A08220", "#4085C6")
GREY = "#858585"  # for engines
LINES = 5  # of the scale, at most


def progress_picture(counts: Sequence[WeekCount]) -> None:
    """Bars side by side for the four steps of each week, stacked by person."""
    if not counts:
        st.text("Nothing was proposed or decided in the last twelve weeks.")
        return
    st.html(picture(counts))
    st.caption("Exported: in a release for the first time.")


def picture(counts: Sequence[WeekCount]) -> str:
    """The picture as HTML; what a bar stands for is said where the mouse rests on it."""
    people = dict.fromkeys(week_count.who for week_count in counts if week_count.who)
    colours = {who: COLOURS[place % len(COLOURS)] for place, who in enumerate(people)}
    colours[ENGINES] = GREY
    weeks = sorted({week_count.week for week_count in counts})
    highest = max(
        sum(bar.count for bar in _bars(counts, week, step)) for week in weeks for step in STEPS
    )
    columns = "".join(_week(counts, week, highest, colours) for week in weeks)
    steps = ((f"rgb(128 128 128/{opaque})", step) for step, opaque in STEPS.items())
    return (
        f'<div class="gw-progress">{_legend(steps)}<div class="gw-bars">{"".join(_scale(highest))}'
        f"{columns}</div>{_legend((colour, who) for who, colour in colours.items())}</div>"
    )


def _bars(counts: Sequence[WeekCount], week: str, step: str) -> list[WeekCount]:
    return [count for count in counts if (count.week, count.what) == (week, step)]


def _week(counts: Sequence[WeekCount], week: str, highest: int, colours: Mapping[str, str]) -> str:
    """Four bars over their week; the first of a stack stands at its foot."""
    stacks = ""
    for step, opaque in STEPS.items():
        parts = ""
        for bar in _bars(counts, week, step):
            who = bar.who or ENGINES
            parts += (
                f'<i style="height:{100 * bar.count / highest:.2f}%;background:{colours[who]};'
                f'opacity:{opaque}" title="week from {escape(week)}: {bar.count:,} {step} by'
                f' {escape(who)}"></i>'
            )
        stacks += f"<b>{parts}</b>"
    return f'<div class="gw-week">{stacks}<span>{escape(_short(week))}</span></div>'


def _short(week: str) -> str:
    """`16 Nov` for 2026-11-16."""
    monday = date.fromisoformat(week)
    return f"{monday.day} {monday:%b}"


def _scale(highest: int) -> Iterator[str]:
    """Lines at round numbers of statements."""
    distance = next(
        size * 10**power
        for power in range(12)
        for size in (1, 2, 5)
        if highest <= size * 10**power * LINES
    )
    for number in range(0, highest + 1, distance):
        yield f'<u style="bottom:{100 * number / highest:.2f}%"><s>{number:,}</s></u>'


def _legend(names: Iterable[tuple[str, str]]) -> str:
    """Colours with what they stand for."""
    parts = (
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for colour, name in names
    )
    return f'<div class="gw-key">{"".join(parts)}</div>'
