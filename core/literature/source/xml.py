"""XML files: which kind a file is, and reading of what others write, damaged or not.

Nothing outside a document is ever fetched: a DTD is dropped before parsing, and documents that declare entities of
their own are refused. A file cut off in the middle gives the records that are whole, and a Problem.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.errors import InputError
from core.literature.paper import Paper
from core.model import Problem

_DOCTYPE = re.compile(r"<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[.*?\]\s*)?>", re.DOTALL | re.IGNORECASE)
_DECLARED = re.compile(r"<!ENTITY\s", re.IGNORECASE)
MOST_DEEP = 300  # elements inside one another
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)(\w*;?)")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));", re.I
)
_LESS = re.compile(r"<(?=[\s\d=.<])")
_PREFIXED = re.compile(r"(</?)[A-Za-z][\w.-]*:([A-Za-z])")
_PREFIXED_NAME = re.compile(r"\s(?!xmlns:|xml:)[A-Za-z][\w.-]*:([A-Za-z][\w.-]*)\s*=")
_HTML = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|p|br|span|div|h\d|a|font|ul|ol|li|jats:\w+)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
_RECORDS = ("PubmedArticle", "PubmedBookArticle", "DeleteCitation", "article", "document")
CUT_OFF = Problem(
    "cut-off", "The XML ends in the middle; the records before are read.", hint="Fetch it again for the rest."
)


def parse(text: str) -> tuple[Element, bool]:
    """The root of a document, and whether it was cut off (then: with the whole records that it holds)."""
    text = cleaned(text)
    trouble: ElementTree.ParseError | None = None
    for repaired in _repairs(text):
        try:
            return _shallow(ElementTree.fromstring(repaired)), False
        except ElementTree.ParseError as error:
            trouble, text = trouble or error, repaired
    found = whole_records(text)
    if found is None:
        raise InputError(f"This is not XML that can be read ({trouble}).", "Fetch or save it again.") from trouble
    return _shallow(found), True


def _shallow(root: Element) -> Element:
    """The same root. Raises InputError when elements nest deeper than any writer of papers nests them."""
    level, deep = [root], 0
    while level:
        deep += 1
        if deep > MOST_DEEP:
            raise InputError(f"The XML nests more than {MOST_DEEP} elements.", "Fetch or save it again.")
        level = [child for element in level for child in element]
    return root


def _repairs(text: str) -> Iterator[str]:
    """The text as it is, then without prefixes that nobody declared, then without HTML that was never closed."""
    yield text
    text = _PREFIXED.sub(r"\1\2", _PREFIXED_NAME.sub(r" \1=", text))
    yield text
    if "<PubmedArticle" in text:
        yield _HTML.sub(_tag, text)


def cleaned(text: str) -> str:
    """Without DTD, control characters and named entities that XML itself does not know."""
    text = text.lstrip("\ufeff \t\r\n")
    if _DECLARED.search(text):
        raise InputError("The XML declares entities of its own, which are not read.", "Save it without them.")
    if doctype := _DOCTYPE.search(text):
        text = text[: doctype.start()] + text[doctype.end() :]
    text = _CONTROL.sub(" ", text)
    return _ENTITY.sub(_entity, _LESS.sub("&lt;", text))


def _entity(found: re.Match[str]) -> str:
    letters = html.unescape(found[0])
    return html.escape(letters, quote=False) if letters != found[0] else "&amp;" + found[1]


def whole_records(text: str) -> Element | None:
    """A root made of the complete records of a damaged document; None when it has none."""
    root = Element("cut")
    for name in _RECORDS:
        for record in re.finditer(rf"<{name}[\s>].*?</{name}>", text, re.DOTALL):
            try:
                root.append(ElementTree.fromstring(record[0]))
            except ElementTree.ParseError:
                continue
        if len(root):
            return root
    return None


def words(element: Element | None, without: tuple[str, ...] = ()) -> str:
    """All text of an element in order, subscripts kept in line; elements named in `without` left out."""
    if element is None:
        return ""
    parts: list[str] = []
    _collect(element, without, parts)
    return "".join(parts)


def _collect(element: Element, without: tuple[str, ...], parts: list[str]) -> None:
    if local(element) not in without:
        parts.append(element.text or "")
        for child in element:
            _collect(child, without, parts)
            parts.append(child.tail or "")


def local(element: Element) -> str:
    """A tag without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def unescaped(text: str) -> str:
    """Text in which a source left HTML, escaped once too often: tags gone, entities read."""
    if "&" in text:
        text = html.unescape(text)
    return _HTML.sub(_tag, text)


def _tag(found: re.Match[str]) -> str:
    return " " if re.match(r"</?(?:p|br|div|li|h\d)", found[0], re.I) else ""


def read_xml(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The papers of a PubMed, JATS (PMC), BioC or TEI (GROBID) file."""
    from core.literature.source import bioc, grobid, jats, pubmed_xml

    root, cut = parse(decoded(raw))
    kinds = {local(element) for element in [root, *root]}
    if kinds & {"PubmedArticleSet", "PubmedArticle", "PubmedBookArticle", "MedlineCitation", "DeleteCitation"}:
        papers = pubmed_xml.papers(root)
    elif local(root) == "TEI":
        papers = iter([grobid.paper(root, raw)])
    elif local(root) == "collection" or kinds & {"document", "collection"}:
        papers = bioc.papers(root)
    elif local(root) == "article" or kinds & {"article", "pmc-articleset", "record", "GetRecord", "ListRecords"}:
        papers = jats.papers(root)
    else:
        raise InputError(
            f"{name or 'This file'} is XML of a kind that is not known ({local(root)[:40]}).",
            "PubMed, PMC (JATS), BioC and TEI can be read.",
        )
    if cut:
        papers = _with_problem(papers)
    yield from papers


def decoded(raw: bytes) -> str:
    """Text of an XML file: by its byte order mark or declaration, else UTF-8, else Windows-1252."""
    if raw[:4].startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    declared = re.match(rb"\s*(?:\xef\xbb\xbf)?<\?xml[^>]*encoding=[\"']([\w.-]+)", raw[:200])
    for encoding in (declared[1].decode("ascii") if declared else "", "utf-8-sig", "cp1252", "latin-1"):
        try:
            if encoding:
                text = raw.decode("utf-8-sig" if encoding.casefold() in ("utf-8", "utf8") else encoding)
                return re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
        except (LookupError, UnicodeDecodeError):
            continue
    return raw.decode("utf-8", "replace")


def _with_problem(papers: Iterator[Paper]) -> Iterator[Paper]:
    from dataclasses import replace

    for place, paper in enumerate(papers):
        yield replace(paper, problems=(*paper.problems, CUT_OFF)) if place == 0 else paper
