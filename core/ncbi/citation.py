"""Records of PubMed, of sequences and of the taxonomy, from esummary JSON.

Whole records of NCBI's taxonomy: an organism with the taxa above it, from efetch XML.

The form is that of NCBI's taxon DTD (`TaxaSet/Taxon/LineageEx/Taxon`, the highest taxon first).
Taxa of a lineage are elements of the same name, so that only the children of the root are records.

MedGen's concepts, from esummary JSON: a disease with its modes of inheritance.

What a concept is said to be stands as XML in the text field `conceptmeta` (`<ModesOfInheritance>`
with one `<ModeOfInheritance CUI="…"><Name>…` each, `<OMIM><MIM>…`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from core.model import Json
from core.ncbi.call import SEQUENCE_DATABASES
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


def medgen_summary(uid: str, summary: Mapping[str, Json]) -> NcbiRecord:
    """One record, by its UMLS concept where it has one, else by MedGen's own number."""
    at = f"/result/{uid}/"
    concept = str(summary.get("conceptid") or "")
    meta = _meta(str(summary.get("conceptmeta") or ""))
    semantic = summary.get("semantictype")
    values: dict[str, Json] = {
        "uid": uid,
        "concept": concept,
        "title": " ".join(str(summary.get("title") or "").split()),
        "type": str(semantic.get("value") or "") if isinstance(semantic, Mapping) else "",
        "modes": _modes(meta),
        "mim": [mim_element.text or "" for mim_element in meta.iterfind(".//OMIM/MIM")],
        "names": [
            " ".join((name_element.text or "").split())
            for name_element in meta.iterfind(".//Names/Name")
        ],
    }
    fields = {"concept": "conceptid", "type": "semantictype/value"}
    fields |= dict.fromkeys(("modes", "mim", "names"), "conceptmeta")
    nonempty = {name: value for name, value in values.items() if value}
    pointers = {name: at + fields.get(name, name) for name in nonempty}
    is_concept_id = re.fullmatch(r"C\d{7}", concept)
    id = record_curie("medgen", concept) if is_concept_id else f"MedGen:{uid}"
    return NcbiRecord(id, "medgen", nonempty, pointers)


def _meta(text: str) -> ET.Element:
    """The XML of `conceptmeta`, which has no root; empty where it cannot be read."""
    if "<!" in text:
        return ET.Element("none")
    try:
        return ET.fromstring(f"<meta>{text}</meta>")
    except ET.ParseError:
        return ET.Element("none")


def _modes(meta: ET.Element) -> list[Json]:
    modes: list[Json] = []
    for mode in meta.iterfind(".//ModesOfInheritance/ModeOfInheritance"):
        name = " ".join((mode.findtext("Name") or "").split())
        if name:
            modes.append({"name": name, "cui": mode.get("CUI") or ""})
    return modes


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
