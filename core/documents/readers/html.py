"""Web pages of papers: the words that a reader sees, by headings; what runs, hides or leads
elsewhere is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from core.documents.doi import doi_in_field
from core.documents.heading import ids_on_own_lines, is_references
from core.documents.ledger import SourcePiece
from core.documents.paper import CAPTION, FULL_TEXT, REFERENCES, Paper, PaperSection, with_ledger
from core.documents.readers.cell_grid import SourceCell, grid_of_cells, table_section
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.xml import decode_xml, unescape_html
from core.documents.reference_list import references_apart
from core.errors import InputError
from core.text.script import LOWERED, RAISED, marks_written_out

# Never shown, or no words of the paper: scripts, menus, forms, buttons.
_HIDDEN = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "button",
        "select",
        "textarea",
        "form",
        "nav",
        "header",
        "footer",
        "aside",
        "iframe",
        "object",
        "canvas",
        "dialog",
        "head",
    ]
)
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "figure",
        "figcaption",
        "blockquote",
        "pre",
        "caption",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "body",
    ]
)
_ENDED_BY = {  # a start tag → the open elements that it ends
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
    "option": ("option",),
}
_HEADING = re.compile(r"h([1-6])")
_OF_TABLES = ("thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup")
_META = {
    "citation_title": "title",
    "dc.title": "title",
    "og:title": "title",
    "citation_doi": "doi",
    "dc.identifier": "doi",
    "citation_pmid": "pmid",
    "citation_journal_title": "journal",
    "citation_volume": "volume",
    "citation_issue": "issue",
    "citation_firstpage": "first page",
    "citation_lastpage": "last page",
    "citation_publication_date": "year",
    "citation_date": "year",
}
MOST_DEEP = 400


@dataclass(slots=True)
class _Part:
    name: str
    kind: str = ""
    pieces: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Cell:
    rows: int = 1
    columns: int = 1
    head: bool = False
    strong: bool = True  # until words in plain letters come
    pieces: list[str] = field(default_factory=list)

    def source_cell(self) -> SourceCell:
        words = " ".join(marks_written_out("".join(self.pieces)).split())
        return SourceCell(words, self.rows, self.columns, self.head, strong=self.strong)


@dataclass(slots=True)
class _Table:
    caption: list[str] = field(default_factory=list)
    head: list[list[_Cell]] = field(default_factory=list)
    body: list[list[_Cell]] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  # words in no cell
    in_head: bool = False

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        rows = self.head if self.in_head else self.body
        if tag in ("thead", "tbody", "tfoot"):
            self.in_head = tag == "thead"
        elif tag == "tr":
            rows.append([])
        elif tag in ("td", "th"):
            if not rows:
                rows.append([])
            tall, wide = _span(attributes.get("rowspan", "")), _span(attributes.get("colspan", ""))
            rows[-1].append(_Cell(tall, wide, head=tag == "th"))

    def append(self, words: str, tags: Sequence[str]) -> None:
        rows = self.head if self.in_head else self.body
        if "caption" in tags:
            self.caption.append(words)
        elif not {"td", "th"} & set(tags) or not rows or not rows[-1]:
            self.loose.append(words)
        else:
            rows[-1][-1].pieces.append(words)
            rows[-1][-1].strong &= not words.strip() or bool(_STRONG & set(tags))

    def section(self) -> PaperSection:
        head, body = (
            [[cell.source_cell() for cell in row] for row in rows]
            for rows in (self.head, self.body)
        )
        lines = [*_text(self.loose).split("\n\n"), *grid_of_cells(body, head).lines()]
        return table_section("", _text(self.caption).split("\n\n"), filter(None, lines))


_STRONG = frozenset(("b", "strong"))


def _span(words: str) -> int:
    return int(words) if words.isdecimal() and len(words) < 6 else 1


class _Page(HTMLParser):
    """Gathers parts by their headings; `<article>` or `<main>`, where there is one, is the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.meta: dict[str, str] = {}
        self.authors: list[str] = []
        self.title = ""
        self.pieces: list[SourcePiece] = []  # every text of the page
        self.heading = ""  # the first h1
        self.parts = [_Part("")]
        self.tables, self.captions = list[PaperSection](), _Part("Figures", CAPTION)
        self._tables: list[_Table] = []  # those that are open, a table in a cell of another last
        self._open: list[str] = []
        self._hidden = 0  # how many open elements hide what is in them
        self._in_title = False
        self._line: list[str] | None = None  # the words of a heading while it is open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "meta":
            self._note(values)
        if tag == "title" and "svg" not in self._open:
            self._in_title = True
        if tag in _VOID:
            if tag in ("br", "hr") and not self._hidden:
                self._append_words(" ")
            return
        self._close_implied(tag)
        if len(self._open) >= MOST_DEEP:
            return
        self._open.append(tag)
        if tag in _HIDDEN or "hidden" in values or values.get("aria-hidden") == "true":
            self._open[-1] = f"{tag}\0"
            self._hidden += 1
        elif not self._hidden:
            self._begin(tag, values)

    def _close_implied(self, tag: str) -> None:
        """End tags that HTML lets writers leave out: a block ends a paragraph, a row a cell."""
        last_tag = self._open[-1].rstrip("\0") if self._open else ""
        if (last_tag == "p" and tag in _BLOCKS) or last_tag in _ENDED_BY.get(tag, ()):
            self.handle_endtag(last_tag)

    def _begin(self, tag: str, values: dict[str, str]) -> None:
        if tag == "table":
            self._append_words("\n\n")
            self._tables.append(_Table())
        elif self._tables and tag in _OF_TABLES:
            self._tables[-1].begin(tag, values)
        elif tag in ("sup", "sub"):
            self._append_words((RAISED if tag == "sup" else LOWERED)[0])
        elif _HEADING.fullmatch(tag):
            self._line = []
        elif tag in _BLOCKS:
            self._append_words("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        open_names = [name.rstrip("\0") for name in self._open]
        if tag not in open_names:
            return
        while self._open:
            name = self._open.pop()
            if name.endswith("\0"):
                self._hidden -= 1
            elif not self._hidden:
                self._end(name)
            if name.rstrip("\0") == tag:
                return

    def _end(self, tag: str) -> None:
        if tag == "table" and self._tables:
            self._close_table()
        elif tag in ("sup", "sub"):
            self._append_words((RAISED if tag == "sup" else LOWERED)[1])
        elif (level := _HEADING.fullmatch(tag)) and self._line is not None:
            words, self._line = " ".join(marks_written_out("".join(self._line)).split()), None
            self._headed(words, int(level[1]))
        elif tag in _BLOCKS:
            self._append_words("\n\n")

    def _close_table(self) -> None:
        section = self._tables.pop().section()
        if section.text:
            self.tables.append(section)

    def close(self) -> None:
        super().close()
        while self._tables:
            self._close_table()

    def _headed(self, words: str, level: int) -> None:
        if level == 1 and not self.heading and words:
            self.heading = words
            self.parts = [_Part("")]  # what stands before the title is the site's
        elif words and level <= 2:
            self.parts.append(_Part(words, REFERENCES if is_references(words) else ""))
        elif words:
            self._append_words(f"\n\n{words}\n\n")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.pieces.append(SourcePiece(data, self._reason()))
        if self._in_title:
            self.title += data
        elif not self._hidden:
            self._append_words(data)

    def _reason(self) -> str:
        """Why words may be missing from what is read."""
        if self._hidden or self._in_title:
            return "scripts, menus, forms and what is hidden"
        return "" if self.heading or "table" in self._open else "what stands before the title"

    def _append_words(self, words: str) -> None:
        if self._line is not None:
            self._line.append(words)
        elif self._tables:
            inner = (
                len(self._open) - self._open[::-1].index("table") if "table" in self._open else 0
            )
            self._tables[-1].append(words, self._open[inner:])
        elif "figcaption" in self._open:
            self.captions.pieces.append(words)
        else:
            self.parts[-1].pieces.append(words)

    def _note(self, values: dict[str, str]) -> None:
        name = (values.get("name") or values.get("property") or "").casefold()
        content = " ".join(values.get("content", "").split())
        if name == "citation_author" and content:
            self.authors.append(content)
        elif name in _META and content:
            self.meta.setdefault(_META[name], content)


def looks_like_html(head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    start = re.sub(rb"^(?:<\?xml[^>]*\?>|<!--.*?-->|\s)+", b"", start, flags=re.DOTALL)
    return re.match(rb"<!doctype\s+html|<html|<head|<body", start) is not None


def read_html(raw: bytes, id: str, name: str = "") -> Iterator[Paper]:
    """The paper of a page; its ids are those that its meta tags name. Raises InputError for a page
    without words.
    """
    page = _Page()
    page.feed(decode_xml(raw, _charset(raw)))
    page.close()
    sections = (
        *(
            PaperSection(name, "\n\n".join(blocks), kind)
            for part in [*page.parts, page.captions]
            for name, blocks, kind in _apart(part)
            if any(blocks)
        ),
        *page.tables,
    )
    if not any(section.text for section in sections):
        raise InputError(f"{name or 'The page'} shows no text.", "Save the article's page itself.")
    doi = doi_in_field(page.meta.get("doi", "")) or ids_on_own_lines(_text(page.parts[0].pieces))[1]
    pmid = page.meta.get("pmid", "")
    ids = [f"PMID:{int(pmid)}" if re.fullmatch(r"[0-9]{1,9}", pmid) else ""]
    ids += [f"DOI:{doi.lower()}" if doi else ""]
    ids = [paper_id for paper_id in ids if paper_id] or [id]
    title = page.meta.get("title") or page.heading or " ".join(page.title.split())
    year = re.search(r"\d{4}", page.meta.get("year", ""))
    paper = Paper(
        ids[0],
        " ".join(unescape_html(title).split()),
        sections,
        kind=FULL_TEXT,
        ids=tuple(ids),
        year=year[0] if year else "",
        journal=page.meta.get("journal", ""),
        authors=tuple(page.authors),
        doi=doi,
        volume=known_place(page.meta.get("volume", "")),
        issue=known_place(page.meta.get("issue", "")),
        pages=page_range(page.meta.get("first page", ""), page.meta.get("last page", "")),
    )
    yield with_ledger(paper, page.pieces)


def _apart(part: _Part) -> Iterable[tuple[str, list[str], str]]:
    blocks = _text(part.pieces).split("\n\n")
    promised = part.kind == REFERENCES
    return references_apart(part.name, blocks) if promised else ((part.name, blocks, part.kind),)


def _charset(raw: bytes) -> str:
    charset = re.search(rb"<meta[^>]{0,200}charset=[\"']?([\w.-]+)", raw[:4000], re.IGNORECASE)
    return charset[1].decode("ascii") if charset else ""


def _text(pieces: list[str]) -> str:
    """Paragraphs with an empty line between them."""
    joined = marks_written_out("".join(pieces))
    blocks = (" ".join(block.split()) for block in re.split(r"\n\s*\n", joined))
    return "\n\n".join(block for block in blocks if block)
