"""Which records are one paper, as work for a curator: pairs to decide, what was merged and why, and
how papers belong together that are not one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.desk_parts import HasStore
from core.errors import InputError
from core.identity.judge import Identity
from core.identity.relation import LINKS
from core.model import Curator, Role
from core.services.people.orcid import checked_curator
from core.store import PaperPair, SourceRecord
from core.text.clean import without_deceptive_signs

__all__ = [
    "Identity",
    "PairCard",
    "PairShow",
    "PairSide",
    "PaperPair",
    "RelatedPaper",
    "SourceRecord",
    "listed_pairs",
    "merged_records",
    "pair_cards",
    "paper_pairs",
    "related_papers",
    "say_of_pair",
    "source_records",
    "take_apart",
]

LONGEST_NOTE = 200  # characters


class PairShow(StrEnum):
    """Which pairs are listed."""

    ASK = "ask"
    DECIDED = "decided"
    RELATED = "related"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class PairSide:
    """A paper of a pair: what its sources say of it."""

    document: str
    title: str
    notice: str
    records: tuple[SourceRecord, ...]


@dataclass(frozen=True, slots=True)
class PairCard:
    """Two papers with what was judged and said of them."""

    pair: PaperPair
    first: PairSide
    second: PairSide


@dataclass(frozen=True, slots=True)
class RelatedPaper:
    """A paper that belongs to another: `relation` says how. One that is not `stored` is known by
    its id alone.
    """

    document: str
    title: str
    relation: str
    reasons: tuple[str, ...]
    status: str = ""
    stored: bool = True


def paper_pairs(desk: HasStore, show: PairShow = PairShow.ASK) -> list[PaperPair]:
    """Pairs by what is wanted, those that agree most first."""
    return listed_pairs(desk, show)[1]


def listed_pairs(desk: HasStore, show: PairShow, limit: int = 0) -> tuple[int, list[PaperPair]]:
    """How many pairs there are of what is wanted, and the first of them."""
    return desk.store.identity.listed(_WANTED[show], limit)


_WANTED: dict[PairShow, Callable[[PaperPair], bool]] = {
    PairShow.ASK: lambda pair: pair.outcome is Identity.ASK,
    PairShow.DECIDED: lambda pair: bool(pair.curator),
    PairShow.RELATED: lambda pair: bool(pair.relation),
    PairShow.ALL: lambda pair: True,
}


def pair_cards(desk: HasStore, pairs: Sequence[PaperPair]) -> list[PairCard]:
    """The pairs with what sources say of their papers."""
    ids = sorted({id for pair in pairs for id in (pair.first, pair.second)})
    titles = {row.id: row.title for row in desk.store.document_overview.rows(ids)}
    notices = desk.store.document_overview.notices(ids)
    records = desk.store.identity.records_of(ids)

    def side(id: str, other: str) -> PairSide:
        """What was said of the one, not of what went into it."""
        own = (said for said in records[id] if id in said.was or other not in said.was)
        return PairSide(id, titles.get(id, ""), notices.get(id, ""), tuple(own))

    return [
        PairCard(pair, side(pair.first, pair.second), side(pair.second, pair.first))
        for pair in pairs
    ]


def merged_records(desk: HasStore, limit: int = 0) -> list[SourceRecord]:
    """Records that were taken for a paper that was there, with the reasons, the newest first."""
    return desk.store.identity.merged(limit)


def source_records(desk: HasStore, document: str) -> list[SourceRecord]:
    """What sources said of a paper, by any of its ids. Raises NotFound."""
    return desk.store.identity.records(desk.store.documents.get(document).id)


def related_papers(desk: HasStore, document: str) -> list[RelatedPaper]:
    """Papers that belong to this one (any of its ids) and are not it: its preprint, …; and those
    that its sources link it to, in the project or not.
    """
    own = desk.store.documents.own_ids([document]).get(document, document)
    pairs = [pair for pair in desk.store.identity.pairs(document=own) if pair.relation]
    others = [pair.second if pair.first == own else pair.first for pair in pairs]
    rows = {row.id: row for row in desk.store.document_overview.rows(others)}
    related = [
        RelatedPaper(row.id, row.title, pair.relation, pair.reasons, status=row.status)
        for other, pair in zip(others, pairs, strict=True)
        if (row := rows.get(other)) is not None
    ]
    links = {
        id: link
        for record in desk.store.identity.records(own)
        for link, id in (record.body or {}).get("links", ())
        if link in LINKS
    }
    stored = desk.store.documents.own_ids(list(links))
    return related + [
        RelatedPaper(id, "", str(LINKS[link]), (), stored=False)
        for id, link in links.items()
        if id not in stored
    ]


def say_of_pair(
    desk: HasStore, one: str, other: str, outcome: Identity, *, curator: Curator, note: str = ""
) -> PaperPair:
    """Say that two papers are one, or that they are not, or leave it open again. Raises Forbidden,
    InputError, NotFound.
    """
    person = _permitted(desk, curator)
    # a paper that went into another is named by its own id to take that back
    ids = [name if _is_own(desk, name) else desk.store.documents.get(name).id
           for name in (one, other)]  # fmt: skip
    if ids[0] == ids[1]:
        raise InputError(f"{one[:60]} and {other[:60]} are one paper already.", "Name two papers.")
    return desk.store.identity.say(ids[0], ids[1], outcome, person.orcid, note=_note(note))


def take_apart(desk: HasStore, record: int, curator: Curator, note: str = "") -> str:
    """Make a merged record a paper of its own; its id. Raises Forbidden, InputError, NotFound."""
    person = _permitted(desk, curator)
    return desk.store.identity.separate(record, person.orcid, _note(note))


def _is_own(desk: HasStore, name: str) -> bool:
    return bool(desk.store.document_overview.rows([name]))


def _permitted(desk: HasStore, curator: Curator) -> Curator:
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    return person


def _note(words: str) -> str:
    note = " ".join(without_deceptive_signs(words).split())
    if len(note) > LONGEST_NOTE:
        raise InputError(f"A note has at most {LONGEST_NOTE} characters.", "Shorten it.")
    return note
