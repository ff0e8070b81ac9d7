"""What the verb graph does."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace

from core.cli.statement_list_run import put
from core.desk import Desk
from core.errors import InputError, NotFound
from core.services.graph import explore, view_request
from core.services.graph.explore import Drawing, Graph, GraphEdge, ThingIndex
from core.services.graph.explore_memory import ExploreMemory
from core.services.graph.export_file import replace_file
from core.services.graph.view_request import ViewRequest


def graph(desk: Desk, args: Namespace) -> int:
    """What was approved, drawn."""
    full_graph = ExploreMemory().graph(desk)
    if not full_graph.points:
        raise NotFound("Nothing is approved yet.", "Approve statements on Review, or by decide.")
    request = requested(full_graph, args)
    drawing = explore.drawing_of_view(desk, full_graph, request)
    if args.format == "json":
        put(drawing_json(drawing))
    else:
        colours = explore.drawing_colours(drawing.legend.relations, args.dark)
        title = (
            ", ".join(full_graph.points[key].label for key in request.centre) or "Knowledge graph"
        )
        content = explore.draw_picture(drawing, args.format, colours, title)
        if args.output:
            replace_file(args.output, [content])
        else:
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
    view = drawing.view
    cut = f", {view.cut:,} left out" if view.cut else ""
    print(
        f"groundwork: {len(view.points):,} things, {len(view.lines):,} lines{cut}."
        f" {drawing.remark}".rstrip(),
        file=sys.stderr,
    )
    return 0


def requested(full_graph: Graph, args: Namespace) -> ViewRequest:
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
    same = [key for key in matching if full_graph.points[key].label.casefold() == words.casefold()]
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
