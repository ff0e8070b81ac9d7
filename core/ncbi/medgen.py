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
