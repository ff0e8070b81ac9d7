"""A view as a stand-alone web page (pyvis), to move, zoom and share. It loads nothing and runs
nothing of ours.

Points, lines and labels stand where the scene has them: labels are points of their own without a
shape, so that they stay apart at every zoom. pyvis puts words into a script as JSON, where `<` and
the like are escaped; its `in_line` pages still load a style sheet and a script from a CDN, and
these tags are taken out.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from core.kb.graph.label import SIZE, single_line, text_width
from core.kb.graph.scene import WORDS, Caption, Dot, GraphScene, Palette, Stroke

# What pyvis writes that would fetch from elsewhere, and its empty headings
OUTSIDE = re.compile(
    r"<!--.*?-->|<link\b[^>]*>(?:\s*</link>)?"
    r"|<script\b[^>]*?\bsrc\s*=[^>]*?>\s*</script>"
    r"|<center>\s*<h1>\s*</h1>\s*</center>",
    re.IGNORECASE | re.DOTALL,
)
SHAPES = {"term": "dot", "node": "diamond", "value": "box", "group": "dot"}
# A page that asks for nothing: even a tag that slipped through could load nothing from outside.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;"
    " font-src data:"
)
FILLING = "<style>html,body,.card,#mynetwork{margin:0;height:100vh!important;border:0}</style>"
OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {"hover": True, "dragNodes": False, "selectable": False},
}


def web_page(drawn: GraphScene, colours: Palette, title: str = "") -> str:
    """The page. No outside address is loaded, and nothing moves by itself."""
    from pyvis.network import Network  # it imports IPython: half a second that only this needs

    network = Network(
        height="100vh", width="100%", directed=True, cdn_resources="in_line", bgcolor=colours.paper
    )
    network.toggle_physics(False)
    for dot in drawn.dots:
        network.add_node(dot.point.key, **appearance(dot, colours))
    for number, caption in enumerate(drawn.captions):
        network.add_node(f"caption {number}", **caption_appearance(caption, colours))
    for stroke in drawn.strokes:
        network.add_edge(stroke.line.source, stroke.line.target, **line_appearance(stroke, colours))
    network.set_options(json.dumps(OPTIONS))
    return without_addresses(network.generate_html(notebook=False), title)


def appearance(dot: Dot, colours: Palette) -> dict[str, Any]:
    """A circle for a thing, a diamond for an unnamed one, an empty box for a value; a ring round a
    centre.
    """
    is_value = dot.point.kind == "value"
    border = dot.colour if is_value else colours.ink if dot.is_centre else colours.paper
    notes = "\n".join([dot.point.label, str(dot.point.category), *dot.point.notes[:8]])
    return {
        "label": " ",
        "title": "\n".join(single_line(line, 200) for line in notes.split("\n")),
        "x": dot.at[0],
        "y": dot.at[1],
        "shape": SHAPES[dot.point.kind],
        "size": dot.size,
        "borderWidth": 3 if dot.is_centre else 1,
        "color": {"background": colours.paper if is_value else dot.colour, "border": border},
    }


def caption_appearance(caption: Caption, colours: Palette) -> dict[str, Any]:
    """Words in the middle of their box."""
    left, _, right, _ = caption.box
    font = {"size": SIZE, "face": "sans-serif", "color": colours.ink}
    return {
        "label": caption.words,
        "x": (left + right) / 2,
        "y": caption.at[1],
        "shape": "text",
        "font": font | {"strokeWidth": 3, "strokeColor": colours.paper},
        "widthConstraint": {"maximum": text_width(caption.words) * 2},
    }


def line_appearance(stroke: Stroke, colours: Palette) -> dict[str, Any]:
    """A line in the colour of its relation; dashes say how its statement is said."""
    font = {"size": WORDS, "face": "sans-serif", "color": stroke.colour}
    return {
        "label": stroke.words or " ",
        "title": single_line(stroke.line.label, 200),
        "color": stroke.colour,
        "width": 1.6,
        "dashes": list(stroke.dashes) or False,
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.5}},
        "font": font | {"strokeWidth": 3, "strokeColor": colours.paper},
        "smooth": line_bend(stroke),
    }


def line_bend(stroke: Stroke) -> dict[str, Any]:
    """How far and to which side a line is bent: lines of the same two ends do not overlap."""
    (x1, y1), (x2, y2), (bx, by) = stroke.start, stroke.end, stroke.by
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    aside = ((x2 - x1) * (by - y1) - (y2 - y1) * (bx - x1)) / length
    if abs(aside) < 1:
        return {"enabled": False}
    side = "curvedCW" if aside < 0 else "curvedCCW"
    return {"enabled": True, "type": side, "roundness": min(abs(aside) / length, 1.0)}


def without_addresses(page: str, title: str) -> str:
    page = OUTSIDE.sub("", page)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{html.escape(title)}</title>{FILLING}"
    )
    return "<!doctype html>\n" + page.replace("<head>", f"<head>{head}", 1)
