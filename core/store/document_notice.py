"""Papers that were retracted or deleted, as their source says or a curator marked them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    bindparam,
    or_,
    select,
    union,
    update,
)

from core.model import Json
from core.model.paper_status import BY_CURATOR, WITHDRAWING, PaperStatus
from core.store.id_batches import id_batches
from core.store.table import document_labels, documents, evidence, statements

MARKED = "withdrawn"  # kind of the label by which a curator marks a paper
_STANDING = tuple(status for status in PaperStatus if status not in WITHDRAWING)
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
    """The details in what a paper's source gave: `year`, `journal`, `flags`."""
    flags = body.get("flags") or ()
    return DocumentDetails(
        str(body.get("year") or "")[:4],
        str(body.get("journal") or "")[:300],
        ", ".join(flag for flag in flags if flag in WITHDRAWING),
        status=", ".join(flag for flag in flags if flag in _STANDING),
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


def withdrawn_documents() -> CompoundSelect[Any]:
    """The ids of withdrawn documents, as a query."""
    marked = select(document_labels.c.document).where(document_labels.c.kind == MARKED)
    return union(select(documents.c.id).where(documents.c.notice != ""), marked)


def rests_on_withdrawn() -> ColumnElement[bool]:
    """Whether a statement rests on a withdrawn document."""
    resting = select(evidence.c.statement).where(evidence.c.document.in_(withdrawn_documents()))
    return or_(statements.c.document.in_(withdrawn_documents()), statements.c.id.in_(resting))


def document_notices(connection: Connection, papers: Iterable[str]) -> dict[str, str]:
    """Document → what its source says happened to it, or what a curator marked, for those of
    `papers` that have a status: withdrawn first. A curator's mark says that it is one.
    """
    notes_by_document: dict[str, list[str]] = {}
    for part in id_batches(sorted(set(papers))):
        said = select(documents.c.id, documents.c.notice, documents.c.status).where(
            documents.c.id.in_(part), or_(documents.c.notice != "", documents.c.status != "")
        )
        for document, notice, status in connection.execute(said):
            notes_by_document.setdefault(document, []).extend(filter(None, (notice, status)))
        marked = select(document_labels.c.document, document_labels.c.value).where(
            document_labels.c.document.in_(part), document_labels.c.kind == MARKED
        )
        for document, note in connection.execute(marked):
            notes_by_document.setdefault(document, []).append(f"{BY_CURATOR}: {note}")
    return {document: "; ".join(notes) for document, notes in sorted(notes_by_document.items())}
