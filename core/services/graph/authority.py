"""What the gate asks the project: the stored texts and calls that evidence rests on, and who
vouches for an id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from core.curie import is_curie, normal_curie, preferred_prefix, split_curie
from core.desk import Desk
from core.errors import GroundworkError, NotFound
from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.model import Call, Problem, RecordGround, Statement, Term, fold_words
from core.schema.catalogue import all_schemas, schema_named
from core.schema.definition import Schema
from core.store import Store

VOUCHED = frozenset(
    {"UCUM", "xsd", "rdf", "rdfs", "owl", "skos", "schema", "dcterms", "prov", "biolink", "linkml"}
)


class StoredSources:
    """Texts and calls of a store, each read once."""

    def __init__(self, store: Store):
        self.store = store
        self._texts: dict[str, str | None] = {}
        self._calls: dict[str, Call | None] = {}

    def text(self, version: str) -> str | None:
        if version not in self._texts:
            try:
                self._texts[version] = self.store.documents.text(version).text
            except NotFound:
                self._texts[version] = None
        return self._texts[version]

    def call(self, identifier: str) -> Call | None:
        if identifier not in self._calls:
            try:
                self._calls[identifier] = self.store.calls.get(identifier)
            except NotFound:
                self._calls[identifier] = None
        return self._calls[identifier]


def schemas(desk: Desk) -> list[Schema]:
    """The project's schemas that can be loaded, by name."""
    found = []
    for entry in all_schemas(desk.schemas, kept_in=desk.kept_schemas):
        try:
            found.append(schema_named(entry.path, desk.schemas))
        except GroundworkError:
            continue
    return found


def prefixes(schemas: Sequence[Schema]) -> dict[str, str]:
    """The prefixes of the schemas; of two that differ the first schema's counts."""
    found: dict[str, str] = {}
    for schema in schemas:
        for prefix, namespace in sorted(schema.prefixes.items()):
            found.setdefault(prefix, namespace)
    return found


class ProjectIds:
    """Proves ids by the project's vocabularies, its schemas' value sets, or a recorded answer
    (docs/architecture.md, Contracts).
    """

    def __init__(self, desk: Desk, records: Mapping[str, Sequence[RecordGround]] | None = None):
        self.desk = desk
        self.records = records or {}
        self._known: dict[Term, tuple[Problem, ...]] = {}
        self._covering: dict[str, list[Lexicon]] = {}

    @cached_property
    def schemas(self) -> list[Schema]:
        return schemas(self.desk)

    @cached_property
    def meanings(self) -> set[str]:
        """CURIEs that a schema itself gives: meanings of permissible values, and the slots' own."""
        enums = (enum for schema in self.schemas for enum in schema.enums.values())
        return {value.meaning for enum in enums for value in enum.values if value.meaning}

    @cached_property
    def lexicons(self) -> list[Lexicon]:
        """Every vocabulary that can be used now (see `of_prefix`)."""
        return list(self.desk.shelf.all())

    def of_prefix(self, prefix: str) -> list[Lexicon]:
        """The vocabularies that have terms of a prefix, compiled where they are not yet."""
        if prefix not in self._covering:
            able = {one.name: one for one in self.desk.shelf.lexicons(prefixes=(prefix,))}
            for lexicon in self.lexicons:
                if prefix in {preferred_prefix(written) for written in lexicon.prefixes}:
                    able.setdefault(lexicon.name, lexicon)
            self._covering[prefix] = list(able.values())
        return self._covering[prefix]

    def problems(self, term: Term, statement: Statement) -> Sequence[Problem]:
        if (
            term == statement.predicate
            or split_curie(term.id)[0] in VOUCHED
            or term.id in self.meanings
        ):
            return ()
        if self.records and any(  # a statement's id is not free: asked only where records are
            term.id in (ground.record, ground.value)
            for ground in self.records.get(statement.id, ())
        ):
            return ()
        if term not in self._known:
            self._known[term] = tuple(self.by_vocabulary(term))
        return self._known[term]

    def by_vocabulary(self, term: Term) -> list[Problem]:
        """What is wrong with an id according to the installed vocabularies."""
        wanted = normal_curie(term.id) if is_curie(term.id) else term.id
        prefix = preferred_prefix(split_curie(term.id)[0])
        for lexicon in self.of_prefix(prefix):
            for name in dict.fromkeys((term.id, wanted)):
                if (found := lexicon.term(name)) is not None:
                    return checked(term, found, lexicon.name)
        covering = [lexicon.name for lexicon in self.of_prefix(prefix)]
        where = (
            f"is not in {', '.join(covering)}"
            if covering
            else "is of a vocabulary that is not installed"
        )
        return [Problem("id-not-proven", f"{term.id} ({term.label}) {where}.")]


def checked(term: Term, found: LexiconTerm, vocabulary: str) -> list[Problem]:
    """Obsolete, or under another label: what is wrong with a term that a vocabulary has."""
    problems = []
    if found.obsolete:
        instead = f"; it was replaced by {found.replaced_by}" if found.replaced_by else ""
        problems.append(Problem("obsolete", f"{term.id} is obsolete in {vocabulary}{instead}."))
    names = {fold_words(name.text) for name in found.names} | {fold_words(found.label)}
    if term.label and fold_words(term.label) not in names:
        problems.append(
            Problem(
                "label-differs",
                f"{term.id} is “{found.label}” in {vocabulary}, not “{term.label}”.",
            )
        )
    return problems
