"""Labels that terms of statements bore before an updated vocabulary gave them others: statements
show the new ones, and keep the old ones as a note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, insert, or_, select, update

from core.codec import from_json, to_json
from core.model import Qualifier, Statement, Term, Thing
from core.store.id_batches import id_batches
from core.store.statement_row import statement_row
from core.store.table import project, statements

_T = TypeVar("_T", bound=Thing)
_KEY = "former labels "  # and a statement's id: a property of the project
_NAMED = ("body", "search")  # what of a row depends on labels


@dataclass(frozen=True, slots=True)
class FormerLabel:
    """What a term was called, what it is called since, and the vocabulary and release that renamed
    it (`mondo 2026-01-06`).
    """

    term: str
    before: str
    now: str
    renamed_in: str = ""


def relabel(connection: Connection, labels: Mapping[str, str], renamed_in: str) -> int:
    """Write new labels (CURIE → label) into the statements whose subject, predicate or object they
    are, with a note of the old ones; how many statements there were.
    """
    columns, changed = (statements.c.subject, statements.c.predicate, statements.c.object), 0
    for part in id_batches(list(labels)):
        place = or_(*(column.in_(part) for column in columns))
        rows = connection.execute(select(statements.c.id, statements.c.body).where(place)).all()
        for id, body in rows:
            before: Statement = from_json(Statement, body)
            after = _with_labels(before, labels)
            if after != before:
                row = {name: statement_row(after, [])[name] for name in _NAMED}
                connection.execute(update(statements).where(statements.c.id == id).values(**row))
                _note(connection, id, _changes(before, labels, renamed_in))
                changed += 1
    return changed


def former_labels(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[FormerLabel, ...]]:
    """What was noted on these statements, oldest first; those without a note are left out."""
    notes: dict[str, tuple[FormerLabel, ...]] = {}
    for part in id_batches(ids):
        query = select(project).where(project.c.name.in_([_KEY + id for id in part]))
        for row in connection.execute(query):
            id = row.name.removeprefix(_KEY)
            notes[id] = tuple(from_json(FormerLabel, note) for note in row.value)
    return notes


def _with_labels(statement: Statement, labels: Mapping[str, str]) -> Statement:
    return replace(
        statement,
        subject=_labelled(statement.subject, labels),
        predicate=_labelled(statement.predicate, labels),
        object=_labelled(statement.object, labels),
        qualifiers=tuple(
            Qualifier(qualifier.name, _labelled(qualifier.value, labels))
            for qualifier in statement.qualifiers
        ),
    )


def _labelled(thing: _T, labels: Mapping[str, str]) -> _T:
    label = labels.get(thing.id, "") if isinstance(thing, Term) else ""
    return replace(thing, label=label) if label and isinstance(thing, Term) else thing


def _changes(statement: Statement, labels: Mapping[str, str], renamed_in: str) -> list[FormerLabel]:
    values = (qualifier.value for qualifier in statement.qualifiers)
    parts_named = dict.fromkeys((statement.subject, statement.predicate, statement.object, *values))
    return [
        FormerLabel(term.id, term.label, labels[term.id], renamed_in)
        for term in parts_named
        if isinstance(term, Term) and labels.get(term.id) not in (None, "", term.label)
    ]


def _note(connection: Connection, statement: str, changes: Sequence[FormerLabel]) -> None:
    name = _KEY + statement
    before = connection.scalar(select(project.c.value).where(project.c.name == name))
    value: list[Any] = [*(before or []), *map(to_json, changes)]
    if before is None:
        connection.execute(insert(project).values(name=name, value=value))
    else:
        connection.execute(update(project).where(project.c.name == name).values(value=value))
