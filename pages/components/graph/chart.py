"""The explorer: a graph drawn by ECharts at positions computed beforehand. Clicks come back; text
is only text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.services.graph.knowledge_base import Drawing
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.term import colour

SYMBOLS = {"term": "circle", "node": "diamond", "value": "roundRect"}
LABELLED_LINES = (
    14  # more words than this on lines hide each other: they are read by pointing at a line
)
CROWD = 12  # more things than this get a higher picture
# of the radius: a label stands beside what is further to the side than this, else under it
BESIDE = 0.35
NOTES = 8  # values of a thing that are shown when one points at it


def graph_chart(
    drawing: Drawing, key: str, chosen: Callable[[str, str], None], height: int = 520
) -> None:
    """Draw a view. `chosen(point key, statement id)` is called with what was clicked; one of the
    two is empty.
    """
    dark = st.context.theme.type == "dark"
    st.echarts_chart(
        spec(drawing, dark),
        height=height if len(drawing.view.points) <= CROWD else height + 60,
        key=key,
        on_select=lambda: _clicked(drawing, key, chosen),
        alt=(
            f"A graph: {counted(len(drawing.view.points), 'thing')},"
            f" {counted(len(drawing.view.lines), 'statement')}."
        ),
    )


def spec(drawing: Drawing, dark: bool) -> dict[str, Any]:
    """ECharts options. Labels are data, never templates, so that nothing in them is expanded or
    run.
    """
    view = drawing.view
    labelled = len(view.lines) <= LABELLED_LINES
    ink = "#E6EEEE" if dark else "#1B2626"
    return {
        "animation": False,
        "tooltip": {"show": True, "renderMode": "richText", "confine": True},  # drawn, never HTML
        "series": [
            {
                "type": "graph",
                "layout": "none",
                "roam": True,
                "selectedMode": "single",
                "data": [_point(point, drawing, dark) for point in view.points],
                "links": [_line(line, labelled, dark) for line in view.lines],
                "label": {
                    "show": True,
                    "position": "bottom",
                    "color": ink,
                    "fontSize": 12,
                    "width": 108,
                    "overflow": "truncate",
                },
                "edgeLabel": {"show": labelled},
                "labelLayout": (
                    {} if labelled else {"hideOverlap": True}
                ),  # it misplaces the labels of lines
                "preserveAspect": "contain",
                "edgeSymbol": ["none", "arrow"],
                "edgeSymbolSize": 8,
                "emphasis": {"focus": "adjacency", "label": {"overflow": "break"}},
                "select": {
                    "itemStyle": {"borderColor": ink, "borderWidth": 3},
                    "lineStyle": {"width": 4},
                },
                "left": 135,
                "right": 135,
                "top": 30,
                "bottom": 50,
            }
        ],
    }


def _point(point: Any, drawing: Drawing, dark: bool) -> dict[str, Any]:
    x, y = drawing.positions[point.key]
    size = 30 if point.key == drawing.view.centre else 12 + min(point.degree, 12)
    paint = colour(point.category, dark)
    return {
        "id": point.key,
        "name": one_line(point.label),
        **({"value": notes(point)} if point.notes else {}),
        "x": x,
        "y": y,
        "symbol": SYMBOLS[point.kind],
        "symbolSize": [58, 22] if point.kind == "value" else size,
        "label": (
            {"position": "inside", "width": 54}
            if point.kind == "value"
            else {"position": beside(x, y)}
        ),
        "itemStyle": {
            "color": "transparent" if point.kind == "value" else paint,
            "borderColor": paint,
            "borderWidth": 1.5,
        },
    }


def _line(line: Any, labelled: bool, dark: bool) -> dict[str, Any]:
    """Solid for what may be said plainly, dashed for what is negated (red), hypothetical or
    qualified (ochre).
    """
    plain, negated, other = (
        ("#8FA3A3", "#FF8A80", "#D2B84A") if dark else ("#7A8B8B", "#9B1C1C", "#8A6F00")
    )
    paint = plain if line.is_plain else negated if line.negated else other
    return {
        "source": line.source,
        "target": line.target,
        "statement": line.statement,
        "value": one_line(line.label),
        "lineStyle": {
            "color": paint,
            "type": "solid" if line.is_plain else "dashed",
            "width": 1.6,
            "curveness": 0.08,
            "opacity": 0.85,
        },
        "label": {
            "show": labelled,
            "formatter": escaped(line.label),
            "color": paint,
            "fontSize": 11,
        },
    }


def beside(x: float, y: float) -> str:
    """On which side of a point its label stands, so that it points away from the middle."""
    side = abs(x) > BESIDE * max(abs(y), 1.0)
    return ("right" if x > 0 else "left") if side else ("bottom" if y >= 0 else "top")


def notes(point: Any) -> str:
    """The values of a thing on one line each, to be read by pointing at it."""
    more = [f"… {len(point.notes) - NOTES} more"] if len(point.notes) > NOTES else []
    return "\n".join([*(one_line(note)[:90] for note in point.notes[:NOTES]), *more])


def one_line(words: str) -> str:
    """No line ends, and no signs that turn the writing direction."""
    return " ".join("".join(sign for sign in words if sign.isprintable() or sign.isspace()).split())


def escaped(words: str) -> str:
    """A label of a line is a template in ECharts, so the signs of templates are taken out."""
    return one_line(words).replace("{", "(").replace("}", ")").replace("|", "/")


def _clicked(drawing: Drawing, key: str, chosen: Callable[[str, str], None]) -> None:
    for point, line in clicks(state.get(key), drawing):
        chosen(point, line)
        return


def clicks(selection: Any, drawing: Drawing) -> list[tuple[str, str]]:
    """What a selection names, as (point key, statement id); it may come from an older drawing."""
    found: list[tuple[str, str]] = []
    chosen = (
        selection.get("selection", {}).get("selected", []) if isinstance(selection, Mapping) else []
    )
    for series in chosen:
        kind, numbers = series.get("data_type", "node"), series.get("data_indices", [])
        for number in numbers:
            if kind == "edge" and 0 <= number < len(drawing.view.lines):
                found.append(("", drawing.view.lines[number].statement))
            elif kind != "edge" and 0 <= number < len(drawing.view.points):
                found.append((drawing.view.points[number].key, ""))
    return found
