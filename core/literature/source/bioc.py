"""BioC (XML and JSON) and PubTator files: their passages as sections; annotations are left to the dictionary engine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree.ElementTree import Element

from core.errors import InputError
from core.literature.paper import ABSTRACT, FULL_TEXT, Paper, Section
from core.literature.source.rows import paper_of
from core.literature.source.xml import decoded, words

_LINE = re.compile(r"^(\S+)\|([ta])\|(.*)$")
Passage = tuple[dict[str, str], str]


def papers(root: Element) -> Iterator[Paper]:
    """The documents of a BioC collection."""
    for document in root.iter("document"):
        passages = [
            ({i.get("key", ""): words(i).strip() for i in p.iterfind("infon")}, words(p.find("text")))
            for p in document.iterfind("passage")
        ]
        yield _paper(words(document.find("id")).strip(), passages)


def read_json(raw: bytes, name: str = "") -> Iterator[Paper]:
    """BioC JSON (a collection, a document, a list of them), or {id, title, text} objects."""
    try:
        value = json.loads(decoded(raw))
    except ValueError as error:
        raise InputError(f"{name or 'This file'} is not JSON that can be read.", "It may be cut off.") from error
    yield from _documents(value, name)


def _documents(value: Any, name: str) -> Iterator[Paper]:
    if isinstance(value, list):
        for one in value:
            yield from _documents(one, name)
    elif isinstance(value, dict) and isinstance(value.get("documents"), list):
        yield from _documents(value["documents"], name)
    elif isinstance(value, dict) and isinstance(value.get("PubTator3"), list):
        yield from _documents(value["PubTator3"], name)
    elif isinstance(value, dict) and isinstance(value.get("passages"), list):
        passages = [
            ({str(k): str(v) for k, v in (p.get("infons") or {}).items()}, str(p.get("text") or ""))
            for p in value["passages"]
            if isinstance(p, dict)
        ]
        yield _paper(str(value.get("id") or "").strip(), passages)
    else:
        yield paper_of(value, name or "the file")


def _paper(id: str, passages: Iterable[Passage]) -> Paper:
    title, sections, kind, year, journal = "", [], ABSTRACT, "", ""
    for infons, text in passages:
        name = infons.get("section_type") or infons.get("section") or infons.get("type") or ""
        year = year or infons.get("year", "")
        journal = journal or infons.get("journal", "")
        if name.casefold() in ("title", "front") and not title:
            title = text
        elif name.casefold() not in ("ref", "references"):
            kind = FULL_TEXT if infons.get("section_type", "").casefold() not in ("", "abstract", "title") else kind
            sections.append(Section("" if name.casefold() == "abstract" else name.capitalize(), text))
    curie = f"PMID:{id}" if id.isdigit() else f"PMCID:{id}" if re.fullmatch(r"PMC\d+", id) else id
    if not curie:
        raise InputError("A BioC document has no id.", "Give it one, such as its PMID.")
    return Paper(curie, title, tuple(sections), kind, (curie,), year[:4], journal.split(";")[0])


def looks_like_pubtator(head: bytes) -> bool:
    return re.match(rb"\S+\|t\|", head) is not None


def read_pubtator(raw: bytes, name: str = "") -> Iterator[Paper]:
    """PubTator's `id|t|title` and `id|a|abstract` lines; annotation lines are left out."""
    found: dict[str, dict[str, str]] = {}
    for line in decoded(raw).splitlines():
        parts = _LINE.match(line)
        if parts:
            found.setdefault(parts[1], {})[parts[2]] = parts[3]
    if not found:
        raise InputError(
            f"{name or 'This file'} holds no PubTator document.", "Lines are `id|t|title`, `id|a|abstract`."
        )
    for id, parts_of in found.items():
        curie = f"PMID:{id}" if id.isdigit() else id
        yield Paper(curie, parts_of.get("t", ""), (Section("", parts_of.get("a", "")),), ABSTRACT, (curie,))
