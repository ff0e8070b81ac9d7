"""What follows for approved statements from an updated vocabulary, or from ids that are one thing:
a renamed label is refreshed; a term with one successor gives way to it in one bulk decision that
keeps approvals and lineage; where several may take its place a person chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.desk_parts import HasProjectTerms, HasVocabularies
from core.errors import GroundworkError, InputError
from core.kb.one_id_each import with_preferred, with_terms
from core.model import Curator, Problem, State, Term
from core.model.decision import UPDATED
from core.services.people import roles
from core.services.review import decision
from core.services.vocabularies import changes
from core.services.vocabularies.changes import TermChange, terms_of
from core.services.vocabularies.same_things import SameThing, same_things


@dataclass(frozen=True, slots=True)
class Replacement:
    """What one bulk decision did: `done` are the new statements' ids, `batch` takes all of it back
    (`undo`), `problems` say which statements stayed and why.
    """

    done: tuple[str, ...]
    batch: str
    problems: tuple[Problem, ...] = ()


def refresh_labels(desk: HasProjectTerms, name: str, curator: str | None = None) -> int:
    """Write the new labels of renamed terms into statements; how many were refreshed. Each keeps a
    note of the label before, which Review shows. Raises Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    changed = changes.last_changes(desk, name)
    if changed is None:
        return 0
    labels = {
        term_change.id: term_change.after for term_change in changed.renamed if term_change.after
    }
    if not labels:
        return 0
    version = desk.vocabulary_registry.lexicon(name).version
    return desk.store.statements.relabel(labels, f"{name} {version}")


def replace_terms(desk: HasProjectTerms, name: str, curator: Curator) -> Replacement:
    """Put the successor of each replaced term into the approved statements that speak of it: one
    batch. Each old statement is superseded, the new one derived from it and approved.
    """
    roles.require_role(desk, curator.orcid)
    changed = changes.last_changes(desk, name)
    touched = changes.touched_statements(desk, changed) if changed else []
    successors = {
        touched_statement.change.id: _successor(desk, name, touched_statement.change.replaced_by)
        for touched_statement in touched
        if touched_statement.kind == "replaced"
    }
    batch, replaced_ids, problems = desk.new_id(), [], []
    for id in dict.fromkeys(
        touched_statement.statement
        for touched_statement in touched
        if touched_statement.kind == "replaced"
    ):
        try:
            replaced_ids.append(_replaced(desk, id, successors, name, curator=curator, batch=batch))
        except GroundworkError as error:
            problems.append(Problem("not-replaced", str(error), where=id))
    return Replacement(tuple(replaced_ids), batch, tuple(problems))


def choose_successor(
    desk: HasProjectTerms,
    name: str,
    statement: str,
    change: TermChange,
    *,
    id: str,
    curator: Curator,
) -> str:
    """Put the term that a person chose for an obsolete one into a statement; the new statement's
    id. Raises InputError for an id that the vocabulary does not have, or has as obsolete.
    """
    successors = {change.id: _successor(desk, name, id)}
    return _replaced(desk, statement, successors, name, curator=curator, batch=desk.new_id())


def labels_of_terms(desk: HasVocabularies, name: str, ids: Iterable[str]) -> dict[str, str]:
    """`cell part GO:1`, by id: what a person chooses from; the id alone where the vocabulary has
    no such term.
    """
    lexicon = desk.vocabulary_registry.lexicon(name)
    terms = {id: lexicon.term(id) for id in ids}
    return {id: f"{term.label} {id}" if term else id for id, term in terms.items()}


def _successor(desk: HasVocabularies, name: str, id: str) -> Term:
    term = desk.vocabulary_registry.lexicon(name).term(id)
    if term is None or term.obsolete:
        raise InputError(
            f"{id[:60]} is {'obsolete' if term else 'not a term'} in {name}.", "Choose another."
        )
    return Term(term.id, term.label)


def _replaced(
    desk: HasProjectTerms,
    id: str,
    successors: dict[str, Term],
    name: str,
    *,
    curator: Curator,
    batch: str,
) -> str:
    record = desk.store.statements.get(id)
    corrected = with_terms(record.statement, successors)
    version = desk.vocabulary_registry.lexicon(name).version
    pairs = ", ".join(
        f"{term.id} by {successors[term.id].id}"
        for term in changes.terms_of(record.statement)
        if term.id in successors
    )
    note = f"{UPDATED}{name} {version}: {pairs}."
    result = decision.correct(
        desk, id, record.version, corrected, curator=curator, approve=True, note=note, batch=batch
    )
    return result.record.id


def resolve_same(
    desk: HasProjectTerms, curator: Curator, things: Sequence[SameThing] | None = None
) -> Replacement:
    """Let every statement name the preferred id of these things (of all): one batch, which one
    undo takes back. The old statement is superseded, the new one derived from it with the same
    evidence, and approved where the old one was; mappings keep both ids. Raises
    Forbidden for a reader.
    """
    roles.require_role(desk, curator.orcid)
    things = same_things(desk) if things is None else things
    instead = {term.id: thing.preferred for thing in things for term in thing.others}
    ids = dict.fromkeys(id for thing in things for id in thing.statements)
    batch, done, problems = desk.new_id(), [], []
    for id in ids:
        try:
            done.append(_resolved(desk, id, instead, curator=curator, batch=batch))
        except GroundworkError as error:
            problems.append(Problem("not-replaced", str(error), where=id))
    return Replacement(tuple(done), batch, tuple(problems))


def _resolved(  # noqa: PLR0917
    desk: HasProjectTerms, id: str, instead: dict[str, Term], curator: Curator, batch: str
) -> str:
    record = desk.store.statements.get(id)
    corrected = with_preferred(record.statement, instead)
    pairs = ", ".join(
        f"{term.id} by {instead[term.id].id}"
        for term in terms_of(record.statement)
        if term.id in instead
    )
    result = decision.correct(
        desk,
        id,
        record.version,
        corrected,
        curator=curator,
        approve=record.state is State.APPROVED,
        note=f"{UPDATED}favour of one id for one thing: {pairs}.",
        batch=batch,
    )
    return result.record.id
