"""XML as others write it, well-formed or not: parsing, mending, and the words of an element.

Nothing outside a document is ever fetched: a DTD is dropped before parsing, and documents that
declare entities of their own are refused. Of a file cut off in the middle everything is read that
is whole.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.documents.readers import formula
from core.documents.readers.xml_records import XmlRecords
from core.errors import InputError
from core.text import script

# A document type with an internal subset; quoted ">" and entities do not end it
_DOCTYPE = re.compile(
    r"<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[.*?\]\s*)?>", re.DOTALL | re.IGNORECASE
)
_DECLARED = re.compile(r"<!ENTITY\s", re.IGNORECASE)
MOST_DEEP = 300  # elements inside one another
MOST_TAGS = 1_000_000  # of a record or document; a thousand pages of Word have about half
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)(\w*;?)")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));",
    re.I,
)
_LESS = re.compile(r"<(?=[\s\d=.<])")
_PREFIXED = re.compile(r"(</?)[A-Za-z][\w.-]*:([A-Za-z])")
_PREFIXED_NAME = re.compile(r"\s(?!xmlns:|xml:)[A-Za-z][\w.-]*:([A-Za-z][\w.-]*)\s*=")
# Tags that authors paste into abstracts: "<sup>", "<jats:italic>"
_HTML = re.compile(
    r"</?(?:i|b|u|em|strong|sub|sup|p|br|span|div|h\d|a|font|ul|ol|li|jats:\w+)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_NEVER = (
    "annotation",
    "annotation-xml",
    "object-id",
    "journal-id",
    "index-term",
    "alt-text",
    "long-desc",
    "private-char",
)
_SENTENCE = re.compile(r"[.!?…][)\]\"'”’]*(?=\s)")
_WHOLE = ("p", "AbstractText", "ab")  # elements of whose text the sentences before a cut are kept


def parse_xml(text: str) -> tuple[Element, bool]:
    """The root of a document, and whether it was cut off or damaged (then: with the whole records
    that it holds).
    """
    try:
        return parse_element(text), False
    except InputError as error:
        root = Element("cut")
        for record in XmlRecords(BytesIO(text.encode("utf-8", "replace"))):
            try:
                root.append(parse_element(record.text))
            except InputError:
                continue
        if not len(root):
            raise error
        return root, True


def parse_element(text: str) -> Element:
    """The root of one record or document, mended where that is enough. Raises InputError."""
    text = clean_xml(text)
    trouble: ElementTree.ParseError | None = None
    for repaired in _repairs(text):
        try:
            return _shallow(ElementTree.fromstring(repaired))
        except ElementTree.ParseError as error:
            trouble, text = trouble or error, repaired
    raise InputError(
        f"This is not XML that can be read ({trouble}).", "Download or save it again."
    ) from trouble


class _Builder(ElementTree.TreeBuilder):
    """Builds a tree and knows which elements are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[Element] = []

    def start(self, tag: Any, attrs: Any, /) -> Element:
        self.open.append(super().start(tag, attrs))
        return self.open[-1]

    def end(self, tag: str, /) -> Element:
        self.open.pop()
        return super().end(tag)


def close_truncated(text: str) -> Element | None:
    """The root of a document that breaks off, with all that stands before the break but for its
    last, unfinished sentence or cell; None when nothing of it can be read.
    """
    builder = _Builder()
    parser = ElementTree.XMLParser(target=builder)
    text = _PREFIXED.sub(r"\1\2", _PREFIXED_NAME.sub(r" \1=", clean_xml(text)))
    try:
        parser.feed(text)
        parser.close()
    except ElementTree.ParseError:
        pass
    open_elements = list(builder.open)
    for conflict in reversed(open_elements):
        builder.end(conflict.tag)
    if not open_elements:
        return None
    unfinished = next(
        (element for element in reversed(open_elements) if local_name(element) in _WHOLE),
        open_elements[-1],
    )
    unfinished_text = element_text(unfinished) if local_name(unfinished) in _WHOLE else ""
    for child in list(unfinished) if local_name(unfinished) in _WHOLE else ():
        unfinished.remove(child)
    ends = [match.end() for match in _SENTENCE.finditer(unfinished_text)]
    if len(unfinished):
        unfinished[-1].tail = ""
    else:
        unfinished.text = unfinished_text[: ends[-1]] if ends else ""
    return _shallow(open_elements[0])


def _shallow(root: Element) -> Element:
    """The same root. Raises InputError when elements nest deeper than any writer of papers nests
    them.
    """
    level, deep = [root], 0
    while level:
        deep += 1
        if deep > MOST_DEEP:
            raise InputError(
                f"The XML is nested more than {MOST_DEEP} levels deep.",
                "Download or save it again.",
            )
        level = [child for element in level for child in element]
    return root


def _repairs(text: str) -> Iterator[str]:
    """The text as it is, then without prefixes that nobody declared, then without HTML that was
    never closed: superscripts are the last to go, and leave a `^`.
    """
    yield text
    text = _PREFIXED.sub(r"\1\2", _PREFIXED_NAME.sub(r" \1=", text))
    yield text
    if "<PubmedArticle" in text:
        text = _HTML.sub(lambda tag: tag[0] if tag[0][-4:-1] in ("sup", "sub") else _tag(tag), text)
        yield text
        yield _HTML.sub(_tag, re.sub(r"(?<=[\w)])<sup>(?=[-−–+]?\d)", "^", text))


def clean_xml(text: str) -> str:
    """Without DTD, control characters and named entities that XML itself does not know. Raises
    InputError for more tags than any paper has, before memory is given to each.
    """
    text = text.lstrip("\ufeff \t\r\n")
    if text.count("<") > MOST_TAGS:
        raise InputError(
            f"The XML has more than {MOST_TAGS:,} tags.", "Split it, or save its text."
        )
    if _DECLARED.search(text):
        raise InputError(
            "The XML declares its own entities, which are not read.", "Save it without them."
        )
    if doctype := _DOCTYPE.search(text):
        text = text[: doctype.start()] + text[doctype.end() :]
    text = _CONTROL.sub(" ", text)
    return _ENTITY.sub(_entity, _LESS.sub("&lt;", text))


def _entity(entity: re.Match[str]) -> str:
    letters = html.unescape(entity[0])
    return html.escape(letters, quote=False) if letters != entity[0] else "&amp;" + entity[1]


def element_text(element: Element | None, without: tuple[str, ...] = ()) -> str:
    """All text of an element in order, superscripts and subscripts on the line (`10^6`); elements
    named in `without` left out.
    """
    if element is None:
        return ""
    parts: list[str] = []
    _collect(element, without, parts)
    return script.marks_written_out("".join(parts))


def script_marks(element: Element) -> tuple[str, str]:
    """What stands around the words of a superscript or subscript (TEI: `hi`) while a text is
    gathered; nothing around others.
    """
    name = local_name(element)
    rend = (element.get("rend") or "").casefold() if name == "hi" else ""
    if name == "sup" or rend.startswith("sup"):
        return script.RAISED
    if name in ("sub", "inf") or rend.startswith("sub"):
        return script.LOWERED
    return ("", "")


def _collect(element: Element, without: tuple[str, ...], parts: list[str]) -> None:
    name = local_name(element)
    if name in without or name in _NEVER:
        return
    if name == "math":
        parts.append(formula.plain_mathml(element))
    elif name == "tex-math":
        parts.append(formula.tex_body("".join(element.itertext())))
    elif name in ("break", "br", "hr"):
        parts.append(" ")
    elif name == "alternatives":
        for child in formula.best_alternative(element):
            _collect(child, without, parts)
    else:
        begin, end = script_marks(element)
        parts.append(begin + (element.text or ""))
        for child in element:
            _collect(child, without, parts)
            parts.append(child.tail or "")
        parts.append(end)


def local_name(element: Element) -> str:
    """A tag without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def without_namespaces(root: Element) -> None:
    for element in root.iter():
        if isinstance(element.tag, str) and "}" in element.tag:
            element.tag = local_name(element)


def unescape_html(text: str) -> str:
    """Text in which a source left HTML, escaped once too often: tags gone, entities read; the marks
    of superscripts written out.
    """
    if "&" in text:
        text = html.unescape(text)
    return script.marks_written_out(_HTML.sub(_tag, script.mark_tags(text)))


def _tag(tag: re.Match[str]) -> str:
    return " " if re.match(r"</?(?:p|br|div|li|h\d)", tag[0], re.I) else ""


def decode_xml(raw: bytes, charset: str = "") -> str:
    """Text of an XML file: by its byte order mark or declaration (or `charset`, as HTML has it),
    else UTF-8, else Windows-1252.
    """
    if raw[:4].startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    declared = re.match(rb"\s*(?:\xef\xbb\xbf)?<\?xml[^>]*encoding=[\"']([\w.-]+)", raw[:200])
    for encoding in (
        declared[1].decode("ascii") if declared else charset,
        "utf-8-sig",
        "cp1252",
        "latin-1",
    ):
        try:
            if encoding:
                text = raw.decode(
                    "utf-8-sig" if encoding.casefold() in ("utf-8", "utf8") else encoding
                )
                return re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
        except (LookupError, UnicodeDecodeError):
            continue
    return raw.decode("utf-8", "replace")
