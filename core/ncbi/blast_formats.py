"""BLAST reports in the two newer formats: JSON2 (one file, `BlastOutput2`) and XML2.

Both hold the same tree: report → results → search → hits, each with `description` (one or more
records of one sequence), and `hsps`, best first. A hit of JSON2 keeps a JSON pointer for each
value, one of XML2 an XPath.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from core.model import Json

FIELDS = {  # what a value is called in an alignment, and how the format writes it
    "bits": "bit_score",
    "identity": "identity",
    "length": "align_len",
    "query": "query_from",
    "subject": "hit_from",
}


def is_json(page: str) -> bool:
    return page.lstrip().startswith("{") and "BlastOutput2" in page[:2000]


def is_xml2(page: str) -> bool:
    return "BlastXML2" in page[:2000] or "<BlastOutput2" in page[:2000]


def is_complete(page: str) -> bool:
    """Whether the report came to its end."""
    if is_xml2(page):
        return "</BlastXML2>" in page or "</BlastOutput2>" in page
    try:
        json.loads(page, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


RawHit = tuple[str, str, dict[str, Json], dict[str, str]]  # accession, title, alignment, pointers


def json_hits(page: str) -> list[RawHit]:
    """The hits of a JSON2 report; none of one that was cut, for JSON cannot be read in part."""
    try:
        body = json.loads(page, strict=False)
    except (ValueError, RecursionError):
        return []
    outputs = body.get("BlastOutput2") if isinstance(body, Mapping) else None
    single = isinstance(outputs, Mapping)
    raw_hits: list[RawHit] = []
    for number, output in enumerate([outputs] if single else outputs or []):
        at = f"/BlastOutput2{'' if single else f'/{number}'}/report/results/search/hits"
        search = (output.get("report") or {}).get("results", {}).get("search", {})
        for place, hit in enumerate(search.get("hits") or []):
            raw_hit = _hit(hit, f"{at}/{place}", "/{}", 0)
            raw_hits += [raw_hit] if raw_hit else []
    return raw_hits


def xml_hits(page: str) -> list[RawHit]:
    """The whole `Hit` elements of an XML2 report, also of one that was cut."""
    raw_hits: list[RawHit] = []
    for block in re.findall(r"<Hit>.*?</Hit>", page, re.S):
        if "<!" in block:
            continue
        hit = _tree(ET.fromstring(block))
        raw_hit = _hit(hit, f"//Hit[num='{hit.get('num')}']", "//{}", 1)
        raw_hits += [raw_hit] if raw_hit else []
    return raw_hits


def _tree(element: ET.Element) -> Json:
    """An element as JSON2 writes it: names with `_`, lists of descriptions and alignments."""
    if element.tag in ("description", "hsps"):
        return [_tree(child) for child in element]
    if len(element):
        return {child.tag.replace("-", "_"): _tree(child) for child in element}
    return element.text or ""


def _hit(hit: Json, at: str, form: str, first_number: int) -> RawHit | None:
    """Accession with its version, title, best alignment and pointers of one hit."""
    described, aligned = hit.get("description") or [], hit.get("hsps") or []
    if not described or not aligned:
        return None
    about, best = described[0], aligned[0]
    bare, written = str(about.get("accession") or ""), str(about.get("id") or "")
    versioned = re.search(rf"{re.escape(bare)}\.\d+", written)
    accession = versioned[0] if bare and versioned else bare or written
    alignment: dict[str, Json] = {
        "bits": float(best.get("bit_score") or 0),
        "identity": int(best.get("identity") or 0),
        "length": int(best.get("align_len") or 0),
        "query": (int(best.get("query_from") or 0), int(best.get("query_to") or 0)),
        "subject": (int(best.get("hit_from") or 0), int(best.get("hit_to") or 0)),
        "alignments": len(aligned),
        "equal": sum(hsp.get("bit_score") == best.get("bit_score") for hsp in aligned),
    }
    json2 = form.startswith("/{")
    description = f"{at}/description/{first_number}" if json2 else at
    hsp = f"{at}/hsps/{first_number}" if json2 else at
    spelt = {name: field if json2 else field.replace("_", "-") for name, field in FIELDS.items()}
    pointers = {name: hsp + form.format(field) for name, field in spelt.items()}
    pointers["title"] = description + form.format("title")
    pointers["accession"] = description + form.format("id" if versioned else "accession")
    pointers["organism"] = description + form.format("sciname")
    if name := str(about.get("sciname") or ""):
        alignment["organism"] = name
    return accession, str(about.get("title") or ""), alignment, pointers
