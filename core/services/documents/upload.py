"""What a curator brings to the Extract page, as plain text: a text file, a PDF, or a paper of
PubMed.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from core.curie import normal, valid
from core.desk import APP_VERSION, Desk
from core.documents.paper import Paper
from core.documents.readers import pubmed_xml
from core.documents.readers.pdf import read_pdf
from core.documents.readers.xml import parse
from core.errors import InputError, NotFound
from core.jobs import isolation
from core.model import Run
from core.services.literature.update import fetcher
from core.text.clean import clean
from core.web import Fetch

DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}/[^\s<>\"{}|\\^`]+)", re.IGNORECASE
)
PMID = re.compile(r"(?:PMID:?\s*)?(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BroughtText:
    """A text, and where it is from: a CURIE, or "" for a file."""

    text: str
    source: str = ""
    title: str = ""


def source(words: str) -> str:
    """Where a text is from, as a CURIE: a bare number is a PMID, `10.…/…` a DOI; "" stays "".
    Raises InputError.
    """
    text = words.strip()
    if not text:
        return ""
    if pmid := PMID.fullmatch(text):
        return f"PMID:{pmid[1]}"
    if doi := DOI.fullmatch(text):
        return f"DOI:{doi[1]}"
    if not valid(text):
        raise InputError(
            f"{text[:60]!r} does not say where the text is from.",
            "Write PMID:…, DOI:…, or nothing.",
        )
    return normal(text)


def of_file(name: str, data: bytes) -> BroughtText:
    """The words of a text or PDF file. Raises InputError for a file that has none, is locked, or is
    too large.
    """
    if name.casefold().endswith(".pdf") or data[:5] == b"%PDF-":
        paper = isolation.run(read_pdf, data, "", name, name=name or "The PDF")
        return BroughtText(clean(text_of(paper)), title=paper.title)
    return BroughtText(clean(data))


def named(name: str, data: bytes) -> tuple[str, str | bytes]:
    """A file of a batch under an id of its own, made of its name and content. One that cannot be
    read is passed on as it is, so that the batch names it as refused.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40]
    id = f"doc:{slug}-{hashlib.sha256(data).hexdigest()[:12]}"
    try:
        return id, of_file(name, data).text
    except InputError:
        return id, data


def of_pubmed(desk: Desk, words: str) -> BroughtText:
    """Title and abstract of a paper by its PMID; the call is recorded. Raises InputError, NotFound,
    RemoteError.
    """
    found = PMID.fullmatch(words.strip())
    if found is None:
        raise InputError(
            f"{words[:40]!r} is no PMID.", "A PMID is a number, such as PMID:12345678."
        )
    run = desk.store.runs.add(
        Run(desk.new_id(), "fetch", "PubMed", app_version=APP_VERSION, created=desk.clock())
    )
    asked = (("db", "pubmed"), ("id", found[1]), ("retmode", "xml"))
    fetch = Fetch(
        f"{desk.settings.ncbi_eutils_url}/efetch.fcgi", params=asked, kind="ncbi", path="fetch"
    )
    root, _ = parse(fetcher(desk, run.id).fetch(fetch).text)
    paper = next(iter(pubmed_xml.papers(root)), None)
    if paper is None or paper.empty:
        raise NotFound(f"PubMed has no paper PMID:{found[1]}.", "Look for a typing error.")
    return BroughtText(clean(text_of(paper)), f"PMID:{found[1]}", paper.title)


def text_of(paper: Paper) -> str:
    """Title, then the sections with their headings, one empty line between them. A title that the
    text itself begins with, as that of a PDF may, stands once, so that no sentence is evidence
    twice.
    """
    title = " ".join(paper.title.split())
    begins = " ".join(
        next((s.text for s in paper.sections if s.text.strip()), "")[: 2 * len(title) + 100].split()
    )
    parts = [] if title and begins.startswith(title) else [paper.title.strip()]
    for section in paper.sections:
        parts += [part for part in (section.name.strip(), section.text.strip()) if part]
    return "\n\n".join(dict.fromkeys(part for part in parts if part))
