"""OWL in functional syntax, one axiom a line, as ROBOT and the OWL API write it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from core.grounding.readers.obo_graphs import curie
from core.grounding.readers.record import Name, Reading, Scope, TermRecord, identifier
from core.grounding.readers.source import lines

SUFFIXES = (".ofn",)
_FORM = re.compile(rb"^\s*(Prefix\s*\(|Ontology\s*\()", re.MULTILINE)
_PREFIX = re.compile(r"Prefix\(([\w.\-]*):=<([^>]*)>\)")
_ENTITY = r"(<[^>]+>|[\w.\-]*:[\w.\-]+)"
_CLASS = re.compile(rf"Declaration\(Class\({_ENTITY}\)\)")
_ANNOTATION = re.compile(
    rf"AnnotationAssertion\((?:Annotation\(.*?\)\s*)*{_ENTITY} {_ENTITY}"
    r' (?:"((?:[^"\\]|\\.)*)"|(<[^>]+>))'
)
_SUBCLASS = re.compile(rf"SubClassOf\((?:Annotation\(.*?\)\s*)*{_ENTITY} {_ENTITY}\)")
_PART = re.compile(
    rf"SubClassOf\((?:Annotation\(.*?\)\s*)*{_ENTITY} ObjectSomeValuesFrom\({_ENTITY} {_ENTITY}\)\)"
)
_VERSION = re.compile(r'Annotation\(owl:versionInfo "([^"]*)"')
_SCOPES = {
    "hasExactSynonym": Scope.EXACT,
    "hasNarrowSynonym": Scope.NARROW,
    "hasBroadSynonym": Scope.BROAD,
    "hasRelatedSynonym": Scope.RELATED,
}


def fits(head: bytes) -> bool:
    return b"\0" not in head and _FORM.search(head) is not None and b"<rdf:RDF" not in head


def read(path: Path, reading: Reading) -> Iterator[TermRecord]:
    prefixes: dict[str, str] = {}
    classes: dict[str, None] = {}
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for _, line in lines(path, reading):
        if found := _PREFIX.match(line):
            prefixes[found[1]] = found[2]
        elif found := _VERSION.match(line):
            reading.version = found[1]
        elif found := _CLASS.match(line):
            classes[_iri(found[1], prefixes)] = None
        else:
            _axiom(line, prefixes, values)
    for iri in sorted(classes):
        yield from _term(iri, values[iri], reading)


def _axiom(line: str, prefixes: dict[str, str], values: dict[str, dict[str, list[str]]]) -> None:
    if found := _ANNOTATION.match(line):
        name = re.split(r"[#/:]", found[1].strip("<>"))[-1]
        text = re.sub(r"\\(.)", r"\1", found[3]) if found[3] is not None else found[4].strip("<>")
        values[_iri(found[2], prefixes)][name].append(text)
    elif found := _SUBCLASS.match(line):
        values[_iri(found[1], prefixes)]["is_a"].append(_iri(found[2], prefixes))
    elif found := _PART.match(line):
        edge = f"{_iri(found[2], prefixes)} {_iri(found[3], prefixes)}"
        values[_iri(found[1], prefixes)]["related"].append(edge)


def _iri(text: str, prefixes: dict[str, str]) -> str:
    if text.startswith("<"):
        return text.strip("<>")
    prefix, _, local = text.partition(":")
    return prefixes.get(prefix, f"{prefix}:") + local


def _term(iri: str, values: dict[str, list[str]], reading: Reading) -> Iterator[TermRecord]:
    found = curie(iri)
    label = next(iter(values.get("label", [])), "")
    if not found:
        if label:
            reading.trouble("malformed-id", f"{iri[:80]!r} has no known prefix.", iri[:80])
        return
    edges = (edge.split(" ", 1) for edge in values.get("related", []))
    yield TermRecord(
        found,
        label,
        tuple(
            Name(text, scope) for name, scope in _SCOPES.items() for text in values.get(name, [])
        ),
        tuple(sorted({one for parent in values.get("is_a", []) if (one := curie(parent))})),
        tuple((curie(one) or one, target) for one, other in edges if (target := curie(other))),
        tuple(one for text in values.get("hasAlternativeId", []) if (one := identifier(text))),
        "true" in values.get("deprecated", []),
        curie(next(iter(values.get("IAO_0100001", [])), "")),
        definition=next(iter(values.get("IAO_0000115", [])), ""),
        where=iri,
    )
