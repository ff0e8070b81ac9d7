"""MeSH as N-Triples (`mesh.nt`, `mesh2026.nt.gz`): NLM's RDF, http://id.nlm.nih.gov/mesh/vocab#.

Read line by line; descriptors, supplementary records, their concepts and terms are joined at the
end.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from core.grounding.readers.mesh_tree import MESH_CATEGORIES, category_id, parents_by_tree
from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import numbered_lines

SUFFIXES = (".nt",)
_SPACE = "http://id.nlm.nih.gov/mesh/"
_VOCAB = f"{_SPACE}vocab#"
# <http://id.nlm.nih.gov/mesh/D000001> <…#label> "Calcimycin"@en .
_LINE = re.compile(
    r'<([^>]*)> <([^>]*)> (?:<([^>]*)>|"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^\S+)?) \.'
)
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_WANTED = {
    f"{_VOCAB}{name}": name
    for name in (
        "preferredConcept", "concept", "narrowerConcept", "broaderConcept", "relatedConcept",
        "preferredTerm", "term", "treeNumber", "mappedTo", "preferredMappedTo", "active",
        "prefLabel", "altLabel",
    )
} | {_LABEL: "label", _TYPE: "type"}  # fmt: skip
_CLASSES = {"SCR_Chemical": "D", "SCR_Disease": "C", "SCR_Organism": "B", "SCR_Protocol": "D"}
_CONCEPTS = {
    "preferredConcept": SynonymScope.EXACT,
    "concept": SynonymScope.EXACT,
    "narrowerConcept": SynonymScope.NARROW,
    "broaderConcept": SynonymScope.BROAD,
    "relatedConcept": SynonymScope.RELATED,
}

Facts = dict[str, dict[str, list[str]]]


def fits(head: bytes) -> bool:
    return b"\0" not in head and re.search(rb"^<http://id\.nlm\.nih\.gov/mesh/", head) is not None


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    reading.name, reading.source = "mesh", "U.S. National Library of Medicine"
    if year := re.search(r"20\d\d", path.name):
        reading.version = year[0]
    facts: Facts = defaultdict(lambda: defaultdict(list))
    for number, line in numbered_lines(path, reading):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            reading.trouble("malformed-line", "The line is not a triple.", f"line {number}")
        elif (name := _WANTED.get(match[2])) is None:
            reading.ledger.leave("property", re.split("[#/]", match[2])[-1])
        elif match[5] not in (None, "en"):
            reading.ledger.leave("language", match[5])
        else:
            value = _unescaped(match[4]) if match[3] is None else match[3].rsplit("/", 1)[-1]
            facts[match[1].rsplit("/", 1)[-1]][name].append(value.rsplit("#", 1)[-1])
    yield from _terms(facts)


def _terms(facts: Facts) -> Iterator[TermRecord]:
    kinds = {id: set(own["type"]) for id, own in facts.items()}
    headings = {id for id, own in kinds.items() if any(name.endswith("Descriptor") for name in own)}
    numbers = {f"MESH:{id}": facts[id]["treeNumber"] for id in sorted(headings)}
    edges = parents_by_tree(numbers)
    for letter, label in MESH_CATEGORIES.items() if headings else ():
        yield TermRecord(category_id(letter), label)
    for id in sorted(headings):
        yield _term(f"MESH:{id}", facts[id], edges[f"MESH:{id}"], facts)
    for id in sorted(kinds):
        if category := next((_CLASSES[name] for name in sorted(kinds[id]) if name in _CLASSES), ""):
            own = facts[id]
            mapped = {
                f"MESH:{mapped_id}" for mapped_id in own["mappedTo"] + own["preferredMappedTo"]
            }
            parents = (
                *sorted(mapped_id for mapped_id in mapped if "Q" not in mapped_id),
                category_id(category),
            )
            yield _term(f"MESH:{id}", own, parents, facts)


def _term(id: str, own: dict[str, list[str]], parents: tuple[str, ...], facts: Facts) -> TermRecord:
    label = next(iter(own["label"]), "")
    names: dict[str, SynonymScope] = {}
    for link, scope in _CONCEPTS.items():
        for concept in own[link]:
            inner = facts.get(concept, {})
            texts = list(inner.get("label", []))
            for term in [*inner.get("preferredTerm", []), *inner.get("term", [])]:
                term_facts = facts.get(term, {})
                texts += [
                    t for key in ("label", "prefLabel", "altLabel") for t in term_facts.get(key, [])
                ]
            for text in texts:
                if text and text != label:
                    names.setdefault(text, scope)
    obsolete = "false" in own["active"]
    return TermRecord(
        id, label, tuple(TermName(text, scope) for text, scope in names.items()), parents,
        obsolete=obsolete,
    )  # fmt: skip


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(
        r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))",
        lambda m: (
            chr(int(m[1] or m[2], 16)) if m[1] or m[2] else {"n": " ", "t": " "}.get(m[3], m[3])
        ),
        text,
    )
