"""A knowledge base in which each thing stands under one id, as it will when its curators resolve
the others: statements name the preferred id, and those that become one are one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from core.kb.entry import ExportEntry, KnowledgeBase, terms_in
from core.model import Evidence, Qualifier, Statement, Term, Thing

_T = TypeVar("_T", bound=Thing)


def with_terms(statement: Statement, instead: Mapping[str, Term]) -> Statement:
    """The statement with other terms in the place of some, by their ids; categories stay.

    >>> treats, pain = Term("RO:0002606", "treats"), Term("HP:0012531", "Pain")
    >>> claim = Statement(Term("DRUGBANK:DB00945", "ASA"), treats, pain)
    >>> with_terms(claim, {"DRUGBANK:DB00945": Term("CHEBI:15365", "aspirin")}).subject.id
    'CHEBI:15365'
    """

    def put(thing: _T) -> _T:
        if not isinstance(thing, Term) or thing.id not in instead:
            return thing
        new = instead[thing.id]
        return replace(thing, id=new.id, label=new.label)

    return replace(
        statement,
        subject=put(statement.subject),
        predicate=put(statement.predicate),
        object=put(statement.object),
        qualifiers=tuple(
            Qualifier(qualifier.name, put(qualifier.value)) for qualifier in statement.qualifiers
        ),
    )


def one_id_each(kb: KnowledgeBase, instead: Mapping[str, Term]) -> KnowledgeBase:
    """The knowledge base with the preferred term in the place of others, by their ids. A statement
    that is renamed is derived from the approved one and keeps its evidence and approvals; what
    several become is one statement with the evidence of all.
    """
    if not instead:
        return kb
    entries: dict[str, ExportEntry] = {}
    touched = [entry for entry in kb.entries if _names_any(entry, instead)]
    kept = {id(entry) for entry in touched}
    for entry in kb.entries:
        if id(entry) not in kept:
            entries[entry.statement.id] = entry
    for entry in sorted(touched, key=lambda entry: entry.statement.id):
        new = renamed_entry(entry, instead)
        name = new.statement.id
        entries[name] = _joined(entries[name], new) if name in entries else new
    return replace(kb, entries=tuple(entries.values()))


def renamed_entry(entry: ExportEntry, instead: Mapping[str, Term]) -> ExportEntry:
    """An entry with other terms in the place of some. Its decisions stay on what was decided."""
    statement = replace(with_terms(entry.statement, instead), derived_from=entry.statement.id)
    evidence = tuple(replace(piece, statement=statement.id) for piece in entry.evidence)
    return replace(entry, statement=statement, evidence=evidence)


def _names_any(entry: ExportEntry, instead: Mapping[str, Term]) -> bool:
    return any(term.id in instead for term in terms_in(entry.statement))


def _joined(first: ExportEntry, other: ExportEntry) -> ExportEntry:
    pieces: dict[str, Evidence] = {}
    for piece in (*first.evidence, *other.evidence):
        pieces.setdefault(piece.id, piece)
    approvals = {decision.id: decision for decision in (*first.approvals, *other.approvals)}
    in_order = sorted(approvals.values(), key=lambda decision: (decision.time, decision.id))
    return replace(first, evidence=tuple(pieces.values()), approvals=tuple(in_order))
