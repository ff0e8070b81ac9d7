"""What the gate asks the project: the stored texts and calls that evidence rests on, and who
vouches for an id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from core.curie import is_curie, normal_curie, preferred_prefix, split_curie
from core.desk_parts import HasFolder, HasProjectTerms
from core.errors import GroundworkError, NotFound, Refused
from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.kb.gate.gate import ReviewedStatement
from core.model import (
    Call,
    Candidate,
    Problem,
    RecordGround,
    Statement,
    Term,
    fold_words,
    relation_words,
)
from core.schema.catalogue import all_schemas, schema_named
from core.schema.definition import Schema
from core.services.vocabularies.relations import RelationNames
from core.services.vocabularies.remote import answered_terms
from core.store import StatementRecord, Store

VOUCHED = frozenset(
    {"UCUM", "xsd", "rdf", "rdfs", "owl", "skos", "schema", "dcterms", "prov", "biolink", "linkml"}
)


TEXTS_HELD = 20_000_000  # characters


class StoredSources:
    """Texts and calls of a store, each read once as long as the texts are few enough to be held."""

    def __init__(self, store: Store):
        self.store = store
        self._texts: dict[str, str | None] = {}
        self._held = 0  # characters of texts
        self._calls: dict[str, Call | None] = {}

    def text(self, version: str) -> str | None:
        if version not in self._texts:
            try:
                text = self.store.documents.text(version).text
                self._held += len(text)
                if self._held > TEXTS_HELD:
                    self._texts.clear()
                    self._held = len(text)
                self._texts[version] = text
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


def loadable_schemas(desk: HasFolder) -> list[Schema]:
    """The project's schemas that can be loaded, by name."""
    loaded = []
    for entry in all_schemas(desk.schemas, cache_folder=desk.schema_cache_folder):
        try:
            kept = desk.schema_cache_folder
            loaded.append(schema_named(entry.path, desk.schemas, cache_folder=kept))
        except GroundworkError:
            continue
    return loaded


def prefixes_of_schemas(schemas: Sequence[Schema]) -> dict[str, str]:
    """The prefixes of the schemas; of two that differ the first schema's counts."""
    by_prefix: dict[str, str] = {}
    for schema in schemas:
        for prefix, namespace in sorted(schema.prefixes.items()):
            by_prefix.setdefault(prefix, namespace)
    return by_prefix


class ProjectIds:
    """Proves ids by the project's vocabularies, its schemas' value sets, or a recorded answer
    (docs/architecture.md, Contracts).
    """

    def __init__(
        self, desk: HasProjectTerms, records: Mapping[str, Sequence[RecordGround]] | None = None
    ):
        self.desk = desk
        self.records: dict[str, Sequence[RecordGround]] = dict(records or {})
        self._known: dict[Term, tuple[Problem, ...]] = {}
        self._called: set[tuple[str, str]] = set()  # ids with their labels, of those expected
        self._predicates: dict[Term, tuple[Problem, ...]] = {}
        self._covering: dict[str, list[Lexicon]] = {}

    @cached_property
    def schemas(self) -> list[Schema]:
        return loadable_schemas(self.desk)

    @cached_property
    def meanings(self) -> set[str]:
        """CURIEs that a schema itself gives: meanings of permissible values, and the slots' own."""
        enums = (enum for schema in self.schemas for enum in schema.enums.values())
        return {value.meaning for enum in enums for value in enum.values if value.meaning}

    @cached_property
    def lexicons(self) -> list[Lexicon]:
        """Every vocabulary that can be used now (see `of_prefix`)."""
        return list(self.desk.vocabulary_registry.all())

    @cached_property
    def remote_answers(self) -> dict[str, Candidate]:
        """The terms that remote services answered with, by id."""
        return answered_terms(self.desk)

    def of_prefix(self, prefix: str) -> list[Lexicon]:
        """The vocabularies that have terms of a prefix, compiled where they are not yet."""
        if prefix not in self._covering:
            able = {
                vocabulary.name: vocabulary
                for vocabulary in self.desk.vocabulary_registry.lexicons(prefixes=(prefix,))
            }
            for lexicon in self.lexicons:
                if prefix in {preferred_prefix(written) for written in lexicon.prefixes}:
                    able.setdefault(lexicon.name, lexicon)
            self._covering[prefix] = list(able.values())
        return self._covering[prefix]

    def problems(self, term: Term, statement: Statement) -> Sequence[Problem]:
        if term == statement.predicate:
            return self.of_predicate(term)
        if self.records and any(  # a statement's id is not free: asked only where records are
            term.id in (ground.record, ground.value)
            for ground in self.records.get(statement.id, ())
        ):
            return ()
        return self.of_term(term)

    @cached_property
    def relation_names(self) -> RelationNames:
        return RelationNames(lambda: self.schemas)

    def of_predicate(self, predicate: Term) -> tuple[Problem, ...]:
        """A known relation under a name that is not its own would say something else to whoever
        reads the id. Nobody needs to know a predicate.
        """
        if predicate not in self._predicates:
            problems: tuple[Problem, ...] = ()
            if not self.relation_names.is_called(predicate):
                name = self.relation_names.name(predicate.id)
                words = f"{predicate.id} means “{name}”, not “{relation_words(predicate)}”."
                problems = (Problem("label-differs", words),)
            self._predicates[predicate] = problems
        return self._predicates[predicate]

    def of_term(self, term: Term) -> tuple[Problem, ...]:
        """What is wrong with an id by the schemas and the vocabularies, whoever names it."""
        if term not in self._known:
            vouched = (term.id, term.label) in self._called or split_curie(term.id)[0] in VOUCHED
            problems = () if vouched else tuple(self.by_vocabulary(term))
            # reading all schemas takes seconds: only for an id that no vocabulary proves
            self._known[term] = () if problems and term.id in self.meanings else problems
        return self._known[term]

    def expect(self, reviewed: Iterable[ReviewedStatement]) -> None:
        """Get ready for these statements: ids and labels of their ends are looked up together,
        which is much quicker than one by one, and the records they rest on may vouch for an id.
        """
        self.records = {}
        self._called.clear()
        by_prefix: dict[str, set[str]] = {}
        for each in reviewed:
            for end in (each.statement.subject, each.statement.object):
                if isinstance(end, Term) and end.id:
                    prefix = preferred_prefix(end.id.partition(":")[0])
                    by_prefix.setdefault(prefix, set()).add(end.id)
            grounds = [piece.ground for piece in (*each.accepted, *each.waiting)]
            if records := [ground for ground in grounds if isinstance(ground, RecordGround)]:
                self.records[each.id or each.statement.id] = records
        for prefix, ids in by_prefix.items():
            if able := self.of_prefix(prefix):
                self._called |= able[0].called(sorted(ids))

    def by_vocabulary(self, term: Term) -> list[Problem]:
        """What is wrong with an id according to the installed vocabularies."""
        curie = normal_curie(term.id) if is_curie(term.id) else term.id
        prefix = preferred_prefix(split_curie(term.id)[0])
        able = self.of_prefix(prefix)
        if able and able[0].is_called(term.id, term.label):
            return []
        for lexicon in able:
            for name in dict.fromkeys((term.id, curie)):
                if (vocabulary_term := lexicon.term(name)) is not None:
                    return checked_term(term, vocabulary_term, lexicon.name)
        remote_answer = self.remote_answers.get(curie)
        if remote_answer is not None and fold_words(remote_answer.term.label) == fold_words(
            term.label
        ):
            return []
        covering = [lexicon.name for lexicon in able]
        where = (
            f"is not in {', '.join(covering)}"
            if covering
            else "is of a vocabulary that is not installed"
        )
        return [Problem("id-not-proven", f"{term.id} ({term.label}) {where}.")]


def checked_term(term: Term, vocabulary_term: LexiconTerm, vocabulary: str) -> list[Problem]:
    """Obsolete, or under another label: what is wrong with a term that a vocabulary has."""
    problems = []
    if vocabulary_term.obsolete:
        instead = (
            f"; it was replaced by {vocabulary_term.replaced_by}"
            if vocabulary_term.replaced_by
            else ""
        )
        problems.append(Problem("obsolete", f"{term.id} is obsolete in {vocabulary}{instead}."))
    names = {fold_words(name.text) for name in vocabulary_term.names} | {
        fold_words(vocabulary_term.label)
    }
    if term.label and fold_words(term.label) not in names:
        problems.append(
            Problem(
                "label-differs",
                f"{term.id} is “{vocabulary_term.label}” in {vocabulary}, not “{term.label}”.",
            )
        )
    return problems


MISNAMED = "label-differs"


class IdRemarks:
    """Looks ids up in what is installed and ready: a vocabulary that is still being prepared says
    nothing yet.
    """

    def __init__(self, desk: HasProjectTerms, records: Iterable[StatementRecord]):
        grounds: Mapping[str, list[RecordGround]] = {
            record.id: [p.ground for p in record.evidence if isinstance(p.ground, RecordGround)]
            for record in records
        }
        self._ids = ProjectIds(desk, grounds)

    def problems(self, statement: Statement) -> Iterator[Problem]:
        """What is wrong with the ids of a statement."""
        for term in dict.fromkeys(_terms(statement)):
            if term.id:
                yield from self._ids.problems(term, statement)

    def need_own_names(self, statement: Statement) -> None:
        """Raises Refused where an id means something else than its label says."""
        for problem in self.problems(statement):
            if problem.code == MISNAMED:
                raise Refused(problem.message, "Open it and decide it on its own.")


def _terms(statement: Statement) -> Iterator[Term]:
    values = [qualifier.value for qualifier in statement.qualifiers]
    parts_named = (statement.subject, statement.predicate, statement.object, *values)
    yield from (named for named in parts_named if isinstance(named, Term))
