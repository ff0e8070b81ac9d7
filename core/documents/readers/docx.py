"""Word documents (Office Open XML): paragraphs by their styles, tables apart, scripts on the
line.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.documents.heading import doi_on_own_line, is_references
from core.documents.paper import CAPTION, REFERENCES, TABLE, TEXT, Paper, PaperSection
from core.documents.readers.plain_text import HEADINGS
from core.documents.readers.xml import parse_element, without_namespaces
from core.errors import InputError
from core.text.script import lowered, on_line, raised

MOST_BYTES = 60_000_000  # of the text's XML, unpacked
_TITLE = re.compile(r"title", re.IGNORECASE)
# Word names its heading styles in the author's language: "heading 1", "Überschrift 2"
_HEADING = re.compile(r"(?:heading|überschrift|titre|berschrift)\s*(\d)", re.IGNORECASE)
_CAPTION = re.compile(r"caption|beschriftung|l[ée]gende", re.IGNORECASE)


def looks_like_docx(head: bytes, name: str) -> bool:
    return name.endswith(".docx") and not head.startswith(b"%PDF-")


def read_docx(raw: bytes, id: str, name: str = "") -> Iterator[Paper]:
    """The paper of a document. Raises InputError for one that is damaged, locked or without
    words.
    """
    root = _document(raw, name)
    without_namespaces(root)
    body = root.find("body")
    title, parts, tables = "", [("", "", list[str]())], list[str]()
    captions: list[str] = []
    for child in body if body is not None else ():
        if child.tag == "tbl":
            tables.append(_table(child))
        if child.tag != "p" or not (text := _words(child)):
            continue
        style = _style(child)
        level = _HEADING.match(style)
        usual = HEADINGS.match(text) if len(text) < 80 else None
        if _TITLE.fullmatch(style) and not title:
            title = text
        elif _CAPTION.fullmatch(style):
            captions.append(text)
        elif (level and int(level[1]) <= 1) or usual:
            parts.append((text, REFERENCES if is_references(text) else "", []))
        else:
            parts[-1][2].append(text)
    sections = [PaperSection(n, "\n\n".join(texts), kind) for n, kind, texts in parts if texts]
    sections += (
        [PaperSection("Figures and tables", "\n\n".join(captions), CAPTION)] if captions else []
    )
    sections += [PaperSection("Tables", "\n\n".join(tables), TABLE)] if tables else []
    if not sections and not title:
        raise InputError(f"{name or 'The document'} contains no text.")
    if not title and parts[0][2] and len(parts[0][2][0]) <= 300:
        title = parts[0][2][0]
        other_paragraphs = "\n\n".join(parts[0][2][1:])
        sections = [
            *([PaperSection("", other_paragraphs)] if other_paragraphs else []),
            *sections[1:],
        ]
    doi = doi_on_own_line("\n".join(parts[0][2]))
    own = f"DOI:{doi.lower()}" if doi else id
    yield Paper(own, title, tuple(sections), TEXT, (own,), doi=doi)


def _document(raw: bytes, name: str) -> Element:
    file_name = name or "The document"
    try:
        with (
            zipfile.ZipFile(io.BytesIO(raw)) as archive,
            archive.open("word/document.xml") as stream,
        ):
            inside = stream.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, KeyError, RuntimeError, OSError, ValueError, EOFError) as error:
        raise InputError(
            f"{file_name} cannot be read as a Word document.",
            "Save it again as .docx or as text.",
        ) from error
    except Exception as error:  # zlib's own error has no common base
        raise InputError(f"{file_name} is damaged.", "Save it again as .docx.") from error
    if len(inside) > MOST_BYTES:
        raise InputError(
            f"The text in {file_name} unpacks to more than {MOST_BYTES / 1e6:,.0f} MB.",
            "Save its text alone, or split it.",
        )
    return parse_element(inside.decode("utf-8", "replace"))


def _style(paragraph: Element) -> str:
    style = paragraph.find("pPr/pStyle")
    values = style.attrib.values() if style is not None else ()
    return next((re.sub(r"(?<=[a-z])(?=\d)", " ", value) for value in values), "")


def _words(paragraph: Element) -> str:
    """A paragraph on a line; deleted words of tracked changes are left out."""
    pieces = []
    for run in paragraph.iter("r"):
        words = "".join(_piece(child) for child in run)
        level = run.find("rPr/vertAlign")
        value = next(iter(level.attrib.values()), "") if level is not None else ""
        if words and value == "superscript":
            words = raised(words)
        elif words and value == "subscript":
            words = lowered(words)
        pieces.append(words)
    return " ".join(on_line("".join(pieces)).split())


def _piece(child: Element) -> str:
    if child.tag == "t":
        return child.text or ""
    return {"tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-"}.get(child.tag, "")


def _table(table: Element) -> str:
    rows = (
        " | ".join(" ".join(_words(p) for p in cell.iter("p")) for cell in row.iter("tc"))
        for row in table.iter("tr")
    )
    return "\n\n".join(row for row in rows if row.strip(" |"))
