"""Reference managers' files: RIS (Scopus, Web of Science, Embase, Zotero, EndNote, Rayyan), BibTeX,
EndNote's tagged `.enw`, and tables (CSV, TSV) with a title column.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from core.documents.paper import ABSTRACT, Paper, Section, unreadable_paper
from core.documents.readers.xml import decode_xml
from core.errors import InputError
from core.model import Problem

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_PMID = re.compile(r"(?:PMID|MEDLINE|PUBMED)\s*[:=]?\s*(\d{1,9})|(\d{1,9})", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
# What tables call their columns, as Scopus, WoS, PubMed, Embase, Rayyan, Covidence and we do.
COLUMNS = {
    "title": ("title", "article title", "document title", "ti", "primary title"),
    "abstract": ("abstract", "abstract note", "ab", "text", "summary"),
    "doi": ("doi", "doi link", "di"),
    "pmid": ("pmid", "pubmed id", "pubmed_id", "pm", "document", "medline pmid"),
    "year": ("year", "publication year", "py", "date", "publication date", "create date"),
    "journal": ("journal", "source title", "journal/book", "publication title", "so", "source"),
    "authors": ("authors", "author", "au", "author names", "author full names"),
}


def looks_like_ris(head: bytes) -> bool:
    return re.match(rb"(?:[^\S\r\n]*\r?\n)*TY {1,2}- ", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_ris(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The records of a RIS file. Raises InputError where there is none."""
    import rispy

    try:
        records = rispy.loads(decode_xml(raw), skip_unknown_tags=True)
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise InputError(
            f"{name or 'The file'} is no RIS that can be read ({str(error)[:120]}).",
            "Export it again.",
        ) from error
    if not records:
        raise InputError(f"{name or 'The file'} holds no RIS record.", "Export it again.")
    for number, record in enumerate(records, start=1):
        yield _kept(
            _paper(
                _first(record, "title", "primary_title", "translated_title"),
                _first(record, "abstract", "notes_abstract"),
                _first(record, "doi"),
                _first(record, "pubmed_id") or _medline(record),
                _first(record, "year", "publication_year", "date"),
                _first(
                    record,
                    "journal_name",
                    "secondary_title",
                    "alternate_title3",
                    "alternate_title1",
                ),
                record.get("authors") or record.get("first_authors") or (),
            ),
            f"record {number} of {name or 'the file'}",
        )


def _medline(record: Mapping[str, Any]) -> str:
    """The accession number where it is PubMed's."""
    number = _first(record, "accession_number")
    base = _first(record, "name_of_database").casefold()
    named = number.casefold().startswith(("pmid", "medline"))
    return number if named or "medline" in base or "pubmed" in base else ""


def _first(record: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = record.get(name)
        if isinstance(value, list):
            value = value[0] if value else ""
        if value and str(value).strip():
            return str(value).strip()
    return ""


def looks_like_bibtex(head: bytes) -> bool:
    return re.match(rb"\s*@\s*[A-Za-z]+\s*[{(]", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_bibtex(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The entries of a BibTeX file; those that cannot be parsed are told. Raises InputError."""
    from bibtexparser.entrypoint import parse_string

    library = parse_string(decode_xml(raw))
    for block in library.failed_blocks:
        said = "The entry is damaged and is left out."
        where = f"line {(block.start_line or 0) + 1} of {name or 'the file'}"
        yield unreadable_paper(Problem("record-damaged", said, where=where))
    if not library.entries:
        raise InputError(f"{name or 'The file'} holds no BibTeX entry.", "Export it again.")
    for entry in library.entries:
        fields = {field.key.casefold(): _without_tex(str(field.value)) for field in entry.fields}
        authors = re.split(r"\s+and\s+", fields.get("author", "")) if fields.get("author") else ()
        yield _kept(
            _paper(
                fields.get("title", ""),
                fields.get("abstract", ""),
                fields.get("doi", "") or fields.get("url", ""),
                fields.get("pmid", ""),
                fields.get("year", "") or fields.get("date", ""),
                fields.get("journal", "") or fields.get("journaltitle", ""),
                authors,
            ),
            f"{entry.key} of {name or 'the file'}",
        )


_ACCENTS = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "c": "\u0327",
}


def _without_tex(value: str) -> str:
    """Letters with accents, signs escaped and braces as they are read: `{\\"o}` is ö."""
    import unicodedata

    value = re.sub(
        r"\{?\\([\"'`^~])\{?\\?([A-Za-z])\}?\}?",
        lambda found: unicodedata.normalize("NFC", found[2] + _ACCENTS[found[1]]),
        value,
    )
    value = re.sub(r"\\textbackslash\{\}", r"\\", re.sub(r"\\([%&#_${}])", r"\1", value))
    value = re.sub(r"\$\^\{?([^${}]{1,20})\}?\$", r"^\1", value)
    return " ".join(re.sub(r"(?<!\\)[{}]", "", value).split())


def looks_like_endnote(head: bytes) -> bool:
    return re.match(rb"\s*%0 ", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_endnote(raw: bytes, name: str = "") -> Iterator[Paper]:
    """EndNote's tagged records (`%0`, `%T`, `%A`, `%X`), parted by empty lines."""
    for number, text in enumerate(re.split(r"\n\s*\n(?=%0 )", decode_xml(raw).strip()), start=1):
        fields: dict[str, list[str]] = {}
        last = ""
        for line in text.splitlines():
            if tag := re.match(r"%([0-9A-Z@!?])\s(.*)", line):
                last = tag[1]
                fields.setdefault(last, []).append(tag[2].strip())
            elif last and line.strip():
                fields[last][-1] += " " + line.strip()
        first = {tag: values[0] for tag, values in fields.items()}
        yield _kept(
            _paper(
                first.get("T", ""),
                first.get("X", ""),
                first.get("R", "") or first.get("U", ""),
                first.get("M", "") if "pubmed" in first.get("W", "").casefold() else "",
                first.get("D", ""),
                first.get("J", "") or first.get("B", ""),
                fields.get("A", ()),
            ),
            f"record {number} of {name or 'the file'}",
        )


def table_columns(header: Iterable[str]) -> dict[str, int]:
    """What each column of a table holds, by its name; {} where no column is a title."""
    names = [" ".join(name.casefold().replace("﻿", "").split()).strip('"') for name in header]
    places = {
        field: next((names.index(name) for name in known if name in names), -1)
        for field, known in COLUMNS.items()
    }
    found = {field: place for field, place in places.items() if place >= 0}
    return found if "title" in found else {}


def read_table(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The rows of a CSV or TSV file whose first row names its columns. Raises InputError where no
    column is a title.
    """
    text = decode_xml(raw)
    first = text.partition("\n")[0]
    sign = max("\t,;", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    try:
        columns = table_columns(next(rows, []))
        if not columns:
            raise InputError(
                f"{name or 'The table'} has no column named Title.",
                "Name its columns: Title, Abstract, Authors, Year, Journal, DOI, PMID.",
            )
        for number, row in enumerate(rows, start=2):
            if any(cell.strip() for cell in row):
                value = {f: row[at].strip() if at < len(row) else "" for f, at in columns.items()}
                yield _kept(
                    _paper(
                        value.get("title", "").removeprefix("'"),
                        value.get("abstract", ""),
                        value.get("doi", ""),
                        value.get("pmid", ""),
                        value.get("year", ""),
                        value.get("journal", ""),
                        re.split(r"\s*;\s*", value.get("authors", "")),
                    ),
                    f"line {number} of {name or 'the table'}",
                )
    except csv.Error as error:
        raise InputError(
            f"{name or 'The table'} is damaged ({error}).", "Save it again."
        ) from error


def looks_like_table(head: bytes) -> bool:
    first = head.partition(b"\n")[0].decode("utf-8", "replace")
    sign = max("\t,;", key=first.count)
    return bool(table_columns(next(csv.reader([first], delimiter=sign), [])))


def _paper(
    title: str,
    abstract: str,
    doi: str,
    pmid: str,
    year: str,
    journal: str,
    authors: Iterable[str],
) -> Paper:
    """A record's paper: its ids are its PMID and DOI, else a digest of title, year and author."""
    written = _DOI.search(doi)
    number = _PMID.fullmatch(pmid.strip())
    digits = (number[1] or number[2]) if number else ""
    ids = [f"PMID:{int(digits)}" if digits and int(digits) else ""]
    ids += [f"DOI:{written[0].rstrip('.,;').lower()}" if written else ""]
    ids = [id for id in ids if id]
    people = tuple(
        _person(" ".join(str(author).split())) for author in authors if str(author).strip()
    )
    when = _YEAR.search(year)
    if not ids and (title or abstract):
        same = "|".join([_key(title), when[0] if when else "", _key(people[0] if people else "")])
        ids = ["doc:" + sha256(same.encode("utf-8", "replace")).hexdigest()[:24]]
    sections = (Section("", abstract),) if abstract.strip() else ()
    return Paper(
        ids[0] if ids else "",
        " ".join(title.split()),
        sections,
        ABSTRACT,
        tuple(ids),
        when[0] if when else "",
        journal,
        people,
        written[0].rstrip(".,;") if written else "",
    )


def _person(name: str) -> str:
    """`Roe, Ann B.` as `Roe AB`, as PubMed writes it."""
    family, comma, given = name.partition(",")
    initials = "".join(word[0] for word in re.split(r"[\s.-]+", given) if word)
    return f"{family.strip()} {initials}".strip() if comma else name


def _key(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _kept(paper: Paper, where: str) -> Paper:
    if paper.id:
        return paper
    said = "The record has no title and no abstract and is left out."
    return unreadable_paper(Problem("no-words", said, where=where))
