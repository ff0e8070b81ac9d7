"""A view as a stand-alone web page (pyvis): to look at, share and keep. It loads nothing and runs
nothing of ours.

pyvis puts labels into a script as JSON: `<` and the like are escaped there, so that no label can
end the script. Its `in_line` pages still load a style sheet and a script from a CDN; these tags are
taken out.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping

from pyvis.network import Network

from core.kb.graph.layout import Position
from core.kb.graph.neighbourhood import GraphEdge, GraphNode, GraphView
from core.model import Category

OUTSIDE = re.compile(
    r"<!--.*?-->|<link\b[^>]*>(?:\s*</link>)?"
    r"|<script\b[^>]*?\bsrc\s*=[^>]*?>\s*</script>"
    r"|<center>\s*<h1>\s*</h1>\s*</center>",
    re.IGNORECASE | re.DOTALL,
)
SHAPES = {"term": "dot", "node": "diamond", "value": "box"}
# A page that asks for nothing: even a tag that slipped through could load nothing from outside.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;"
    " font-src data:"
)


def picture(
    view: GraphView,
    positions: Mapping[str, Position],
    colours: Mapping[Category, str],
    title: str = "",
    height: int = 640,
) -> str:
    """The page. `colours` are hex; `height` in pixels. No outside address is loaded, physics is
    off.
    """
    network = Network(
        height=f"{height}px",
        width="100%",
        directed=True,
        cdn_resources="in_line",
        bgcolor="#ffffff",
    )
    network.toggle_physics(False)
    for point in view.points:
        network.add_node(
            point.key, **appearance(point, positions[point.key], colours, point.key == view.centre)
        )
    for line in view.lines:
        network.add_edge(line.source, line.target, **stroke(line))
    network.set_options(json.dumps(OPTIONS))
    return safe(network.generate_html(notebook=False), title)


OPTIONS = {
    "physics": {"enabled": False},
    "interaction": {"hover": True, "navigationButtons": False, "keyboard": False},
    "nodes": {
        "font": {
            "size": 22,
            "face": "sans-serif",
            "color": "#1B2626",
            "strokeWidth": 4,
            "strokeColor": "#ffffff",
        }
    },
    "edges": {
        "font": {
            "size": 17,
            "face": "sans-serif",
            "color": "#445050",
            "strokeWidth": 4,
            "strokeColor": "#ffffff",
        },
        "smooth": {"enabled": True, "type": "continuous", "roundness": 0.2},
    },
}


def appearance(
    point: GraphNode, at: Position, colours: Mapping[Category, str], centre: bool
) -> dict[str, object]:
    colour = colours.get(point.category, "#556060")
    found: dict[str, object] = {
        "label": shown(point.label),
        "title": f"{shown(point.label, 200)}\n{point.category}",
        "x": at[0],
        "y": at[1],
        "shape": SHAPES[point.kind],
        "color": {"background": "#ffffff", "border": colour} if point.kind == "value" else colour,
        "size": 22 if centre else 14,
    }
    return found | ({"borderWidth": 3} if centre else {})


def stroke(line: GraphEdge) -> dict[str, object]:
    """Solid for what may be said plainly; dashed for what is negated (dark red), hypothetical or
    qualified (grey).
    """
    colour = "#5C6B6B" if line.is_plain else "#9B1C1C" if line.negated else "#8A8F00"
    return {
        "label": shown(line.label, 30),
        "title": line.label,
        "color": colour,
        "dashes": not line.is_plain,
    }


def shown(words: str, most: int = 40) -> str:
    """One line, and no control signs that turn the writing direction of what follows."""
    flat = " ".join("".join(sign for sign in words if sign.isprintable() or sign.isspace()).split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def safe(page: str, title: str) -> str:
    page = OUTSIDE.sub("", page)
    head = (
        '<meta http-equiv="Content-Security-Policy"'
        f' content="{POLICY}"><title>{html.escape(title)}</title>'
    )
    return page.replace("<head>", f"<head>{head}", 1)
