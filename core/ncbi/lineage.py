"""Whole records of NCBI's taxonomy: an organism with the taxa above it, from efetch XML.

The form is that of NCBI's taxon DTD (`TaxaSet/Taxon/LineageEx/Taxon`, the highest taxon first).
Taxa of a lineage are elements of the same name, so that only the children of the root are records.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from core.ncbi.record import NcbiReading, NcbiRecord, record_curie


def taxon_records(root: ET.Element) -> NcbiReading:
    """A record for each organism; `lineage` is a list of {id, name, rank}, the root first."""
    records = []
    for number, taxon in enumerate(root.findall("./TaxaSet/Taxon"), 1):
        uid = _text(taxon, "TaxId")
        if not uid.isdigit():
            continue
        above = [
            {
                "id": _text(ancestor, "TaxId"),
                "name": _text(ancestor, "ScientificName"),
                "rank": _text(ancestor, "Rank"),
                "pointer": f"/TaxaSet/Taxon[{number}]/LineageEx/Taxon[{place}]",
            }
            for place, ancestor in enumerate(taxon.findall("./LineageEx/Taxon"), 1)
            if _text(ancestor, "ScientificName")
        ]
        values = {
            "uid": uid,
            "scientificname": _text(taxon, "ScientificName"),
            "commonname": _text(taxon, "OtherNames/GenbankCommonName")
            or _text(taxon, "OtherNames/CommonName"),
            "rank": _text(taxon, "Rank"),
            "lineage": above,
        }
        fields = {
            "uid": "TaxId",
            "scientificname": "ScientificName",
            "commonname": "OtherNames",
            "rank": "Rank",
            "lineage": "LineageEx",
        }
        nonempty = {name: value for name, value in values.items() if value}
        pointers = {name: f"/TaxaSet/Taxon[{number}]/{fields[name]}" for name in nonempty}
        records.append(NcbiRecord(record_curie("taxonomy", uid), "taxonomy", nonempty, pointers))
    return NcbiReading(records=tuple(records), count=len(records))


def _text(element: ET.Element, path: str) -> str:
    return (element.findtext(path) or "").strip()
