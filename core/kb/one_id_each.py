"""A knowledge base in which each thing stands under one id, as it will when its curators resolve
the others: statements name the preferred id, and those that become one are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from core.kb.entry import ExportEntry, KnowledgeBase, terms_in
from core.model import Evidence, Qualifier, Statement, Support, Term, Thing, best_of
from core.model.mapping import SAME_THING

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


def with_preferred(statement: Statement, instead: Mapping[str, Term]) -> Statement:
    """The statement under preferred terms, by the ids of the others; as it is where two ids are
    what it says: a mapping ("A is exactly B"), or ends that would become one ("A is narrower than
    B" of two ids of one thing).

    >>> fits, old = Term("MESH:D012640", "Seizures"), Term("HP:0001250", "Seizure")
    >>> same = Statement(fits, Term("skos:exactMatch", "exact match"), old)
    >>> with_preferred(same, {"MESH:D012640": old}) == same
    True
    """
    new = with_terms(statement, instead)
    becomes_one = _is_of_one(new) and not _is_of_one(statement)
    return statement if becomes_one or statement.predicate.id in SAME_THING else new


def _is_of_one(statement: Statement) -> bool:
    subject, object_ = statement.subject, statement.object
    return isinstance(subject, Term) and isinstance(object_, Term) and subject.id == object_.id


def one_id_each(kb: KnowledgeBase, instead: Mapping[str, Term]) -> KnowledgeBase:
    """The knowledge base with the preferred term in the place of others, by their ids. A statement
    that is renamed is derived from the approved one and keeps its evidence and approvals; what
    several become is one statement with the evidence of all, derived from each of them. Mappings
    keep both of their ids (`with_preferred`).
    """
    if not instead:
        return kb
    entries: dict[str, ExportEntry] = {}
    touched = [entry for entry in kb.entries if _is_renamed(entry, instead)]
    kept = {id(entry) for entry in touched}
    for entry in kb.entries:
        if id(entry) not in kept:
            entries[entry.statement.id] = entry
    for entry in sorted(touched, key=lambda entry: entry.statement.id):
        new = renamed_entry(entry, instead)
        name = new.statement.id
        entries[name] = _joined(entries[name], new) if name in entries else new
    return replace(kb, entries=tuple(entries.values()), support=_support(kb, entries.values()))


def _support(kb: KnowledgeBase, entries: Iterable[ExportEntry]) -> dict[str, Support | None]:
    """The verdicts under the ids of these entries: of several that became one, the best."""
    found: dict[str, Support | None] = {}
    for entry in entries if kb.support else ():
        name = entry.statement.id
        of = (name, entry.statement.derived_from, *entry.joined)
        found[name] = best_of(support for id in of if (support := kb.support.get(id)))
    return found


def renamed_entry(entry: ExportEntry, instead: Mapping[str, Term]) -> ExportEntry:
    """An entry with other terms in the place of some. Its decisions stay on what was decided."""
    statement = replace(with_preferred(entry.statement, instead), derived_from=entry.statement.id)
    evidence = tuple(replace(piece, statement=statement.id) for piece in entry.evidence)
    return replace(entry, statement=statement, evidence=evidence)


def _is_renamed(entry: ExportEntry, instead: Mapping[str, Term]) -> bool:
    named = any(term.id in instead for term in terms_in(entry.statement))
    return named and with_preferred(entry.statement, instead) is not entry.statement


def _joined(first: ExportEntry, other: ExportEntry) -> ExportEntry:
    pieces: dict[str, Evidence] = {}
    for piece in (*first.evidence, *other.evidence):
        pieces.setdefault(piece.id, piece)
    approvals = {decision.id: decision for decision in (*first.approvals, *other.approvals)}
    in_order = sorted(approvals.values(), key=lambda decision: (decision.time, decision.id))
    origins = {*first.joined, other.statement.derived_from} - {"", first.statement.derived_from}
    return replace(
        first,
        evidence=tuple(pieces.values()),
        approvals=tuple(in_order),
        joined=tuple(sorted(origins)),
    )
