"""JATS: full texts as PMC gives them (efetch, OAI, the open-access files). This module reads
the front matter (ids, title, year, authors, and what happened to the article) and the sections,
`jats_text` the words of a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from xml.etree.ElementTree import Element

from core.documents.doi import doi_in_field, doi_of_field
from core.documents.paper import (
    ABSTRACT,
    CAPTION,
    CONCERN,
    CORRECTED,
    CORRECTION,
    FULL_TEXT,
    REFERENCES,
    RETRACTED,
    RETRACTION,
    UPDATED,
    Paper,
    PaperSection,
    with_ledger,
)
from core.documents.readers.cell_grid import table_section
from core.documents.readers.jats_pieces import source_pieces
from core.documents.readers.jats_text import drop_reference_marks, line, text_of
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.xml import element_text, local_name, without_namespaces
from core.model import Problem, Severity

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

# Types of related articles, and PubMed's word for what they say
# https://jats.nlm.nih.gov/publishing/tag-library/1.3/attribute/related-article-type.html
_LINKS = {
    "retraction-forward": "RetractionIn",
    "retracted-article": "RetractionOf",
    "partial-retraction": "PartialRetractionIn",
    "partial-retraction-of": "PartialRetractionOf",
    "correction-forward": "ErratumIn",
    "corrected-article": "ErratumFor",
    "expression-of-concern": "ExpressionOfConcernIn",
    "object-of-concern": "ExpressionOfConcernFor",
    "updated-article": "UpdateIn",
    "preprint": "UpdateOf",
    "republished-article": "RepublishedFrom",
    "translated-article": "TranslationOf",
    "commentary": "CommentIn",
    "commentary-article": "CommentOn",
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


def related_papers(
    article: Element, meta: Element
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """What happened to the article or is done by it, the ids of papers that it retracts or
    corrects, and all that it is linked to.
    """
    flags = {_TYPES[kind] for kind in (article.get("article-type"),) if kind in _TYPES}
    notices, links = set[str](), dict[tuple[str, str], None]()
    for related in meta.iterfind("related-article"):
        kind = related.get("related-article-type") or ""
        flags |= {table[kind] for table in (_ABOUT_IT, _BY_IT) if kind in table}
        id = _linked(related)
        if kind in _BY_IT and id:
            notices.add(id)
        if kind in _LINKS and id:
            links[_LINKS[kind], id] = None
    return tuple(sorted(flags)), tuple(sorted(notices)), tuple(links)


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


_PICTURES = (
    "graphical",
    "teaser",
    "toc",
    "video",
    "web-summary",
    "short",
)  # abstracts that are advertisements
_FIGURES, _TABLES = ("fig", "fig-group"), ("table-wrap", "table-wrap-group")
_BACK = {
    "ack": "Acknowledgments",
    "app": "Appendix",
    "glossary": "Glossary",
    "notes": "Notes",
    "fn-group": "Footnotes",
}


def papers(root: Element) -> Iterator[Paper]:
    """Every article of a set. Its sub-articles (reviews, replies, translations) are others' texts
    and left out.
    """
    articles = (
        [root]
        if local_name(root) == "article"
        else [e for e in root.iter() if local_name(e) == "article"]
    )
    for article in articles:
        yield _paper(article)


def _paper(article: Element) -> Paper:
    without_namespaces(article)
    pieces = list(source_pieces(article))
    drop_reference_marks(article)
    meta = article.find("front/article-meta")
    meta = meta if meta is not None else Element("article-meta")
    ids, doi = ids_of(meta)
    title = article_title(meta)
    body = article.find("body")
    gathered = [*_abstracts(article, meta), *_full_text(article, body)]
    sections = [section for section in gathered if section.text]
    id = next((i for p in ("PMID:", "PMCID:", "DOI:") for i in ids if i.startswith(p)), "")
    id = (
        id
        or "doc:"
        + sha256(
            (title + "".join(s.text for s in sections)).encode("utf-8", "replace")
        ).hexdigest()[:24]
    )
    flags, notices, links = related_papers(article, meta)
    paper = Paper(
        id,
        title,
        tuple(sections),
        kind=FULL_TEXT if body is not None else ABSTRACT,
        ids=ids,
        year=year_of(meta),
        journal=line(article.find("front/journal-meta//journal-title"))
        or line(article.find("front/journal-meta/journal-id")),
        authors=tuple(authors_of(meta)),
        doi=doi,
        language=article.get("{http://www.w3.org/XML/1998/namespace}lang") or "",
        types=(article.get("article-type") or "",) if article.get("article-type") else (),
        flags=flags,
        notices=notices,
        links=links,
        volume=known_place(line(meta.find("volume"))),
        issue=known_place(line(meta.find("issue"))),
        pages=page_range(
            line(meta.find("fpage")) or line(meta.find("elocation-id")), line(meta.find("lpage"))
        ),
    )
    return with_ledger(replace(paper, problems=tuple(_problems(article, body, id))), pieces)


def _problems(article: Element, body: Element | None, id: str) -> Iterator[Problem]:
    if body is None:
        message = (
            "PMC provides no full text of this paper (its publisher does not allow it); the"
            " abstract was read."
        )
        yield Problem("no-full-text", message, Severity.NOTE, id)
    others = [
        child.get("article-type") or local_name(child)
        for child in article
        if local_name(child) in ("sub-article", "response")
    ]
    if others:
        message = (
            "Letters and translations published with the paper are not part of its text:"
            f" {', '.join(others)[:200]}."
        )
        yield Problem("parts-left-out", message, Severity.NOTE, id)


def _abstracts(article: Element, meta: Element) -> list[PaperSection]:
    """The abstract in the article's language and the summaries beside it; a translated one where
    there is no other.
    """
    in_words = [
        abstract
        for abstract in meta.iterfind("abstract")
        if abstract.get("abstract-type") not in _PICTURES
    ]
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    own = [abstract for abstract in in_words if abstract.get(lang) in (None, "", article.get(lang))]
    chosen = (
        own
        or in_words
        or [*meta.iterfind("trans-abstract")][:1]
        or [*meta.iterfind("abstract")][:1]
    )
    main = [
        abstract
        for abstract in chosen
        if abstract.get("abstract-type") in (None, "", "summary", "abstract", "main", "normal")
    ]
    lead = main[:1] or chosen[:1]
    return [
        section
        for abstract in [*lead, *(o for o in chosen if o not in lead)]
        for section in _abstract(abstract, abstract in lead)
    ]


def _abstract(abstract: Element, main: bool) -> list[PaperSection]:
    name = line(abstract.find("title"))
    if not main:
        kind = (abstract.get("abstract-type") or "Summary").replace("-", " ").capitalize()
        name = name if name and name.casefold() != "abstract" else kind
    sections = [
        PaperSection("Abstract" if main else name, text_of(abstract, without=("sec", "title")))
    ]
    for part in abstract.iterfind("sec"):
        title = line(part.find("title")).rstrip(":. ")
        sections.append(PaperSection(title or name or "Abstract", text_of(part)))
    return [section for section in sections if section.text]


def _full_text(article: Element, body: Element | None) -> Iterator[PaperSection]:
    """Top sections by name; what stands before the first one is the introduction. Then the end
    matter, but for the references, and, set apart, the figures, the tables and the references.
    """
    apart = [*_set_apart(body), *_set_apart(article.find("back"))]
    apart += article.iterfind("floats-group/*")
    loose = text_of(body, without=("sec",)) if body is not None else ""
    if body is not None and loose:
        yield PaperSection("Introduction" if body.find("sec") is not None else "Text", loose)
    for part in body.iterfind("sec") if body is not None else ():
        yield from _section(part, line(part.find("title")) or _section_type(part) or "Section")
    for part in article.iterfind("back/*"):
        for element in part if local_name(part) in ("app-group", "sec-group") else [part]:
            if local_name(element) == "sec" or local_name(element) in _BACK:
                yield from _section(
                    element,
                    line(element.find("title")) or _BACK.get(local_name(element), "Section"),
                )
    tables = [element for element in apart if local_name(element) in _TABLES]
    figures = [element for element in apart if element not in tables]
    yield PaperSection("Figures", _in_turn(figures), CAPTION)
    for table in tables:
        yield from _table(table)
    references = (line(reference) for reference in article.iterfind("back//ref-list/ref"))
    yield PaperSection("References", "\n\n".join(filter(None, references)), REFERENCES)


def _table(table: Element) -> Iterator[PaperSection]:
    """A table under its label and caption; each of a group of tables by itself."""
    inside = [child for child in table if local_name(child) == "table-wrap"]
    for child in inside:
        yield from _table(child)
    caption = table.find("caption")
    blocks = text_of(caption, top=False).split("\n\n") if caption is not None else []
    rest = text_of(table, without=("label", "caption", "table-wrap"))
    if rest or (blocks and not inside):
        yield table_section(line(table.find("label")), blocks, rest.split("\n\n"))


def _set_apart(part: Element | None) -> list[Element]:
    """The figures and tables of a part, taken out of its running text, in order."""
    apart: list[Element] = []
    if part is None:
        return apart
    for child in [*part]:
        if local_name(child) in (*_FIGURES, *_TABLES):
            apart.append(child)
            _take_out(part, child)
        else:
            apart += _set_apart(child)
    return apart


def _take_out(parent: Element, child: Element) -> None:
    """Without a child; the words after it go on where it stood."""
    place, after = list(parent).index(child), child.tail or ""
    if place:
        parent[place - 1].tail = (parent[place - 1].tail or "") + after
    else:
        parent.text = (parent.text or "") + after
    child.tail = None
    parent.remove(child)


def _in_turn(elements: Iterable[Element]) -> str:
    return "\n\n".join(filter(None, (text_of(element, top=False) for element in elements)))


def _section(part: Element, name: str) -> Iterator[PaperSection]:
    text = text_of(part)
    if text:
        yield PaperSection(name, text)


def _section_type(part: Element) -> str:
    """A section's type, where it has no title: `materials|methods` is Materials and methods."""
    return " and ".join((part.get("sec-type") or "").split("|")).capitalize()
