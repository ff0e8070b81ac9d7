"""MedGen's concepts, from esummary JSON: a disease with its modes of inheritance.

What a concept is said to be stands as XML in the text field `conceptmeta` (`<ModesOfInheritance>`
with one `<ModeOfInheritance CUI="…"><Name>…` each, `<OMIM><MIM>…`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from core.model import Json
from core.ncbi.record import NcbiRecord, record_curie


def medgen_summary(uid: str, given: Mapping[str, Json]) -> NcbiRecord:
    """One record, by its UMLS concept where it has one, else by MedGen's own number."""
    at = f"/result/{uid}/"
    concept = str(given.get("conceptid") or "")
    meta = _meta(str(given.get("conceptmeta") or ""))
    semantic = given.get("semantictype")
    values: dict[str, Json] = {
        "uid": uid,
        "concept": concept,
        "title": " ".join(str(given.get("title") or "").split()),
        "type": str(semantic.get("value") or "") if isinstance(semantic, Mapping) else "",
        "modes": _modes(meta),
        "mim": [one.text or "" for one in meta.iterfind(".//OMIM/MIM")],
        "names": [" ".join((one.text or "").split()) for one in meta.iterfind(".//Names/Name")],
    }
    fields = {"concept": "conceptid", "type": "semantictype/value"}
    fields |= dict.fromkeys(("modes", "mim", "names"), "conceptmeta")
    kept = {name: value for name, value in values.items() if value}
    pointers = {name: at + fields.get(name, name) for name in kept}
    known = re.fullmatch(r"C\d{7}", concept)
    id = record_curie("medgen", concept) if known else f"MedGen:{uid}"
    return NcbiRecord(id, "medgen", kept, pointers)


def _meta(text: str) -> ET.Element:
    """The XML of `conceptmeta`, which has no root; empty where it cannot be read."""
    if "<!" in text:
        return ET.Element("none")
    try:
        return ET.fromstring(f"<meta>{text}</meta>")
    except ET.ParseError:
        return ET.Element("none")


def _modes(meta: ET.Element) -> list[Json]:
    found: list[Json] = []
    for one in meta.iterfind(".//ModesOfInheritance/ModeOfInheritance"):
        name = " ".join((one.findtext("Name") or "").split())
        if name:
            found.append({"name": name, "cui": one.get("CUI") or ""})
    return found
