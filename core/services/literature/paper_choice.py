"""Which papers of namespaces pass a filter, and what they can be filtered by."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence

from core.desk_parts import HasProject, HasStore
from core.literature.triage.paper_filter import (
    UNJUDGED,
    FilterChoices,
    PaperFilter,
    PassageFilter,
)
from core.model import Json
from core.services.literature import triage
from core.store import RelevanceJudgement

__all__ = [
    "UNJUDGED",
    "admitted_papers",
    "is_admitted",
    "paper_choices",
    "passage_filter",
    "state_of",
]

MOST_CHOICES = 200  # journals to choose from
KEPT_TABLES = 4  # namespaces whose choices stay in memory
_CHOICES: dict[tuple[object, ...], FilterChoices] = {}
_LOCK = threading.Lock()


def state_of(desk: HasProject, names: Sequence[str]) -> tuple[object, ...]:
    """What changes with the members of these namespaces."""
    versions = tuple(desk.store.namespaces.get(name).version for name in names)
    return (str(desk.folder), tuple(names), versions)


def admitted_papers(desk: HasStore, names: Sequence[str], only: PaperFilter) -> list[str]:
    """The papers that pass a filter, in the order in which they were added."""
    kinds_by_document = desk.store.namespaces.member_kinds(names)
    judged = triage.judged_papers(desk, names) if only else {}
    return [
        id
        for id in kinds_by_document
        if not only or is_admitted(only, kinds_by_document, judged, id)
    ]


def is_admitted(
    only: PaperFilter,
    kinds_by_document: Mapping[str, tuple[str, Json]],
    judged: Mapping[str, RelevanceJudgement],
    id: str,
) -> bool:
    """Whether a filter lets a paper pass, by its kind of text, what its source says, and its
    verdict.
    """
    kind, body = kinds_by_document.get(id, ("", {}))
    verdict = judged[id].verdict if id in judged else ""
    return only.admits(body, kind, verdict)


def passage_filter(desk: HasStore, names: Sequence[str], only: PaperFilter) -> PassageFilter | None:
    """The filter as a search takes it; None where it asks nothing."""
    if not only:
        return None
    judged = triage.judged_papers(desk, names)
    kinds_by_document = desk.store.namespaces.member_kinds(names)
    documents = frozenset(
        id for id in kinds_by_document if is_admitted(only, kinds_by_document, judged, id)
    )
    return PassageFilter(documents, only.sections)


def paper_choices(desk: HasProject, names: Sequence[str]) -> FilterChoices:
    """What the papers of these namespaces can be filtered by; read once for each state of them."""
    key = state_of(desk, names)
    with _LOCK:
        while key not in _CHOICES and len(_CHOICES) >= KEPT_TABLES:
            del _CHOICES[next(iter(_CHOICES))]
        if key not in _CHOICES:
            _CHOICES[key] = _counted_choices(desk, names)
        return _CHOICES[key]


def _counted_choices(desk: HasStore, names: Sequence[str]) -> FilterChoices:
    journals, types, kinds = Counter[str](), Counter[str](), Counter[str]()
    sections: dict[str, None] = {}
    years: list[int] = []
    for kind, body in desk.store.namespaces.member_kinds(names).values():
        kinds[kind] += 1
        journals[str(body.get("journal", ""))] += 1
        types.update(map(str, body.get("types", ())))
        sections |= {str(name): None for name, *_ in body.get("sections", ()) if name != "Title"}
        year = str(body.get("year", ""))[:4]
        years += [int(year)] if year.isdigit() else []
    journals.pop("", None)
    return FilterChoices(
        (min(years, default=0), max(years, default=0)),
        dict(journals.most_common(MOST_CHOICES)),
        dict(types.most_common(MOST_CHOICES)),
        kinds=dict(kinds),
        sections=tuple(sections)[:MOST_CHOICES],
    )
