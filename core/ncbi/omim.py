"""OMIM entries: the mark before the number says what an entry is, and is kept.

`#` a phenotype with a known cause, `%` one without, none: a suspected one; `*` a gene; `+` a gene
with a phenotype; `^` moved or removed. Titles may carry {susceptibility}, [no disease] and ?
(provisional). `locus` is kept as `unconfirmed_locus`: present answers name the wrong place there,
so nothing may rest on it without a second record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from core.model import Json
from core.ncbi.record import NcbiRecord, record_curie


class OmimEntryType(StrEnum):
    GENE = "gene"
    GENE_AND_PHENOTYPE = "gene and phenotype"
    PHENOTYPE = "phenotype"
    REMOVED = "removed"


MARKS = {
    "*": OmimEntryType.GENE,
    "+": OmimEntryType.GENE_AND_PHENOTYPE,
    "#": OmimEntryType.PHENOTYPE,
    "%": OmimEntryType.PHENOTYPE,
    "^": OmimEntryType.REMOVED,
}


def omim_summary(uid: str, summary: Mapping[str, Json]) -> NcbiRecord:
    """One record of an esummary answer in JSON: mark, kind, title, symbol, other titles."""
    at = f"/result/{uid}/"
    raw_title = str(summary.get("title") or "")
    before = re.match(
        r"\s*([*+#%^]?)\s*(\d{6})\s+(?=\S)", raw_title
    )  # a title that carries its mark and number
    label = str(summary.get("oid") or (before[0].strip() if before else "")).strip()
    mark = label[:1] if label[:1] in MARKS else (before[1] if before else "")
    title, symbol = split_title(raw_title[before.end() :] if before else raw_title)
    kind = (
        str(MARKS.get(mark, OmimEntryType.PHENOTYPE)) if label else ""
    )  # an entry of no stated kind is no disease
    values: dict[str, Json] = {
        "mark": mark,
        "kind": kind,
        "title": title,
        "symbol": symbol,
        "qualifier": phenotype_qualifier(title),
        "unconfirmed_locus": str(summary.get("locus") or ""),
        "included": [
            split_title(part)[0]
            for part in re.split(r"[;|]{2}|\|", _titles(summary.get("alttitles")))
            if part.strip()
        ],
    }
    nonempty = {name: value for name, value in values.items() if value}
    fields = {
        "mark": "oid",
        "kind": "oid",
        "symbol": "title",
        "qualifier": "title",
        "included": "alttitles",
        "unconfirmed_locus": "locus",
    }
    raw = {
        "title": str(summary.get("title") or ""),
        "symbol": str(summary.get("title") or ""),
        "included": _titles(summary.get("alttitles")),
        "mark": label,
        "kind": label,
    }
    return NcbiRecord(
        record_curie("omim", uid),
        "omim",
        nonempty,
        pointers={name: at + fields.get(name, name) for name in nonempty},
        raw={k: v for k, v in raw.items() if k in nonempty},
    )


def _titles(value: Json) -> str:
    """NCBI gives the other titles as one text; a later answer may give a list."""
    return "|".join(map(str, value)) if isinstance(value, list) else str(value or "")


def split_title(text: str) -> tuple[str, str]:
    """Title and symbol of `CORNEAL DYSTROPHY, MEESMANN, 1; MECD1`; OMIM writes 3-@METHYL for
    3-methyl.
    """
    text = re.sub(r",? INCLUDED\b.*$", "", " ".join(text.replace("@", "").split()))
    title, _, after_title = text.partition(";")
    symbol = after_title.split(";")[0].strip() if after_title else ""
    return title.strip(), symbol if re.fullmatch(r"[A-Z0-9][A-Za-z0-9@*./-]{0,14}", symbol) else ""


def phenotype_qualifier(title: str) -> str:
    """What the braces round a phenotype mean."""
    if title.startswith("{"):
        return "susceptibility"
    if title.startswith("["):
        return "not a disease"
    return "provisional" if title.startswith("?") else ""
