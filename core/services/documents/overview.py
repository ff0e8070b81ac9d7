"""Every text and paper of the project in one list: ids, source, runs, counts, who works on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.desk import Desk
from core.errors import InputError
from core.model import Curator, Role, State, fold_words
from core.services.documents.name import first_line
from core.services.shared import screen

LONGEST_TAG = 40  # characters
MOST_TAGS = 20  # of one document
TAG, ASSIGNED = "tag", "assigned"


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the list. Counts are of statements but for `runs` and `texts`."""

    id: str
    title: str
    ids: tuple[str, ...]
    kinds: tuple[str, ...]  # of its texts: abstract, full text, pasted, …
    runs: int
    counts: Mapping[State, int]
    curators: tuple[str, ...]  # names of those who decided
    tags: tuple[str, ...]
    assigned: str  # name of the curator it is assigned to, or ""
    created: str
    has_text: bool

    @property
    def waiting(self) -> int:
        return self.counts[State.PROPOSED] + self.counts[State.UNSURE]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def documents(desk: Desk) -> list[DocumentRow]:
    """Every document, newest first."""
    store = desk.store
    names = {curator.orcid: curator.name or curator.orcid for curator in store.curators.all()}
    facts = store.document_overview.facts()
    rows = []
    for document in store.documents.all():
        fact = facts.get(document.id)
        labels = fact.labels if fact else ()
        people = fact.curators if fact else ()
        owner = next((value for kind, value in labels if kind == ASSIGNED), "")
        rows.append(
            DocumentRow(
                document.id,
                document.title or first_line(fact.begins if fact else "") or document.id,
                document.ids,
                fact.kinds if fact else (),
                fact.runs if fact else 0,
                {state: (fact.states.get(state, 0) if fact else 0) for state in State},
                tuple(sorted(names.get(orcid, orcid) for orcid in people)),
                tuple(sorted(value for kind, value in labels if kind == TAG)),
                names.get(owner, owner),
                fact.created if fact else "",
                bool(fact and fact.kinds),
            )
        )
    return rows[::-1]


def matching(
    rows: Iterable[DocumentRow], words: str = "", tag: str = "", assigned: str = "", only: str = ""
) -> list[DocumentRow]:
    """Rows that pass: `words` all occur in title, ids or tags; `only` is waiting, decided or none
    (without statements).
    """
    wanted = fold_words(words).split()
    passing = []
    for row in rows:
        hay = fold_words(" ".join((row.title, row.id, *row.ids, *row.tags)))
        state = "none" if not row.total else "waiting" if row.waiting else "decided"
        if (
            all(word in hay for word in wanted)
            and (not tag or tag in row.tags)
            and (not assigned or assigned == row.assigned)
            and (not only or only == state)
        ):
            passing.append(row)
    return passing


def set_tags(desk: Desk, document: str, tags: Iterable[str], curator: Curator) -> tuple[str, ...]:
    """Put these tags in place of a document's tags. Raises InputError for too many or too long."""
    own = desk.store.documents.get(document).id
    person = screen.curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    wanted = tuple(dict.fromkeys(tag for tag in (" ".join(one.split()) for one in tags) if tag))
    if len(wanted) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in wanted):
        raise InputError(
            f"A document takes at most {MOST_TAGS} tags of {LONGEST_TAG} characters.",
            "Shorten them.",
        )
    desk.store.document_overview.set_labels(own, TAG, wanted, person.orcid)
    return wanted


def assign(desk: Desk, document: str, orcid: str, curator: Curator) -> None:
    """Assign a document to a curator of the project; "" to nobody. Raises InputError."""
    own = desk.store.documents.get(document).id
    person = screen.curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    if orcid and desk.store.curators.get(orcid) is None:
        raise InputError(
            f"{orcid[:40]} is not a curator of this project.", "Add them on the People page."
        )
    desk.store.document_overview.set_labels(own, ASSIGNED, (orcid,) if orcid else (), person.orcid)
