"""A view as SVG. It loads nothing: labels are escaped text."""

from __future__ import annotations

from html import escape

from core.kb.graph.label import FONT, SIZE
from core.kb.graph.scene import WORDS, Caption, Dot, GraphScene, Stroke


def svg_picture(
    drawn: GraphScene, title: str = "", ink: str = "#1B2626", paper: str = "#FFFFFF"
) -> str:
    """The picture, `drawn.width` by `drawn.height` pixels large."""
    wide, high = svg_number(drawn.width), svg_number(drawn.height)
    colours = sorted({stroke.colour for stroke in drawn.strokes})
    heads = "".join(svg_head(colour, place) for place, colour in enumerate(colours))
    places = {colour: place for place, colour in enumerate(colours)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}"'
        f' height="{high}" font-family="{FONT}" font-size="{SIZE}" role="img">',
        f"<title>{svg_text(title)}</title><defs>{heads}</defs>",
        f'<rect width="100%" height="100%" fill="{paper}"/><g id="all">',
        *(svg_stroke(edge, places[edge.colour]) for edge in drawn.strokes),
        *(svg_dot(spot, ink, paper) for spot in drawn.dots),
        f'<g font-size="{WORDS}" text-anchor="middle" paint-order="stroke" stroke="{paper}"'
        ' stroke-width="3" stroke-linejoin="round">',
        *(svg_words(edge) for edge in drawn.strokes if edge.words),
        f'</g><g fill="{ink}" paint-order="stroke" stroke="{paper}" stroke-width="3"'
        ' stroke-linejoin="round">',
        *(svg_caption(label) for label in drawn.captions),
        "</g></g></svg>\n",
    ]
    return "\n".join(parts)


def svg_head(colour: str, place: int) -> str:
    """The arrow head of lines of a colour."""
    return (
        f'<marker id="a{place}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"'
        f' markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"'
        f' fill="{colour}"/></marker>'
    )


def svg_stroke(edge: Stroke, place: int) -> str:
    start, by, end = (" ".join(map(svg_number, at)) for at in (edge.start, edge.by, edge.end))
    way = f"M{start}Q{by} {end}"
    dashes = f' stroke-dasharray="{" ".join(map(svg_number, edge.dashes))}"' if edge.dashes else ""
    return (
        f'<path d="{way}" fill="none" stroke="{edge.colour}" stroke-width="1.6"'
        f' stroke-opacity=".85"{dashes} marker-end="url(#a{place})">'
        f"<title>{svg_text(edge.line.label)}</title></path>"
    )


def svg_dot(spot: Dot, ink: str, paper: str) -> str:
    """A circle for a thing, a diamond for an unnamed one, an empty box for a value; a ring round a
    centre.
    """
    (x, y), size = spot.at, spot.size
    edge = f' stroke="{ink}" stroke-width="3"' if spot.is_centre else f' stroke="{paper}"'
    if spot.point.kind == "node":
        points = f"{svg_number(x)},{svg_number(y - size)} {svg_number(x + size)},{svg_number(y)}"
        points += f" {svg_number(x)},{svg_number(y + size)} {svg_number(x - size)},{svg_number(y)}"
        shape = f'<polygon points="{points}" fill="{spot.colour}"{edge}>'
        end = "</polygon>"
    elif spot.point.kind == "value":
        side = svg_number(size * 1.6)
        shape = (
            f'<rect x="{svg_number(x - size * 0.8)}" y="{svg_number(y - size * 0.8)}"'
            f' width="{side}" height="{side}" fill="{paper}"'
            f' stroke="{spot.colour}" stroke-width="1.5">'
        )
        end = "</rect>"
    else:
        shape = (
            f'<circle cx="{svg_number(x)}" cy="{svg_number(y)}" r="{svg_number(size)}"'
            f' fill="{spot.colour}"{edge}>'
        )
        end = "</circle>"
    name = "\n".join([spot.point.label, str(spot.point.category), *spot.point.notes[:8]])
    return f"{shape}<title>{svg_text(name)}</title>{end}"


def svg_caption(label: Caption) -> str:
    x, y = label.at
    return (
        f'<text x="{svg_number(x)}" y="{svg_number(y + SIZE * 0.35)}" text-anchor="{label.anchor}">'
        f"{svg_text(label.words)}</text>"
    )


def svg_words(edge: Stroke) -> str:
    x, y = edge.at
    return (
        f'<text x="{svg_number(x)}" y="{svg_number(y + WORDS * 0.35)}" fill="{edge.colour}">'
        f"{svg_text(edge.words)}</text>"
    )


def svg_number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def svg_text(words: str) -> str:
    """Escaped, without signs that XML forbids or that turn the writing direction."""
    printable = "".join(
        sign if sign.isprintable() else "\n" if sign == "\n" else " " for sign in words
    )
    return escape(printable)
