"""Papers that were retracted or deleted, as their source says or a curator marked them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    bindparam,
    func,
    insert,
    or_,
    select,
    union,
    update,
)

from core.model import Json
from core.model.paper_status import BY_CURATOR, WITHDRAWING, PaperStatus
from core.store.id_batches import id_batches
from core.store.table import document_ids, document_labels, documents, evidence, statements

MARKED = "withdrawn"  # kind of the label by which a curator marks a paper
_STANDING = tuple(status for status in PaperStatus if status not in WITHDRAWING)
# What PubMed calls the paper that says so
_SAID_BY = {
    "UpdateIn": PaperStatus.UPDATED,
    "ErratumIn": PaperStatus.CORRECTED,
    "CorrectedandRepublishedIn": PaperStatus.CORRECTED,
    "RepublishedIn": PaperStatus.CORRECTED,
    "ExpressionOfConcernIn": PaperStatus.CONCERN,
}
_RETRACTING = ("RetractionOf", "PartialRetractionOf")
RETRACTS = "retracts"  # kind of the label by which a notice names the papers it retracts


@dataclass(frozen=True, slots=True)
class DocumentDetails:
    """What a source says of a paper: year of publication (four digits), journal, `notice`:
    retracted or deleted, "" for neither; `status`: what does not withdraw it. `facts` are all that
    it says, as a member of a namespace keeps them.
    """

    year: str = ""
    journal: str = ""
    notice: str = ""
    status: str = ""
    facts: Json = field(default_factory=dict, compare=False)


NO_DETAILS = DocumentDetails()


def details_of(body: Mapping[str, Any]) -> DocumentDetails:
    """The details in what a paper's source gave: `year`, `journal`, `flags`; a status names the
    papers that say so (`a newer version is published (PMID:1)`), which `links` tell.
    """
    flags = body.get("flags") or ()
    saying = defaultdict[str, list[str]](list)
    for link, id in body.get("links") or ():
        saying[_SAID_BY.get(link, "")].append(id)
    return DocumentDetails(
        str(body.get("year") or "")[:4],
        str(body.get("journal") or "")[:300],
        ", ".join(flag for flag in flags if flag in WITHDRAWING),
        status=", ".join(
            f"{flag} ({', '.join(saying[flag])})" if saying[flag] else flag
            for flag in flags
            if flag in _STANDING
        ),
        facts=dict(body),
    )


def write_details(connection: Connection, details: Mapping[str, DocumentDetails]) -> None:
    """Keep what a source said last of these documents; what it does not say stays as it was: a
    reference manager's file knows nothing of retractions.
    """
    for name in ("year", "journal", "notice", "status"):
        rows = [
            {"of": document, "said": getattr(detail, name)}
            for document, detail in details.items()
            if getattr(detail, name)
        ]
        if rows:
            column = documents.c[name]
            place = (documents.c.id == bindparam("of")) & (column != bindparam("said"))
            query = update(documents).where(place).values({column: bindparam("said")})
            connection.execute(query, rows)
    _mark_retracted(connection, details)


def _mark_retracted(connection: Connection, details: Mapping[str, DocumentDetails]) -> None:
    """A notice marks the paper that it retracts, whichever of the two comes in first."""
    retracting = {
        (document, id): None
        for document, detail in details.items()
        for link, id in (detail.facts or {}).get("links") or ()
        if link in _RETRACTING
    }
    labels, retracted = document_labels.c, {id for _, id in retracting}
    of_kind = select(labels.document, labels.value).where(labels.kind == RETRACTS)
    for part in id_batches(sorted({document for document, _ in retracting})):
        for document, id in connection.execute(of_kind.where(labels.document.in_(part))):
            retracting.pop((document, id), None)
    if retracting:
        row = {"kind": RETRACTS, "curator": "", "time": ""}
        rows = [row | {"document": document, "value": id} for document, id in retracting]
        connection.execute(insert(document_labels), rows)
    for part in id_batches(sorted(details)):
        named = select(document_ids.c.alias).where(document_ids.c.document.in_(part))
        told = select(labels.value).where(labels.kind == RETRACTS, labels.value.in_(named))
        retracted |= {*connection.scalars(told)}
    for part in id_batches(sorted(retracted)):
        owners = select(document_ids.c.document).where(document_ids.c.alias.in_(part))
        place = documents.c.id.in_(owners) & documents.c.notice.not_like(
            f"%{PaperStatus.RETRACTED}%"
        )
        connection.execute(update(documents).where(place).values(notice=PaperStatus.RETRACTED))


def withdrawn_documents() -> CompoundSelect[Any]:
    """The ids of withdrawn documents, and of those that went into them, as a query."""
    marked = select(document_labels.c.document).where(document_labels.c.kind == MARKED)
    withdrawn = union(select(documents.c.id).where(documents.c.notice != ""), marked)
    owners = select(document_ids.c.document).where(document_ids.c.alias.in_(withdrawn))
    joined = select(document_ids.c.alias).where(document_ids.c.document.in_(owners))
    return union(select(documents.c.id).where(documents.c.notice != ""), marked, joined)


def is_of(column: ColumnElement[str], ids: Sequence[str]) -> ColumnElement[bool]:
    """Whether a column names one of these documents, or one that went into it."""
    joined = select(document_ids.c.alias).where(document_ids.c.document.in_(ids))
    return or_(column.in_(ids), column.in_(joined))


def labels_by_paper(
    connection: Connection, ids: Sequence[str], kind: str
) -> defaultdict[str, list[str]]:
    """Document → its labels of this kind, and those of the documents that went into it, each
    once.
    """
    found = defaultdict[str, list[str]](list)
    joined = document_labels.outerjoin(
        document_ids, document_ids.c.alias == document_labels.c.document
    )
    owner = func.coalesce(document_ids.c.document, document_labels.c.document)
    query = select(owner, document_labels.c.value).select_from(joined)
    query = query.where(document_labels.c.kind == kind, is_of(document_labels.c.document, ids))
    for document, value in connection.execute(query.order_by(document_labels.c.seq)):
        if value not in found[document]:
            found[document].append(value)
    return found


def owners_of(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Any id → the document whose it is now; itself where it is none's."""
    owners = {id: id for id in ids}
    for part in id_batches(sorted(owners)):
        query = select(document_ids.c.alias, document_ids.c.document)
        for alias, document in connection.execute(query.where(document_ids.c.alias.in_(part))):
            owners[alias] = document
    return owners


def rests_on_withdrawn() -> ColumnElement[bool]:
    """Whether a statement rests on a withdrawn document."""
    resting = select(evidence.c.statement).where(evidence.c.document.in_(withdrawn_documents()))
    return or_(statements.c.document.in_(withdrawn_documents()), statements.c.id.in_(resting))


def document_notices(connection: Connection, papers: Iterable[str]) -> dict[str, str]:
    """Document → what its source says happened to it, or what a curator marked, for those of
    `papers` that have a status: withdrawn first. A curator's mark says that it is one. One that
    went into another paper has the status of that.
    """
    owners = owners_of(connection, sorted(set(papers)))
    notes_by_document: dict[str, list[str]] = {}
    for part in id_batches(sorted({*owners.values()})):
        said = select(documents.c.id, documents.c.notice, documents.c.status).where(
            documents.c.id.in_(part), or_(documents.c.notice != "", documents.c.status != "")
        )
        for document, notice, status in connection.execute(said):
            notes_by_document.setdefault(document, []).extend(filter(None, (notice, status)))
        for document, notes in labels_by_paper(connection, part, MARKED).items():
            marks = [f"{BY_CURATOR}: {note}" for note in dict.fromkeys(notes)]
            notes_by_document.setdefault(document, []).extend(marks)
    return {
        document: "; ".join(notes_by_document[owner])
        for document, owner in sorted(owners.items())
        if owner in notes_by_document
    }
