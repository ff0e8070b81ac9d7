"""MeSH as NLM publishes it: `descYYYY.xml` (descriptors) and `suppYYYY.xml` (supplementary
records), gzipped or not. Streamed: one record is held at a time.

A descriptor's parents come from its tree numbers; a supplementary record lies under the descriptors
it is mapped to, and under the category of its class (1 chemical, 3 disease, 4 organism).
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.grounding.readers.mesh_tree import (
    MESH_CATEGORIES,
    SUPPLEMENTARY,
    category_id,
    parents_by_tree,
)
from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import DAMAGED, damaged_file_error, open_unpacked
from core.grounding.readers.xml_guard import GuardedXml

SUFFIXES = (".xml",)
_ROOT = re.compile(rb"<(?:DescriptorRecordSet|SupplementalRecordSet)\b")
_DTD = re.compile(rb"nlm(?:descriptor|supplemental)recordset", re.IGNORECASE)
# How the terms of another concept of the record relate to it: NRW narrower, BRD broader.
_RELATIONS = {"NRW": SynonymScope.NARROW, "BRD": SynonymScope.BROAD, "REL": SynonymScope.RELATED}


_KEPT = {
    "DescriptorUI", "DescriptorName", "TreeNumberList", "ConceptList", "SupplementalRecordUI",
    "SupplementalRecordName", "HeadingMappedToList",
}  # fmt: skip


def fits(head: bytes) -> bool:
    return b"\0" not in head and bool(_ROOT.search(head) or _DTD.search(head))


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    reading.name, reading.source = "mesh", "U.S. National Library of Medicine"
    if year := re.search(r"(?:desc|supp)?(20\d\d)", path.name):
        reading.version = year[1]
    descriptors: dict[str, TermRecord] = {}
    numbers: dict[str, list[str]] = {}
    for record in _records(path):
        for part in record:
            if part.tag not in _KEPT:
                reading.ledger.leave("element", part.tag)
        if record.tag == "DescriptorRecord":
            id = f"MESH:{_text(record, 'DescriptorUI')}"
            numbers[id] = [node.text or "" for node in record.iter("TreeNumber")]
            descriptors[id] = _term(record, id, _text(record, "DescriptorName/String"))
        else:
            yield _supplementary(record)
    edges = parents_by_tree(numbers)
    for letter, label in MESH_CATEGORIES.items() if descriptors else ():
        yield TermRecord(category_id(letter), label)
    for id, term in descriptors.items():
        yield TermRecord(id, term.label, term.names, edges[id], definition=term.definition)
    if not reading.version:
        reading.version = "undated"


def _records(path: Path) -> Iterator[ET.Element]:
    """Records one after the other; what was read is let go. Raises InputError."""
    try:
        with open_unpacked(path) as file:
            root: ET.Element | None = None
            for event, element in ET.iterparse(GuardedXml(file, path), ("start", "end")):
                if root is None:
                    root = element
                if event == "end" and element.tag in ("DescriptorRecord", "SupplementalRecord"):
                    yield element
                    root.clear()
    except ET.ParseError as error:
        raise InputError(
            f"{path.name} is not complete XML: {str(error)[:100]}.", "Download it again."
        ) from error
    except DAMAGED as error:
        raise damaged_file_error(path) from error


def _supplementary(record: ET.Element) -> TermRecord:
    id = f"MESH:{_text(record, 'SupplementalRecordUI')}"
    mapped = {
        f"MESH:{(node.text or '').strip().lstrip('*')}"
        for node in record.findall("HeadingMappedToList/HeadingMappedTo//DescriptorUI")
    }
    category = category_id(SUPPLEMENTARY.get(record.get("SCRClass", ""), "D"))
    term = _term(record, id, _text(record, "SupplementalRecordName/String"))
    return TermRecord(id, term.label, term.names, (*sorted(mapped), category))


def _term(record: ET.Element, id: str, label: str) -> TermRecord:
    names: dict[str, SynonymScope] = {}
    for concept in record.findall("ConceptList/Concept"):
        own = concept.get("PreferredConceptYN") == "Y"
        relation = next((r.get("RelationName", "") for r in concept.iter("ConceptRelation")), "")
        scope = SynonymScope.EXACT if own else _RELATIONS.get(relation, SynonymScope.EXACT)
        for term in concept.findall("TermList/Term/String"):
            text = (term.text or "").strip()
            if text and text != label:
                names.setdefault(text, scope)
    note = _text(record, "ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote")
    synonyms = tuple(TermName(text, scope) for text, scope in names.items())
    return TermRecord(id, label, synonyms, definition=" ".join(note.split()))


def _text(record: ET.Element, place: str) -> str:
    return (record.findtext(place) or "").strip()
