"""What was judged of two papers, what curators said of it, and how a merge is made and undone.
Nothing is lost by either: every source's record stays, and evidence keeps the text it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, update

from core.errors import InputError, NotFound
from core.identity.judge import Identity
from core.model import Document, Json, TextVersion
from core.model.paper_status import PaperStatus
from core.store.database import Repository
from core.store.document import write_text
from core.store.document_notice import RETRACTS, details_of, is_of, owners_of
from core.store.id_batches import id_batches
from core.store.known_papers import id_of_its_own
from core.store.namespace import Member, next_version, richest_member
from core.store.table import (
    document_ids,
    document_labels,
    documents,
    evidence,
    judgements,
    members,
    paper_pairs,
    source_records,
    texts,
)

_PATH = "\n"  # between the documents that a record was, the last one first


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
        said = sorted(last.values(), key=lambda row: row.seq)
        pairs = _of_present_papers(map(_pair, said), owners)
        return sorted(pairs, key=lambda pair: (-pair.score, pair.first, pair.second))

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
            owners = _owners_in_hand(connection, (first, second))
            before = _last(connection, first, second)
            if before and before.outcome is Identity.SAME and outcome is not Identity.SAME:
                _make_two(connection, first, second, merged=before.time, time=self.clock())
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
                kept, gone = _in_order(connection, first, second)
                _make_one(connection, kept, gone, self.clock())
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
            row = _record_in_hand(connection, number)
            if row.outcome != str(Identity.SAME):
                raise InputError(
                    f"Record {number} is what the paper was made from.",
                    "Take the other records out of it.",
                )
            own = _separated(connection, row, self.clock())
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
        was=tuple(filter(None, row.was.split(_PATH))),
    )


def _of_papers(ids: Sequence[str]) -> ColumnElement[bool]:
    return or_(is_of(paper_pairs.c.first, ids), is_of(paper_pairs.c.second, ids))


def _of_present_papers(
    pairs: Iterable[PaperPair], owners: Mapping[str, str]
) -> Iterable[PaperPair]:
    """What was said of two papers, in the order said, of those that they are now: the last word
    counts, a curator's more than the app's. Nothing of what became one but that a curator said so.
    """
    present: dict[tuple[str, str], PaperPair] = {}
    for pair in pairs:
        first, second = sorted((owners[pair.first], owners[pair.second]))
        joined = pair.outcome is Identity.SAME
        if joined != (first == second):
            continue
        key = (pair.first, pair.second) if joined else (first, second)
        before = present.get(key)
        if before is None or pair.curator or not before.curator:
            present[key] = replace(pair, first=key[0], second=key[1])
    return present.values()


def _owners_in_hand(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """`owners_of`, none of which another merge changes before this transaction ends: on a server
    two of them run side by side, and each would undo what the other wrote.
    """
    owners, held = owners_of(connection, ids), set[str]()
    while wanted := {*owners, *owners.values()} - held:
        query = select(documents.c.id).where(documents.c.id.in_(wanted)).order_by(documents.c.id)
        connection.execute(query.with_for_update()).all()
        held |= wanted
        owners = owners_of(connection, ids)
    return owners


def _record_in_hand(connection: Connection, number: int) -> Row[Any]:
    """A record that no other merge moves before this transaction ends."""
    query = select(source_records).where(source_records.c.seq == number)
    row, held = connection.execute(query).first(), ""
    while row is not None and row.document != held:
        held = row.document
        _owners_in_hand(connection, [held])
        row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"There is no record {number}.", "List them: documents merged")
    return row


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


def _in_order(connection: Connection, one: str, other: str) -> tuple[str, str]:
    """The paper that stays, and the one that goes into it."""

    def worth(id: str) -> tuple[int, int]:
        return tuple(  # type: ignore[return-value]
            connection.scalar(select(func.count()).where(table.c.document == id)) or 0
            for table in (evidence, judgements)
        )

    created = {
        row.id: row.created
        for row in connection.execute(select(documents).where(documents.c.id.in_([one, other])))
    }
    if missing := {one, other} - created.keys():
        raise NotFound(f"No document {min(missing)[:80]} is stored in this project.")
    kept = min((one, other), key=lambda id: (*(-n for n in worth(id)), created[id], id))
    return kept, other if kept == one else one


def _make_one(connection: Connection, kept: str, gone: str, time: str) -> None:
    """All that sources said of the one becomes the other's; its row and its texts stay, for what
    rests on them.
    """
    _copy_texts(connection, gone, kept, time)
    for row in connection.execute(_records_of(gone)).all():
        path = _PATH.join(filter(None, (gone, row.was)))
        place = source_records.c.seq == row.seq
        connection.execute(update(source_records).where(place).values(document=kept, was=path))
    place = document_ids.c.document == gone
    connection.execute(update(document_ids).where(place).values(document=kept))
    _tell_anew(connection, kept)
    holding = select(members.c.namespace, members.c.sha, members.c.body, members.c.added)
    for row in connection.execute(holding.where(members.c.document == gone)).all():
        of_gone = (members.c.namespace == row.namespace) & (members.c.document == gone)
        connection.execute(delete(members).where(of_gone))
        _refold(connection, row.namespace, kept, time, otherwise=row)


def _make_two(connection: Connection, first: str, second: str, *, merged: str, time: str) -> None:
    """Take back that two papers are one, as they are since `merged`: each has its own records and
    ids again, with what came in for it meanwhile.
    """
    for kept, gone in ((first, second), (second, first)):
        begun = source_records.c.was.startswith(gone + _PATH, autoescape=True)
        was = or_(source_records.c.was == gone, begun)
        query = select(source_records).where(source_records.c.document == kept, was)
        back = connection.execute(query).all()
        for row in back:
            path = row.was.partition(_PATH)[2]
            place = source_records.c.seq == row.seq
            connection.execute(update(source_records).where(place).values(document=gone, was=path))
        if back:
            names = {gone}.union(*map(_names, back))
            late = _come_since(connection, kept, names, merged)
            for row in late:
                place = source_records.c.seq == row.seq
                connection.execute(update(source_records).where(place).values(document=gone))
                _copy_texts(connection, kept, gone, time, sha=row.sha)
            _part(connection, kept, gone, [*back, *late], time=time)


def _come_since(
    connection: Connection, kept: str, going: set[str], merged: str
) -> Sequence[Row[Any]]:
    """Records of a paper that came in since a merge and share an id with what goes out of it, but
    none with what stays.
    """
    late, staying = list[Row[Any]](), {kept}
    for row in connection.execute(_records_of(kept)):
        names = _names(row)
        if row.added >= merged and not row.was and names & going and not names & staying:
            late.append(row)
            going = going | names
        else:
            staying |= names - going
    return late


def _part(
    connection: Connection, kept: str, own: str, rows: Sequence[Row[Any]], *, time: str
) -> None:
    """Ids and memberships of the records that are a paper of their own."""
    staying = {id for row in connection.execute(_records_of(kept)) for id in _names(row)}
    ids = ({id for row in rows for id in _names(row)} - staying - {kept}) | {own}
    for part in id_batches(sorted(ids)):
        of_kept = (document_ids.c.document == kept) & document_ids.c.alias.in_(part)
        connection.execute(update(document_ids).where(of_kept).values(document=own))
    for document in (kept, own):
        _tell_anew(connection, document)
    for namespace in sorted({row.namespace for row in rows} - {""}):
        _refold(connection, namespace, kept, time)
        _refold(connection, namespace, own, time)


def _names(row: Row[Any]) -> set[str]:
    """The ids of a record, and of the papers that it was."""
    return {*(row.ids or ()), *row.was.split(_PATH)} - {""}


def _separated(connection: Connection, row: Row[Any], time: str) -> str:
    """A document for one record of another; its id."""
    kept = row.document
    others = connection.execute(_records_of(kept).where(source_records.c.seq != row.seq)).all()
    free = {*(row.ids or ())} - {id for other in others for id in other.ids or ()} - {kept}
    known = set(connection.scalars(select(documents.c.id).where(documents.c.id.in_(list(free)))))
    ranked = sorted(free - known, key=lambda id: (_rank(id), id))
    own = next(iter(ranked), "") or id_of_its_own(kept, f"{row.digest}{row.seq}")
    connection.execute(insert(documents).values(id=own, title=row.title, created=time))
    if own not in free:
        connection.execute(insert(document_ids).values(alias=own, document=own))
    _copy_texts(connection, kept, own, time, sha=row.sha)
    place = source_records.c.seq == row.seq
    connection.execute(update(source_records).where(place).values(document=own, outcome="new"))
    _part(connection, kept, own, [row], time=time)
    return own


def _tell_anew(connection: Connection, document: str) -> None:
    """Year, journal, notice and status of a paper, and of those that went into it, as its records
    say them, and as notices do that retract it; what none of them says is empty.
    """
    told: dict[str, Any] = {}
    flags = set[str]()
    for row in connection.execute(_records_of(document)):
        body = row.body or {}
        told |= {name: body[name] for name in ("year", "journal") if body.get(name)}
        flags |= {*(body.get("flags") or ())}  # which another source may know nothing of
    ids = select(document_ids.c.alias).where(document_ids.c.document == document)
    retracting = (document_labels.c.kind == RETRACTS) & document_labels.c.value.in_(ids)
    if connection.execute(select(document_labels.c.seq).where(retracting)).first():
        flags.add(PaperStatus.RETRACTED)
    details = details_of(told | {"flags": sorted(flags)})
    values = {name: getattr(details, name) for name in ("year", "journal", "notice", "status")}
    connection.execute(update(documents).where(is_of(documents.c.id, [document])).values(**values))


def _rank(id: str) -> int:
    prefixes = ("PMID:", "PMCID:", "DOI:")
    return next((n for n, prefix in enumerate(prefixes) if id.startswith(prefix)), len(prefixes))


def _records_of(document: str) -> Any:
    query = select(source_records).where(source_records.c.document == document)
    return query.order_by(source_records.c.seq)


def _copy_texts(
    connection: Connection, source: str, target: str, time: str, *, sha: str = ""
) -> None:
    """The texts of a document, or the one of `sha`, become those of another, too."""
    there = set(connection.scalars(select(texts.c.sha).where(texts.c.document == target)))
    query = select(texts).where(texts.c.document == source)
    query = query.where(texts.c.sha == sha) if sha else query
    rows = [
        {"document": target, "sha": row.sha, "kind": row.kind, "text": row.text, "created": time}
        for row in connection.execute(query)
        if row.sha not in there
    ]
    if rows:
        connection.execute(insert(texts), rows)


def _refold(
    connection: Connection,
    namespace: str,
    document: str,
    time: str,
    *,
    otherwise: Row[Any] | None = None,
) -> None:
    """A namespace shows of a paper what its records of this namespace say; `otherwise` is the
    membership of one that has none.
    """
    place = (members.c.namespace == namespace) & (members.c.document == document)
    member = richest_member(document, _members(connection, namespace, document))
    there = connection.execute(select(members.c.seq).where(place)).first() is not None
    values: dict[str, Any] = {}
    if member is not None:
        values = {"sha": member.text.sha, "body": member.body}
    elif otherwise is not None and not there:
        values = {"sha": otherwise.sha, "body": otherwise.body}
    if member is not None:
        write_text(connection, member.text, time)
    if values and there:
        connection.execute(update(members).where(place).values(**values))
    elif values:
        new = {"namespace": namespace, "document": document, "added": time} | values
        connection.execute(insert(members).values(**new))
    elif otherwise is None and there:
        connection.execute(delete(members).where(place))
    next_version(connection, namespace)


def _members(connection: Connection, namespace: str, document: str) -> Iterable[Member]:
    query = _records_of(document).where(source_records.c.namespace == namespace)
    kept = {
        row.sha: TextVersion(row.sha, document, row.text, row.kind)
        for row in connection.execute(select(texts).where(texts.c.document == document))
    }
    for row in connection.execute(query).all():
        text = kept.get(row.sha)
        if text is None and row.text:
            text = TextVersion(row.sha, document, row.text, row.kind)
        if text is not None:
            bare = bool(row.title) and text.text.strip() == row.title
            yield Member(Document(document, row.title), text, row.body or {}, bare)
