"""A judged set as others read it: CSV, RIS, BibTeX."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.model import Json, PaperStatus, status_mark


@dataclass(frozen=True, slots=True)
class Citation:
    """One paper and what was judged of it."""

    document: str
    title: str = ""
    year: str = ""
    journal: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    verdict: str = ""
    reason: str = ""
    curator: str = ""
    time: str = ""
    flags: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""


def known_citation(document: str, title: str, body: Json) -> Citation:
    """A paper without a verdict, from what a namespace knows of it."""
    return Citation(
        document,
        title,
        str(body.get("year", "")),
        journal=str(body.get("journal", "")),
        authors=tuple(body.get("authors", ())),
        doi=str(body.get("doi", "")),
        flags=tuple(body.get("flags", ())),
        volume=str(body.get("volume", "")),
        issue=str(body.get("issue", "")),
        pages=str(body.get("pages", "")),
    )


COLUMNS = (
    "document",
    "title",
    "authors",
    "year",
    "journal",
    "volume",
    "issue",
    "pages",
    "doi",
    "verdict",
    "reason",
    "curator",
    "time",
    "flags",
)


def csv_text(entries: Iterable[Citation]) -> str:
    """One row a paper. A cell that a spreadsheet would take for a formula begins with an
    apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        row = [getattr(entry, name) for name in COLUMNS]
        writer.writerow(
            [safe_cell("; ".join(value) if isinstance(value, tuple) else value) for value in row]
        )
    return out.getvalue()


def safe_cell(value: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + value if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def ris(entries: Iterable[Citation]) -> str:
    """RIS, one record a paper; verdict and reason as notes."""
    lines: list[str] = []
    for entry in entries:
        lines.append("TY  - JOUR")
        lines += [f"AU  - {_ris_author(author)}" for author in entry.authors]
        first_page, _, last_page = entry.pages.partition("-")
        pairs = [("TI", entry.title), ("PY", entry.year), ("JO", entry.journal)]
        pairs += [("VL", entry.volume), ("IS", entry.issue), ("SP", first_page)]
        pairs += [("EP", last_page), ("DO", entry.doi)]
        pairs += [
            ("AN", entry.document),
            ("UR", link(entry.document)),
            ("N1", citation_note(entry)),
        ]
        lines += [f"{tag}  - {_line(value)}" for tag, value in pairs if value]
        lines += ["ER  - ", ""]
    return "\n".join(lines)


def _ris_author(author: str) -> str:
    family, _, initials = author.rpartition(" ")
    dotted = (
        " ".join(f"{letter}." for letter in initials)
        if initials.isupper() and len(initials) < 5
        else ""
    )
    return f"{family}, {dotted}" if family and dotted else _line(author)


def bibtex(entries: Sequence[Citation]) -> str:
    """BibTeX with keys that are unique and stay: the document's id."""
    counts: Counter[str] = Counter()
    bibtex_entries = []
    for entry in entries:
        key = re.sub(r"[^A-Za-z0-9]+", "", entry.document) or "paper"
        counts[key] += 1
        bibtex_entries.append(_bibtex(entry, key if counts[key] == 1 else f"{key}-{counts[key]}"))
    return "\n\n".join(bibtex_entries) + ("\n" if entries else "")


def _bibtex(entry: Citation, key: str) -> str:
    """Capitals of the title and names of groups are kept by braces; DOI and address stand as they
    are.
    """
    title = f"{{{_tex(entry.title)}}}" if entry.title else ""
    authors = " and ".join(_tex_author(author) for author in entry.authors)
    fields = [
        ("title", title),
        ("author", authors),
        ("year", _tex(entry.year)),
        ("journal", _tex(entry.journal)),
        ("volume", _tex(entry.volume)),
        ("number", _tex(entry.issue)),
        ("pages", _tex(entry.pages.replace("-", "--"))),
    ]
    doi = re.sub(r"[{}\\\s]", "", entry.doi)
    prefix, _, local = entry.document.partition(":")
    if prefix in ("PMID", "PMCID") and local.isalnum():
        fields.append((prefix.casefold(), local))
    fields += [("doi", doi), ("note", _tex(citation_note(entry))), ("url", link(entry.document))]
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields if value)
    return f"@article{{{key},\n{body}\n}}"


def _tex_author(author: str) -> str:
    name = _tex(_ris_author(author))
    return name if "," in name else f"{{{name}}}"


_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "$": r"\$",
}


def _tex(value: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in _line(value))


def citation_note(entry: Citation) -> str:
    verdict_text = ": ".join(part for part in (entry.verdict, entry.reason) if part)
    return "; ".join(part for part in (verdict_text, ", ".join(entry.flags)) if part)


def link(document: str) -> str:
    prefix, _, local = document.partition(":")
    address = {
        "PMID": "https://pubmed.ncbi.nlm.nih.gov/",
        "PMCID": "https://pmc.ncbi.nlm.nih.gov/articles/",
    }
    if prefix == "DOI" and local.startswith("10."):
        return f"https://doi.org/{local}"
    return (
        f"{address[prefix]}{local}/"
        if prefix in address and re.fullmatch(r"(?:PMC)?\d+", local)
        else ""
    )


def _line(value: str) -> str:
    return " ".join(value.split())


def reference_line(entry: Citation) -> str:
    """One line: authors, title, journal, year, id."""
    who = ", ".join(entry.authors[:3]) + (" et al." if len(entry.authors) > 3 else "")
    mark = status_mark(", ".join(flag for flag in entry.flags if flag in list(PaperStatus)))
    parts = [who, mark + entry.title.rstrip("."), entry.journal, entry.year, entry.document]
    return ". ".join(part for part in parts if part) + "."


FORMATS: Mapping[str, Callable[[Sequence[Citation]], str]] = {
    "csv": csv_text,
    "ris": ris,
    "bib": bibtex,
}
