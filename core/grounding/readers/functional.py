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

from core.curie import is_known_prefix
from core.errors import InputError
from core.grounding.readers.names_told import (
    SYNONYM_PROPERTIES,
    WrittenName,
    label_of,
    names_in_languages,
)
from core.grounding.readers.record import SynonymScope, TermRecord, VocabularyReading
from core.grounding.readers.source import numbered_lines

SUFFIXES = (".ofn",)
LONGEST_AXIOM = 200_000  # tokens; more is no ontology
DEEPEST = 200  # brackets inside brackets
_FORM = re.compile(rb"^\s*(Prefix\s*\(|Ontology\s*\()", re.MULTILINE)
# One token: <an IRI>, "a string" (which may run over lines), a bracket, =, @en or ^^ after a
# string, or a name such as owl:Class. Each alternative begins with another character.
_TOKEN = re.compile(r'<[^>]*>|"(?:[^"\\]|\\.)*"|[()=]|\^\^|@[\w\-]+|[^\s()="<>@^]+', re.DOTALL)
# By local names too: some files use prefixes that they do not declare
_SCOPES = SYNONYM_PROPERTIES | {
    re.split(r"[#/]", iri)[-1]: scope for iri, scope in SYNONYM_PROPERTIES.items()
}
_SAME = ("exactMatch", "sameAs", "equivalent")
_READ = (
    "label", "deprecated", "hasAlternativeId", "consider", "IAO_0100001", "IAO_0000115",
    "hasDbXref", *_SAME,
)  # fmt: skip

Axiom = list[Any]  # its name, then tokens and inner axioms


def fits(head: bytes) -> bool:
    return b"\0" not in head and _FORM.search(head) is not None and b"<rdf:RDF" not in head


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    entities: dict[str, str] = {}  # IRI → Class or ObjectProperty
    told: dict[str, _Told] = defaultdict(_Told)
    prefixes = reading.prefixes
    for axiom in functional_axioms(path, reading):
        name, parts = axiom[0], _without_annotations(axiom[1:])
        match name, parts:
            case "Prefix", [prefix, "=", iri, *_] if isinstance(prefix, str):
                prefixes[prefix.removesuffix(":")] = str(iri).strip("<>")
            case "Annotation", [str(predicate), str(text), *_]:
                if _iri(predicate, prefixes).endswith("versionInfo"):
                    reading.version = _string(text)
            case "Import", [str(iri), *_]:
                reading.ledger.leave("import", iri.strip("<>"))
            case "Declaration", [[("Class" | "ObjectProperty") as kind, str(entity), *_], *_]:
                entities[_iri(entity, prefixes)] = kind
            case "Declaration", [[str(kind), *_], *_]:
                reading.ledger.leave("type", kind)
            case "AnnotationAssertion", [str(predicate), str(entity), str(value), *rest]:
                told[_iri(entity, prefixes)].take(
                    _iri(predicate, prefixes), _value(value, prefixes), _language(rest)
                )
            case (("SubClassOf" | "SubObjectPropertyOf"), [str(entity), str(parent), *_]):
                told[_iri(entity, prefixes)].values["is_a"].append(_iri(parent, prefixes))
            case "EquivalentClasses", [str(one), str(other)]:
                first, second = _iri(one, prefixes), _iri(other, prefixes)
                told[first].values["equivalent"].append(second)
                told[second].values["equivalent"].append(first)
            case (
                "SubClassOf",
                [str(entity), ["ObjectSomeValuesFrom", str(relation), str(target)], *_],
            ):
                edge = f"{_iri(relation, prefixes)} {_iri(target, prefixes)}"
                told[_iri(entity, prefixes)].values["related"].append(edge)
            case _:
                reading.ledger.leave("axiom", str(name))
    for iri in sorted(entities):
        yield from _term(iri, told[iri], reading, is_relation=entities[iri] != "Class")


class _Told:
    """What the axioms of a file say of an entity: its names, and other values by the local name of
    their property.
    """

    def __init__(self) -> None:
        self.labels: list[WrittenName] = []
        self.names: list[WrittenName] = []
        self.values: dict[str, list[str]] = defaultdict(list)

    def take(self, predicate: str, value: str, language: str) -> None:
        local = re.split(r"[#/:]", predicate)[-1]
        if local == "label":
            self.labels.append((value, language, SynonymScope.EXACT))
        elif scope := _SCOPES.get(predicate) or _SCOPES.get(local):
            self.names.append((value, language, scope))
        else:
            self.values[local].append(value)


def _language(tokens: Axiom) -> str:
    """The language tag behind a string."""
    first = tokens[0] if tokens else ""
    return first[1:] if isinstance(first, str) and first.startswith("@") else ""


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
    iri: str, told: _Told, reading: VocabularyReading, *, is_relation: bool
) -> Iterator[TermRecord]:
    id, values, written = reading.curie(iri), told.values, label_of(told.labels)
    label = written[0] if written else ""
    if not id and label:
        reading.trouble("malformed-id", f"{iri[:80]!r} has no known prefix.", iri[:80])
    if not id or (not label and (is_relation or not is_known_prefix(id.partition(":")[0]))):
        return
    for name in values.keys() - {*_READ, "is_a", "related"}:
        reading.ledger.leave("property", name, len(values[name]))
    names = names_in_languages([*told.labels, *told.names], reading.languages, reading.ledger)
    edges = (edge.split(" ", 1) for edge in values.get("related", []))
    yield TermRecord(
        id,
        label,
        tuple(name for name in names if name.text != label),
        parents=tuple(sorted(set(_curies(values.get("is_a", []), reading)))),
        related=tuple(
            (reading.curie(relation) or relation, target)
            for relation, object_iri in edges
            if (target := reading.curie(object_iri))
        ),
        alternative=_curies(values.get("hasAlternativeId", []), reading),
        obsolete="true" in values.get("deprecated", []),
        replaced_by=reading.curie(next(iter(values.get("IAO_0100001", [])), "")),
        definition=next(iter(values.get("IAO_0000115", [])), ""),
        where=iri,
        consider=_curies(values.get("consider", []), reading),
        relation=is_relation,
        exact=_curies([text for name in _SAME for text in values.get(name, [])], reading),
        xrefs=_curies(values.get("hasDbXref", []), reading),
    )


def _curies(texts: list[str], reading: VocabularyReading) -> tuple[str, ...]:
    return tuple(id for text in texts if (id := reading.curie(text)))
