"""The explorer: a graph drawn by ECharts at positions computed beforehand. Clicks come back; text
is only text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.services.graph.knowledge_base import Drawing
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.term import category_colour

SYMBOLS = {"term": "circle", "node": "diamond", "value": "roundRect"}
LABELLED_LINES = (
    14  # more words than this on lines hide each other: they are read by pointing at a line
)
MARGIN = (62, 125)  # pixels beside the drawing: labels below points, and outside a ring
# A colour for each of the most used relations, on light and dark; all others are grey.
RELATION_COLOURS = (
    ("#0072B2", "#56B4E9"),
    ("#C44E00", "#FF9B57"),
    ("#00785A", "#2FC99A"),
    ("#B0457B", "#EE9DC6"),
    ("#8A6F00", "#E6D05A"),
    ("#5B3FA0", "#B8A6F0"),
    ("#7A1D4C", "#D67BA8"),
)
OTHER_RELATION = ("#7A8B8B", "#8FA3A3")
# of the radius: a label stands beside what is further to the side than this, else under it
BESIDE = 0.35
NOTES = 8  # values of a thing that are shown when one points at it


def graph_chart(
    drawing: Drawing,
    key: str,
    chosen: Callable[[str, str], None],
    relations: Sequence[str] = (),
) -> None:
    """Draw a view. `chosen(point key, statement id)` is called with what was clicked; one of the
    two is empty. `relations` are those with a colour of their own, in the order of the colours.
    """
    dark = st.context.theme.type == "dark"
    st.echarts_chart(
        spec(drawing, dark, relations),
        height=int(drawing.frame.height) + 80,
        key=key,
        on_select=lambda: _clicked(drawing, key, chosen),
        alt=(
            f"A graph: {counted(len(drawing.view.points), 'thing')},"
            f" {counted(len(drawing.view.lines), 'statement')}."
        ),
    )


def spec(drawing: Drawing, dark: bool, relations: Sequence[str] = ()) -> dict[str, Any]:
    """ECharts options. Labels are data, never templates, so that nothing in them is expanded or
    run.
    """
    view = drawing.view
    labelled = len(view.lines) <= LABELLED_LINES
    ink = "#E6EEEE" if dark else "#1B2626"
    margin = MARGIN[drawing.ring]
    paint = {name: relation_colour(relations, name, dark) for name in relations}
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
                "links": [_line(line, labelled, dark, paint) for line in view.lines],
                "label": {
                    "show": True,
                    "position": "bottom",
                    "color": ink,
                    "fontSize": drawing.frame.font,
                    "width": drawing.frame.label,
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
                "left": margin,
                "right": margin,
                "top": 30,
                "bottom": 50,
            }
        ],
    }


def _point(point: Any, drawing: Drawing, dark: bool) -> dict[str, Any]:
    x, y = drawing.positions[point.key]
    few = len(drawing.view.points) <= 40
    size = 30 if few and point.key == drawing.view.centre else 12 + min(point.degree, 12)
    size = size if few else 8 + min(size - 12, 8)
    paint = category_colour(point.category, dark)
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
            else {"position": beside(x, y) if drawing.ring else "bottom"}
        ),
        "itemStyle": {
            "color": "transparent" if point.kind == "value" else paint,
            "borderColor": paint,
            "borderWidth": 1.5,
        },
    }


def _line(line: Any, labelled: bool, dark: bool, colours: Mapping[str, str]) -> dict[str, Any]:
    """In the colour of its relation: solid for what may be said plainly, dashed for what is
    negated, dotted for what is hypothetical or qualified.
    """
    paint = colours.get(line.predicate, OTHER_RELATION[dark])
    style = "solid" if line.is_plain else "dashed" if line.negated else "dotted"
    return {
        "source": line.source,
        "target": line.target,
        "statement": line.statement,
        "value": one_line(line.label),
        "lineStyle": {
            "color": paint,
            "type": style,
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


def relation_colour(relations: Sequence[str], name: str, dark: bool) -> str:
    """The hex colour of a relation by its place among the most used."""
    at = relations.index(name) if name in relations else len(RELATION_COLOURS)
    return (RELATION_COLOURS[at] if at < len(RELATION_COLOURS) else OTHER_RELATION)[dark]


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
