"""The drawing of a view, in the browser: positions come from the server, acts come back. Every word
is drawn or set as text, never as markup.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from core.desk import Desk
from core.model import Category
from core.services.graph import explore, view_request
from core.services.graph.explore import Drawing, GraphNode, Palette
from core.services.graph.view_request import ViewRequest
from core.services.shared.screen import counted
from pages.components.shared import cached, state
from pages.components.shared.browser_component import browser_component
from pages.components.shared.term import category_colour, drawable_text

ACTS = (
    "thing",
    "statement",
    "leave",
    "centre",
    "add",
    "drop",
    "unset",
    "expand",
    "open",
    "pin",
    "toggle",
    "only",
)
LISTED = 12  # things that a search lists
NOTES = 8  # values of a thing that are shown when one points at it
RELATIONS = 14  # in the legend
_explorer = browser_component("explorer", Path(__file__).parent / "browser")


@dataclass(frozen=True, slots=True)
class ExplorerAct:
    """What was done in the drawing. `field` and `name` are of the legend; `across` and `down` are
    thousandths of the frame; `relation` and `other` are of a line of an overview.
    """

    kind: str
    key: str = ""
    field: str = ""
    name: str = ""
    relation: str = ""
    other: str = ""
    across: int = 0
    down: int = 0


def draw_explorer(
    desk: Desk,
    drawing: Drawing,
    key: str,
    acted: Callable[[ExplorerAct], None],
    *,
    request: ViewRequest | None = None,
    chips: Sequence[Mapping[str, str]] = (),
) -> None:
    """Draw a view; `acted` is called with what is done in it."""
    dark = st.context.theme.type == "dark"
    colours = paints(drawing, dark)
    words = str((state.get(key) or {}).get("words") or "")[:200]
    browser_view = view_for_browser(drawing, colours, request or ViewRequest())
    browser_view |= {
        "asked": words,
        "found": _matches(desk, words, dark) if words else [],
        "chips": list(chips),
        "chosen": {"thing": state.url_value("thing"), "statement": state.url_value("statement")},
        "ink": colours.ink,
        "paper": colours.paper,
    }
    _explorer(
        key=key,
        data=browser_view,
        on_words_change=lambda: None,
        on_act_change=lambda: _heard(key, acted),
    )


def paints(drawing: Drawing, dark: bool) -> Palette:
    """The most frequent relations in view have a colour of their own."""
    return explore.drawing_colours(drawing.legend.relations, dark)


def view_for_browser(drawing: Drawing, colours: Palette, request: ViewRequest) -> dict[str, Any]:
    """The view as the browser gets it."""
    view, placement = drawing.view, drawing.placement
    numbers = {point.key: number for number, point in enumerate(view.points)}
    pinned, hidden = view_request.pins_of(request), dict(view.folded)
    points = [
        {
            "key": point.key,
            "id": shown_identifier(point),
            "label": plain_line(point.label),
            "kind": point.kind,
            "category": str(point.category),
            "x": placement.positions[point.key][0],
            "y": placement.positions[point.key][1],
            "size": explore.size_of(point),
            "degree": point.degree,
            "colour": colours.categories[point.category],
            "centre": point.key in view.centres,
            "pinned": point.key in pinned,
            "folded": hidden.get(point.key, 0),
            "notes": [plain_line(note)[:90] for note in point.notes[:NOTES]],
        }
        for point in view.points
    ]
    lines = [
        {
            "id": line.statement,
            "s": numbers[line.source],
            "t": numbers[line.target],
            "words": plain_line(line.label),
            "relation": line.predicate,
            "colour": colours.relations.get(line.predicate, colours.other),
            "dashes": list(explore.DASHES[line.said[0]]),
            "bend": bend,
            "count": line.weight,
            "width": explore.line_width(line, drawing.mode),
        }
        for line, bend in zip(view.lines, explore.line_bends(view.lines), strict=True)
    ]
    return {
        "view": _digest(drawing),
        "width": placement.width,
        "height": placement.height,
        "ring": placement.ring,
        "points": points,
        "lines": lines,
        "legend": draw_legend(drawing, colours, request),
        "note": view_note(drawing),
        "alt": f"A graph: {counted(len(points), 'thing')}, {counted(len(lines), 'line')}.",
    }


def draw_legend(
    drawing: Drawing, colours: Palette, request: ViewRequest
) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """What colours and line styles mean; what was hidden is there, to be shown again."""
    kinds = [
        {
            "name": name,
            "count": count,
            "on": on,
            "colour": colours.categories.get(_category(name), colours.other),
        }
        for name, count, on in _entries(drawing.legend.kinds, request.kinds)
    ]
    relations = [
        {
            "name": name,
            "count": count,
            "on": on,
            "colour": colours.relations.get(name, colours.other),
            "dashes": [40, 0],
        }
        for name, count, on in _entries(drawing.legend.relations[:RELATIONS], request.relations)
    ]
    ways_said = [
        {
            "name": name,
            "count": count,
            "on": on,
            "colour": colours.ink,
            "dashes": list(explore.line_dashes(name)) or [40, 0],
        }
        for name, count, on in _entries(drawing.legend.said, request.said)
    ]
    if len(ways_said) == 1 and ways_said[0]["on"]:
        ways_said = []
    return [
        ("kinds", "Kinds of things", kinds),
        ("relations", "Relations", relations),
        ("said", "Negation and certainty", ways_said),
    ]


def view_note(drawing: Drawing) -> str:
    """How much is in view, and what is not."""
    view = drawing.view
    if drawing.mode == view_request.OVERVIEW:
        words = f"{counted(drawing.total, 'thing')} in overview: open a kind or a relation."
        return f"{words} {drawing.remark}".rstrip()
    thing_count = sum(point.kind != "value" for point in view.points)
    words = f"{thing_count:,} of {counted(drawing.total, 'thing')}"
    words += f", {counted(len(view.lines), 'statement')}"
    if view.cut:
        words += f". ✂ {view.cut:,} more are left out: filter, or choose a thing"
    return f"{words}. {drawing.remark}".rstrip()


def shown_identifier(point: GraphNode) -> str:
    """A CURIE; nothing for what has none."""
    has_curie = point.kind == "term" and not point.key.startswith("words\n")
    return plain_line(point.key) if has_curie else ""


def plain_line(words: str) -> str:
    """No line ends, and no signs that turn the writing direction."""
    return drawable_text(
        " ".join("".join(s for s in words if s.isprintable() or s.isspace()).split())
    )


def _entries(
    counts: Sequence[tuple[str, int]], chosen: Sequence[str]
) -> list[tuple[str, int, bool]]:
    names_in_view = [name for name, _ in counts]
    off = [name[1:] for name in chosen if name.startswith("-") and name[1:] not in names_in_view]
    missing = [name for name in chosen if not name.startswith("-") and name not in names_in_view]
    return (
        [(name, count, f"-{name}" not in chosen) for name, count in counts]
        + [(name, 0, True) for name in missing]
        + [(name, 0, False) for name in off]
    )


def _category(name: str) -> Category:
    return Category(name) if name in set(Category) else Category.THING


def _matches(desk: Desk, words: str, dark: bool) -> list[dict[str, str]]:
    graph = cached.cached_graph(desk)
    points = [graph.points[key] for key in cached.approved_names(desk).matching(words, LISTED)]
    return [
        {
            "key": point.key,
            "id": shown_identifier(point),
            "label": plain_line(point.label),
            "colour": category_colour(point.category, dark),
        }
        for point in points
    ]


def _digest(drawing: Drawing) -> str:
    """Tells two views apart, so that each is found as it was moved and zoomed."""
    keys = "\n".join(point.key for point in drawing.view.points)
    return f"{zlib.crc32(keys.encode('utf-8', 'replace')):x}-{len(drawing.view.lines)}"


def _heard(key: str, acted: Callable[[ExplorerAct], None]) -> None:
    act = read_act((state.get(key) or {}).get("act"))
    if act is not None:
        acted(act)


def read_act(message: Any) -> ExplorerAct | None:
    """What the browser says was done; None for what is no act."""
    if not isinstance(message, Mapping) or message.get("kind") not in ACTS:
        return None
    names = ("kind", "key", "field", "name", "relation", "other")
    kind, key, field, name, relation, other_kind = (
        str(message.get(field_name) or "")[:2_000] for field_name in names
    )
    across, down = (_thousandths(message.get(field_name)) for field_name in ("across", "down"))
    return ExplorerAct(
        kind, key, field, name=name, relation=relation, other=other_kind, across=across, down=down
    )


def _thousandths(value: Any) -> int:
    is_number = isinstance(value, int | float) and value == value  # NaN is none
    return int(min(max(value, 0), 1000)) if is_number else 0
