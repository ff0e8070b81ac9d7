"""Where the makers of RIS files write the PMID, the PMC id and the DOI of a record.

| maker | PMID | DOI |
|---|---|---|
| Scopus | `PMID` or `C2` | `DO` |
| Embase | `C5` | `DO` |
| Ovid, EndNote (`DB` MEDLINE, PubMed, NLM) | `AN` | `DO` |
| Zotero | `N1`: `PMID: 123` | `DO` |
| Rayyan | `UR`: the address at PubMed | `DO`, or `UR` |
| Web of Science | none: its `AN` is its own | `DO` |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.documents.doi import DOI_ADDRESS, DOI_IN_FIELD

_PUBMED = ("medline", "pubmed", "nlm")
_DIGITS = re.compile(r"\d{4,9}")
_NAMED_PMID = re.compile(r"\bPMID\s*[:=]?\s*(\d{1,9})\b", re.IGNORECASE)
_NAMED_PMC = re.compile(r"\b(PMC\d{3,9})\b")
_PUBMED_PAGE = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|/pubmed)/(\d{1,9})\b")
# "https://doi.org/10.1000/182" in a link field holds the DOI
_NAMED_DOI = re.compile(rf"\bdoi\s*[:=]?\s*({DOI_IN_FIELD})", re.IGNORECASE)  # EndNote: M3
_DOI_PAGE = re.compile(f"{DOI_ADDRESS}({DOI_IN_FIELD})", re.IGNORECASE)


def values(record: Mapping[str, Any], *names: str) -> Iterator[str]:
    """What a record holds under these names of rispy, in order."""
    for name in names:
        value = record.get(name)
        for item in value if isinstance(value, list) else [value]:
            if item and str(item).strip():
                yield str(item).strip()


def pmid_of(record: Mapping[str, Any]) -> str:
    """The PMID, or another id as our own files write it (`PMCID:PMC1`), or ""."""
    own = next(values(record, "pubmed_id"), "")
    number = next(values(record, "accession_number"), "")
    base = " ".join(values(record, "name_of_database", "database_provider")).casefold()
    prefixed = number.casefold().startswith(("pmid", "medline", "pmcid", "doi:"))
    if own or (number and (prefixed or any(name in base for name in _PUBMED))):
        return own or number
    custom = {"scopus": "custom2", "embase": "custom5"}
    maker = _maker(record, base)
    digits = next(values(record, custom[maker]), "") if maker else ""
    if _DIGITS.fullmatch(digits):
        return digits
    from_notes = _first_match(_NAMED_PMID, values(record, "notes", "notes_abstract"))
    return from_notes or _first_match(_PUBMED_PAGE, values(record, *_ADDRESSES))


def pmcid_of(record: Mapping[str, Any]) -> str:
    """The PMC id where a maker gives one beside the PMID, or ""."""
    return _first_match(_NAMED_PMC, values(record, "custom2", "notes", *_ADDRESSES))


def doi_of(record: Mapping[str, Any]) -> str:
    own = next(values(record, "doi"), "")
    own = own or _first_match(_NAMED_DOI, values(record, "type_of_work", "notes"))
    return own or _first_match(_DOI_PAGE, values(record, *_ADDRESSES))


_ADDRESSES = ("urls", "url", "link1", "link2", "file_attachments1", "file_attachments2")


def _maker(record: Mapping[str, Any], base: str) -> str:
    origin = " ".join([base, *values(record, "id", "user_definable2", *_ADDRESSES)]).casefold()
    if "scopus" in origin:
        return "scopus"
    return "embase" if "embase" in origin or re.search(r"\bl\d{8,10}\b", origin) else ""


def _first_match(pattern: re.Pattern[str], texts: Iterator[str]) -> str:
    return next((match[1] for text in texts if (match := pattern.search(text))), "")
