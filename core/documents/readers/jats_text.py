"""The words of a part of a JATS article: paragraphs in order, with what stands inside them kept
apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from core.documents.readers import formula
from core.documents.readers.cell_grid import SourceCell, TableGrid, grid_of_cells
from core.documents.readers.xml import element_text, local_name, script_marks, unescape_html

_LEFT_OUT = (
    "ref-list",
    "graphic",
    "inline-graphic",
    "permissions",
    "contrib-group",
    "kwd-group",
    "sec-meta",
    "processing-meta",
    "attrib",
    "related-article",
    "custom-meta-group",
)
_BLOCKS = (
    "p",
    "title",
    "subtitle",
    "sec",
    "list",
    "list-item",
    "def-list",
    "def-item",
    "term",
    "def",
    "disp-quote",
    "table",
    "boxed-text",
    "fig",
    "table-wrap",
    "caption",
    "fn",
    "statement",
    "speech",
    "verse-group",
    "verse-line",
    "preformat",
    "code",
    "app",
    "disp-formula-group",
    "chem-struct-wrap",
    "question",
    "answer",
    "supplementary-material",
    "media",
    "table-wrap-foot",
    "abstract",
    "trans-abstract",
    "ack",
    "notes",
    "glossary",
    "fn-group",
    "label",
)
_APART = (
    "fig",
    "fig-group",
    "table-wrap",
    "table-wrap-group",
    "boxed-text",
    "supplementary-material",
    "media",
    "fn",
)
_LABELLED = (
    "fig",
    "table-wrap",
    "boxed-text",
    "supplementary-material",
    "statement",
    "disp-formula",
)
_BREAK = "\x1e"
_SIGN = re.compile(r"[\s*†‡§¶‖#]+")
_NUMBERS = re.compile(r"[\[(]?[\d\s,;–‐-]+[\])]?")
_NOTES = ("fn", "table-fn", "aff", "corresp", "author-notes")


def line(element: Element | None) -> str:
    """An element's words on one line; footnotes and what stands apart left out."""
    return " ".join(unescape_html(element_text(element, (*_LEFT_OUT, *_APART))).split())


def text_of(part: Element, without: tuple[str, ...] = (), top: bool = True) -> str:
    """Paragraphs, captions, lists, tables and formulas of a part, empty lines between them;
    headings of sub-sections kept, the part's own (`top`) left out. Figures and notes inside a
    paragraph follow it.
    """
    pieces: list[str] = []
    for child in part if top else [part]:
        name = local_name(child)
        if name in without or (top and name in ("title", "label")):
            continue
        _walk(child, pieces, None, local_name(part))
        pieces.append(child.tail or "") if top else None
    pieces.insert(0, (part.text or "") if top else "")
    blocks = (" ".join(unescape_html(block).split()) for block in "".join(pieces).split(_BREAK))
    return "\n\n".join(block for block in blocks if block)


def _walk(element: Element, pieces: list[str], apart: list[Element] | None, parent: str) -> None:
    name = local_name(element)
    if name in _LEFT_OUT or (name == "label" and parent not in _LABELLED):
        return
    if apart is not None and name in _APART:
        apart.append(element)
    elif name == "alternatives":
        for child in formula.best_alternative(element):
            _walk(child, pieces, apart, parent)
    elif name in ("table", "tgroup"):
        pieces.append(_BREAK + _BREAK.join(table_grid(element).lines()) + _BREAK)
    elif name == "disp-formula" and apart is not None:
        pieces.append(f" {element_text(element, ('label',))} ")  # a part of the sentence around it
    elif name in ("math", "tex-math", "break"):
        pieces.append(element_text(element))
    elif name not in ("annotation", "object-id", "index-term", "alt-text", "long-desc"):
        _within(element, pieces, apart, name)


def _within(element: Element, pieces: list[str], apart: list[Element] | None, name: str) -> None:
    block = _BREAK if name in _BLOCKS or (name == "disp-formula" and apart is None) else ""
    inside: list[Element] | None = [] if name == "p" and apart is None else apart
    begin, end = script_marks(element)
    pieces.append(block + begin + (element.text or ""))
    for child in element:
        _walk(child, pieces, inside, name)
        pieces.append(child.tail or "")
    pieces.append(end + block)
    if name == "p" and apart is None:
        for formula in inside or ():
            _walk(formula, pieces, None, name)


def table_grid(table: Element) -> TableGrid:
    """The rows and columns of a table in HTML's way (`tr`) or in OASIS's (`row`)."""
    parts = {"thead": list[list[SourceCell]](), "": list[list[SourceCell]]()}
    columns = [spec.get("colname") or "" for spec in table.iter("colspec")]
    for part in [table, *table.iter("tgroup")] if local_name(table) == "table" else [table]:
        for child in part:
            name = local_name(child)
            rows = parts["thead" if name == "thead" else ""]
            if name in ("tr", "row"):
                rows.append([_cell(cell, columns) for cell in child])
            elif name in ("thead", "tbody", "tfoot"):
                own = [[_cell(cell, columns) for cell in row] for row in child if len(row)]
                rows += _within_part(own)
    return grid_of_cells(parts[""], parts["thead"])


def _within_part(rows: list[list[SourceCell]]) -> list[list[SourceCell]]:
    """Cells that end with the part of the table in which they stand."""
    return [
        [replace(cell, rows=min(cell.rows or len(rows), len(rows) - at)) for cell in row]
        for at, row in enumerate(rows)
    ]


def _cell(cell: Element, columns: Sequence[str]) -> SourceCell:
    first, last = cell.get("namest") or "", cell.get("nameend") or ""
    wide = _number(cell.get("colspan"), 1)
    if first in columns and last in columns:
        wide = columns.index(last) - columns.index(first) + 1
    tall = _number(cell.get("rowspan"), 1) + _number(cell.get("morerows"), 0)
    words = text_of(cell, top=False).replace("\n\n", " ")
    strong = bool(words) and not any(text.strip() for text in _plain_words(cell))
    return SourceCell(words, tall, max(1, wide), head=local_name(cell) == "th", strong=strong)


def _plain_words(element: Element) -> Iterator[str]:
    """The words of an element that are set neither bold nor italic."""
    yield element.text or ""
    for child in element:
        if local_name(child) not in ("bold", "b", "italic", "i", "strong"):
            yield from _plain_words(child)
        yield child.tail or ""


def _number(words: str | None, otherwise: int) -> int:
    return int(words) if words and words.isdecimal() and len(words) < 6 else otherwise


def drop_reference_marks(article: Element) -> None:
    """Numbers of references and signs of footnotes that stand right after a word, or in
    superscript, are no part of the text; numbers in brackets of their own after a blank are.
    """
    for parent in article.iter():
        before, dropped = parent.text or "", None
        in_brackets = False
        for child in parent:
            between = child.tail or ""
            in_brackets = _in_brackets(before, in_brackets)
            if not in_brackets and (
                _is_mark(child, before) or (dropped is not None and _is_comma(child))
            ):
                if dropped is not None and re.fullmatch(r"[\s,;–‐-]*", dropped.tail or ""):
                    dropped.tail = ""
                child.clear()
                child.tail, dropped = between, child
                if between.startswith(_ENDING):
                    _close_gap(parent, child)
                before = between or before
            else:
                before, dropped = between or element_text(child) or before, None


def _close_gap(parent: Element, dropped: Element) -> None:
    """No blank is left before the sign that follows what was dropped: "as shown <xref/>."."""
    children = list(parent)
    for child in reversed(children[: children.index(dropped)]):
        if child.tail:
            child.tail = child.tail.rstrip()
        if child.tail or len(child) or child.text:
            return
    parent.text = (parent.text or "").rstrip()


def _is_comma(child: Element) -> bool:
    """A raised comma or dash between two marks: `<sup>,</sup>`."""
    raised = local_name(child) == "sup"
    return raised and re.fullmatch(r"[\s,;–‐-]+", element_text(child)) is not None


def _in_brackets(text: str, open_before: bool) -> bool:
    """Whether a bracket is open after `text`: `[21,` of [21,22], whose numbers all stay."""
    opened, closed = max(map(text.rfind, "[(")), max(map(text.rfind, "])"))
    return opened > closed if max(opened, closed) >= 0 else open_before


def _is_mark(child: Element, before: str) -> bool:
    name = local_name(child)
    marks = [child] if name == "xref" else list(child) if name == "sup" else []
    if not marks or any(local_name(mark) != "xref" for mark in marks):
        return False
    mark_text = element_text(child).strip()
    if _SIGN.fullmatch(mark_text):
        return True
    kinds = {mark.get("ref-type") for mark in marks}
    if kinds == {"bibr"}:
        return bool(_NUMBERS.fullmatch(mark_text)) and (
            name == "sup" or _is_raised(child) or before[-1:].isalnum() or before[-1:] in _GLUE
        )
    return kinds <= {*_NOTES} and len(mark_text) <= 3


def _is_raised(child: Element) -> bool:
    """Whether all that an element holds is in superscript."""
    is_only = len(child) == 1 and not (child.text or child[0].tail or "").strip()
    return is_only and local_name(child[0]) == "sup"


_ENDING = (".", ",", ";", ":")
_GLUE = (".", ",", ")", ";", "”", '"')
