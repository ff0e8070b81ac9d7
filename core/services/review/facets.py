"""What the queue can be narrowed by, with counts that follow the other filters; and saved views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.desk_parts import HasProject, HasStore
from core.model import Curator, Role, relation_words
from core.services.extract.earlier import shown_schema
from core.services.extract.engines import engine_title
from core.services.review.authority import loadable_schemas
from core.services.review.queue import NARROWING
from core.services.shared.saved_view import SavedView, view_name
from core.services.vocabularies.relations import RelationNames
from core.store import QueueFilter

TITLES = {
    "predicate": "Predicate",
    "category": "Kind of thing",
    "thing": "Term",
    "document": "Document",
    "schema": "Schema",
    "engine": "Engine",
    "rule": "Rule",
    "band": "Score",
    "support": "Does its text say so?",
    "held": "Reason it is held",
    "curator": "Decided by",
}


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, how it reads, and how many statements of the view have it."""

    value: str
    label: str
    count: int


def facet_values(desk: HasProject, name: str, filter: QueueFilter) -> list[FacetValue]:
    """The values of one facet under the rest of the filter, the most frequent first."""
    counts = desk.store.facets.counts(name, filter)
    labels = _labels(desk, name, [value for value, _ in counts])
    return [FacetValue(value, labels.get(value, value), count) for value, count in counts]


def facet_label(desk: HasProject, name: str, value: str) -> str:
    """How a value of a facet reads."""
    return _labels(desk, name, [value]).get(value, value)


def _labels(desk: HasProject, facet: str, values: list[str]) -> dict[str, str]:
    """How the values of a facet read, where that differs from the value."""
    match facet:
        case "document":
            titles = desk.store.facets.titles(values)
            return {value: f"{title} · {value}" for value, title in titles.items()}
        case "band":
            return {value: f"{value} to {float(value) + 0.1:.1f}" for value in values}
        case "engine":
            return {value: engine_title(value) for value in values}
        case "schema":
            return {value: shown_schema(desk, value) for value in values}
        case "curator":
            names = {person.orcid: person.name for person in desk.store.curators.all()}
            return {value: names.get(value) or value for value in values}
        case "predicate":
            terms = desk.store.facets.terms(facet, values)
            relations = RelationNames(lambda: loadable_schemas(desk))
            return {
                value: relation_words(term) if relations.is_called(term) else relations.name(value)
                for value, term in terms.items()
            }
        case "thing":
            terms = desk.store.facets.terms(facet, values)
            return {value: f"{term.label} · {value}" for value, term in terms.items()}
    return {}


def saved_views(desk: HasStore) -> list[SavedView]:
    """Saved views of the queue; those of the graph are not among them."""
    return [view for view in desk.store.views.all() if "graph" not in view.address]


def save_view(desk: HasStore, name: str, address: Mapping[str, str], curator: Curator) -> SavedView:
    """Keep what of the queue is looked at under a name; another of that name is replaced. Raises
    InputError for a name that is empty or too long, Forbidden for a reader.
    """
    desk.store.curators.need(curator.orcid, Role.CURATOR)
    address_parts = ("state", "order", *NARROWING)
    view_address = {key: address[key] for key in address_parts if address.get(key)}
    view = SavedView(view_name(name), view_address, curator.orcid)
    desk.store.views.save(view)
    return view


def remove_view(desk: HasStore, name: str, curator: Curator) -> None:
    desk.store.curators.need(curator.orcid, Role.CURATOR)
    desk.store.views.remove(name)
