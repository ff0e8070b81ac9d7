"""What a document is called on screen: its title, else how its text begins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.desk_parts import HasStore
from core.errors import NotFound
from core.model import Document, status_mark
from core.text.title import first_line


def document_title(desk: HasStore, document: str) -> str:
    """The title of a document; of one without (a pasted text) its first line, shortened. Empty when
    it is not known.
    """
    try:
        title = desk.store.documents.get(document).title
    except NotFound:
        return ""
    return title or next(
        (first_line(version.text) for version in desk.store.documents.texts(document)), ""
    )


def marked_title(desk: HasStore, document: str) -> str:
    """The title behind what happened to the paper: retracted, corrected, …"""
    status = desk.store.document_overview.notices([document]).get(document, "")
    return f"{status_mark(status)}{document_title(desk, document)}"


def documents_with_titles(desk: HasStore, documents: Iterable[Document]) -> dict[str, Document]:
    """Documents by id; one without a title has its first line for one, so that a reader who has
    no more than a release sees what the desk calls it.
    """
    by_id = {document.id: document for document in documents}
    untitled = [name for name, document in by_id.items() if not document.title.strip()]
    begins = desk.store.document_overview.text_beginnings(untitled)
    for name in untitled:
        by_id[name] = replace(by_id[name], title=first_line(begins.get(name, "")))
    return by_id
