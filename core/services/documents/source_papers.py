"""Papers as a source gave them, kept in the project with year, journal and retraction."""

from __future__ import annotations

from collections.abc import Sequence

from core.desk_parts import HasStore
from core.documents.paper import RETRACTED, RETRACTION, Paper, clean_title
from core.documents.read_document import read_as
from core.model import Document
from core.store import DocumentDetails
from core.store.document_notice import RETRACTS, details_of
from core.text.clean import clean_text, text_version

STORED_AT_ONCE = 200  # papers in one transaction


def store_papers(desk: HasStore, papers: Sequence[Paper], file_stem: str = "") -> list[str]:
    """Keep papers with their texts and what their source says of them; the ids they have in this
    project, in order. A notice of retraction marks the paper that it retracts, whichever of the two
    comes in first. `file_stem` is the title of one that has none. Raises InputError for a text
    that cannot be kept.
    """
    ids: list[str] = []
    for start in range(0, len(papers), STORED_AT_ONCE):
        entries = []
        for paper in papers[start : start + STORED_AT_ONCE]:
            version = text_version("", clean_text(read_as(paper).text), paper.kind)
            title = clean_title(paper.title) or (file_stem if len(papers) == 1 else "")
            document = Document(paper.id or f"doc:{version.sha[:16]}", title, paper.ids)
            entries.append((document, version, paper_details(paper)))
        ids += desk.store.documents.add_all(entries)
    _mark_retracted(desk, papers, ids)
    return ids


def _mark_retracted(desk: HasStore, papers: Sequence[Paper], own_ids: Sequence[str]) -> None:
    """Two threads may store a notice and its paper at once: each writes what it has and only then
    looks for the other.
    """
    overview = desk.store.document_overview
    retracted: list[str] = []
    for paper, own_id in zip(papers, own_ids, strict=True):
        if RETRACTION in paper.flags and paper.notices:
            overview.set_labels(RETRACTS, {own_id: paper.notices}, "")
            retracted += paper.notices
    names = {name for paper in papers for name in (paper.id, *paper.ids)} | set(own_ids)
    retracted += sorted(names & overview.retracted_ids())
    if own := desk.store.documents.own_ids(retracted):
        notice = DocumentDetails(notice=RETRACTED)
        overview.set_details(dict.fromkeys(own.values(), notice))


def paper_details(paper: Paper) -> DocumentDetails:
    """What the project keeps of a paper's bibliography."""
    return details_of({"year": paper.year, "journal": paper.journal, "flags": paper.flags})
