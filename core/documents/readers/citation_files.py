"""Reference managers' files: RIS (Scopus, Web of Science, Embase, Zotero, EndNote, Rayyan), BibTeX
and EndNote's tagged `.enw`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.documents.doi import doi_in_field
from core.documents.paper import ABSTRACT, Paper, PaperSection, unreadable_paper
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.ris_ids import doi_of, pmcid_of, pmid_of, values
from core.documents.readers.tex import without_tex
from core.documents.readers.xml import decode_xml
from core.documents.same_paper import (
    SHORTEST_TITLE,
    digest_id,
    family_name,
    fold_letters,
)
from core.errors import InputError
from core.model import Problem

# A PMID as citation managers write it: "PMID: 123", "MEDLINE:123", or the number alone
_PMID = re.compile(r"(?:PMID|MEDLINE|PUBMED)\s*[:=]?\s*(\d{1,9})|(\d{1,9})", re.IGNORECASE)
_PMCID = re.compile(r"(?:PMCID:)?PMC(\d{1,9})", re.IGNORECASE)
MOST_RECORDS = 200_000  # of one file; what databases export is 10,000 at most
MOST_INITIALS = 3  # capitals in a row that are initials, and no name
_RIS_TAG = re.compile(r"\ufeff?([A-Z][A-Z0-9])  - ?")
_NARROW_RIS_TAG = re.compile(r"\ufeff?([A-Z][A-Z0-9]) - ")  # "IL - 6" in a usual file is no tag
_DOTTED = re.compile(r"(?<=\w)\s+(?:[^\W\d_]\.[-\s]?){1,4}\Z")  # of `Roe A.B.`
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def looks_like_ris(head: bytes) -> bool:
    return re.match(rb"(?:[^\S\r\n]*\r?\n)*TY {1,2}- ", head.lstrip(b"\xef\xbb\xbf")) is not None


def _check_records(number: int, name: str) -> None:
    """Raises InputError for a file that would be parsed for minutes before its first paper."""
    if number > MOST_RECORDS:
        raise InputError(
            f"{name or 'The file'} has {number:,} records; at most {MOST_RECORDS:,} of one file are"
            " read.",
            "Split it.",
        )


def read_ris(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The records of a RIS file. Raises InputError where there is none, and for too many."""
    import rispy

    _check_records(len(re.findall(rb"^[^\S\n]{0,20}(?:\xef\xbb\xbf)?TY {1,2}- ", raw, re.M)), name)
    try:
        records = rispy.loads(_usual_ris(decode_xml(raw)), skip_unknown_tags=True)
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise InputError(
            f"{name or 'The file'} cannot be read as RIS ({str(error)[:120]}).",
            "Export it again.",
        ) from error
    if not records:
        raise InputError(f"{name or 'The file'} contains no RIS record.", "Export it again.")
    for number, record in enumerate(records, start=1):
        yield told_or_kept(
            record_paper(
                _first(record, "title", "primary_title", "translated_title"),
                _first(record, "abstract", "notes_abstract"),
                doi_of(record),
                pmid_of(record),
                _first(record, "year", "publication_year", "date"),
                _first(
                    record,
                    "journal_name",
                    "secondary_title",
                    "alternate_title3",
                    "alternate_title1",
                ),
                record.get("authors") or record.get("first_authors") or (),
                (_first(record, "type_of_work"),),
                pmcid_of(record),
                _first(record, "volume"),
                _first(record, "number"),
                page_range(_first(record, "start_page", "custom7"), _first(record, "end_page")),
            ),
            f"record {number} of {name or 'the file'}",
        )


def _usual_ris(text: str) -> str:
    """RIS as the reader wants it: two blanks after a tag, and an end after every record."""
    tags = _RIS_TAG if re.search(r"^\ufeff?TY  - ", text, re.MULTILINE) else _NARROW_RIS_TAG
    lines, is_open = list[str](), False
    for line in text.split("\n"):
        tag = tags.match(line)
        if tag is None:
            lines.append(line)
            continue
        if tag[1] == "TY" and is_open:
            lines.append("ER  - ")
        is_open = tag[1] != "ER" and (is_open or tag[1] == "TY")
        lines.append(f"{tag[1]}  - {line[tag.end() :].rstrip()}" if is_open else "ER  - ")
    return "\n".join([*lines, "ER  - "] if is_open else lines)


def _first(record: Mapping[str, Any], *names: str) -> str:
    return next(values(record, *names), "")


def looks_like_bibtex(head: bytes) -> bool:
    return re.match(rb"\s*@\s*[A-Za-z]+\s*[{(]", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_bibtex(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The entries of a BibTeX file; those that cannot be parsed are told. Raises InputError."""
    from bibtexparser.entrypoint import parse_string

    _check_records(len(re.findall(rb"@\s{0,20}[A-Za-z]{1,40}\s{0,20}[{(]", raw)), name)
    library = parse_string(decode_xml(raw))
    for block in library.failed_blocks:
        message = "The entry is damaged and is left out."
        where = f"line {(block.start_line or 0) + 1} of {name or 'the file'}"
        yield unreadable_paper(Problem("record-damaged", message, where=where))
    if not library.entries:
        raise InputError(f"{name or 'The file'} contains no BibTeX entry.", "Export it again.")
    for entry in library.entries:
        fields = {field.key.casefold(): without_tex(str(field.value)) for field in entry.fields}
        authors = re.split(r"\s+and\s+", fields.get("author", "")) if fields.get("author") else ()
        yield told_or_kept(
            record_paper(
                fields.get("title", ""),
                fields.get("abstract", ""),
                fields.get("doi", "") or fields.get("url", ""),
                fields.get("pmid", "") or fields.get("pmcid", ""),
                fields.get("year", "") or fields.get("date", ""),
                fields.get("journal", "")
                or fields.get("journaltitle", "")
                or fields.get("booktitle", ""),
                authors,
                volume=fields.get("volume", ""),
                issue=fields.get("number", "") or fields.get("issue", ""),
                pages=page_range(fields.get("pages", "") or fields.get("eid", "")),
            ),
            f"{entry.key} of {name or 'the file'}",
        )


def looks_like_endnote(head: bytes) -> bool:
    return re.match(rb"\s*%0 ", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_endnote(raw: bytes, name: str = "") -> Iterator[Paper]:
    """EndNote's tagged records (`%0`, `%T`, `%A`, `%X`), parted by empty lines."""
    for number, text in enumerate(re.split(r"\n\s*\n(?=%0 )", decode_xml(raw).strip()), start=1):
        fields: dict[str, list[str]] = {}
        last_tag = ""
        for line in text.splitlines():
            if tag := re.match(r"%([0-9A-Z@!?])\s(.*)", line):
                last_tag = tag[1]
                fields.setdefault(last_tag, []).append(tag[2].strip())
            elif last_tag and line.strip():
                fields[last_tag][-1] += " " + line.strip()
        first_values = {tag: values[0] for tag, values in fields.items()}
        yield told_or_kept(
            record_paper(
                first_values.get("T", ""),
                first_values.get("X", ""),
                first_values.get("R", "") or first_values.get("U", ""),
                first_values.get("M", "")
                if "pubmed" in first_values.get("W", "").casefold()
                else "",
                first_values.get("D", ""),
                first_values.get("J", "") or first_values.get("B", ""),
                fields.get("A", ()),
                volume=first_values.get("V", ""),
                issue=first_values.get("N", ""),
                pages=page_range(first_values.get("P", "")),
            ),
            f"record {number} of {name or 'the file'}",
        )


def record_paper(
    title: str,
    abstract: str,
    doi: str,
    pmid: str,
    year: str,
    journal: str,
    authors: Iterable[str],
    types: Iterable[str] = (),
    pmcid: str = "",
    volume: str = "",
    issue: str = "",
    pages: str = "",
) -> Paper:
    """A record's paper: its ids are its PMID, PMCID and DOI, else a digest of title, year and
    author, and of abstract and pages where the title is not the paper's own. `pmid` may be another
    id of these, as our own files write it.
    """
    doi = (doi_in_field(doi) or doi_in_field(pmid)).rstrip(".,;")
    pmc = _PMCID.fullmatch(pmid.strip()) or _PMCID.fullmatch(pmcid)
    number = _PMID.fullmatch(pmid.strip())
    digits = (number[1] or number[2]) if number else ""
    ids = [f"PMID:{int(digits)}" if digits and int(digits) else ""]
    ids += [f"PMCID:PMC{pmc[1]}" if pmc else ""]
    ids += [f"DOI:{doi.lower()}" if doi else ""]
    ids = [id for id in ids if id]
    people = tuple(
        _person(" ".join(str(author).split())) for author in authors if str(author).strip()
    )
    when = _YEAR.search(year)
    if not ids and (title or abstract):
        family = fold_letters(family_name(people[0])) if people else ""
        letters = fold_letters(title)
        own = [] if len(letters) >= SHORTEST_TITLE else [fold_letters(abstract), pages]
        ids = [digest_id(letters, when[0] if when else "", family, *own)]
    sections = (PaperSection("", abstract),) if abstract.strip() else ()
    return Paper(
        ids[0] if ids else "",
        " ".join(title.split()),
        sections,
        ABSTRACT,
        tuple(ids),
        when[0] if when else "",
        journal,
        people,
        doi,
        types=tuple(kind for kind in types if kind),
        volume=known_place(volume),
        issue=known_place(issue),
        pages=pages,
    )


def _person(name: str) -> str:
    """`Roe, Ann B.`, `Roe, AB` (Web of Science) and `Roe A.B.` (Scopus) as `Roe AB`, as PubMed
    writes it.
    """
    family, comma, given_names = name.partition(",")
    words = [word for word in re.split(r"[\s.-]+", given_names) if word]
    initials = "".join(w if w.isupper() and len(w) <= MOST_INITIALS else w[0] for w in words)
    return f"{family.strip()} {initials}".strip() if comma else _DOTTED.sub(_undotted, name)


def _undotted(initials: re.Match[str]) -> str:
    return " " + re.sub(r"[.\s-]", "", initials[0])


def told_or_kept(paper: Paper, where: str) -> Paper:
    if paper.id:
        return paper
    message = "The record has no title and no abstract and is left out."
    return unreadable_paper(Problem("no-words", message, where=where))
