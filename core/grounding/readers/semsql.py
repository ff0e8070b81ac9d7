"""semantic-SQL databases (`sqlite:obo:…` files of OAK): the `statements` and `edge` tables."""

from __future__ import annotations

import sqlite3
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

SUFFIXES = (".db", ".sqlite")
_PREDICATES = {
    "oio:hasExactSynonym": SynonymScope.EXACT,
    "oio:hasNarrowSynonym": SynonymScope.NARROW,
    "oio:hasBroadSynonym": SynonymScope.BROAD,
    "oio:hasRelatedSynonym": SynonymScope.RELATED,
}
_KEPT = (
    "rdfs:label", "owl:deprecated", "IAO:0000115", "IAO:0100001", "oio:hasAlternativeId",
    "oio:consider", "rdfs:subClassOf", "rdf:type", *_PREDICATES,
)  # fmt: skip
_OF_THEM = f"({', '.join(repr(predicate) for predicate in _KEPT)})"
_NAMED = "subject NOT LIKE '\\_:%' ESCAPE '\\'"
_ORDERED = f"""
    SELECT subject, predicate, value, object FROM statements
    WHERE {_NAMED} AND predicate IN {_OF_THEM}
    ORDER BY subject, predicate, value, object
"""
_LEFT = f"""
    SELECT predicate, COUNT(*) FROM statements
    WHERE {_NAMED} AND predicate NOT IN {_OF_THEM} GROUP BY predicate
"""


def fits(head: bytes) -> bool:
    return head.startswith(b"SQLite format 3\0")


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    try:
        connection = sqlite3.connect(f"file:{path.resolve()}?mode=ro&immutable=1", uri=True)
        try:
            yield from _terms(connection, path, reading)
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise InputError(
            f"{path.name} is not a semantic-SQL database, or is damaged: {error}.",
            "Download it again.",
        ) from error


def _terms(
    connection: sqlite3.Connection, path: Path, reading: VocabularyReading
) -> Iterator[TermRecord]:
    version = connection.execute(
        "SELECT value FROM statements WHERE predicate = 'owl:versionInfo' LIMIT 1"
    ).fetchone()
    reading.version = str(version[0]) if version else ""
    for predicate, times in connection.execute(_LEFT):
        reading.ledger.leave("property", str(predicate), times)
    edges = _edges(connection)
    current, values = "", defaultdict[str, list[str]](list)
    for subject, predicate, value, target in connection.execute(_ORDERED):
        if subject != current:
            yield from _term(current, values, edges, reading)
            current, values = subject, defaultdict(list)
        values[predicate].append(str(value if value is not None else target))
    yield from _term(current, values, edges, reading)


def _edges(connection: sqlite3.Connection) -> dict[str, list[tuple[str, str]]]:
    edges: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for subject, relation, target in connection.execute(
        "SELECT subject, predicate, object FROM edge"
    ):
        if relation != "rdfs:subClassOf" and (curie := identifier(str(target))):
            edges[subject].append((str(relation), curie))
    return edges


def _term(
    subject: str,
    values: dict[str, list[str]],
    edges: dict[str, list[tuple[str, str]]],
    reading: VocabularyReading,
) -> Iterator[TermRecord]:
    curie = identifier(subject)
    types = values.get("rdf:type", [])
    if "owl:Class" not in types:
        for kind in types:
            reading.ledger.leave("type", kind)
        return
    if not curie:
        reading.ledger.leave("class without an id", subject)
        return
    names = [
        TermName(text, scope) for tag, scope in _PREDICATES.items() for text in values.get(tag, [])
    ]
    parents = [
        identifier(parent)
        for parent in values.get("rdfs:subClassOf", [])
        if not parent.startswith("_:")
    ]
    yield TermRecord(
        curie,
        next(iter(values.get("rdfs:label", [])), ""),
        tuple(names),
        parents=tuple(parent for parent in parents if parent),
        related=tuple(sorted(set(edges.get(subject, [])))),
        alternative=tuple(
            alternative
            for text in values.get("oio:hasAlternativeId", [])
            if (alternative := identifier(text))
        ),
        obsolete=values.get("owl:deprecated", [""])[0].lower() in ("true", "1"),
        replaced_by=identifier(next(iter(values.get("IAO:0100001", [])), "")),
        definition=next(iter(values.get("IAO:0000115", [])), ""),
        where=subject,
        consider=tuple(id for text in values.get("oio:consider", []) if (id := identifier(text))),
    )
