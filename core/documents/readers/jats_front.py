"""The front matter of a JATS article: ids, title, year, authors, and what happened to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.documents.doi import doi_in_field, doi_of_field
from core.documents.paper import CONCERN, CORRECTED, CORRECTION, RETRACTED, RETRACTION, UPDATED
from core.documents.readers.jats_text import line
from core.documents.readers.xml import element_text

_NAMES = (
    "name",
    "name-alternatives/name",
    "name-alternatives/string-name",
    "string-name",
)  # not of a group's members
_TYPES = {
    "retraction": RETRACTION,
    "partial-retraction": RETRACTION,
    "correction": CORRECTION,
    "expression-of-concern": f"{CONCERN} notice",
}
_ABOUT_IT = {
    "retraction-forward": RETRACTED,
    "partial-retraction": RETRACTED,
    "correction-forward": CORRECTED,
    "expression-of-concern": CONCERN,
    "updated-article": UPDATED,
}
_BY_IT = {
    "retracted-article": RETRACTION,
    "partial-retraction-of": RETRACTION,
    "corrected-article": CORRECTION,
    "object-of-concern": f"{CONCERN} notice",
}


def article_title(meta: Element) -> str:
    title = line(meta.find("title-group/article-title"))
    more = [line(subtitle) for subtitle in meta.iterfind("title-group/subtitle")]
    return ": ".join(part for part in (title.rstrip(":") if any(more) else title, *more) if part)


def ids_of(meta: Element) -> tuple[tuple[str, ...], str]:
    """All ids of the article; PMC's number of a deposit (`pmcaid`) stands for the PMCID only where
    that is missing.
    """
    paper_ids, doi, deposit = set(), "", ""
    for place in meta.iterfind("article-id"):
        kind, value = (place.get("pub-id-type") or "").casefold(), element_text(place).strip()
        number = re.fullmatch(r"(?:PMC)?(\d+)(?:\.\d+)?", value, re.IGNORECASE)
        if kind == "pmid" and re.fullmatch(r"[0-9]{1,9}", value) and int(value):
            paper_ids.add(f"PMID:{int(value)}")
        elif kind in ("pmc", "pmcid") and number:
            paper_ids.add(f"PMCID:PMC{number[1]}")
        elif kind == "pmcaid" and number:
            deposit = f"PMCID:PMC{number[1]}"
        elif kind == "doi" and (written := doi_of_field(value)):
            doi = doi or written
            paper_ids.add(f"DOI:{written.lower()}")
    if deposit and not any(id.startswith("PMCID:") for id in paper_ids):
        paper_ids.add(deposit)
    return tuple(sorted(paper_ids)), doi


def year_of(meta: Element) -> str:
    """The year in which it first came out."""
    dates = [*meta.iterfind("pub-date"), *meta.iterfind("pub-date-not-available")]
    years = [
        re.search(r"(?:1[5-9]|20)\d\d", element_text(date.find("year")) or element_text(date))
        for date in dates
    ]
    return min((year[0] for year in years if year), default="")


def authors_of(meta: Element) -> Iterator[str]:
    for contributor in meta.iterfind("contrib-group/contrib"):
        if contributor.get("contrib-type") not in (None, "author"):
            continue
        person = next(
            (
                name_element
                for place in _NAMES
                if (name_element := contributor.find(place)) is not None
            ),
            Element("name"),
        )
        family, given_names = (
            element_text(person.find("surname")).strip(),
            element_text(person.find("given-names")).strip(),
        )
        initials = "".join(word[0] for word in re.split(r"[\s.-]+", given_names) if word)
        group = element_text(contributor.find("collab"), ("contrib-group",)) or element_text(
            contributor.find("collab-alternatives/collab")
        )
        name = f"{family} {initials}".strip() or group.strip() or element_text(person).strip()
        if name:
            yield " ".join(name.split())


def related_papers(article: Element, meta: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What happened to the article or is done by it, and the ids of papers that it retracts or
    corrects.
    """
    flags = {_TYPES[kind] for kind in (article.get("article-type"),) if kind in _TYPES}
    notices = set()
    for related in meta.iterfind("related-article"):
        kind = related.get("related-article-type") or ""
        flags |= {table[kind] for table in (_ABOUT_IT, _BY_IT) if kind in table}
        if kind in _BY_IT and (id := _linked(related)):
            notices.add(id)
    return tuple(sorted(flags)), tuple(sorted(notices))


def _linked(related: Element) -> str:
    href = next(
        (
            value.strip()
            for name, value in related.attrib.items()
            if name.rpartition("}")[2] == "href"
        ),
        "",
    )
    kind = related.get("ext-link-type") or ""
    if kind in ("pubmed", "pmid") and href.isdigit():
        return f"PMID:{href}"
    if kind in ("pmc", "pmcid") and (number := re.fullmatch(r"(?:PMC)?(\d+)", href)):
        return f"PMCID:PMC{number[1]}"
    doi = doi_in_field(href)
    return f"DOI:{doi.lower()}" if doi else ""
