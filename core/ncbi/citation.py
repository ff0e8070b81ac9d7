"""Records of PubMed, of sequences and of the taxonomy, from esummary JSON."""

from __future__ import annotations

from collections.abc import Mapping

from core.model import Json
from core.ncbi.call import SEQUENCE_DATABASES
from core.ncbi.record import NcbiRecord, record_curie

FIELDS = {
    "pubmed": ("title", "source", "pubdate", "elocationid"),
    "nuccore": (
        "title",
        "accessionversion",
        "organism",
        "taxid",
        "slen",
        "moltype",
        "biomol",
        "genome",
    ),
    "protein": ("title", "accessionversion", "organism", "taxid", "slen", "moltype", "sourcedb"),
    "taxonomy": ("scientificname", "commonname", "rank", "division", "genbankdivision"),
}


def plain_summary(db: str, uid: str, summary: Mapping[str, Json]) -> NcbiRecord:
    """The fields that matter, as they stand; a nucleotide record's chromosome comes from its
    subtype list.
    """
    values = {
        name: str(summary[name]) for name in FIELDS[db] if summary.get(name) not in (None, "")
    }
    pointers = {name: f"/result/{uid}/{name}" for name in values}
    names, subs = (
        str(summary.get("subname", "")).split("|"),
        str(summary.get("subtype", "")).split("|"),
    )
    if db == "nuccore" and "chromosome" in subs and len(names) == len(subs):
        values["chromosome"] = names[subs.index("chromosome")]
        pointers["chromosome"] = f"/result/{uid}/subname"
    # a GI number is no INSDC id: the record goes by accession.version where it states one
    identity = values.get("accessionversion") if db in SEQUENCE_DATABASES else ""
    if db == "taxonomy":
        values["uid"], pointers["uid"] = uid, f"/result/{uid}/uid"
    return NcbiRecord(record_curie(db, identity or uid), db, values, pointers)
