"""How two papers become one, and two again, in the tables. Nothing is lost by either: every
source's record stays, and evidence keeps the text it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from core.errors import NotFound
from core.model import Document, TextVersion
from core.model.paper_status import PaperStatus
from core.store.document import write_text
from core.store.document_notice import RETRACTS, details_of, is_of
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
    source_records,
    texts,
)

_PATH = "\n"  # between the documents that a record was, the last one first


def formerly(row: Row[Any]) -> tuple[str, ...]:
    """The documents that a record was, the last one first."""
    return tuple(filter(None, row.was.split(_PATH)))


def record_of_number(connection: Connection, number: int) -> Row[Any]:
    """A record by its number. Raises NotFound."""
    query = select(source_records).where(source_records.c.seq == number)
    if (row := connection.execute(query).first()) is None:
        raise NotFound(f"There is no record {number}.", "List them: documents merged")
    return row


def in_order(connection: Connection, one: str, other: str) -> tuple[str, str]:
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


def make_one(connection: Connection, kept: str, gone: str, time: str) -> None:
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


def make_two(connection: Connection, first: str, second: str, *, merged: str, time: str) -> None:
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
            _put_last(connection, kept, gone)


def _put_last(connection: Connection, kept: str, gone: str) -> None:
    """Texts of another paper, kept since they were one, stay for what rests on them, but are older
    than any other.
    """
    of_gone = select(texts.c.sha).where(texts.c.document == gone)
    own = select(source_records.c.sha).where(source_records.c.document == kept)
    place = (texts.c.document == kept) & texts.c.sha.in_(of_gone) & texts.c.sha.not_in(own)
    connection.execute(update(texts).where(place).values(created=""))


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
    return {*(row.ids or ()), *formerly(row)}


def separated(connection: Connection, row: Row[Any], time: str) -> str:
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
    _put_last(connection, kept, own)
    return own


def _tell_anew(connection: Connection, document: str) -> None:
    """Year, journal, notice and status of a paper, and of those that went into it, as its records
    say them, and as notices do that retract it; what none of them says is empty.
    """
    told: dict[str, Any] = {}
    flags, links = set[str](), set[tuple[str, str]]()
    for row in connection.execute(_records_of(document)):
        body = row.body or {}
        told |= {name: body[name] for name in ("year", "journal") if body.get(name)}
        flags |= {*(body.get("flags") or ())}  # which another source may know nothing of
        links |= {(link, id) for link, id in body.get("links") or ()}
    ids = select(document_ids.c.alias).where(document_ids.c.document == document)
    retracting = (document_labels.c.kind == RETRACTS) & document_labels.c.value.in_(ids)
    if connection.execute(select(document_labels.c.seq).where(retracting)).first():
        flags.add(PaperStatus.RETRACTED)
    details = details_of(told | {"flags": sorted(flags), "links": sorted(links)})
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
