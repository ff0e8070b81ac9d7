"""A record of an answer, projected: the fields that matter, and where in the stored answer each was
read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.model import Json


@dataclass(frozen=True, slots=True)
class NcbiRecord:
    """`id` is a CURIE (`NCBIGene:5699`). `pointers` gives a JSON pointer, XPath or line for each of
    `values`.

    Coordinates in `values` are 1-based and inclusive, with strand and accession.version.
    """

    id: str
    db: str
    values: Mapping[str, Json] = field(default_factory=dict)
    pointers: Mapping[str, str] = field(default_factory=dict)
    raw: Mapping[str, str] = field(
        default_factory=dict
    )  # values as they stand at their pointers, where they differ

    def get(self, name: str, default: Any = "") -> Any:
        return self.values.get(name, default)

    def text(self, name: str) -> str:
        """The value as text: lists joined with commas."""
        value = self.values.get(name, "")
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True, slots=True)
class UnusedRecord:
    """A record that was in the answer and was not used, and why."""

    record: str
    why: str


@dataclass(frozen=True, slots=True)
class NcbiReading:
    """What one answer says. `count` is how many records NCBI has, which may be more than it sent;
    `unfound` the words that a search knows nothing of; `links` the ids that each record asked about
    points to.
    """

    records: tuple[NcbiRecord, ...] = ()
    ids: tuple[str, ...] = ()
    count: int = 0
    dropped: tuple[UnusedRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    cut: bool = False
    unfound: tuple[str, ...] = ()
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # pointer of each link (`122100>3859`) and of each id that a search named (`>3859`)
    places: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ()  # ids whose links NCBI could not look up
    pending: bool = False  # BLAST: not ready yet
    rid: str = ""
    estimate: float = 0.0  # seconds that BLAST thinks it needs
    following: str = ""  # Datasets: the token of the next page, where there is one


PREFIXES = {
    "gene": "NCBIGene",
    "snp": "DBSNP",
    "omim": "OMIM",
    "nuccore": "INSDC",
    "clinvar": "ClinVar",
    "pubmed": "PMID",
    "medgen": "UMLS",
    "protein": "INSDC",
    "taxonomy": "NCBITaxon",
}


def record_curie(db: str, uid: str) -> str:
    """The CURIE of a record: `DBSNP:rs…` for SNPs, `RefSeq:NC_…` for RefSeq's sequences."""
    if db in ("nuccore", "protein") and re.match(r"[A-Z]{2}_", uid):
        return f"RefSeq:{uid}"
    return f"{PREFIXES[db]}:{'rs' + uid if db == 'snp' else uid}"
