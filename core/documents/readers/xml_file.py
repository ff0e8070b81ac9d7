"""XML files of papers: which kind each record is, and what became of those that are damaged or cut
off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

from core.documents.paper import Paper, unreadable_paper
from core.documents.readers import bioc, grobid, jats, pubmed_xml
from core.documents.readers.xml import close_truncated, parse_element
from core.documents.readers.xml_records import XmlRecord, XmlRecords
from core.errors import InputError
from core.model import Problem, Severity


def read_xml(stream: BinaryIO | bytes, name: str = "") -> Iterator[Paper]:
    """The papers of a PubMed, JATS (PMC), BioC or TEI (GROBID) file; what cannot be read is told by
    empty papers that carry Problems. Raises InputError when the file holds no record at all.
    """
    source = XmlRecords(BytesIO(stream) if isinstance(stream, bytes) else stream)
    name, number = name or "This file", 0
    for number, record in enumerate(source, start=1):
        yield from _papers(record, f"record {number} of {name}", source.around)
    if source_message := source.sender_message:
        if not number:
            raise InputError(
                f"{name} contains no paper, only this message: {source_message[:200]}.",
                "Fetch it again.",
            )
        yield unreadable_paper(
            Problem("source-said", f"The source says: {source_message[:200]}", where=name)
        )
    if not number:
        raise _no_record(source.around, name)


def _papers(record: XmlRecord, where: str, around: str) -> Iterator[Paper]:
    try:
        element, problem = parse_element(record.text), None
    except InputError as error:
        part = close_truncated(record.text) if record.name in ("article", "TEI") else None
        problem = _damaged(record, error, where, is_kept=part is not None)
        if part is None:
            yield unreadable_paper(problem)
            return
        element = part
    if record.name == "article":
        papers = jats.papers(element)
    elif record.name == "document":
        papers = bioc.papers(element, around)
    elif record.name == "TEI":
        papers = iter([grobid.paper(element, record.text.encode("utf-8", "replace"))])
    else:
        papers = pubmed_xml.papers(element)
        if record.name == "DeleteCitation":
            gone = ", ".join(pubmed_xml.deleted(element)[:20])
            problem = Problem("deleted", f"PubMed took back {gone}.", Severity.NOTE, where)
            yield unreadable_paper(problem)
    for paper in papers:
        yield replace(paper, problems=(*paper.problems, problem)) if problem else paper


def _damaged(record: XmlRecord, error: InputError, where: str, is_kept: bool) -> Problem:
    id = re.search(
        r"<PMID[^>]*>\s*(\d+)|<article-id[^>]*>\s*([^<\s]+)|<id>\s*([^<\s]+)", record.text
    )
    if id:
        where = f"{next(filter(None, id.groups()))} ({where})"
    damage = "is cut off in the middle" if not record.is_complete else "is damaged"
    consequence = "what comes before the break was read" if is_kept else "it is left out"
    hint = "Download it again for the rest." if not record.is_complete else error.message
    return Problem(
        "cut-off" if not record.is_complete else "record-damaged",
        f"The record {damage}; {consequence}.",
        where=where,
        hint=hint,
    )


def _no_record(around: str, name: str) -> InputError:
    readable = "PubMed, PMC (JATS), BioC and TEI can be read."
    start = around.lstrip("\ufeff \t\r\n")
    if re.match(r"(?:<!DOCTYPE\s+html|<html|<head|<body)", start, re.IGNORECASE):
        return InputError(
            f"{name} is a web page, not a file of papers.", f"Save the XML itself. {readable}"
        )
    start = re.sub(r"<\?.*?\?>|<!DOCTYPE[^>]*>|<!--.*?-->", "", start, flags=re.DOTALL)
    root = re.search(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)", start)
    if not root:
        return InputError(f"{name} is not XML that can be read.", readable)
    if "<ref-type" in around:
        return InputError(f"{name} is EndNote's XML.", "Export the library as RIS (RefMan).")
    return InputError(f"{name} is XML without a known record ({root[1][:40]}).", readable)
