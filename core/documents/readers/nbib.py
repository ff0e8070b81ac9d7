"""PubMed's text format (`PMID- …`, `.nbib` and `.txt` saved from its pages): fields of two to four
letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from core.documents.ledger import record_pieces
from core.documents.paper import (
    ABSTRACT,
    CONCERN,
    CORRECTED,
    CORRECTION,
    RETRACTED,
    RETRACTION,
    UPDATED,
    Paper,
    PaperSection,
    unreadable_paper,
    with_ledger,
)
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.pubmed_xml import UNTITLED
from core.documents.readers.xml import decode_xml
from core.model import Problem

_FIELD = re.compile(r"^([A-Z][A-Z0-9]{1,3}) *- ?(.*)$")
_LABEL = re.compile(r"(?:^|(?<=[.!?)] )|(?<=[.!?)]  ))([A-Z][A-Z /&,-]{3,60}): ")
_FLAGS = {
    "RIN": RETRACTED,
    "EIN": CORRECTED,
    "RPI": CORRECTED,
    "ECI": CONCERN,
    "UIN": UPDATED,
    "CRI": CORRECTED,
    "RRI": RETRACTED,
    "ROF": RETRACTION,
    "EFR": CORRECTION,
    "ECF": f"{CONCERN} notice",
}
# Fields that name another paper, and PubMed's word in XML
# https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format
_LINKS = {
    "RIN": "RetractionIn",
    "ROF": "RetractionOf",
    "EIN": "ErratumIn",
    "EFR": "ErratumFor",
    "ECI": "ExpressionOfConcernIn",
    "ECF": "ExpressionOfConcernFor",
    "CRI": "CorrectedandRepublishedIn",
    "CRF": "CorrectedandRepublishedFrom",
    "RRI": "RetractedandRepublishedIn",
    "RRF": "RetractedandRepublishedFrom",
    "RPI": "RepublishedIn",
    "RPF": "RepublishedFrom",
    "UIN": "UpdateIn",
    "UOF": "UpdateOf",
    "CIN": "CommentIn",
    "CON": "CommentOn",
    "SPIN": "SummaryForPatientsIn",
    "ORI": "OriginalReportIn",
}
_NOTICES = ("ROF", "EFR", "ECF")
# PMID, dates, journal, place, authors, types, language, ids, notices
_BIBLIOGRAPHY = (
    "PMID", "DP", "CRDT", "EDAT", "TA", "JT", "VI", "IP", "PG", "AU", "CN", "PT", "LA", "AID",
    "LID", "PMC", *_FLAGS, *_LINKS,
)  # fmt: skip
Fields = dict[str, list[str]]


def looks_like_medline(head: bytes) -> bool:
    return re.match(rb"(?:PMID|OWN )- ", head) is not None


def read_medline(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The papers of a file; a record without a PMID or without words is told."""
    for number, fields in enumerate(_records(decode_xml(raw)), start=1):
        paper = _paper(fields)
        if not paper.id:
            where = f"record {number} of {name or 'the file'}"
            yield unreadable_paper(
                Problem(
                    "no-words", "The record has no PMID and no words and is left out.", where=where
                )
            )
        else:
            said = ((tag, value) for tag, lines in fields.items() for value in lines)
            yield with_ledger(paper, record_pieces(said, _texts(fields), _BIBLIOGRAPHY))


def _texts(fields: Fields) -> tuple[str, ...]:
    """The fields that hold the words of a record: its own title and its abstract."""
    return ("TI" if "TI" in fields else "BTI", "AB" if "AB" in fields else "OAB")


def _records(text: str) -> Iterator[Fields]:
    """A record begins with its PMID; lines that begin with blanks go on with the field before."""
    fields: Fields = {}
    last_tag = ""
    for line in text.split("\n"):
        field = _FIELD.match(line.rstrip("\r"))
        if field and field[1] == "PMID" and fields:
            yield fields
            fields = {}
        if field:
            last_tag = field[1]
            fields.setdefault(last_tag, []).append(field[2].strip())
        elif line.startswith("  ") and last_tag in fields:
            fields[last_tag][-1] = f"{fields[last_tag][-1]} {line.strip()}".strip()
    if fields:
        yield fields


def _paper(fields: Fields) -> Paper:
    def first_value(*names: str) -> str:
        return next((value for name in names for value in fields.get(name, ()) if value), "")

    pmid, pmc = first_value("PMID"), first_value("PMC").removeprefix("PMC")
    doi = next(
        (
            v.partition(" ")[0]
            for n in ("AID", "LID")
            for v in fields.get(n, ())
            if v.endswith("[doi]")
        ),
        "",
    )
    title = first_value("TI", "TT", "BTI")
    if UNTITLED.fullmatch(title):
        title = first_value("TT", "BTI") or title
    sections = tuple(_abstract(first_value("AB", "OAB")))
    ids = [
        f"PMID:{int(pmid)}" if re.fullmatch(r"[0-9]{1,9}", pmid) else "",
        f"PMCID:PMC{pmc}" if pmc.isdigit() else "",
        f"DOI:{doi.lower()}" if doi.startswith("10.") else "",
    ]
    words = "\n".join([title, *(section.text for section in sections)]).strip()
    id = next(
        filter(None, ids),
        "doc:" + sha256(words.encode("utf-8", "replace")).hexdigest()[:24] if words else "",
    )
    year = re.search(r"\d{4}", first_value("DP"))
    types = tuple(fields.get("PT", ()))
    flags = {flag for field, flag in _FLAGS.items() if field in fields}
    flags |= {RETRACTED} if "Retracted Publication" in types else set()
    linked = [(name, pmid) for name in _LINKS for pmid in _linked(fields.get(name, ()))]
    return Paper(
        id,
        title,
        sections,
        kind=ABSTRACT,
        ids=tuple(sorted({id, *filter(None, ids)})),
        year=year[0] if year else "",
        journal=first_value("TA", "JT"),
        authors=(*fields.get("AU", ()), *fields.get("CN", ())),
        doi=doi,
        entered=first_value("CRDT", "EDAT")[:10].replace("/", "-"),
        language=first_value("LA"),
        types=types,
        flags=tuple(sorted(flags)),
        notices=tuple(pmid for name, pmid in linked if name in _NOTICES),
        links=tuple((_LINKS[name], pmid) for name, pmid in linked),
        volume=known_place(first_value("VI")),
        issue=known_place(first_value("IP")),
        pages=page_range(first_value("PG")),
    )


def _linked(values: Iterable[str]) -> Iterator[str]:
    """The PMIDs of `Ann Tests. 2019;3:4. doi: 10.1000/x. PMID: 30000001`."""
    for value in values:
        for number in re.findall(r"\bPMID:? *(\d{1,9})\b", value):
            yield f"PMID:{int(number)}"


def _abstract(text: str) -> Iterator[PaperSection]:
    """One section, or one for each `LABEL:` in capitals that begins a sentence."""
    places = list(_LABEL.finditer(text))
    ends = [place.start() for place in places[1:]] + [len(text)]
    if before := text[: places[0].start() if places else len(text)].strip():
        yield PaperSection("", before)
    for place, end in zip(places, ends, strict=bool(places)):
        yield PaperSection(place[1].capitalize(), text[place.end() : end].strip())
