"""PubMed's XML, as efetch and the yearly files give it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from xml.etree.ElementTree import Element

from core.documents.doi import doi_of_field
from core.documents.ledger import BIBLIOGRAPHY, SourcePiece
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
    with_ledger,
)
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.xml import element_text, local_name, unescape_html, without_namespaces
from core.identity.relation import LINKS
from core.model import Problem, Severity

_MONTHS = {
    m: f"{n:02d}"
    for n, m in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
        start=1,
    )
}
_FOUR = re.compile(r"(?:1[5-9]|20)\d\d")
# What PubMed writes where there is no title: "[Not Available]."
UNTITLED = re.compile(
    r"\[?\s*(?:not available|no title available|untitled)\s*\.?\s*\]?\.?", re.IGNORECASE
)
_REMOVED = re.compile(r"\s*\((?:ABSTRACT TRUNCATED AT \d+ WORDS)\)\s*$")
# What a paper's CommentsCorrections say of it, and which of them name the paper that it speaks of.
_ABOUT_IT = {
    "RetractionIn": RETRACTED,
    "PartialRetractionIn": RETRACTED,
    "ErratumIn": CORRECTED,
    "CorrectedandRepublishedIn": CORRECTED,
    "RepublishedIn": CORRECTED,
    "RetractedandRepublishedIn": RETRACTED,
    "UpdateIn": UPDATED,
    "ExpressionOfConcernIn": CONCERN,
}
_BY_IT = {
    "RetractionOf": RETRACTION,
    "PartialRetractionOf": RETRACTION,
    "ErratumFor": CORRECTION,
    "ExpressionOfConcernFor": f"{CONCERN} notice",
}
_TYPES = {
    "Retracted Publication": RETRACTED,
    "Retraction of Publication": RETRACTION,
    "Published Erratum": CORRECTION,
    "Retraction Notice": RETRACTION,
    "Expression of Concern": CONCERN + " notice",
}


def papers(root: Element) -> Iterator[Paper]:
    """Every record of a set, a single record or a damaged set. One without a PMID is kept by its
    DOI, else by its words, and says so.
    """
    without_namespaces(root)
    records = [e for e in root.iter() if local_name(e) in ("PubmedArticle", "PubmedBookArticle")]
    for record in records or [e for e in root.iter() if local_name(e) == "MedlineCitation"]:
        paper = _with_id(
            _book(record) if local_name(record) == "PubmedBookArticle" else _paper(record)
        )
        yield with_ledger(paper, _pieces(record, BIBLIOGRAPHY))


_TEXTS = ("ArticleTitle", "AbstractText", "Abstract")
_REASONS = {
    **dict.fromkeys(("KeywordList", "MeshHeadingList", "ChemicalList"), "keywords and headings"),
    **dict.fromkeys(("SupplMeshList", "GeneSymbolList"), "keywords and headings"),
    **dict.fromkeys(("ReferenceList", "CommentsCorrectionsList"), "references and notices"),
    "OtherAbstract": "abstracts from elsewhere and in other languages",
    "VernacularTitle": "titles in other languages",
    "CopyrightInformation": "copyright",
    "History": "dates of its history",
}


def _pieces(element: Element, reason: str) -> Iterator[SourcePiece]:
    """Every text of a record in the order of the source; title and abstract must be read, wherever
    they stand outside its references.
    """
    name = local_name(element)
    if reason == BIBLIOGRAPHY and name in _TEXTS:
        reason = ""
    reason = _REASONS.get(name, reason)
    if name == "AbstractText" and not reason and (label := element.get("Label", "")):
        yield SourcePiece(label, "labels that say nothing")
    # A book's title, an abstract from elsewhere and a title in the paper's own language are read
    # where there is no other
    apart = (reason == BIBLIOGRAPHY and name != "BookTitle") or reason in _LISTS
    yield from _told(element.text or "", reason, apart)
    for child in element:
        marks_formula = local_name(child) in ("math", "alternatives") and not reason
        yield from _pieces(child, _FORMULAS if marks_formula else reason)
        yield from _told(child.tail or "", reason, apart)


_LISTS = ("keywords and headings", "references and notices", "dates of its history")
_FORMULAS = "formulas, which are written on a line"


def _told(words: str, reason: str, apart: bool) -> Iterator[SourcePiece]:
    """The words of one place, without PubMed's own remark on them."""
    remark = _REMOVED.search(words)
    yield SourcePiece(unescape_html(_REMOVED.sub("", words)), reason, apart)
    if remark:
        yield SourcePiece(remark[0], "remarks of PubMed", apart=True)


def deleted(root: Element) -> list[str]:
    """PMIDs that PubMed took back."""
    places = [root] if local_name(root) == "DeleteCitation" else root.iterfind(".//DeleteCitation")
    return [f"PMID:{element_text(e).strip()}" for place in places for e in place.iterfind("PMID")]


def _with_id(paper: Paper) -> Paper:
    """With an id, and with what is missing said."""
    problems = []
    if not paper.id:
        content = "\n".join([paper.title, *(section.text for section in paper.sections)])
        id = next(
            iter(paper.ids), "doc:" + sha256(content.encode("utf-8", "replace")).hexdigest()[:24]
        )
        paper = replace(paper, id=id, ids=tuple(sorted({id, *paper.ids})))
        message = f"A record has no PMID: {paper.title[:80]!r}."
        problems.append(Problem("no-pmid", message, where=id, hint=f"It is kept as {id}."))
    if not paper.sections:
        problems.append(
            Problem("no-abstract", "The record has no abstract.", Severity.NOTE, paper.id)
        )
    return replace(paper, problems=tuple(problems))


def _pmid(place: Element | None) -> str:
    number = element_text(place).strip()
    return f"PMID:{int(number)}" if re.fullmatch(r"[0-9]{1,9}", number) else ""


def _paper(record: Element) -> Paper:
    citation = (
        record if local_name(record) == "MedlineCitation" else record.find(".//MedlineCitation")
    )
    citation = citation if citation is not None else Element("MedlineCitation")
    article = citation.find("Article")
    article = article if article is not None else Element("Article")
    places = [
        *record.iterfind("PubmedData/ArticleIdList/ArticleId"),
        *article.iterfind("ELocationID"),
    ]
    pmid = _pmid(citation.find("PMID")) or _listed(places)
    ids, doi = _ids(places, pmid)
    types = tuple(
        element_text(t).strip() for t in article.iterfind("PublicationTypeList/PublicationType")
    )
    flags, notices, links = _corrections(citation, types)
    return Paper(
        pmid,
        _title(article),
        _abstract(article.find("Abstract")) or _other_abstract(citation),
        kind=ABSTRACT,
        ids=ids,
        year=_year(article, citation),
        journal=_clean(article.find("Journal/ISOAbbreviation"))
        or _clean(article.find("Journal/Title"))
        or _clean(citation.find("MedlineJournalInfo/MedlineTA")),
        authors=tuple(_authors(article.find("AuthorList"))),
        doi=doi,
        entered=_entered(record.find("PubmedData"), citation),
        language=element_text(article.find("Language")).strip(),
        types=types,
        flags=flags,
        notices=notices,
        links=links,
        volume=known_place(element_text(article.find("Journal/JournalIssue/Volume"))),
        issue=known_place(element_text(article.find("Journal/JournalIssue/Issue"))),
        pages=_pages(article),
    )


def _pages(article: Element) -> str:
    first, last, both = (
        element_text(article.find(f"Pagination/{name}"))
        for name in ("StartPage", "EndPage", "MedlinePgn")
    )
    return page_range(first, last) or page_range(both)


def _book(record: Element) -> Paper:
    """A book, or a chapter: the DOI of the whole book is no id of its chapters."""
    document = record.find("BookDocument")
    document = document if document is not None else Element("BookDocument")
    chapter, book = _clean(document.find("ArticleTitle")), _clean(document.find("Book/BookTitle"))
    places = [*document.iterfind("ArticleIdList/ArticleId"), *document.iterfind("ELocationID")]
    places += record.iterfind("PubmedBookData/ArticleIdList/ArticleId")
    places += [] if chapter else document.iterfind("Book/ELocationID")
    pmid = _pmid(document.find("PMID")) or _listed(places)
    ids, doi = _ids(places, pmid)
    authors = [*document.iterfind("AuthorList"), *document.iterfind("Book/AuthorList")]
    names = [tuple(_authors(author)) for author in authors if author.get("Type") != "editors"]
    kinds = [
        *document.iterfind("PublicationType"),
        *document.iterfind("PublicationTypeList/PublicationType"),
    ]
    dates = (
        "Book/PubDate/Year",
        "Book/PubDate/MedlineDate",
        "ContributionDate/Year",
        "Book/BeginningDate/Year",
    )
    return Paper(
        pmid,
        chapter or book,
        _abstract(document.find("Abstract")) or _other_abstract(document),
        kind=ABSTRACT,
        ids=ids,
        year=next(
            (
                year[0]
                for date in dates
                if (year := _FOUR.search(element_text(document.find(date))))
            ),
            "",
        ),
        journal=book,
        authors=next(filter(None, names), ()),
        doi=doi,
        entered=_entered(record.find("PubmedBookData"), document),
        language=element_text(document.find("Language")).strip(),
        types=tuple(element_text(kind).strip() for kind in kinds),
    )


def _title(article: Element) -> str:
    """The title; that of the paper's own language where PubMed has no English one."""
    title, own = _clean(article.find("ArticleTitle")), _clean(article.find("VernacularTitle"))
    return own or title if not title or UNTITLED.fullmatch(title) else title


def _other_abstract(citation: Element) -> tuple[PaperSection, ...]:
    """An abstract from elsewhere or in another language, English first."""
    others = sorted(
        citation.iterfind("OtherAbstract"),
        key=lambda other_abstract: other_abstract.get("Language", "eng") != "eng",
    )
    return next(filter(None, map(_abstract, others)), ())


def _clean(element: Element | None) -> str:
    return " ".join(unescape_html(element_text(element)).split())


def _abstract(abstract: Element | None) -> tuple[PaperSection, ...]:
    """Structured or not; labels as given, copyright left out; text that stands outside AbstractText
    is kept.
    """
    if abstract is None:
        return ()
    sections = []
    for part in abstract:
        if local_name(part) == "AbstractText":
            label = (part.get("Label") or part.get("NlmCategory") or "").strip().rstrip(": ")
            label = "" if label.casefold() in ("unlabelled", "unassigned") else label
            sections.append(
                PaperSection(
                    label.capitalize() if label.isupper() else label, _REMOVED.sub("", _clean(part))
                )
            )
    loose = " ".join(
        ((abstract.text or "") + " ".join(part.tail or "" for part in abstract)).split()
    )
    if loose:
        sections.insert(0, PaperSection("", unescape_html(loose)))
    return tuple(section for section in sections if section.text)


def _authors(authors: Element | None) -> Iterator[str]:
    """`Family Initials`; a collective by its name; those marked as not valid left out."""
    for author in authors if authors is not None else ():
        if author.get("ValidYN") == "N":
            continue
        family, initials = (
            element_text(author.find("LastName")).strip(),
            element_text(author.find("Initials")).strip(),
        )
        name = f"{family} {initials}".strip() or element_text(author.find("CollectiveName")).strip()
        if name:
            yield " ".join(unescape_html(name).split())


def _listed(places: Iterable[Element]) -> str:
    """The PMID among a paper's ids, where its own field is missing."""
    return next(
        (
            pmid
            for element in places
            if element.get("IdType") == "pubmed" and (pmid := _pmid(element))
        ),
        "",
    )


def _ids(places: Iterable[Element], pmid: str) -> tuple[tuple[str, ...], str]:
    """All ids of this paper (`places` are never those of its references), and its DOI as
    written.
    """
    paper_ids, doi = {pmid} if pmid else set(), ""
    for place in places:
        kind = (place.get("IdType") or place.get("EIdType") or "").casefold()
        value = element_text(place).strip()
        if place.get("ValidYN") == "N":
            continue
        if kind == "doi" and (written := doi_of_field(value)):
            doi = doi or written
            paper_ids.add(f"DOI:{written.lower()}")
        if kind in ("pmc", "pmcid") and (number := re.fullmatch(r"(?:PMC)?(\d+)(?:\.\d+)?", value)):
            paper_ids.add(f"PMCID:PMC{number[1]}")
        if kind == "bookaccession" and value:
            paper_ids.add(value)
    return tuple(sorted(paper_ids)), doi


def _year(article: Element, citation: Element) -> str:
    issue = "Journal/JournalIssue/PubDate"
    places = (f"{issue}/Year", f"{issue}/MedlineDate", f"{issue}/Season", "ArticleDate/Year")
    matches = (_FOUR.search(element_text(article.find(place))) for place in places)
    return (
        next((year[0] for year in matches if year), "")
        or element_text(citation.find("DateCompleted/Year")).strip()
    )


def _entered(pubmed_data: Element | None, citation: Element) -> str:
    """The date of entry, YYYY-MM-DD; else that of creation."""
    dates = {
        place.get("PubStatus"): place
        for place in (
            pubmed_data.iterfind("History/PubMedPubDate") if pubmed_data is not None else ()
        )
    }
    for kind in ("entrez", "pubmed"):
        if kind in dates:
            return _date(dates[kind])
    created = citation.find("DateCreated")
    return _date(created) if created is not None else ""


def _date(place: Element) -> str:
    year, month, day = (element_text(place.find(part)).strip() for part in ("Year", "Month", "Day"))
    month = _MONTHS.get(month[:3].casefold(), month.zfill(2) if month.isdigit() else "01")
    return f"{year}-{month}-{day.zfill(2) if day.isdigit() else '01'}" if year.isdigit() else ""


def _corrections(
    citation: Element, types: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """What happened to a paper, the papers that it retracts or corrects, and all that it is linked
    to.
    """
    flags = {_TYPES[kind] for kind in types if kind in _TYPES}
    notices, links = list[str](), dict[tuple[str, str], None]()
    for note in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        kind = note.get("RefType") or ""
        flags |= {table[kind] for table in (_ABOUT_IT, _BY_IT) if kind in table}
        pmid = _pmid(note.find("PMID"))
        if kind in _BY_IT and pmid:
            notices.append(pmid)
        if kind in LINKS and pmid:
            links[kind, pmid] = None
    return tuple(sorted(flags)), tuple(notices), tuple(links)
