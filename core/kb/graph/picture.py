"""A view as SVG. It loads nothing: labels are escaped text."""

from __future__ import annotations

from html import escape

from core.kb.graph.label import FONT, SIZE
from core.kb.graph.scene import WORDS, Caption, Dot, GraphScene, Stroke


def svg(drawn: GraphScene, title: str = "", ink: str = "#1B2626", paper: str = "#FFFFFF") -> str:
    """The picture, `drawn.width` by `drawn.height` pixels large."""
    wide, high = number(drawn.width), number(drawn.height)
    colours = sorted({stroke.colour for stroke in drawn.strokes})
    heads = "".join(head(colour, place) for place, colour in enumerate(colours))
    places = {colour: place for place, colour in enumerate(colours)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}"'
        f' height="{high}" font-family="{FONT}" font-size="{SIZE}" role="img">',
        f"<title>{text(title)}</title><defs>{heads}</defs>",
        f'<rect width="100%" height="100%" fill="{paper}"/><g id="all">',
        *(stroke(edge, places[edge.colour]) for edge in drawn.strokes),
        *(dot(spot, ink, paper) for spot in drawn.dots),
        f'<g font-size="{WORDS}" text-anchor="middle" paint-order="stroke" stroke="{paper}"'
        ' stroke-width="3" stroke-linejoin="round">',
        *(words(edge) for edge in drawn.strokes if edge.words),
        f'</g><g fill="{ink}" paint-order="stroke" stroke="{paper}" stroke-width="3"'
        ' stroke-linejoin="round">',
        *(caption(label) for label in drawn.captions),
        "</g></g></svg>\n",
    ]
    return "\n".join(parts)


def head(colour: str, place: int) -> str:
    """The arrow head of lines of a colour."""
    return (
        f'<marker id="a{place}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"'
        f' markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"'
        f' fill="{colour}"/></marker>'
    )


def stroke(edge: Stroke, place: int) -> str:
    (x1, y1), (bx, by), (x2, y2) = edge.start, edge.by, edge.end
    way = f"M{number(x1)} {number(y1)}Q{number(bx)} {number(by)} {number(x2)} {number(y2)}"
    dashes = f' stroke-dasharray="{" ".join(map(number, edge.dashes))}"' if edge.dashes else ""
    return (
        f'<path d="{way}" fill="none" stroke="{edge.colour}" stroke-width="1.6"'
        f' stroke-opacity=".85"{dashes} marker-end="url(#a{place})">'
        f"<title>{text(edge.line.label)}</title></path>"
    )


def dot(spot: Dot, ink: str, paper: str) -> str:
    """A circle for a thing, a diamond for an unnamed one, an empty box for a value; a ring round a
    centre.
    """
    (x, y), size = spot.at, spot.size
    edge = f' stroke="{ink}" stroke-width="3"' if spot.is_centre else f' stroke="{paper}"'
    if spot.point.kind == "node":
        points = f"{number(x)},{number(y - size)} {number(x + size)},{number(y)}"
        points += f" {number(x)},{number(y + size)} {number(x - size)},{number(y)}"
        shape = f'<polygon points="{points}" fill="{spot.colour}"{edge}>'
        end = "</polygon>"
    elif spot.point.kind == "value":
        side = number(size * 1.6)
        shape = (
            f'<rect x="{number(x - size * 0.8)}" y="{number(y - size * 0.8)}" width="{side}"'
            f' height="{side}" fill="{paper}" stroke="{spot.colour}" stroke-width="1.5">'
        )
        end = "</rect>"
    else:
        shape = (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size)}" fill="{spot.colour}"'
            f"{edge}>"
        )
        end = "</circle>"
    name = "\n".join([spot.point.label, str(spot.point.category), *spot.point.notes[:8]])
    return f"{shape}<title>{text(name)}</title>{end}"


def caption(label: Caption) -> str:
    x, y = label.at
    return (
        f'<text x="{number(x)}" y="{number(y + SIZE * 0.35)}" text-anchor="{label.anchor}">'
        f"{text(label.words)}</text>"
    )


def words(edge: Stroke) -> str:
    x, y = edge.at
    return (
        f'<text x="{number(x)}" y="{number(y + WORDS * 0.35)}" fill="{edge.colour}">'
        f"{text(edge.words)}</text>"
    )


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def text(words: str) -> str:
    """Escaped, without signs that XML forbids or that turn the writing direction."""
    printable = "".join(
        sign if sign.isprintable() else "\n" if sign == "\n" else " " for sign in words
    )
    return escape(printable)
