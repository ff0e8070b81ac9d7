"""GROBID: a service that reads PDFs better, used when the operator has set its address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from xml.etree.ElementTree import Element

from core.documents.ledger import SourcePiece
from core.documents.paper import CAPTION, FULL_TEXT, Paper, PaperSection, with_ledger
from core.documents.readers.cell_grid import SourceCell, grid_of_cells, table_section
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.xml import element_text, parse_element, script_marks, without_namespaces
from core.errors import BadAnswer, InputError
from core.text.script import marks_written_out
from core.web import Fetch, Fetcher

BOUNDARY = b"groundwork-part-boundary"
TIMEOUT = 300.0  # seconds
_BACK = {
    "acknowledgement": "Acknowledgments",
    "annex": "Appendix",
    "availability": "Data availability",
    "funding": "Funding",
    "conflict": "Competing interests",
    "contribution": "Author contributions",
}
_BLOCKS = ("p", "formula", "item", "row", "figDesc", "head", "note", "quote", "ab")


def read_pdf(raw: bytes, address: str, fetcher: Fetcher, id: str) -> Paper:
    """A paper as GROBID reads it. Raises the RemoteError tree; BadAnswer when it is no TEI or
    holds no words."""
    part = (
        b'Content-Disposition: form-data; name="input"; filename="paper.pdf"\r\nContent-Type:'
        b" application/pdf\r\n\r\n"
    )
    answer = fetcher.fetch(
        Fetch(
            f"{address.rstrip('/')}/api/processFulltextDocument",
            "POST",
            data=b"--" + BOUNDARY + b"\r\n" + part + raw + b"\r\n--" + BOUNDARY + b"--\r\n",
            headers=(
                ("Content-Type", f"multipart/form-data; boundary={BOUNDARY.decode()}"),
                ("Accept", "application/xml"),
            ),
            kind="grobid",
            max_bytes=50_000_000,
            timeout=TIMEOUT,
        )
    )
    try:
        grobid_paper = paper(parse_element(answer.text), raw, id)
    except InputError as error:
        raise BadAnswer(
            "GROBID did not answer with TEI XML.", "Check the service, or unset its address."
        ) from error
    if not grobid_paper.sections:
        raise BadAnswer("GROBID found no text in the PDF.")
    return grobid_paper


def paper(root: Element, raw: bytes, id: str = "") -> Paper:
    """A TEI document: title, abstract, the body's divisions by their heads, figures and tables, the
    end matter.
    """
    without_namespaces(root)
    pieces = list(_pieces(root, ""))
    source = root.find("teiHeader//sourceDesc")
    source = source if source is not None else Element("sourceDesc")
    ids, doi = _ids(source)
    own = id or next(iter(ids), "doc:" + sha256(raw).hexdigest()[:24])
    names = (_author(author) for author in source.iterfind(".//analytic/author"))
    dated = source.find(".//date[@when]")
    grobid_paper = Paper(
        own,
        _line(root.find("teiHeader//titleStmt/title")),
        tuple(_joined(_sections(root))),
        kind=FULL_TEXT,
        ids=tuple(sorted({own, *ids})),
        year=dated.get("when", "")[:4] if dated is not None else "",
        journal=_line(source.find(".//monogr/title[@level='j']")),
        authors=tuple(filter(None, names)),
        doi=doi,
        volume=known_place(_line(source.find(".//imprint/biblScope[@unit='volume']"))),
        issue=known_place(_line(source.find(".//imprint/biblScope[@unit='issue']"))),
        pages=_pages(source.find(".//imprint/biblScope[@unit='page']")),
    )
    return with_ledger(grobid_paper, pieces)


_MAY_BE_MISSING = {
    "teiHeader": "front matter (authors, dates, licence)",
    "listBibl": "references, which GROBID gives as records",
    "label": "labels",
}


def _pieces(element: Element, reason: str) -> Iterator[SourcePiece]:
    """Every text of a document, title and abstract among what must be read."""
    if element.tag in ("abstract", "titleStmt"):
        reason = ""
    reason = _MAY_BE_MISSING.get(element.tag, reason)
    yield SourcePiece(element.text or "", reason)
    for child in element:
        yield from _pieces(child, reason)
        yield SourcePiece(child.tail or "", reason)


def _pages(scope: Element | None) -> str:
    if scope is None:
        return ""
    return page_range(scope.get("from", "") or _line(scope), scope.get("to", ""))


def _ids(source: Element) -> tuple[list[str], str]:
    """The paper's ids, PMID first, and its DOI as written."""
    kinds = {
        idno.get("type", "").upper(): element_text(idno).strip()
        for idno in source.iterfind(".//idno")
    }
    pmid, doi, pmc = (
        kinds.get("PMID", ""),
        kinds.get("DOI", ""),
        kinds.get("PMCID", "").removeprefix("PMC"),
    )
    paper_ids = [
        f"PMID:{pmid}" if pmid.isdigit() else "",
        f"PMCID:PMC{pmc}" if pmc.isdigit() else "",
        f"DOI:{doi.lower()}" if doi.startswith("10.") else "",
    ]
    return [id for id in paper_ids if id], doi


def _sections(root: Element) -> Iterator[PaperSection]:
    for part in root.iterfind("teiHeader//profileDesc/abstract"):
        yield PaperSection("Abstract", _text(part))
    for part in root.iterfind("text/body/div"):
        yield PaperSection(_line(part.find("head")), _text(part, ("figure", "note"), top=True))
    figures, notes = root.findall("text/body//figure"), root.findall("text/body//note")
    tables = [figure for figure in figures if figure.get("type") == "table"]
    pictures = [figure for figure in figures if figure not in tables]
    yield PaperSection("Figures", _in_turn(pictures), CAPTION)
    yield from map(_table, tables)
    yield PaperSection("Footnotes", _in_turn(notes))
    for part in root.iterfind("text/back/div"):
        if part.find(".//listBibl") is None:
            for division in part.findall("div") or [part]:
                yield PaperSection(
                    _line(division.find("head")) or _BACK.get(part.get("type", ""), "Notes"),
                    _text(division, top=True),
                )


def _table(figure: Element) -> PaperSection:
    """A table: its head and description, its rows and columns, its notes."""
    rows = figure.findall("table/row")
    head = [row for row in rows if row.get("role") == "label"]
    cells = [[_cell(cell) for cell in row.iterfind("cell")] for row in rows if row not in head]
    grid = grid_of_cells(cells, [[_cell(cell) for cell in row.iterfind("cell")] for row in head])
    notes = _text(figure, ("head", "label", "figDesc", "table"))
    captions = [_line(figure.find("figDesc"))]
    return table_section(_line(figure.find("head")), captions, filter(None, [*grid.lines(), notes]))


def _cell(cell: Element) -> SourceCell:
    words = _text(cell).replace("\n\n", " ")
    wide = cell.get("cols") or ""
    columns = int(wide) if wide.isdecimal() and len(wide) < 6 else 1
    return SourceCell(words, columns=columns, head=cell.get("role") == "label")


def _in_turn(elements: Iterable[Element]) -> str:
    return "\n\n".join(filter(None, map(_text, elements)))


def _joined(sections: Iterator[PaperSection]) -> list[PaperSection]:
    """Without empty ones; a division without a head goes on with the one before."""
    joined: list[PaperSection] = []
    for section in sections:
        if not section.text:
            continue
        if not section.name and joined and joined[-1].name != "Abstract":
            section = PaperSection(joined[-1].name, f"{joined.pop().text}\n\n{section.text}")
        joined.append(section)
    return joined


def _line(element: Element | None) -> str:
    return " ".join(element_text(element).split())


def _text(part: Element, without: tuple[str, ...] = (), top: bool = False) -> str:
    """Paragraphs with an empty line between them, without the part's own head when it is the
    `top`.
    """
    pieces: list[str] = []
    _gather(part, (*without, "label", "graphic"), pieces, part.find("head") if top else None)
    joined = marks_written_out("".join(pieces))
    blocks = (" ".join(block.split()) for block in re.split("\x1e", joined))
    return "\n\n".join(block for block in blocks if block)


def _gather(
    element: Element, without: tuple[str, ...], pieces: list[str], head: Element | None
) -> None:
    """Sentences (`s`) and cells are kept apart; blocks are between marks."""
    if element.tag in without or element is head:
        return
    mark = "\x1e" if element.tag in _BLOCKS else ""
    begin, end = script_marks(element)
    pieces.append(mark + begin + (element.text or ""))
    for child in element:
        _gather(child, without, pieces, head)
        pieces.append((" " if child.tag in ("s", "cell") else "") + (child.tail or ""))
    pieces.append(end + mark)


def _author(author: Element) -> str:
    """`Carberry J`."""
    surname = element_text(author.find(".//surname")).strip()
    forename = element_text(author.find(".//forename")).strip()
    return f"{surname} {forename[:1]}".strip()
