"""Statements that nobody has decided, as Turtle: what `extract --format ttl` writes and `import`
takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.errors import InputError
from core.kb.entry import Entry, KnowledgeBase, terms
from core.kb.formats.turtle import turtle
from core.kb.owl.ontology import ontology, written
from core.kb.rdf import iri
from core.model import Document, Evidence, Problem, Statement, Term
from core.schema.definition import Schema


def draft(
    statements: Iterable[tuple[Statement, Sequence[Evidence]]],
    prefixes: Mapping[str, str],
    base_iri: str,
    documents: Iterable[Document] = (),
) -> str:
    """Turtle that says *undecided*, agent type `text_mining_agent`, associations only.

    Ungrounded words are kept as such. Statements whose ids have no IRI are left out: see
    `unwritable`.
    """
    entries = tuple(
        Entry(s, tuple(evidence)) for s, evidence in statements if not unwritable(s, prefixes)
    )
    papers = {document.id: document for document in documents}
    return turtle(KnowledgeBase(iri.base(base_iri), entries, prefixes, papers, draft=True)).decode()


def draft_owl(
    statements: Iterable[tuple[Statement, Sequence[Evidence]]],
    schema: Schema,
    base_iri: str,
    documents: Iterable[Document] = (),
) -> tuple[str, tuple[Problem, ...]]:
    """The same as an OWL ontology, by the `owl` annotations of `schema`; and what could not be said
    in it.
    """
    kept = [
        (s, tuple(evidence)) for s, evidence in statements if not unwritable(s, schema.prefixes)
    ]
    papers = {document.id: document for document in documents}
    entries = tuple(Entry(s, evidence) for s, evidence in kept)
    kb = KnowledgeBase(
        iri.base(base_iri), entries, schema.prefixes, papers, draft=True, schemas=(schema,)
    )
    found = ontology(kb)
    return written(kb, found).decode(), found.problems


def unwritable(statement: Statement, prefixes: Mapping[str, str]) -> tuple[Term, ...]:
    """The terms whose ids cannot become IRIs: of an unknown prefix, or no CURIE at all."""
    return tuple(term for term in terms(statement) if term.id and not writable(term, prefixes))


def writable(term: Term, prefixes: Mapping[str, str]) -> bool:
    try:
        iri.term(term.id, prefixes)
    except InputError:
        return False
    return True
