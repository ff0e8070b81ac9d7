"""What an address asks to see of the graph, and the views that were saved under a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any
from urllib.parse import parse_qs, urlencode

from core.desk_parts import HasStore
from core.errors import InputError
from core.kb.graph.graph import SIZES as SIZES
from core.kb.graph.graph import AssertionKind
from core.kb.graph.layout import Position
from core.model import Curator, Role
from core.services.shared.saved_view import SavedView, view_name

AROUND, PATHS, ALL, OVERVIEW = "around", "paths", "all", "overview"
MODES = (OVERVIEW, AROUND, PATHS, ALL)
ASSERTION_KINDS = tuple(str(kind) for kind in AssertionKind)
MOST_STEPS = 3
MOST_LISTED = 60  # values of one kind in an address
SAVED = "graph·"  # begins the stored name of a view of the graph


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """What of the graph is looked at: all that an address holds of it.

    `steps` are 1 to 3. Of `relations`, `kinds` and `said` one that begins with - is left out.
    `paper` are words of a title or an id; `since` and `until` are days (ISO 8601); `evidence` is
    the least number of pieces. `also` is expanded, `fold` collapsed, `hide` left out.
    `pin` is `key@across,down` in thousandths of the frame.
    """

    view: str = ""  # of `MODES`; "" is an overview for what is large, else everything
    centre: tuple[str, ...] = ()
    steps: int = 1
    relations: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    paper: str = ""
    curator: str = ""
    since: str = ""
    until: str = ""
    evidence: int = 0
    part: tuple[str, ...] = ()  # a category; or two, and a relation from one to the other
    also: tuple[str, ...] = ()
    fold: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()
    size: str = SIZES[0]
    values: bool = False

    def having(self, name: str, value: Any) -> ViewRequest:
        """The same but for one field."""
        return replace(self, **{name: value})

    @property
    def asks_store(self) -> bool:
        """Whether it is filtered by what only the store knows."""
        return bool(self.paper or self.curator or self.since or self.until or self.evidence > 1)

    @property
    def filters(self) -> int:
        """How many filters there are."""
        own = (self.relations, self.kinds, self.said, self.paper, self.curator, self.since)
        return sum(map(bool, (*own, self.until, self.evidence > 1)))


def request_of(address: Mapping[str, Sequence[str]]) -> ViewRequest:
    """What an address asks for; what is not a value of a field is left out of account."""
    by_field: dict[str, object] = {}
    for request_field in fields(ViewRequest):
        values = [value for value in address.get(request_field.name, ()) if value][:MOST_LISTED]
        if not values:
            continue
        if isinstance(request_field.default, tuple):
            by_field[request_field.name] = tuple(
                values if request_field.name == "part" else dict.fromkeys(values)
            )
        elif isinstance(request_field.default, bool):
            by_field[request_field.name] = values[0] == "yes"
        elif isinstance(request_field.default, int):
            by_field[request_field.name] = (
                int(values[0]) if values[0].isdecimal() and len(values[0]) < 9 else 1
            )
        else:
            by_field[request_field.name] = values[0][:300]
    request = ViewRequest(**by_field)  # type: ignore[arg-type]
    return replace(
        request,
        view=request.view if request.view in MODES else "",
        steps=min(max(request.steps, 1), MOST_STEPS),
        since=_day(request.since),
        until=_day(request.until),
        size=request.size if request.size in SIZES else SIZES[0],
        said=tuple(kind for kind in request.said if kind.removeprefix("-") in ASSERTION_KINDS),
    )


def _day(words: str) -> str:
    """A day of an address; none for what is no day, which no statement would pass."""
    try:
        return date.fromisoformat(words).isoformat()
    except ValueError:
        return ""


def address_of(request: ViewRequest) -> dict[str, list[str]]:
    """The values of an address that ask for this view; a field that has its default has none."""
    by_field: dict[str, list[str]] = {}
    for request_field in fields(ViewRequest):
        value = getattr(request, request_field.name)
        if value == request_field.default:
            by_field[request_field.name] = []
        elif isinstance(value, tuple):
            by_field[request_field.name] = list(value)
        else:
            by_field[request_field.name] = ["yes" if value is True else str(value)]
    return by_field


def request_from_words(words: str) -> ViewRequest:
    """An address as the page writes it: `centre=CHEBI%3A15365&steps=2`, with or without what stands
    before the `?`. Raises InputError for more than an address can hold.
    """
    if len(words) > 20_000:
        raise InputError("That address is too long.", "Copy the address from the page again.")
    return request_of(parse_qs(words.rpartition("?")[2]))


def view_address(request: ViewRequest) -> str:
    return urlencode({name: value for name, value in address_of(request).items() if value}, True)


def pins_of(request: ViewRequest) -> dict[str, Position]:
    positions: dict[str, Position] = {}
    for words in request.pin:
        key, _, place = words.rpartition("@")
        across, _, down = place.partition(",")
        if key and across.isdecimal() and down.isdecimal():
            positions[key] = (min(int(across), 1000), min(int(down), 1000))
    return positions


def toggled_names(names: Sequence[str], name: str) -> tuple[str, ...]:
    """Names that pass, with one of them shown that was not, or hidden that was shown."""
    only = [shown_name for shown_name in names if not shown_name.startswith("-")]
    if f"-{name}" in names:
        return tuple(listed_name for listed_name in names if listed_name != f"-{name}")
    if name in only:
        return tuple(listed_name for listed_name in names if listed_name != name)
    return (*names, name if only else f"-{name}")


def saved_views(desk: HasStore) -> list[SavedView]:
    """Views of the graph that were saved in this project, by name."""
    return [
        SavedView(view.name.removeprefix(SAVED), view.address, view.curator)
        for view in desk.store.views.all()
        if view.name.startswith(SAVED)
    ]


def save_view(desk: HasStore, name: str, request: ViewRequest, curator: Curator) -> SavedView:
    """Keep a view under a name; another of that name is replaced. Raises InputError for a name that
    is empty or too long, Forbidden for a reader.
    """
    desk.store.curators.need(curator.orcid, Role.CURATOR)
    words = view_name(name)
    view = SavedView(SAVED + words, {"graph": view_address(request)}, curator.orcid)
    desk.store.views.save(view)
    return replace(view, name=words)


def remove_view(desk: HasStore, name: str, curator: Curator) -> None:
    desk.store.curators.need(curator.orcid, Role.CURATOR)
    desk.store.views.remove(SAVED + name)
