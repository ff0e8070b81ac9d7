"""What the gate asks of a project beyond its ids: is a predicate a relation, and what did the
judges of support say of the evidence?
"""

from __future__ import annotations

from collections.abc import Iterable

from core.curie import is_curie, normal_curie, preferred_prefix
from core.desk_parts import HasProjectTerms
from core.kb.formats import biolink
from core.model import Category, Support, Term
from core.schema.category import class_category
from core.services.review.authority import ProjectIds
from core.support.fitting_kinds import with_article

RELATION_VOCABULARIES = frozenset(("RO", "BFO", "biolink"))  # prefixes that only relations have
# Vocabularies of the web that write a property with a small letter and a class with a capital one:
# schema:dosage is a relation, schema:Drug is none.
BY_LETTER = frozenset(("schema", "dcterms", "skos", "prov", "qudt", "sosa"))


class ProjectMeaning:
    """Knows the relations of the installed vocabularies and schemas, and the stored verdicts."""

    def __init__(self, desk: HasProjectTerms, ids: ProjectIds):
        self._desk, self._ids = desk, ids
        self._problems: dict[str, str] = {}
        self._verdicts: dict[str, dict[str, Support]] = {}

    def expect(self, statements: Iterable[str]) -> None:
        """Get ready for these statements: their verdicts are read together."""
        self._verdicts = self._desk.store.support.of_statements(list(statements))

    def support(self, statement: str, evidence: str) -> Support | None:
        return self._verdicts.get(statement, {}).get(evidence)

    def relation_problem(self, predicate: Term) -> str:
        if predicate.id not in self._problems:
            self._problems[predicate.id] = self._problem_of(predicate)
        return self._problems[predicate.id]

    def _problem_of(self, predicate: Term) -> str:
        """A relation stands in the list of relations, in a schema, in RO or in Biolink, or Biolink
        maps it. That another vocabulary has the id does not say that it is one.
        """
        curie, prefix = predicate.id, preferred_prefix(predicate.id.partition(":")[0])
        if not curie or self._ids.relation_names.name(curie):
            return ""
        if curie in biolink.OWN or curie in biolink.mapped_relations():
            return ""
        if prefix in BY_LETTER and curie.partition(":")[2][:1].islower():
            return ""
        kind = class_category(prefixes=[prefix])
        if kind not in (Category.RELATION, Category.THING):
            return f"{curie} ({predicate.label}) is {with_article(kind)}, not a relation"
        names = {curie, normal_curie(curie) if is_curie(curie) else curie}
        able = self._ids.of_prefix(prefix) if prefix in RELATION_VOCABULARIES else []
        if any(lexicon.term(name) for lexicon in able for name in names):
            return ""
        return f"{curie} ({predicate.label}) is in no vocabulary of relations that is installed"
