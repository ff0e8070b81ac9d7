"""From the lines of a PDF to a paper: title, DOI, sections; references, captions, tables and the
publisher's lines set apart; running heads and page numbers left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.documents.doi import DOI_IN_TEXT
from core.documents.ledger import SourcePiece
from core.documents.paper import CAPTION, CELLS, FRONT, REFERENCES, PaperSection
from core.documents.readers.cell_grid import table_section
from core.documents.readers.pdf_page import PageLine
from core.documents.readers.pdf_table import read_table_lines
from core.documents.readers.plain_text import HEADINGS
from core.documents.reference_list import densest_list, references_apart
from core.text.phrases import phrases

COLUMN_JUMP = 0.1  # share of a page: a line so far above the one before is of the next column
LONGEST_NAME = 80  # characters of a caption that names the cells of its table
EDGE = 0.09  # share of a page at its top and foot in which running heads stand
_DOI = re.compile(rf"\b({DOI_IN_TEXT})")
# "2. Materials", "2.1 Animals": a heading where the line is bold or larger as well.
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+[A-Z\u0391-\u03a9][^.!?]{2,90}")
# "Figure 2" and "Table S1" begin a caption; "Fig. 2, left" is a mention in a sentence
_CAPTION = re.compile(r"(?:Fig(?:ure|\.)?|FIGURE|Table|TABLE|Scheme|Box)\s*S?\d+\b(?!\s*[,)])")
_SPACED = re.compile(r"(?:[A-Za-z] ){3,}[A-Za-z]")
# What a publisher sets around the text of the first page: addresses, dates, licences.
_INFORMATION = phrases(
    {
        "University|Department|Institut|Faculty|Hospital|School of|Laborator": "Leiden University",
        "Received|Accepted|Published|Revised": "Received 3 May 2020",
        "Copyright|Creative Commons|licen[cs]e|Open Access": "Under a Creative Commons licence",
        "Correspond|Tel|Fax|E-?mail": "Tel. 0123",
        "Academic Editor|Edited by|Reviewed by": "Edited by A. Miller",
        "doi|www|https?|Citation|Volume|Article ID": "Volume 12",
    },
    also={"@|©": "a.miller@example.org"},
)
# A label above the title that is no title: "Original Research Article", "Review"
_KIND = phrases(
    {
        "research|review|case|communication": "Original Research Article",
        "letter|article|report": "Short Report",
    },
    before="^(?:original |mini |short |systematic )?",
    after="s?(?: article| paper| report| communication)?(?: open access)?$",
)
# The parts of an abstract, run in before their words.
_LABEL = phrases(
    {
        "Abstract|Background|Introduction": "Background: Asthma is common.",
        "Aims?|Objectives?|Purpose": "Aim: To compare two doses.",
        "(?:Materials? and )?Methods?": "Materials and Methods: We fed mice.",
        "Results?|Findings": "Results: It acts.",
        "Discussion|Conclusions?|Significance": "Conclusions: It acts.",
    },
    before="(",
    after=r"):\s+(?=[A-Z])",
    flags=re.NOFLAG,
)
# "12", "Page 3 of 10"
_PAGE_NUMBER = re.compile(r"(?:page\s+)?\d{1,5}(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE)


@dataclass(slots=True)
class _Part:
    name: str
    kind: str = ""
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PdfLayout:
    """What the lines of a PDF were read as; `doi` as printed, "" where none is."""

    title: str
    doi: str
    sections: tuple[PaperSection, ...]
    pieces: tuple[SourcePiece, ...] = ()  # every line of the file


def lay_out(pages: Sequence[Sequence[PageLine]], stored_title: str = "") -> PdfLayout:
    """`stored_title` is the title in the file's properties, used where the first page shows it."""
    pages, numbers = _without_line_numbers(pages)
    body = _body_size(pages)
    title_lines = _title_lines(pages[0] if pages else (), body)
    title = _title(stored_title, title_lines, pages[0] if pages else ())
    doi = next(
        (doi_in_page for page in pages[:2] if (doi_in_page := doi_of(line.text for line in page))),
        "",
    )
    read = _without_heads(pages)
    kept = {id(line) for page in read for line in page}
    pieces = (
        SourcePiece(part.text, "" if id(line) in kept else "running heads and numbers of pages")
        for page in pages
        for line in page
        for part in line.placed  # cells of a table come to stand behind their headings
    )
    sections = tuple(_sections(read, body, title_lines))
    margin = (SourcePiece(number, "numbers of lines") for number in numbers)
    return PdfLayout(title, doi, sections, (*pieces, *margin))


def doi_of(lines: Iterable[str]) -> str:
    for line in lines:
        if match := _DOI.search(line):
            return match[1].rstrip(".,;:)]}'\u201d")
    return ""


# The number of a line in the margin of a preprint, alone or before the words of its line
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")
LEAST_NUMBERED = 6  # lines in a row, each with the next number, that are numbered on purpose


def _without_line_numbers(
    pages: Sequence[Sequence[PageLine]],
) -> tuple[list[list[PageLine]], list[str]]:
    """Pages without the numbers of their lines, and these: where most lines of a page begin with
    one more than the line before, at one edge.
    """
    read, numbers = list[list[PageLine]](), list[str]()
    for page in pages:
        numbered = _numbered(page)
        alone = sum(page[at].text == number for at, number in numbered.items())
        if len(numbered) < max(LEAST_NUMBERED, (len(page) - alone) // 2):
            read.append(list(page))
            continue
        numbers += numbered.values()
        words = (_without_number(line) if at in numbered else line for at, line in enumerate(page))
        read.append([line for line in words if line.text])
    return read, numbers


def _without_number(line: PageLine) -> PageLine:
    parts = line.parts[1:] if line.parts and _LINE_NUMBER.fullmatch(line.parts[0].text) else ()
    text = _LINE_NUMBER.sub("", line.text, count=1)
    return replace(line, text=text, parts=parts if len(parts) > 1 else ())


def _numbered(page: Sequence[PageLine]) -> dict[int, str]:
    """The places of the lines that go on with the number of the one before."""
    found = {at: m[1] for at, line in enumerate(page) if (m := _LINE_NUMBER.match(line.text))}
    followed = [
        (one, other)
        for one, other in pairwise(found)
        if int(found[other]) == int(found[one]) + 1
        and abs(page[one].left - page[other].left) < 0.03
    ]
    places = {at for pair in followed for at in pair}
    return {at: number for at, number in found.items() if at in places}


def _body_size(pages: Sequence[Sequence[PageLine]]) -> float:
    """The size of most letters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


def _without_heads(pages: Sequence[Sequence[PageLine]]) -> list[list[PageLine]]:
    """Pages without the lines at their edges that come again on other pages, and page numbers."""

    def edge(line: PageLine) -> str:
        outside = line.top < EDGE or line.top > 1 - EDGE
        return re.sub(r"\d+", "#", line.text) if outside else ""

    often = Counter(text for page in pages for text in {edge(line) for line in page} if text)
    least = 2 if len(pages) < 8 else 3
    return [
        [
            line
            for line in page
            if not (text := edge(line))
            or (often[text] < least and not _PAGE_NUMBER.fullmatch(line.text))
        ]
        for page in pages
    ]


def _title_lines(page: Sequence[PageLine], body: float) -> list[PageLine]:
    """The largest lines of the first page that follow each other and are words of a title."""
    groups: list[list[PageLine]] = []
    for line in page:
        if groups and abs(groups[-1][-1].size - line.size) < 0.08 * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    large = []
    for group in groups:
        while group and (_KIND.fullmatch(group[0].text) or len(group[0].text.split()) < 2):
            group = group[1:]
        words = " ".join(line.text for line in group).split()
        if group and len(words) >= 4 and group[0].size > 1.1 * body and group[0].top < 0.65:
            large.append(group)
    return max(large, key=lambda group: group[0].size, default=[])


def _title(stored: str, lines: Sequence[PageLine], page: Sequence[PageLine]) -> str:
    printed = " ".join(line.text for line in lines)
    stored = " ".join(stored.split())
    page_letters = _letters(" ".join(line.text for line in page))
    if len(stored) > 20 and " " in stored and _letters(stored) in page_letters:
        return stored
    return printed or next((line.text for line in page if len(line.text.split()) > 3), "")[:300]


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _sections(
    pages: Sequence[Sequence[PageLine]], body: float, title: Sequence[PageLine]
) -> Iterable[PaperSection]:
    parts = [_Part("")]
    captions, front = _Part("Figures and tables", CAPTION), _Part("Article information", FRONT)
    before: PageLine | None = None
    caption: PageLine | None = None
    listed, tables = _listed(pages), list[_Table]()
    for number, page in enumerate(pages):
        for line in page:
            if id(line) in listed:
                if parts[-1].kind != REFERENCES:
                    parts.append(_Part(_taken_heading(parts[-1]), REFERENCES))
                parts[-1].lines.append(line.text)
                before = caption = None
                continue
            if number == 0 and any(line is page_line for page_line in title):
                continue
            text = _closed(line.text)
            heading = _heading(line, text, body)
            small = line.size < 0.94 * body
            if heading and (heading == "References" or not (caption and small)):
                kind = REFERENCES if re.fullmatch(HEADINGS_OF_REFERENCES, heading, re.I) else ""
                parts.append(_Part(heading, kind))
                before = caption = None
            elif parts[-1].kind == REFERENCES:
                parts[-1].lines.append(text)
            elif _CAPTION.match(text) and (small or line.bold or _apart(before, line)):
                caption = line
                if text.casefold().startswith("table"):
                    tables.append(_Table(text, number))
                else:
                    captions.lines += ["", text]
            elif caption is not None and _is_of_table(caption, line, body):
                tables[-1].add(line, number)
            elif caption is not None and _goes_on(caption, line, body):
                captions.lines.append(text)
            elif (len(parts) == 1 and _about_article(text)) or (
                number == 0 and small and _about_article(text)
            ):
                front.lines.append(text)
            elif small and number and before is not None:
                captions.lines.append(text)  # a table's cells, a footnote
            else:
                caption = None
                _add(parts[-1], text, line, before)
                before = line
    ordered_parts = [*_references_judged(parts), captions, front]
    ordered_parts.sort(key=lambda part: part.kind != "")
    sections = [
        PaperSection(p.name, "\n".join(p.lines), p.kind) for p in ordered_parts if any(p.lines)
    ]
    return [*sections, *(section for table in tables for section in table.sections())]


@dataclass(slots=True)
class _Table:
    """A table under its caption while its lines are gathered."""

    caption: str
    page: int
    groups: list[list[PageLine]] = field(default_factory=list)

    def add(self, line: PageLine, page: int) -> None:
        """A line of another page, or far above the one before, begins another group."""
        if not self.groups or page != self.page or line.top < self.groups[-1][-1].top - COLUMN_JUMP:
            self.groups.append([])
        self.page = page
        self.groups[-1].append(line)

    def sections(self) -> Iterable[PaperSection]:
        """The caption with the rows, where columns and headings are plain; else its cells stand
        apart: none is quoted without its headings.
        """
        table = read_table_lines(self.groups)
        caption = "\n".join([self.caption, *table.caption])
        notes = "\n".join(table.notes)
        if table.rows:
            yield table_section("", [caption], [*table.rows, *filter(None, [notes])])
            return
        yield PaperSection("Figures and tables", f"{caption}\n\n{notes}".strip(), CAPTION)
        if table.cells:
            yield PaperSection(self.caption[:LONGEST_NAME], "\n".join(table.cells), CELLS)


def _is_of_table(caption: PageLine, line: PageLine, body: float) -> bool:
    """Whether a line goes on with the table of a caption: it is small, or has cells."""
    if not caption.text.casefold().startswith("table"):
        return False
    return _goes_on(caption, line, body) or bool(line.parts)


def _listed(pages: Sequence[Sequence[PageLine]]) -> set[int]:
    """The lines (by `id`) of the list of references, where it is long enough to be known by its
    entries, whatever its heading is.
    """
    lines = [line for page in pages for line in page]
    begin, end = densest_list([line.text for line in lines])
    return {id(line) for line in lines[begin:end]}


def _taken_heading(part: _Part) -> str:
    """The heading of a list of references that was taken for the last line of the part before: a
    short line that ends no sentence. It is taken out of that part.
    """
    last = part.lines[-1] if part.lines else ""
    if not last or len(last.split()) > 4 or last.endswith((".", ",", ";")):
        return "References"
    part.lines.pop()
    return last


def _references_judged(parts: Sequence[_Part]) -> Iterable[_Part]:
    """The parts, of which those under a heading of references hold what follows as references; the
    rest goes on with the part before.
    """
    before = ""
    for part in parts:
        if part.kind != REFERENCES:
            before = part.name
            yield part
            continue
        for name, lines, kind in references_apart(part.name, part.lines, before):
            if kind:
                yield _Part(name, kind, lines)
            else:  # a line "References" that none follow is one like others
                yield _Part(before, "", lines if name == before else [part.name, *lines])


# "■ REFERENCES:", "7. References"
_UNADORNED = re.compile(r"^[^\w\s]{1,3}\s*|^\d{1,2}\.?\s+|\s*:$")
HEADINGS_OF_REFERENCES = r"references|bibliography|literature cited|works cited"


def _closed(text: str) -> str:
    """`A B S T R A C T` is ABSTRACT."""
    return text.replace(" ", "") if _SPACED.fullmatch(text) else text


def _heading(line: PageLine, text: str, body: float) -> str:
    """The heading that a line is of a section, without its number; "" for none. Sub-headings stay
    lines of their section.
    """
    if re.fullmatch(HEADINGS_OF_REFERENCES, _UNADORNED.sub("", text), re.IGNORECASE):
        return "References"
    if len(text) > 100 or line.size < 0.9 * body:
        return ""
    if usual := HEADINGS.match(text):
        return usual[1].capitalize()
    set_off = line.bold or line.size > 1.05 * body or text.isupper()
    numbered = _NUMBERED.fullmatch(text)
    if numbered and set_off and "." not in numbered[1]:
        return re.sub(r"^\d+\.?\s+", "", text)
    return ""


def _apart(before: PageLine | None, line: PageLine) -> bool:
    return before is None or line.top < before.top or line.top - before.top > 0.03


def _goes_on(caption: PageLine, line: PageLine, body: float) -> bool:
    """A caption goes on in its own size, where that is not the text's; table cells are small."""
    return line.size < 0.94 * body or (
        caption.bold and line.bold and abs(line.size - caption.size) < 0.3
    )


def _about_article(text: str) -> bool:
    return bool(_INFORMATION.search(text) or _KIND.fullmatch(text))


def _add(part: _Part, text: str, line: PageLine, before: PageLine | None) -> None:
    """A paragraph begins at an indent or after a gap, where the one before has ended."""
    if part.lines and before is not None and part.lines[-1][-1:] in ".!?:":
        column = abs(line.left - before.left) < 0.06
        indent = column and line.left - before.left > 0.012
        gap = column and line.top - before.top > 0.03
        if indent or gap or (line.bold and not before.bold):
            part.lines.append("")
    elif part.lines and before is not None and _sub_heading_between(part.lines[-1], before, line):
        part.lines.append("")
    if label := _LABEL.match(text):
        part.lines += ["", label[1], ""]
    part.lines.append(text[label.end() :] if label else text)


def _sub_heading_between(last: str, before: PageLine, line: PageLine) -> bool:
    """Whether a sub-heading ends, or begins, between two lines: one of them is short, and in other
    letters than its neighbour.
    """
    if line.bold != before.bold or abs(line.size - before.size) > 0.05 * line.size:
        return len(last) < 80 or len(line.text) < 80
    capitals = sum(map(str.isupper, last)) > 0.6 * sum(map(str.isalpha, last))
    return capitals and len(last) < 80 and not line.text.isupper() and line.text[:1].isupper()
