"""OBO 1.2 and 1.4 flat files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
    identifier,
)
from core.grounding.readers.source import numbered_lines

SUFFIXES = (".obo",)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(EXACT|NARROW|BROAD|RELATED)?')
_TAG = re.compile(r"([A-Za-z0-9_\-]+):\s*(.*)")


def fits(head: bytes) -> bool:
    return (
        b"\0" not in head
        and re.search(rb"^(format-version:|\[Term\]|ontology:)", head, re.MULTILINE) is not None
    )


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    kind, tags, start = "header", defaultdict[str, list[str]](list), 1
    for number, line in numbered_lines(path, reading):
        if line.startswith("["):
            yield from _stanza(kind, tags, start, reading)
            kind, tags, start = line.strip().strip("[]"), defaultdict(list), number
        elif match := _TAG.match(line):
            tags[match[1]].append(match[2])
        elif line.strip() and not line.startswith("!"):
            reading.trouble(
                "malformed-line", f"{line[:60]!r} is not a tag and a value.", f"line {number}"
            )
    if kind == "header":
        raise InputError(f"{path.name} contains no terms.", "Choose another file.")
    yield from _stanza(kind, tags, start, reading)


def _stanza(
    kind: str, tags: dict[str, list[str]], start: int, reading: VocabularyReading
) -> Iterator[TermRecord]:
    if kind == "header":
        reading.name = _first(tags, "ontology").removesuffix(".obo")
        reading.version = _first(tags, "data-version") or _first(tags, "date")
    elif kind == "Term":
        curie = identifier(_bare(_first(tags, "id")))
        if curie:
            yield _term(curie, tags, f"line {start}")
        else:
            reading.trouble(
                "malformed-id", f"{_first(tags, 'id')[:60]!r} is not an id.", f"line {start}"
            )


def _term(curie: str, tags: dict[str, list[str]], where: str) -> TermRecord:
    replaced = [identifier(_bare(value)) for value in tags["replaced_by"]]
    definition = _QUOTED.match(_first(tags, "def"))
    return TermRecord(
        curie,
        _unescaped(_first(tags, "name")),
        tuple(name for value in tags["synonym"] if (name := _name(value))),
        parents=_ids(tags["is_a"]),
        related=tuple(edge for value in tags["relationship"] if (edge := _edge(value))),
        alternative=_ids(tags["alt_id"]),
        obsolete=_first(tags, "is_obsolete").startswith("true"),
        replaced_by=replaced[0] if replaced else "",
        definition=_unescaped(definition[1]) if definition else "",
        where=where,
        consider=_ids(tags["consider"]),
    )


def _ids(values: list[str]) -> tuple[str, ...]:
    return tuple(id for value in values if (id := identifier(_bare(value))))


def _first(tags: dict[str, list[str]], tag: str) -> str:
    return tags[tag][0].strip() if tags.get(tag) else ""


def _bare(value: str) -> str:
    """A value without its comment and trailing modifiers."""
    return value.split(" ! ")[0].split(" {")[0].strip()


def _name(value: str) -> TermName | None:
    match = _QUOTED.match(value)
    return (
        TermName(_unescaped(match[1]), SynonymScope(match[2] or "RELATED"))
        if match and match[1].strip()
        else None
    )


def _edge(value: str) -> tuple[str, str] | None:
    parts = _bare(value).split()
    target = identifier(parts[1]) if len(parts) >= 2 else ""
    return (parts[0], target) if target else None


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(.)", lambda escape: {"n": "\n", "t": "\t", "W": " "}.get(escape[1], escape[1]), text
    ).strip()
