"""Word documents (Office Open XML): paragraphs by their styles, tables and footnotes apart, scripts
and formulas on the line; endnotes are taken for references.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.documents.heading import ids_on_own_lines, is_references
from core.documents.ledger import SourcePiece
from core.documents.paper import CAPTION, REFERENCES, TEXT, Paper, PaperSection, with_ledger
from core.documents.readers.cell_grid import SourceCell, grid_of_cells, table_section
from core.documents.readers.formula import bracketed_part
from core.documents.readers.plain_text import HEADINGS
from core.documents.readers.xml import parse_element, without_namespaces
from core.documents.reference_list import references_apart, references_end
from core.errors import InputError
from core.text.script import lowered_mark, marks_written_out, raised_mark

MOST_BYTES = 60_000_000  # of the text's XML, unpacked
_TITLE = re.compile(r"title", re.IGNORECASE)
# Word names its heading styles in the author's language: "heading 1", "Überschrift 2"
_HEADING = re.compile(r"(?:heading|überschrift|titre|berschrift)\s*(\d)", re.IGNORECASE)
_OF_TABLE = re.compile(r"tab(?:le|elle|leau)\b", re.IGNORECASE)  # a caption above a table
_CAPTION = re.compile(r"caption|beschriftung|l[ée]gende", re.IGNORECASE)


def looks_like_docx(head: bytes, name: str) -> bool:
    return name.endswith(".docx") and not head.startswith(b"%PDF-")


def read_docx(raw: bytes, id: str, name: str = "") -> Iterator[Paper]:
    """The paper of a document. Raises InputError for one that is damaged, locked or without
    words.
    """
    main, footnotes, endnotes = roots = _xml_parts(raw, name)
    body = main.find("body") if main is not None else None
    title, parts, tables = "", [("", "", list[str]())], list[PaperSection]()
    captions: list[str] = []
    for child in body if body is not None else ():
        if child.tag == "tbl" and (lines := _table(child)):
            name = captions.pop() if captions and _OF_TABLE.match(captions[-1]) else ""
            tables.append(table_section(name, (), lines))
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
    sections = [
        PaperSection(name, "\n\n".join(texts), kind)
        for heading, promised, paragraphs in parts
        for name, texts, kind in (
            references_apart(heading, paragraphs) if promised else ((heading, paragraphs, ""),)
        )
        if texts
    ]
    sections += (
        [PaperSection("Figures and tables", "\n\n".join(captions), CAPTION)] if captions else []
    )
    sections += tables
    if not sections and not title:
        raise InputError(f"{name or 'The document'} contains no text.")
    if not title and parts[0][2] and len(parts[0][2][0]) <= 300:
        title = parts[0][2][0]
        other_paragraphs = "\n\n".join(parts[0][2][1:])
        sections = [
            *([PaperSection("", other_paragraphs)] if other_paragraphs else []),
            *sections[1:],
        ]
    for heading, root in (("Footnotes", footnotes), ("Endnotes", endnotes)):
        notes = [words for p in root.iter("p") if (words := _words(p))] if root is not None else []
        kind = REFERENCES if root is endnotes and references_end(notes) else ""
        sections += [PaperSection(heading, "\n\n".join(notes), kind)] if notes else []
    ids, doi = ids_on_own_lines("\n".join(parts[0][2]), id)
    paper = Paper(ids[0], title, tuple(sections), kind=TEXT, ids=ids, doi=doi)
    yield with_ledger(paper, (piece for root in roots for piece in _pieces(root)))


def _pieces(root: Element | None) -> Iterator[SourcePiece]:
    """Every text of a part of the file; words that tracked changes delete may be missing."""
    for element in root.iter() if root is not None else ():
        if element.tag in ("t", "delText", "instrText"):
            reason = "" if element.tag == "t" else "deleted words and codes of fields"
            yield SourcePiece(element.text or "", reason)


def _xml_parts(raw: bytes, name: str) -> list[Element | None]:
    """The XML of the text, the footnotes and the endnotes, which may be absent."""
    file_name = name or "The document"
    texts, room = list[bytes](), MOST_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
            for part in ("document", "footnotes", "endnotes"):
                path = f"word/{part}.xml"
                if part != "document" and path not in names:
                    texts.append(b"")
                    continue
                with archive.open(path) as stream:
                    texts.append(stream.read(room + 1))
                room -= len(texts[-1])
    except (zipfile.BadZipFile, KeyError, RuntimeError, OSError, ValueError, EOFError) as error:
        raise InputError(
            f"{file_name} cannot be read as a Word document.",
            "Save it again as .docx or as text.",
        ) from error
    except Exception as error:  # zlib's own error has no common base
        raise InputError(f"{file_name} is damaged.", "Save it again as .docx.") from error
    if room < 0:
        raise InputError(
            f"The text in {file_name} unpacks to more than {MOST_BYTES / 1e6:,.0f} MB.",
            "Save its text alone, or split it.",
        )
    roots = [parse_element(text.decode("utf-8", "replace")) if text else None for text in texts]
    for root in (root for root in roots if root is not None):
        without_namespaces(root)
        _write_formulas(root)
    return roots


def _write_formulas(root: Element) -> None:
    """Put the signs of formulas into their texts: `a/b`, `x^2`, `√x`; inner ones first."""
    for math in root.iter("oMath"):
        for part in reversed(list(math.iter())):
            if part.tag in _SIGNS:
                _enclose(part, _SIGNS[part.tag], group=True)
            elif part.tag in ("sSub", "sSubSup") and (base := part.find("e")) is not None:
                lower = part.find("sub")
                if lower is not None and _text(base)[-1:].isdigit():
                    _enclose(lower, "_")
            elif part.tag == "d":
                _enclose(part, _value(part, "dPr/begChr", "("), _value(part, "dPr/endChr", ")"))
            elif part.tag == "nary":
                _enclose(part, _value(part, "naryPr/chr", "∫"))
            elif part.tag == "rad" and (radicand := part.find("e")) is not None:
                _enclose(radicand, "√", group=True)


_SIGNS = {"num": "", "den": "/", "sup": "^"}


def _enclose(part: Element, before: str, after: str = "", group: bool = False) -> None:
    texts = list(part.iter("t"))
    if not texts:
        return
    whole = _text(part).strip()
    if group and bracketed_part(whole) != whole:
        before, after = f"{before}(", f"){after}"
    texts[0].text = before + (texts[0].text or "")
    texts[-1].text = (texts[-1].text or "") + after


def _text(part: Element) -> str:
    return "".join(text.text or "" for text in part.iter("t"))


def _value(part: Element, path: str, default: str) -> str:
    sign = part.find(path)
    return next(iter(sign.attrib.values()), "") if sign is not None else default


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
            words = raised_mark(words)
        elif words and value == "subscript":
            words = lowered_mark(words)
        pieces.append(words)
    return " ".join(marks_written_out("".join(pieces)).split())


def _piece(child: Element) -> str:
    if child.tag == "t":
        return child.text or ""
    return {"tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-"}.get(child.tag, "")


def _table(table: Element) -> list[str]:
    """The lines of a table: merged cells are spread, rows that repeat on each page are its head."""
    rows: list[list[SourceCell]] = []
    open_cells: dict[int, int] = {}  # the column of a merged cell → its place in `rows`
    head = 0
    for row in table.iterfind("tr"):
        cells, at = list[SourceCell](), 0
        for cell in row.iterfind("tc"):
            wide = _whole_number(_value(cell, "tcPr/gridSpan", "1"))
            merged = cell.find("tcPr/vMerge")
            goes_on = merged is not None and "restart" not in merged.attrib.values()
            words = " ".join(filter(None, (_words(p) for p in cell.iter("p"))))
            if goes_on and at in open_cells:
                words = rows[-1][open_cells[at]].text
            open_cells[at] = len(cells)
            cells.append(SourceCell(words, columns=wide, strong=_is_bold(cell)))
            at += wide
        if row.find("trPr/tblHeader") is not None and head == len(rows):
            head += 1
        rows.append(cells)
    return grid_of_cells(rows[head:], rows[:head]).lines() if head < len(rows) else []


def _whole_number(words: str) -> int:
    return int(words) if words.isdecimal() and len(words) < 6 else 1


def _is_bold(cell: Element) -> bool:
    runs = [run for run in cell.iter("r") if any((t.text or "").strip() for t in run.iter("t"))]
    return bool(runs) and all(run.find("rPr/b") is not None for run in runs)
