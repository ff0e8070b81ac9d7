"""JSON lines {id, title, text}: one paper a line, gzipped or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from core.documents.ledger import record_pieces
from core.documents.paper import ABSTRACT, Paper, PaperSection, unreadable_paper, with_ledger
from core.documents.readers.citation_files import record_paper, told_or_kept
from core.documents.readers.page_range import page_range
from core.errors import InputError
from core.model import Json, Problem

KNOWN = ("id", "title", "text")
_BIBLIOGRAPHY = (
    "id", "doi", "pmid", "pmcid", "pmc", "year", "issued", "container-title", "journal", "author",
    "volume", "issue", "page", "pages",
)  # fmt: skip
SHAPE = "Each line is an object {id, title, text}."


def read_rows(lines: Iterable[str], name: str = "the file") -> Iterator[Paper]:
    """Papers of a file. A line that is none is told by an empty paper that carries a Problem with
    its number.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip().strip("\ufeff"):
            continue
        where = f"line {number} of {name}"
        try:
            paper = paper_of(json.loads(line.lstrip("\ufeff")), where)
        except (ValueError, RecursionError):
            yield unreadable_paper(
                Problem(
                    "not-json", "The line is not JSON and is left out.", where=where, hint=SHAPE
                )
            )
        except InputError as error:
            yield unreadable_paper(
                Problem("no-row", f"{error.message} It is left out.", where=where, hint=error.hint)
            )
        else:
            yield paper


def _bibliographic(row: Json, where: str) -> Paper:
    """A record with an abstract and ids: CSL JSON (Zotero), or {pmid, doi, title, abstract}."""
    fields = {str(name).casefold(): value for name, value in row.items()}
    issued = fields.get("issued")
    dates = issued.get("date-parts") if isinstance(issued, dict) else None
    people = fields.get("author")
    authors = [_person(person) for person in people] if isinstance(people, list) else []
    return told_or_kept(
        record_paper(
            _words(fields, "title"),
            _words(fields, "abstract"),
            _words(fields, "doi"),
            _words(fields, "pmid"),
            year=_words(fields, "year") or re.sub(r"\D+", " ", str(dates or "")),
            journal=_words(fields, "container-title", "journal"),
            authors=authors,
            pmcid=_words(fields, "pmcid", "pmc"),
            volume=_words(fields, "volume"),
            issue=_words(fields, "issue"),
            pages=page_range(_words(fields, "page", "pages")),
        ),
        where,
    )


def _words(fields: Json, *names: str) -> str:
    values = (fields.get(name) for name in names)
    return next((str(v).strip() for v in values if isinstance(v, str | int) and v), "")


def _person(person: object) -> str:
    if not isinstance(person, dict):
        return str(person)
    family = str(person.get("family") or person.get("literal") or "")
    return f"{family}, {person['given']}" if person.get("given") else family


def paper_of(row: Json, where: str) -> Paper:
    """A paper of {id, title, text}, or of a bibliographic record, with its ledger. Raises
    InputError.
    """
    paper = _paper_of(row, where)
    said = ((str(name).casefold(), str(value)) for name, value in row.items())
    texts = ("title", "text" if "text" in row else "abstract")
    return with_ledger(paper, record_pieces(said, texts, _BIBLIOGRAPHY))


def _paper_of(row: Json, where: str) -> Paper:
    """A paper of {id, title, text}; one without an id is named by a digest of its words, and says
    so.
    """
    if not isinstance(row, dict):
        raise InputError("This is not an object.", SHAPE)
    if "text" not in row and (row.keys() & {"abstract", "DOI", "doi", "pmid", "PMID"}):
        return _bibliographic(row, where)
    text, title, id = row.get("text") or "", row.get("title") or "", row.get("id")
    if not isinstance(text, str) or not isinstance(title, str):
        raise InputError("Title and text must be strings.", SHAPE)
    if not text.strip() and not title.strip():
        raise InputError("There is neither a title nor a text.", SHAPE)
    has_id = isinstance(id, str | int) and not isinstance(id, bool) and bool(str(id).strip())
    paper_id = (
        str(id).strip()
        if has_id
        else "doc:" + sha256(f"{title}\n{text}".encode("utf-8", "replace")).hexdigest()[:24]
    )
    missing = Problem(
        "no-id", "The id is missing.", where=where, hint=f"The paper is kept as {paper_id}."
    )
    return Paper(
        paper_id,
        title,
        (PaperSection("", text),),
        ABSTRACT,
        year=str(row.get("year") or ""),
        journal=str(row.get("journal") or ""),
        problems=() if has_id else (missing,),
    )
