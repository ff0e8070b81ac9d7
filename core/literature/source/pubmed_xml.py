"""PubMed's XML, as efetch and the yearly files give it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.literature.paper import (
    ABSTRACT,
    CONCERN,
    CORRECTED,
    CORRECTION,
    RETRACTED,
    RETRACTION,
    Paper,
    Section,
)
from core.literature.source.xml import local, unescaped, words
from core.model import Problem

_MONTHS = {
    m: f"{n:02d}"
    for n, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1)
}
_REMOVED = re.compile(r"\s*\((?:ABSTRACT TRUNCATED AT \d+ WORDS)\)\s*$")
# What a paper's CommentsCorrections say of it, and which of them name the paper that it speaks of.
_ABOUT_IT = {
    "RetractionIn": RETRACTED,
    "PartialRetractionIn": RETRACTED,
    "ErratumIn": CORRECTED,
    "CorrectedandRepublishedIn": CORRECTED,
    "RepublishedIn": CORRECTED,
    "ExpressionOfConcernIn": CONCERN,
}
_BY_IT = {
    "RetractionOf": RETRACTION,
    "PartialRetractionOf": RETRACTION,
    "ErratumFor": CORRECTION,
    "ExpressionOfConcernFor": f"{CONCERN} notice",
}
_TYPES = {"Retracted Publication": RETRACTED, "Retraction of Publication": RETRACTION, "Published Erratum": CORRECTION,
          "Retraction Notice": RETRACTION, "Expression of Concern": CONCERN + " notice"}  # fmt: skip


def papers(root: Element) -> Iterator[Paper]:
    """Every record of a set, a single record or a damaged set. Records without a PMID are left out with a Problem."""
    kinds = ("PubmedArticle", "PubmedBookArticle")
    found = [e for e in root.iter() if local(e) in kinds]
    if not found and (root.find(".//MedlineCitation") is not None or local(root) == "MedlineCitation"):
        found = [root]
    for record in found:
        paper = _book(record) if local(record) == "PubmedBookArticle" else _paper(record)
        if paper is not None:
            yield paper


def deleted(root: Element) -> list[str]:
    """PMIDs that PubMed took back."""
    return [f"PMID:{(e.text or '').strip()}" for e in root.iterfind(".//DeleteCitation/PMID")]


def _paper(record: Element) -> Paper | None:
    citation = record if local(record) == "MedlineCitation" else record.find(".//MedlineCitation")
    if citation is None:
        return None
    pmid = words(citation.find("PMID")).strip()
    if not pmid.isdigit():
        return None
    article = citation.find("Article")
    article = article if article is not None else Element("Article")
    title = _clean(article.find("ArticleTitle")) or _clean(article.find("VernacularTitle"))
    sections = _abstract(article.find("Abstract")) or _abstract(citation.find("OtherAbstract"))
    ids, doi = _ids(record, article, pmid)
    types = tuple(words(t).strip() for t in article.iterfind("PublicationTypeList/PublicationType"))
    flags, notices = _corrections(citation, types)
    problems = [] if sections else [Problem("no-abstract", "The record has no abstract.", where=f"PMID:{pmid}")]
    return Paper(
        f"PMID:{pmid}",
        title,
        sections,
        ABSTRACT,
        ids,
        _year(article, citation),
        words(article.find("Journal/ISOAbbreviation")).strip()
        or words(article.find("Journal/Title")).strip()
        or words(citation.find("MedlineJournalInfo/MedlineTA")).strip(),
        tuple(_authors(article.find("AuthorList"))),
        doi,
        _entered(record, citation),
        words(article.find("Language")).strip(),
        types,
        flags,
        notices,
        tuple(problems),
    )


def _book(record: Element) -> Paper | None:
    document = record.find("BookDocument")
    pmid = words(record.find(".//PMID")).strip()
    if document is None or not pmid.isdigit():
        return None
    title = _clean(document.find("ArticleTitle")) or _clean(document.find("Book/BookTitle"))
    return Paper(
        f"PMID:{pmid}",
        title,
        _abstract(document.find("Abstract")),
        ABSTRACT,
        (f"PMID:{pmid}",),
        words(document.find("Book/PubDate/Year")).strip(),
        _clean(document.find("Book/BookTitle")),
        tuple(_authors(document.find("AuthorList"))),
    )


def _clean(element: Element | None) -> str:
    return " ".join(unescaped(words(element)).split())


def _abstract(abstract: Element | None) -> tuple[Section, ...]:
    """Structured or not; labels as given, copyright left out; text that stands outside AbstractText is kept."""
    if abstract is None:
        return ()
    found = []
    for part in abstract:
        if local(part) == "AbstractText":
            label = part.get("Label") or ""
            label = "" if label.casefold() == "unlabelled" else label.strip().rstrip(":")
            found.append(Section(label.capitalize() if label.isupper() else label, _REMOVED.sub("", _clean(part))))
    loose = " ".join(((abstract.text or "") + " ".join(part.tail or "" for part in abstract)).split())
    if loose:
        found.insert(0, Section("", unescaped(loose)))
    return tuple(section for section in found if section.text)


def _authors(authors: Element | None) -> Iterator[str]:
    """`Family Initials`; a collective by its name; those marked as not valid left out."""
    for author in authors if authors is not None else ():
        if author.get("ValidYN") == "N":
            continue
        family, initials = words(author.find("LastName")).strip(), words(author.find("Initials")).strip()
        name = f"{family} {initials}".strip() or words(author.find("CollectiveName")).strip()
        if name:
            yield " ".join(unescaped(name).split())


def _ids(record: Element, article: Element, pmid: str) -> tuple[tuple[str, ...], str]:
    """All ids of this paper, never those of its references."""
    found = {f"PMID:{pmid}"}
    doi = ""
    places = [*record.iterfind("PubmedData/ArticleIdList/ArticleId"), *article.iterfind("ELocationID")]
    for place in places:
        kind = (place.get("IdType") or place.get("EIdType") or "").casefold()
        value = words(place).strip()
        if kind == "doi" and value.startswith("10."):
            doi = doi or value
            found.add(f"DOI:{value.lower()}")
        if kind == "pmc" and re.fullmatch(r"(?:PMC)?\d+", value):
            found.add(f"PMCID:PMC{value.removeprefix('PMC')}")
    return tuple(sorted(found)), doi


def _year(article: Element, citation: Element) -> str:
    for path in ("Journal/JournalIssue/PubDate/Year", "ArticleDate/Year"):
        year = words(article.find(path)).strip()
        if re.fullmatch(r"\d{4}", year):
            return year
    loose = re.search(r"(?:19|20)\d\d", words(article.find("Journal/JournalIssue/PubDate/MedlineDate")))
    return loose[0] if loose else words(citation.find("DateCompleted/Year")).strip()


def _entered(record: Element, citation: Element) -> str:
    """The date of entry, YYYY-MM-DD; else that of creation."""
    for place in record.iterfind("PubmedData/History/PubMedPubDate"):
        if place.get("PubStatus") in ("entrez", "pubmed"):
            return _date(place)
    made = citation.find("DateCreated")
    return _date(made) if made is not None else ""


def _date(place: Element) -> str:
    year, month, day = (words(place.find(part)).strip() for part in ("Year", "Month", "Day"))
    month = _MONTHS.get(month[:3].casefold(), month.zfill(2) if month.isdigit() else "01")
    return f"{year}-{month}-{day.zfill(2) if day.isdigit() else '01'}" if year.isdigit() else ""


def _corrections(citation: Element, types: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    flags = {_TYPES[kind] for kind in types if kind in _TYPES}
    notices = []
    for note in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        kind = note.get("RefType") or ""
        flags |= {table[kind] for table in (_ABOUT_IT, _BY_IT) if kind in table}
        pmid = words(note.find("PMID")).strip()
        if kind in _BY_IT and pmid.isdigit():
            notices.append(f"PMID:{pmid}")
    return tuple(sorted(flags)), tuple(notices)
