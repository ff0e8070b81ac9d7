"""What was judged of two papers and what curators said of it, which makes them one or two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, or_, select

from core.errors import InputError
from core.identity.judge import Identity
from core.model import Json
from core.store.database import Repository
from core.store.document_notice import is_of, owners_of
from core.store.id_batches import MANY, id_batches, row_batches
from core.store.known_papers import in_turn
from core.store.paper_merge import (
    formerly,
    in_order,
    make_one,
    make_two,
    record_of_number,
    separated,
)
from core.store.table import document_ids, documents, paper_pairs, source_records


@dataclass(frozen=True, slots=True)
class PaperPair:
    """What was said last of two papers; `curator` is "" where the app said it. `relation` is how
    they belong together where they are not one.
    """

    first: str
    second: str
    outcome: Identity
    score: float
    reasons: tuple[str, ...]
    relation: str = ""
    note: str = ""
    curator: str = ""
    time: str = ""
    number: int = field(default=0, compare=False)  # of the row


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What one source said of a paper, and why it was taken for what was there. It was said of the
    papers in `was` before they went into this one, the last one first.
    """

    number: int
    document: str
    namespace: str
    title: str
    ids: tuple[str, ...]
    body: Json
    merged: bool
    score: float
    reasons: tuple[str, ...]
    added: str
    was: tuple[str, ...] = ()


class IdentityRepository(Repository):
    def pairs(self, *, document: str = "") -> list[PaperPair]:
        """What was said last of each two papers, of one paper alone with `document`; those that
        agree most stand first. A paper that went into another stands for itself only where a
        curator said that these two are one, to undo it.
        """
        return self._pairs([document] if document else None)

    def listed(
        self, wanted: Callable[[PaperPair], bool], limit: int = 0
    ) -> tuple[int, list[PaperPair]]:
        """How many of all `pairs` are wanted, and the first of them; their reasons, note and time
        are not known to `wanted`.
        """
        with self.reading() as connection:
            outcomes = {str(outcome): outcome for outcome in Identity}
            rows = connection.execute(_BRIEFLY).all()
            said = (
                PaperPair(
                    first,
                    second,
                    outcomes[outcome],
                    score,
                    reasons=(),
                    relation=relation,
                    curator=curator,
                    number=number,
                )
                for number, first, second, outcome, score, relation, curator in rows
            )
            chosen = [*filter(wanted, _last_said(said, _joined(connection)))]
            chosen.sort(key=_by_agreement)
            shown, whole = chosen[: limit or None], dict[int, Row[Any]]()
            for part in row_batches((pair.number for pair in shown), MANY):
                query = select(paper_pairs).where(paper_pairs.c.seq.in_(part))
                whole |= {row.seq: row for row in connection.execute(query)}
        return len(chosen), [
            replace(_pair(whole[pair.number]), first=pair.first, second=pair.second)
            for pair in shown
        ]

    def asked(self, ids: Sequence[str]) -> list[PaperPair]:
        """Pairs to decide of which one is among these papers."""
        return [pair for pair in self._pairs(ids) if pair.outcome is Identity.ASK]

    def _pairs(self, ids: Sequence[str] | None) -> list[PaperPair]:
        """Those of which one is among these papers, of all for None."""
        query = select(paper_pairs).order_by(paper_pairs.c.seq)
        last: dict[tuple[str, str], Row[Any]] = {}
        with self.reading() as connection:
            for part in [None] if ids is None else id_batches(sorted(set(ids))):
                rows = connection.execute(query if part is None else query.where(_of_papers(part)))
                last |= {(row.first, row.second): row for row in rows}
            owners = owners_of(connection, sorted({id for names in last for id in names}))
        return sorted(_last_said(map(_pair, last.values()), owners), key=_by_agreement)

    def merged(self, limit: int = 0) -> list[SourceRecord]:
        """Records that were taken for a paper that was there, the newest first."""
        query = select(source_records).where(source_records.c.outcome == str(Identity.SAME))
        query = query.order_by(source_records.c.seq.desc())
        with self.reading() as connection:
            return [_record(row) for row in connection.execute(query.limit(limit or None))]

    def records(self, document: str) -> list[SourceRecord]:
        """What sources said of a paper, oldest first."""
        return self.records_of([document])[document]

    def records_of(self, ids: Sequence[str]) -> dict[str, list[SourceRecord]]:
        """Paper → what sources said of it, oldest first; of one that went into another what they
        had said of it.
        """
        found: dict[str, list[SourceRecord]] = {id: [] for id in ids}
        query = select(source_records).order_by(source_records.c.seq)
        with self.reading() as connection:
            owners = {*owners_of(connection, sorted(found)).values(), *found}
            for part in id_batches(sorted(owners)):
                of_part = source_records.c.document.in_(part)
                for row in connection.execute(query.where(of_part)):
                    record = _record(row)
                    for id in (row.document, *record.was):
                        if id in found:
                            found[id].append(record)
        return found

    def say(
        self, one: str, other: str, outcome: Identity, curator: str, *, note: str = ""
    ) -> PaperPair:
        """Keep what a curator says of two papers. *Same* makes them one: the paper that evidence
        or a screening rests on stays, else the older; *different* and *ask* take that back. A paper
        that went into another is that one, but for taking it back. Raises InputError for what is
        one paper already, NotFound.
        """

        def work(connection: Connection) -> PaperPair:
            first, second = sorted((one, other))
            in_turn(connection)
            owners = owners_of(connection, (first, second))
            before = _last(connection, first, second)
            if before and before.outcome is Identity.SAME and outcome is not Identity.SAME:
                make_two(connection, first, second, merged=before.time, time=self.clock())
                if len({*owners_of(connection, (first, second)).values()}) == 1:
                    raise InputError(
                        f"{first[:60]} and {second[:60]} became one paper with others since.",
                        "Take back what was said last of these papers first.",
                    )
            else:
                first, second = sorted((owners[first], owners[second]))
                before = _last(connection, first, second) or before
                if first == second:
                    raise InputError(
                        f"{one[:60]} and {other[:60]} are one paper already.", "Name two papers."
                    )
            if outcome is Identity.SAME:
                kept, gone = in_order(connection, first, second)
                make_one(connection, kept, gone, self.clock())
            said = PaperPair(
                first,
                second,
                outcome,
                before.score if before else 0.0,
                before.reasons if before else (),
                relation=before.relation if before and outcome is not Identity.SAME else "",
                note=note,
                curator=curator,
                time=self.clock(),
            )
            _keep(connection, said)
            return said

        return self.repeating(work)

    def separate(self, number: int, curator: str, note: str = "") -> str:
        """Take a record out of the paper that it was merged with: it is a paper of its own from now
        on, whose id is returned. Raises NotFound, InputError.
        """

        def work(connection: Connection) -> str:
            in_turn(connection)
            row = record_of_number(connection, number)
            if row.outcome != str(Identity.SAME):
                raise InputError(
                    f"Record {number} is what the paper was made from.",
                    "Take the other records out of it.",
                )
            own = separated(connection, row, self.clock())
            first, second = sorted((row.document, own))
            said = PaperPair(
                first,
                second,
                Identity.DIFFERENT,
                row.score,
                tuple(row.reasons or ()),
                note=note,
                curator=curator,
                time=self.clock(),
            )
            _keep(connection, said)
            return own

        return self.repeating(work)


def _pair(row: Row[Any]) -> PaperPair:
    return PaperPair(
        row.first,
        row.second,
        Identity(row.outcome),
        row.score,
        tuple(row.reasons or ()),
        relation=row.relation,
        note=row.note,
        curator=row.curator,
        time=row.time,
        number=row.seq,
    )


def _record(row: Row[Any]) -> SourceRecord:
    return SourceRecord(
        row.seq,
        row.document,
        row.namespace,
        row.title,
        tuple(row.ids or ()),
        row.body or {},
        merged=row.outcome == str(Identity.SAME),
        score=row.score,
        reasons=tuple(row.reasons or ()),
        added=row.added,
        was=formerly(row),
    )


def _of_papers(ids: Sequence[str]) -> ColumnElement[bool]:
    return or_(is_of(paper_pairs.c.first, ids), is_of(paper_pairs.c.second, ids))


_BRIEFLY = select(
    *(paper_pairs.c[name] for name in ("seq", "first", "second", "outcome", "score")),
    *(paper_pairs.c[name] for name in ("relation", "curator")),
)


def _joined(connection: Connection) -> dict[str, str]:
    """Paper that went into another → that one."""
    elsewhere = document_ids.c.alias != document_ids.c.document
    papers = select(document_ids.c.alias, document_ids.c.document).join(
        documents, documents.c.id == document_ids.c.alias
    )
    return {row.alias: row.document for row in connection.execute(papers.where(elsewhere))}


def _last_said(pairs: Iterable[PaperPair], owners: Mapping[str, str]) -> Iterable[PaperPair]:
    """What was said of the papers that there are now: the last word counts, a curator's more than
    the app's. Nothing of what became one but that a curator said so.
    """
    last = {(pair.first, pair.second): pair for pair in sorted(pairs, key=_by_number)}
    present: dict[tuple[str, str], PaperPair] = {}
    for pair in sorted(last.values(), key=_by_number):
        first, second = sorted(owners.get(name, name) for name in (pair.first, pair.second))
        joined = pair.outcome is Identity.SAME
        if joined != (first == second):
            continue
        key = (pair.first, pair.second) if joined else (first, second)
        before = present.get(key)
        if before is None or pair.curator or not before.curator:
            renamed = key != (pair.first, pair.second)
            present[key] = replace(pair, first=key[0], second=key[1]) if renamed else pair
    return present.values()


def _by_number(pair: PaperPair) -> int:
    return pair.number


def _by_agreement(pair: PaperPair) -> tuple[float, str, str]:
    return -pair.score, pair.first, pair.second


def _last(connection: Connection, first: str, second: str) -> PaperPair | None:
    of_pair = (paper_pairs.c.first == first) & (paper_pairs.c.second == second)
    query = select(paper_pairs).where(of_pair).order_by(paper_pairs.c.seq.desc())
    row = connection.execute(query.limit(1)).first()
    return _pair(row) if row else None


def _keep(connection: Connection, pair: PaperPair) -> None:
    connection.execute(
        insert(paper_pairs).values(
            first=pair.first,
            second=pair.second,
            outcome=str(pair.outcome),
            score=pair.score,
            reasons=list(pair.reasons),
            relation=pair.relation,
            note=pair.note,
            curator=pair.curator,
            time=pair.time,
        )
    )
