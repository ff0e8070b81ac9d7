"""JATS: full texts as PMC gives them (efetch, OAI, the open-access files)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from xml.etree.ElementTree import Element

from core.literature.paper import ABSTRACT, CORRECTED, CORRECTION, FULL_TEXT, RETRACTED, RETRACTION, Paper, Section
from core.literature.source.xml import local, unescaped, words

_LEFT_OUT = ("xref", "fn", "object-id", "tex-math", "alternatives", "ref-list", "journal-id", "graphic", "media",
             "inline-formula", "disp-formula", "supplementary-material")  # fmt: skip
_KEPT = tuple(name for name in _LEFT_OUT if name not in ("inline-formula", "disp-formula", "alternatives", "xref"))
_NAMES = ("name", "name-alternatives/name", "name-alternatives/string-name", "string-name")  # not of a group's members
_SIGN = re.compile(r"[\s*†‡§¶‖#]+")
_TYPES = {"retraction": RETRACTION, "correction": CORRECTION}
_RELATED = {"retraction-forward": RETRACTED, "correction-forward": CORRECTED}


def papers(root: Element) -> Iterator[Paper]:
    """Every article of a set; sub-articles (reviews, replies) are parts of their article and left out."""
    found = [root] if local(root) == "article" else [e for e in root.iter() if local(e) == "article"]
    for article in found:
        yield _paper(article)


def _paper(article: Element) -> Paper:
    _strip_namespaces(article)
    _drop_reference_marks(article)
    meta = article.find("front/article-meta")
    meta = meta if meta is not None else Element("article-meta")
    ids, doi = _ids(meta)
    title = _clean(meta.find("title-group/article-title"))
    abstract = [
        s for a in meta.iterfind("abstract") if a.get("abstract-type") in (None, "", "summary") for s in _abstract(a)
    ]
    body = article.find("body")
    sections = [*abstract, *(_body(body) if body is not None else [])]
    id = next((i for p in ("PMID:", "PMCID:", "DOI:") for i in ids if i.startswith(p)), "")
    id = id or "doc:" + sha256((title + "".join(s.text for s in sections)).encode()).hexdigest()[:24]
    return Paper(
        id,
        title,
        tuple(sections),
        FULL_TEXT if body is not None else ABSTRACT,
        ids,
        _year(meta),
        _clean(article.find("front/journal-meta//journal-title"))
        or _clean(article.find("front/journal-meta/journal-id")),
        tuple(_authors(meta)),
        doi,
        language=article.get("{http://www.w3.org/XML/1998/namespace}lang") or "",
        types=(article.get("article-type") or "",) if article.get("article-type") else (),
        flags=_flags(article, meta),
    )


def _strip_namespaces(article: Element) -> None:
    for element in article.iter():
        if isinstance(element.tag, str) and "}" in element.tag:
            element.tag = local(element)


def _drop_reference_marks(article: Element) -> None:
    """Numbers of references that stand right after a word, or in superscript, are no part of the text."""
    for parent in article.iter():
        before = parent.text or ""
        for child in parent:
            marks = [child] if local(child) == "xref" else list(child) if local(child) == "sup" else []
            numbered = bool(marks) and all(mark.get("ref-type") == "bibr" for mark in marks)
            glued = before[-1:].isalnum() or before[-1:] in (".", ",", ")") or local(child) == "sup"
            signed = bool(marks) and all(local(mark) == "xref" for mark in marks) and _SIGN.fullmatch(words(child))
            if signed or (numbered and glued and re.fullmatch(r"[\d\s,;–‐-]+", words(child))):
                tail = child.tail
                child.clear()
                child.tail = tail
            before = child.tail or ""


def _clean(element: Element | None) -> str:
    return " ".join(unescaped(words(element, _KEPT)).split())


def _ids(meta: Element) -> tuple[tuple[str, ...], str]:
    found, doi = set(), ""
    for place in meta.iterfind("article-id"):
        kind, value = place.get("pub-id-type") or "", words(place).strip()
        if kind == "pmid" and value.isdigit():
            found.add(f"PMID:{value}")
        elif kind in ("pmc", "pmcid", "pmcaid") and re.fullmatch(r"(?:PMC)?\d+", value):
            found.add(f"PMCID:PMC{value.removeprefix('PMC')}")
        elif kind == "doi" and value.startswith("10."):
            doi = value
            found.add(f"DOI:{value.lower()}")
    return tuple(sorted(found)), doi


def _year(meta: Element) -> str:
    years = [words(date.find("year")).strip() for date in meta.iterfind("pub-date")]
    return min((year for year in years if re.fullmatch(r"\d{4}", year)), default="")


def _authors(meta: Element) -> Iterator[str]:
    for one in meta.iterfind("contrib-group/contrib"):
        if one.get("contrib-type") not in (None, "author"):
            continue
        person = next((found for place in _NAMES if (found := one.find(place)) is not None), Element("name"))
        family, given = words(person.find("surname")).strip(), words(person.find("given-names")).strip()
        initials = "".join(word[0] for word in re.split(r"[\s.-]+", given) if word)
        name = f"{family} {initials}".strip() or words(one.find("collab"), ("contrib-group",)).strip()
        if name:
            yield " ".join(name.split())


def _flags(article: Element, meta: Element) -> tuple[str, ...]:
    found = {_TYPES[kind] for kind in (article.get("article-type"),) if kind in _TYPES}
    for related in meta.iterfind("related-article"):
        kind = related.get("related-article-type")
        found |= {_RELATED[kind]} if kind in _RELATED else set()
    return tuple(sorted(found))


def _abstract(abstract: Element) -> list[Section]:
    parts = [child for child in abstract if local(child) == "sec"]
    if not parts:
        return [Section("Abstract", _paragraphs(abstract))]
    return [Section(_clean(part.find("title")).rstrip(":") or "Abstract", _paragraphs(part)) for part in parts]


def _body(body: Element) -> list[Section]:
    """Top sections by name; what stands before the first one is the introduction."""
    found = []
    loose = _paragraphs(body, ("sec",))
    if loose:
        found.append(Section("Introduction" if any(local(c) == "sec" for c in body) else "Text", loose))
    for part in body:
        if local(part) == "sec":
            found.append(Section(_clean(part.find("title")) or "Section", _paragraphs(part)))
    return [section for section in found if section.text]


def _paragraphs(part: Element, without: tuple[str, ...] = ()) -> str:
    """Paragraphs, captions and lists of a part in order, empty lines between them; headings of sub-sections kept."""
    found: list[str] = []
    _gather(part, without, found, top=True)
    return "\n\n".join(found)


def _gather(part: Element, without: tuple[str, ...], found: list[str], top: bool = False) -> None:
    for child in part:
        name = local(child)
        if name in without or name in ("label", "ref-list", "fn-group", "supplementary-material"):
            continue
        if name in ("p", "term"):
            _paragraph(child, found)
        elif name == "title":
            if not top and _clean(child):
                found.append(_clean(child))
        elif name in (
            "sec",
            "fig",
            "fig-group",
            "table-wrap",
            "caption",
            "list",
            "list-item",
            "boxed-text",
            "disp-quote",
            "def-list",
            "def-item",
            "def",
            "statement",
            "app",
        ):
            _gather(child, without, found)
        elif name == "table":
            found.extend(row for row in (_row(tr) for tr in child.iter("tr")) if row)


def _paragraph(paragraph: Element, found: list[str]) -> None:
    """A paragraph; lists, figures and tables that stand inside it follow it."""
    inside = ("list", "fig", "table-wrap", "boxed-text", "disp-quote", "fig-group")
    text = " ".join(unescaped(words(paragraph, (*_KEPT, *inside))).split())
    if text:
        found.append(text)
    for child in paragraph:
        if local(child) in inside:
            _gather(child, (), found)


def _row(row: Element) -> str:
    return " | ".join(cell for cell in (_clean(cell) for cell in row) if cell)
