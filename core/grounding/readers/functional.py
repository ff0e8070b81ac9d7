"""OWL in functional syntax, as ROBOT and the OWL API write it, however its axioms are broken into
lines.

Read by a tokenizer that looks at each character once: an axiom is a list of tokens with brackets,
and annotations of annotations are skipped by counting brackets.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.grounding.readers.obo_graphs import curie
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
    identifier,
)
from core.grounding.readers.source import numbered_lines

SUFFIXES = (".ofn",)
LONGEST_AXIOM = 200_000  # tokens; more is no ontology
DEEPEST = 200  # brackets inside brackets
_FORM = re.compile(rb"^\s*(Prefix\s*\(|Ontology\s*\()", re.MULTILINE)
# One token: <an IRI>, "a string" (which may run over lines), a bracket, =, @en or ^^ after a
# string, or a name such as owl:Class. Each alternative begins with another character.
_TOKEN = re.compile(r'<[^>]*>|"(?:[^"\\]|\\.)*"|[()=]|\^\^|@[\w\-]+|[^\s()="<>@^]+', re.DOTALL)
_SCOPES = {
    "hasExactSynonym": SynonymScope.EXACT,
    "hasNarrowSynonym": SynonymScope.NARROW,
    "hasBroadSynonym": SynonymScope.BROAD,
    "hasRelatedSynonym": SynonymScope.RELATED,
}

Axiom = list[Any]  # its name, then tokens and inner axioms


def fits(head: bytes) -> bool:
    return b"\0" not in head and _FORM.search(head) is not None and b"<rdf:RDF" not in head


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    prefixes: dict[str, str] = {}
    classes: dict[str, None] = {}
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for axiom in functional_axioms(path, reading):
        name, parts = axiom[0], _without_annotations(axiom[1:])
        match name, parts:
            case "Prefix", [prefix, "=", iri, *_] if isinstance(prefix, str):
                prefixes[prefix.removesuffix(":")] = str(iri).strip("<>")
            case "Annotation", [str(predicate), str(text), *_]:
                if _iri(predicate, prefixes).endswith("versionInfo"):
                    reading.version = _string(text)
            case "Declaration", [["Class", str(entity), *_], *_]:
                classes[_iri(entity, prefixes)] = None
            case "AnnotationAssertion", [str(predicate), str(entity), str(value), *_]:
                local = re.split(r"[#/:]", predicate.strip("<>"))[-1]
                values[_iri(entity, prefixes)][local].append(_value(value, prefixes))
            case "SubClassOf", [str(entity), str(parent), *_]:
                values[_iri(entity, prefixes)]["is_a"].append(_iri(parent, prefixes))
            case (
                "SubClassOf",
                [str(entity), ["ObjectSomeValuesFrom", str(relation), str(target)], *_],
            ):
                edge = f"{_iri(relation, prefixes)} {_iri(target, prefixes)}"
                values[_iri(entity, prefixes)]["related"].append(edge)
    for iri in sorted(classes):
        yield from _term(iri, values[iri], reading)


def functional_axioms(path: Path, reading: VocabularyReading) -> Iterator[Axiom]:
    """The axioms of a file one after the other; `Ontology(` itself is looked through. Raises
    InputError for brackets that do not match.
    """
    stack: list[Axiom] = []
    name, size, is_closed = "", 0, True  # the ontology, where it was opened
    for number, token in tokens(path, reading):
        size += 1
        if size > LONGEST_AXIOM or len(stack) > DEEPEST:
            raise InputError(f"Line {number} of {path.name} is in an axiom that is never closed.")
        if token == "(":
            if name == "Ontology" and not stack:
                name, is_closed = "", False
                continue
            stack.append([name])
            name = ""
        elif token == ")":
            if name and stack:
                stack[-1].append(name)
            name = ""
            if not stack:
                is_closed = True
                continue
            axiom = stack.pop()
            if stack:
                stack[-1].append(axiom)
            else:
                yield axiom
                size = 0
        else:
            if name and stack:
                stack[-1].append(name)
            name = token
    if stack or not is_closed:
        raise InputError(
            f"{path.name} ends inside an {'axiom' if stack else 'ontology'}: it may be cut short.",
            "Download it again.",
        )


def tokens(path: Path, reading: VocabularyReading) -> Iterator[tuple[int, str]]:
    """Tokens with the number of the line they end in; comments (#) are left out. Linear in the
    length of the file.
    """
    waiting: list[str] = []  # lines of a string that has not ended
    for number, line in numbered_lines(path, reading):
        if not waiting and line.lstrip().startswith("#"):
            continue
        if waiting or _open_string(line):
            waiting.append(line)
            if len(waiting) > 1 and not _closes(line):
                if len(waiting) > LONGEST_AXIOM:
                    raise InputError(
                        f"Line {number} of {path.name} is in a text that is never closed."
                    )
                continue
            if len(waiting) == 1:
                continue
            line, waiting = "\n".join(waiting), []
            if _open_string(line):
                waiting = [line]
                continue
        for match in _TOKEN.finditer(line):
            yield number, match[0]
    if waiting:
        raise InputError(
            f"{path.name} ends inside a text: it may be cut short.", "Download it again."
        )


def _open_string(line: str) -> bool:
    """Whether a string begins in this line and does not end in it."""
    return _quotes(line) % 2 == 1


def _closes(line: str) -> bool:
    return _quotes(line) % 2 == 1


def _quotes(line: str) -> int:
    """Quotation marks that are not escaped."""
    if "\\" not in line:
        return line.count('"')
    return line.replace("\\\\", "").replace('\\"', "").count('"')


def _without_annotations(parts: Axiom) -> Axiom:
    """An axiom's parts without the annotations on the axiom itself, which come first."""
    start = 0
    while start < len(parts) and isinstance(parts[start], list) and parts[start][0] == "Annotation":
        start += 1
    return parts[start:]


def _string(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL) if token[:1] == '"' else token


def _value(token: str, prefixes: dict[str, str]) -> str:
    return _string(token) if token[:1] == '"' else _iri(token, prefixes)


def _iri(text: str, prefixes: dict[str, str]) -> str:
    if text.startswith("<"):
        return text.strip("<>")
    prefix, _, local = text.partition(":")
    return prefixes.get(prefix, f"{prefix}:") + local


def _term(
    iri: str, values: dict[str, list[str]], reading: VocabularyReading
) -> Iterator[TermRecord]:
    id = curie(iri)
    label = next(iter(values.get("label", [])), "")
    if not id:
        if label:
            reading.trouble("malformed-id", f"{iri[:80]!r} has no known prefix.", iri[:80])
        return
    edges = (edge.split(" ", 1) for edge in values.get("related", []))
    yield TermRecord(
        id,
        label,
        tuple(
            TermName(text, scope)
            for name, scope in _SCOPES.items()
            for text in values.get(name, [])
        ),
        parents=tuple(
            sorted({parent_id for parent in values.get("is_a", []) if (parent_id := curie(parent))})
        ),
        related=tuple(
            (curie(relation) or relation, target)
            for relation, object_iri in edges
            if (target := curie(object_iri))
        ),
        alternative=tuple(
            parent_id
            for text in values.get("hasAlternativeId", [])
            if (parent_id := identifier(text))
        ),
        obsolete="true" in values.get("deprecated", []),
        replaced_by=curie(next(iter(values.get("IAO_0100001", [])), "")),
        definition=next(iter(values.get("IAO_0000115", [])), ""),
        where=iri,
        consider=tuple(
            parent_id for text in values.get("consider", []) if (parent_id := curie(text))
        ),
    )
