"""What the queue can be narrowed by, with counts that follow the other filters; and saved views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.desk import Desk
from core.errors import InputError
from core.model import Curator, relation_words
from core.services.review.queue import NARROWING
from core.store import Filter, SavedView

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
    found: dict[str, list[FacetValue]] = {}
    for name in TITLES:
        counts = desk.store.facets.counts(name, wanted)
        labels = _labels(desk, name, [value for value, _ in counts])
        found[name] = [
            FacetValue(value, labels.get(value, value), count) for value, count in counts
        ]
    return found


def _labels(desk: Desk, facet: str, values: list[str]) -> dict[str, str]:
    """How the values of a facet read, where that differs from the value."""
    match facet:
        case "document":
            titles = desk.store.facets.titles(values)
            return {value: f"{title} · {value}" for value, title in titles.items()}
        case "band":
            return {value: f"{value} to {float(value) + 0.1:.1f}" for value in values}
        case "curator":
            names = {person.orcid: person.name for person in desk.store.curators.all()}
            return {value: names.get(value) or value for value in values}
        case "predicate":
            terms = desk.store.facets.terms(facet, values)
            return {value: relation_words(term) for value, term in terms.items()}
        case "thing":
            terms = desk.store.facets.terms(facet, values)
            return {value: f"{term.label} · {value}" for value, term in terms.items()}
    return {}


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
