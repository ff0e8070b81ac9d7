"""What the queue can be narrowed by, with counts that follow the other filters; and saved views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.desk import Desk
from core.errors import InputError
from core.model import Curator, Term, relation_words
from core.services.documents.name import document_title
from core.services.review.queue import NARROWING
from core.store import Filter, Held, SavedView

TITLES = {
    "predicate": "Predicate",
    "category": "Kind of thing",
    "thing": "Term",
    "document": "Document",
    "schema": "Schema",
    "engine": "Engine",
    "rule": "Rule",
    "band": "Score",
    "held": "Held back",
    "curator": "Decided by",
}
LONGEST_NAME = 80  # characters of a view's name


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, how it reads, and how many statements of the view have it."""

    value: str
    label: str
    count: int


def facets(desk: Desk, wanted: Filter) -> dict[str, list[FacetValue]]:
    """The values of every facet under the rest of the filter, the most frequent first."""
    return {
        name: [
            FacetValue(value, _label(desk, name, value), count)
            for value, count in desk.store.facets.counts(name, wanted)
        ]
        for name in TITLES
    }


def _label(desk: Desk, facet: str, value: str) -> str:
    match facet:
        case "document":
            title = document_title(desk, value)
            return f"{title} · {value}" if title else value
        case "band":
            return f"{value} to {float(value) + 0.1:.1f}"
        case "held":
            return str(Held(value))
        case "curator":
            known = desk.store.curators.get(value)
            return known.name or value if known else value
        case "predicate" | "thing":
            return _name(desk, facet, value)
    return value


def _name(desk: Desk, facet: str, value: str) -> str:
    """The label that a statement of the project gives a term."""
    wanted = Filter(predicate=value) if facet == "predicate" else Filter(thing=value)
    for record in desk.store.queue.records(wanted, limit=1):
        claim = record.statement
        if facet == "predicate":
            return relation_words(claim.predicate)
        for thing in (claim.subject, claim.object):
            if isinstance(thing, Term) and thing.id == value:
                return f"{thing.label} · {value}"
    return value


def views(desk: Desk) -> list[SavedView]:
    return desk.store.views.all()


def save_view(desk: Desk, name: str, address: Mapping[str, str], curator: Curator) -> SavedView:
    """Keep what of the queue is looked at under a name; another of that name is replaced. Raises
    InputError for a name that is empty or too long.
    """
    words = " ".join(name.split())
    if not words or len(words) > LONGEST_NAME:
        raise InputError(f"A view needs a name of 1 to {LONGEST_NAME} characters.")
    held = ("state", "order", *NARROWING)
    kept = {key: address[key] for key in held if address.get(key)}
    view = SavedView(words, kept, curator.orcid)
    desk.store.views.save(view)
    return view


def remove_view(desk: Desk, name: str) -> None:
    desk.store.views.remove(name)
