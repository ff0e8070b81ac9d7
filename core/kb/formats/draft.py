"""Statements that nobody has decided, for the formats that say so: what `extract --format ttl`
writes and `import` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.errors import InputError
from core.kb.entry import ExportEntry, KnowledgeBase, terms_in
from core.kb.formats.turtle import turtle
from core.kb.rdf import iri
from core.model import Document, Evidence, Statement, Term
from core.schema.definition import Schema


def draft_base(
    statements: Iterable[tuple[Statement, Sequence[Evidence]]],
    prefixes: Mapping[str, str],
    base_iri: str,
    *,
    documents: Iterable[Document] = (),
    notices: Mapping[str, str] | None = None,
    schemas: Sequence[Schema] = (),
) -> KnowledgeBase:
    """A knowledge base that says *undecided*, agent type `text_mining_agent`, associations only.

    Ungrounded words are kept as such. Statements whose ids have no IRI are left out: see
    `terms_without_iri`.
    """
    entries = tuple(
        ExportEntry(statement, tuple(evidence))
        for statement, evidence in statements
        if not terms_without_iri(statement, prefixes)
    )
    papers = {document.id: document for document in documents}
    return KnowledgeBase(
        iri.normalised_base(base_iri),
        entries,
        prefixes,
        papers,
        draft=True,
        notices=dict(notices or {}),
        schemas=tuple(schemas),
    )


def draft(
    statements: Iterable[tuple[Statement, Sequence[Evidence]]],
    prefixes: Mapping[str, str],
    base_iri: str,
    documents: Iterable[Document] = (),
) -> str:
    """The same as Turtle."""
    return turtle(draft_base(statements, prefixes, base_iri, documents=documents)).decode()


def terms_without_iri(statement: Statement, prefixes: Mapping[str, str]) -> tuple[Term, ...]:
    """The terms whose ids cannot become IRIs: of an unknown prefix, or no CURIE at all.

    >>> sample, pain = Term("MYLAB:7", "sample 7"), Term("HP:0012531", "Pain")
    >>> claim = Statement(sample, Term("RO:0002606", "treats"), pain)
    >>> [term.id for term in terms_without_iri(claim, {})]
    ['MYLAB:7']
    """
    return tuple(term for term in terms_in(statement) if term.id and not has_iri(term, prefixes))


def has_iri(term: Term, prefixes: Mapping[str, str]) -> bool:
    try:
        iri.term_iri(term.id, prefixes)
    except InputError:
        return False
    return True
