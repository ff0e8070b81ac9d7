"""A view as a PNG, drawn by Pillow: for where no browser is."""

from __future__ import annotations

import io
import math
from functools import lru_cache
from itertools import pairwise
from typing import Any

from core.kb.graph.label import SIZE
from core.kb.graph.scene import WORDS, Caption, Dot, GraphScene, Stroke

SCALE = 2  # pixels of the file for each of the picture
MOST = 12_000  # pixels of the file's longer edge
STEPS = 16  # straight pieces of a bent line
FONTS = ("LiberationSans-Regular.ttf", "Arial.ttf", "DejaVuSans.ttf")


def png_picture(drawn: GraphScene, ink: str = "#1B2626", paper: str = "#FFFFFF") -> bytes:
    """The file; a picture too large for it is drawn smaller."""
    from PIL import Image, ImageDraw

    scale = min(SCALE, MOST / max(drawn.width, drawn.height))
    size = (max(1, round(drawn.width * scale)), max(1, round(drawn.height * scale)))
    image = Image.new("RGB", size, paper)
    pen = ImageDraw.Draw(image)
    for edge in drawn.strokes:
        draw_stroke(pen, edge, scale)
    for spot in drawn.dots:
        draw_dot(pen, spot, scale, ink, paper=paper)
    for edge in drawn.strokes:
        if edge.words:
            write_text(
                pen, Caption(edge.words, edge.at), scale, WORDS, colour=edge.colour, paper=paper
            )
    for caption in drawn.captions:
        write_text(pen, caption, scale, SIZE, colour=ink, paper=paper)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def draw_stroke(pen: Any, edge: Stroke, scale: float) -> None:
    straight = (
        math.dist(edge.by, [(a + b) / 2 for a, b in zip(edge.start, edge.end, strict=True)]) < 4
    )
    steps = 1 if straight else STEPS
    way = [curve_points(edge, step / steps, scale) for step in range(steps + 1)]
    for start, end in dashed_pieces(way, [length * scale for length in edge.dashes]):
        pen.line([start, end], fill=edge.colour, width=max(1, round(1.6 * scale)))
    (x1, y1), (x2, y2) = way[-2], way[-1]
    turn, reach = math.atan2(y2 - y1, x2 - x1), 8 * scale
    wings = [
        (x2 - reach * math.cos(turn + side), y2 - reach * math.sin(turn + side))
        for side in (0.45, -0.45)
    ]
    pen.polygon([(x2, y2), *wings], fill=edge.colour)


def curve_points(edge: Stroke, share: float, scale: float) -> tuple[float, float]:
    a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
    x, y = (
        (a * edge.start[axis] + b * edge.by[axis] + c * edge.end[axis]) * scale for axis in (0, 1)
    )
    return x, y


def dashed_pieces(
    way: list[tuple[float, float]], dashes: list[float]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """The parts of a way that are drawn: all of it, or every other stretch of the dashes."""
    if not dashes:
        return list(pairwise(way))
    segments, place, dash_left, is_on = [], 0, dashes[0], True
    for start, end in pairwise(way):
        long = math.dist(start, end)
        gone = 0.0
        while long - gone > 1e-9:
            step = min(dash_left, long - gone)
            ends = [
                (
                    start[0] + (end[0] - start[0]) * share / long,
                    start[1] + (end[1] - start[1]) * share / long,
                )
                for share in (gone, gone + step)
            ]
            if is_on:
                segments.append((ends[0], ends[1]))
            gone, dash_left = gone + step, dash_left - step
            if dash_left <= 1e-9:
                place, is_on = (place + 1) % len(dashes), not is_on
                dash_left = dashes[place]
    return segments


def draw_dot(pen: Any, spot: Dot, scale: float, ink: str, *, paper: str) -> None:
    (x, y), size = (spot.at[0] * scale, spot.at[1] * scale), spot.size * scale
    edge = {
        "outline": ink if spot.is_centre else paper,
        "width": round((3 if spot.is_centre else 1) * scale),
    }
    if spot.point.kind == "node":
        pen.polygon([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], spot.colour)
    elif spot.point.kind == "value":
        box = (x - size * 0.8, y - size * 0.8, x + size * 0.8, y + size * 0.8)
        pen.rectangle(box, paper, spot.colour, round(1.5 * scale))
    else:
        pen.ellipse((x - size, y - size, x + size, y + size), spot.colour, **edge)


def write_text(
    pen: Any, label: Caption, scale: float, size: int, *, colour: str, paper: str
) -> None:
    anchor = {"start": "lm", "middle": "mm", "end": "rm"}[label.anchor]
    pen.text(
        (label.at[0] * scale, label.at[1] * scale),
        label.words,
        fill=colour,
        font=text_font(round(size * scale)),
        anchor=anchor,
        stroke_width=round(1.5 * scale),
        stroke_fill=paper,
    )


@lru_cache(maxsize=16)
def text_font(size: int) -> Any:
    """A sans-serif of the machine, else Pillow's own, which has Latin letters only."""
    from PIL import ImageFont

    for name in FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
