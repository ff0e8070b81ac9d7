"""Tables of papers: CSV, TSV and Excel's XLSX, one row a paper. Columns are known by their names,
or as a person says.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from core.documents.ledger import record_pieces
from core.documents.paper import Paper, with_ledger
from core.documents.readers.citation_files import MOST_RECORDS, record_paper, told_or_kept
from core.documents.readers.csv_rows import HEADER_WITHIN, CsvRow, csv_rows
from core.documents.readers.page_range import page_range
from core.documents.readers.xml import decode_xml
from core.errors import InputError
from core.model import Problem
from core.text.separated import check_columns
from core.text.xml_guard import refuse_entities

MOST_BYTES = 300_000_000  # of a workbook, unpacked
MOST_ROWS = 1_048_576  # Excel has no more
MOST_STRINGS = 2_000_000  # that the cells of a workbook share; all are parsed before the first row
SAMPLE = 3  # rows that are shown beside the columns
ChosenColumns = Mapping[str, str]  # field → the name of its column
# What tables call their columns, as Scopus, WoS, PubMed, Embase, Rayyan, Covidence and we do.
COLUMNS = {
    "title": ("title", "article title", "document title", "ti", "primary title"),
    "abstract": ("abstract", "abstract note", "ab", "text", "summary"),
    "doi": ("doi", "doi link", "di"),
    "pmid": ("pmid", "pubmed id", "pubmed_id", "pm", "document", "medline pmid"),
    "pmcid": ("pmcid", "pmc id"),
    "year": ("year", "publication year", "py", "date", "publication date", "create date"),
    "journal": ("journal", "source title", "journal/book", "publication title", "so", "source"),
    "volume": ("volume", "vl", "journal volume"),
    "issue": ("issue", "is", "issue number", "journal issue"),
    "pages": ("pages", "page", "page start", "start page", "first page", "bp", "page range"),
    "last page": ("page end", "end page", "last page", "ep"),
    "article number": ("art. no.", "article number", "ar", "article no."),
    "type": ("document type", "publication type", "type of work", "types"),
    "authors": ("authors", "author", "au", "author names", "author full names"),
}


@dataclass(frozen=True, slots=True)
class TableHead:
    """The beginning of a table: the names of its columns, the columns that fields are known to be
    in, and its first rows.
    """

    columns: tuple[str, ...]
    known_columns: Mapping[str, str]
    rows: tuple[tuple[str, ...], ...]


def is_table(name: str) -> bool:
    """Whether a file is a table by its name."""
    return name.casefold().endswith((".csv", ".tsv", ".xlsx"))


def looks_like_xlsx(head: bytes, name: str) -> bool:
    return name.endswith(".xlsx") and head.startswith(b"PK")


def table_columns(header: Iterable[str], chosen: ChosenColumns | None = None) -> dict[str, int]:
    """What each column of a table holds, by its name or as chosen; {} where no column is a
    title.
    """
    headings = [" ".join(name.replace("\ufeff", "").split()).strip('"') for name in header]
    names = [name.casefold() for name in headings]
    if chosen:
        place_by_field = {
            f: headings.index(column) for f, column in chosen.items() if column in headings
        }
    else:
        places = {
            field: next((names.index(name) for name in known_names if name in names), -1)
            for field, known_names in COLUMNS.items()
        }
        place_by_field = {field: place for field, place in places.items() if place >= 0}
    return place_by_field if "title" in place_by_field else {}


def read_head(raw: bytes, name: str) -> TableHead:
    """What a person needs to say which column holds what. Raises InputError."""
    header, rows = _head_and_rows(raw, name)
    header = [" ".join(cell.split()) for cell in header]
    heading_by_field = {field: header[place] for field, place in table_columns(header).items()}
    sample = tuple(tuple(row.cells) for row in islice(rows, SAMPLE))
    return TableHead(tuple(name for name in header if name), heading_by_field, sample)


def names_papers(raw: bytes, name: str) -> bool:
    """Whether one of the columns of a table is a title. Raises InputError."""
    return "title" in read_head(raw, name).known_columns


def read_table(raw: bytes, name: str = "", chosen: ChosenColumns | None = None) -> Iterator[Paper]:
    """The rows of a table whose first row names its columns. Raises InputError where no column is a
    title, and where no row follows.
    """
    header, rows = _head_and_rows(raw, name, chosen)
    columns = table_columns(header, chosen)
    if not columns:
        raise InputError(
            f"{name or 'The table'} has no column named Title.",
            "Say which column has the title, or name its columns: Title, Abstract, Authors, Year,"
            " Journal, DOI, PMID.",
        )
    empty, file_name = True, name or "the table"
    names = defaultdict[int, str](lambda: "cells without a column", enumerate(header))
    names |= {at: field for field, at in columns.items()}
    for row in (row for row in rows if any(map(str.strip, row.cells))):
        empty = False
        where = f"line {row.line:,} of {file_name}"
        paper = told_or_kept(_paper_of(row.cells, columns), where)
        if row.lone_quote:
            message = (
                "A quotation mark in a cell is not closed or not doubled; it is kept as a sign."
            )
            lone = Problem("lone-quote", message, where=where, hint=_LONE_HINT)
            paper = replace(paper, problems=(*paper.problems, lone))
        said = ((names[at], cell) for at, cell in enumerate(row.cells))
        yield with_ledger(paper, record_pieces(said, ("title", "abstract"), COLUMNS))
    if empty:
        raise InputError(
            f"{name or 'The table'} names columns but has no paper below them.",
            "Export it again, with the records themselves.",
        )


_LONE_HINT = "Look at this row: cells behind the mark may be in the wrong columns."


def _paper_of(row: Sequence[str], columns: Mapping[str, int]) -> Paper:
    value = {f: row[at].strip() if at < len(row) else "" for f, at in columns.items()}
    return record_paper(
        value.get("title", "").removeprefix("'"),
        value.get("abstract", "").removeprefix("'"),
        value.get("doi", ""),
        value.get("pmid", ""),
        year=value.get("year", ""),
        journal=value.get("journal", "").removeprefix("'"),
        authors=_people(value.get("authors", "")),
        types=re.split(r"\s*;\s*", value.get("type", "")),
        pmcid=value.get("pmcid", ""),
        volume=value.get("volume", ""),
        issue=value.get("issue", ""),
        pages=page_range(
            value.get("pages", "") or value.get("article number", ""), value.get("last page", "")
        ),
    )


def _people(words: str) -> list[str]:
    """Names parted by semicolons, or by commas where every part has its initials: `Roe J, Doe AB`
    (PubMed), `Roe J., Doe A.B.` (Scopus).
    """
    parts = re.split(r"\s*,\s*", words.strip(" ."))
    with_initials = (re.fullmatch(r".*\s(?:[^\W\d_]\.?-?){1,4}", part) for part in parts)
    if ";" not in words and len(parts) > 1 and all(with_initials):
        return [part.replace(".", "") for part in parts]
    return re.split(r"\s*;\s*", words)


def _head_and_rows(
    raw: bytes, name: str, chosen: ChosenColumns | None = None
) -> tuple[list[str], Iterator[CsvRow]]:
    """The row that names the columns, and those after it. Lines above the names (Excel's `sep=;`, a
    note on the export) are left out.
    """
    rows = _rows(raw, name, chosen)
    first = list(islice(rows, HEADER_WITHIN))
    for row in first:
        check_columns(len(row.cells), name or "The table")
    at = _head_place(first, chosen)
    return (first[at].cells if first else []), chain(first[at + 1 :], rows)


def _head_place(first: Sequence[CsvRow], chosen: ChosenColumns | None) -> int:
    return next((at for at, row in enumerate(first) if table_columns(row.cells, chosen)), 0)


def _rows(raw: bytes, name: str, chosen: ChosenColumns | None) -> Iterator[CsvRow]:
    if looks_like_xlsx(raw[:4], name.casefold()):
        for number, cells in enumerate(_workbook(raw, name), start=1):
            yield CsvRow(cells, number)
        return
    text = decode_xml(raw)
    line = _SEPARATOR_LINE.match(text)
    begin = line.end() if line else 0
    sign, rows = _sign(text), text[begin:]
    _check_rows(rows, sign, name, chosen)
    for row in csv_rows(rows, sign, name or "The table"):
        yield replace(row, line=row.line + bool(begin))


def _check_rows(text: str, sign: str, name: str, chosen: ChosenColumns | None) -> None:
    """Raises InputError for more rows below the names of the columns than papers of one file are
    read, before the first is; an abstract may have many lines, and a row may be blank.
    """
    if text.count("\n") + text.count("\r") <= MOST_RECORDS:
        return
    rows = csv_rows(text, sign, name or "The table")
    first = list(islice(rows, HEADER_WITHIN))
    below = chain(first[_head_place(first, chosen) + 1 :], rows)
    papers = (row for row in below if any(map(str.strip, row.cells)))
    if next(islice(papers, MOST_RECORDS, None), None) is not None:
        raise InputError(
            f"{name or 'The table'} has more than {MOST_RECORDS:,} rows; no more papers of one file"
            " are read.",
            "Split it.",
        )


# Excel's own first line, which says what parts the cells: "sep=;"
_SEPARATOR_LINE = re.compile(r"\ufeff?sep=([\t,;|])[ \t]*(?:\r\n|\n|\r)", re.IGNORECASE)


def _sign(text: str) -> str:
    """What parts the cells: as Excel's first line says it, or the most frequent in the names."""
    if separator_line := _SEPARATOR_LINE.match(text):
        return separator_line[1]
    head = text.split("\n", HEADER_WITHIN)[:HEADER_WITHIN]
    with_title = (line for line in head if re.search(r"\b(?:title|TI)\b", line, re.IGNORECASE))
    return max("\t,;|", key=next(with_title, head[0]).count)


def _workbook(raw: bytes, name: str) -> Iterator[list[str]]:
    """The rows of the first sheet; numbers as they are read, without `.0`."""
    from openpyxl import load_workbook

    check_workbook(raw, name)
    try:
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        for number, row in enumerate(book.worksheets[0].iter_rows(values_only=True)):
            if number >= MOST_ROWS:
                raise InputError(f"{name} has more than {MOST_ROWS:,} rows.", "Split it.")
            yield [cell_words(value) for value in row]
    except InputError:
        raise
    except Exception as error:  # openpyxl raises whatever a damaged file makes it stumble over
        raise InputError(f"{name} cannot be read as a workbook.", "Save it as CSV.") from error


def check_workbook(raw: bytes, name: str, most: int = MOST_BYTES) -> None:
    """Raises InputError for a file that is none, has more bytes when unpacked than `most`, or
    declares entities.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(part.file_size for part in archive.infolist()) > most:
                raise InputError(f"{name} is larger than {most // 1_000_000} MB.", "Split it.")
            for part in archive.infolist():
                if part.filename.endswith((".xml", ".rels")):
                    with archive.open(part) as stream:
                        refuse_entities(_letters(stream.read(4000)), name)
            _check_strings(archive, name)
    except InputError:
        raise
    except Exception as error:  # a damaged archive
        raise InputError(f"{name} cannot be read as a workbook.", "Save it as CSV.") from error


def _check_strings(archive: zipfile.ZipFile, name: str) -> None:
    """In whichever part they are: a workbook may name it as it likes."""
    number = 0
    for part in archive.infolist():
        if part.filename.endswith(".xml"):
            with archive.open(part) as stream:
                while piece := stream.read(1 << 20):
                    number += len(re.findall(rb"<(?:\w{1,20}:)?si[\s/>]", _letters(piece)))
    if number > MOST_STRINGS:
        raise InputError(
            f"{name} has more than {MOST_STRINGS:,} shared strings.",
            "Save it as CSV, or split it.",
        )


def _letters(xml: bytes) -> bytes:
    """XML as it would be in UTF-8, for what is plain Latin letters and signs."""
    return xml.replace(b"\0", b"")


def cell_words(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
