"""The verb that draws what is approved: a picture, or what is in view as data."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import print_line, print_note, write_pieces
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError, NotFound

if TYPE_CHECKING:
    from core.services.graph.explore import Drawing, Graph, GraphEdge, ThingIndex
    from core.services.graph.view_request import ViewRequest


def graph_arguments(parser: ArgumentParser) -> None:
    from core.kb.graph.graph import PICTURES, SIZES, AssertionKind

    parser.add_argument(
        "thing", nargs="*", help="things to put in the centre: ids or labels (default: everything)"
    )
    parser.add_argument("--to", metavar="THING", help="draw the paths to this thing")
    parser.add_argument("--steps", type=int, choices=(1, 2, 3), default=1, help="default: 1")
    parser.add_argument("--overview", action="store_true", help="kinds and relations, counted")
    parser.add_argument(
        "--address", default="", help="a view, as it stands in the page's address after the ?"
    )
    for name, words in (
        ("relation", "draw only this relation; -NAME leaves it out"),
        ("kind", "draw only this kind of thing; -NAME leaves it out"),
        ("said", f"{', '.join(AssertionKind)}; -NAME leaves it out"),
        ("hide", "leave this thing out"),
    ):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=words)
    parser.add_argument(
        "--paper",
        default="",
        help="only statements with evidence in this paper: its id, or words of its title",
    )
    parser.add_argument("--curator", default="", help="decided by this ORCID iD")
    parser.add_argument(
        "--since", default="", metavar="DAY", help="decided since this date, such as 2026-01-31"
    )
    parser.add_argument("--until", default="", metavar="DAY", help="decided until this date")
    parser.add_argument(
        "--evidence",
        type=int,
        default=0,
        help="only statements with at least this many pieces of evidence",
    )
    parser.add_argument("--size", choices=SIZES, help="what the size of a thing shows")
    parser.add_argument("--values", action="store_true", help="numbers and words as points")
    parser.add_argument("--dark", action="store_true", help="on a dark background")
    formats = (*PICTURES, "json")
    parser.add_argument("--format", choices=formats, default="svg", help="default: svg")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")


def graph(desk: Desk, args: Namespace) -> int:
    """What was approved, drawn."""
    from core.services.graph import explore
    from core.services.graph.explore_memory import ExploreMemory

    full_graph = ExploreMemory().graph(desk)
    if not full_graph.points:
        raise NotFound("Nothing is approved yet.", "Approve statements on Review, or by decide.")
    request = requested(full_graph, args)
    drawing = explore.drawing_of_view(desk, full_graph, request)
    if args.format == "json":
        print_line(drawing_json(drawing))
    else:
        colours = explore.drawing_colours(drawing.legend.relations, args.dark)
        title = (
            ", ".join(full_graph.points[key].label for key in request.centre) or "Knowledge graph"
        )
        content = explore.draw_picture(drawing, args.format, colours, title)
        write_pieces([content], args.output)
    view = drawing.view
    cut = f", {view.cut:,} left out" if view.cut else ""
    print_note(
        f"{len(view.points):,} things, {len(view.lines):,} lines{cut}. {drawing.remark}".rstrip()
    )
    return 0


def requested(full_graph: Graph, args: Namespace) -> ViewRequest:
    from core.services.graph import view_request
    from core.services.graph.explore import ThingIndex
    from core.services.graph.view_request import ViewRequest

    request = view_request.request_from_words(args.address) if args.address else ViewRequest()
    index = ThingIndex(full_graph)
    centres = tuple(thing_key(full_graph, index, words) for words in args.thing)
    if args.to:
        if len(centres) != 1:
            raise InputError("Paths lead from one thing to another.", "Name one thing and --to.")
        centres = (*centres, thing_key(full_graph, index, args.to))
    mode = view_request.PATHS if args.to else view_request.OVERVIEW if args.overview else ""
    chosen = {
        "view": mode or (view_request.AROUND if centres else ""),
        "centre": centres,
        "steps": args.steps if args.steps > 1 else 0,
        "relations": tuple(args.relation),
        "kinds": tuple(args.kind),
        "said": tuple(args.said),
        "hide": tuple(thing_key(full_graph, index, words) for words in args.hide),
        "paper": args.paper,
        "curator": args.curator,
        "since": args.since,
        "until": args.until,
        "evidence": max(args.evidence, 0),
        "size": args.size,
        "values": args.values,
    }
    return replace(request, **{name: value for name, value in chosen.items() if value})


def thing_key(full_graph: Graph, index: ThingIndex, words: str) -> str:
    """A thing by its id or its label. Raises NotFound, or InputError where several may be meant."""
    if words in full_graph.points:
        return words
    matching = index.matching(words)
    same = [
        key
        for key in matching
        if full_graph.points[key].label.casefold() == words.casefold()
        or words in full_graph.points[key].other_ids
    ]
    if len(same) == 1:
        return same[0]
    suggestions = ", ".join(
        f"{full_graph.points[key].label} ({key})"
        for key in (same or matching)[:5]
        if "\n" not in key
    )
    if same:
        raise InputError(
            f"Several things are called {words[:80]!r}.", f"Give an id: {suggestions}."
        )
    hint = f"Did you mean: {suggestions}?" if suggestions else "`statements` lists what there is."
    raise NotFound(f"Nothing approved is called {words[:80]!r}.", hint)


def drawing_json(drawing: Drawing) -> dict[str, object]:
    """What is in view, as data."""
    return {
        "view": drawing.mode,
        "things": [point._asdict() for point in drawing.view.points],
        "lines": [line_json(line) for line in drawing.view.lines],
        "cut": drawing.view.cut,
        "total": drawing.total,
        "remark": drawing.remark,
    }


def line_json(line: GraphEdge) -> dict[str, object]:
    fields = line._asdict()
    return {"count": fields.pop("weight")} | fields


VERBS = (
    Verb(
        "graph",
        "draw the approved statements as SVG, PNG, a web page or data",
        graph_arguments,
        graph,
    ),
)
