"""Terms, values, predicates and flags as a person typed them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from core.curie import is_curie, normal_curie
from core.desk_parts import HasFolder, HasVocabularies
from core.errors import InputError
from core.extraction.predicate_by_words import predicate_by_words
from core.grounding.mesh_branch import mesh_kind
from core.model import Category, Json, Literal, Modality, Qualifier, Statement, Term, Thing
from core.schema.category import class_category
from core.services.review.authority import loadable_schemas
from core.services.vocabularies.relations import RelationNames

_T = TypeVar("_T", bound=Thing)
LONGEST_LABEL = 1_000  # characters of a label, a value or an id that a person may type
_UNSTORABLE = re.compile(r"[\ud800-\udfff\x00]")  # lone surrogates and NUL: `"\ud83d"` in JSON


def thing_of(desk: HasVocabularies, value: Json, role: str) -> Term | Literal:
    """A term or a value as a person wrote it. An id alone takes label and category from the
    vocabularies.
    """
    if isinstance(value, Mapping) and "value" in value:
        return Literal(
            typed_words(value["value"], role),
            typed_words(value.get("datatype") or "xsd:string", "datatype"),
            _optional(value.get("unit"), "unit"),
        )
    row: Mapping[str, Any] = value if isinstance(value, Mapping) else {"id": value}
    label = _optional(row.get("label"), f"label of the {role}")
    name = _optional(row.get("id"), role)
    if not name and not label:
        raise InputError(f"The {role} is missing.", "Give its CURIE, such as MESH:D000082.")
    category = _category(row.get("category"))
    if not name:
        return Term("", label, category or Category.THING)
    curie = curie_of(name, role)
    vocabulary_term = known_term(desk, curie)
    if vocabulary_term is not None:
        curie, label = vocabulary_term.id, label or vocabulary_term.label
    return with_kind(desk, Term(curie, label or curie, category or Category.THING))


def with_kind(desk: HasVocabularies, term: Term) -> Term:
    """A term of no particular kind with that of its vocabulary, if that holds one kind: HP:0002018
    is a phenotype. A MeSH term has the kind of its branch.
    """
    if not term.id or term.category is not Category.THING:
        return term
    registry = desk.vocabulary_registry
    if term.id.startswith("MESH:") and "mesh" in registry.names():
        return replace(term, category=mesh_kind(registry.lexicon("mesh"), term.id))
    return replace(term, category=_kind_of(term.id.partition(":")[0]))


class TermsByVocabulary:
    """Terms of a file that names them by ids alone, with label and kind as the vocabularies here
    have them; each id is looked up once. What the file says of a term stays.
    """

    def __init__(self, desk: HasVocabularies):
        self._desk = desk
        self._known: dict[str, tuple[str, Category]] = {}

    def named(self, statement: Statement) -> Statement:
        """The statement with labels and kinds; its id is the same, for they are no part of it."""
        subject, object_ = self._thing(statement.subject), self._thing(statement.object)
        if subject is statement.subject and object_ is statement.object:
            return statement
        return replace(statement, subject=subject, object=object_)

    def _thing(self, thing: _T) -> _T:
        if not isinstance(thing, Term) or not thing.id:
            return thing
        if thing.label and thing.category is not Category.THING:
            return thing
        if thing.id not in self._known:
            self._known[thing.id] = self._look_up(thing.id)
        label, category = self._known[thing.id]
        kind = category if thing.category is Category.THING else thing.category
        if (label := thing.label or label) == thing.label and kind is thing.category:
            return thing
        return replace(thing, label=label, category=kind)

    def _look_up(self, id: str) -> tuple[str, Category]:
        prefix = id.partition(":")[0]
        for lexicon in self._desk.vocabulary_registry.lexicons(prefixes=(prefix,)):
            if term := lexicon.term(id):
                kind = mesh_kind(lexicon, id) if prefix == "MESH" else _kind_of(prefix)
                return term.label, kind
        return "", _kind_of(prefix)


def _kind_of(prefix: str) -> Category:
    return class_category(prefixes=(prefix,))


def known_term(desk: HasVocabularies, curie: str) -> Term | None:
    """The term of an installed vocabulary with this id."""
    exact = (c.term for c in desk.grounder().search(curie, None, 5) if c.term.id == curie)
    return next(exact, None)


def predicate_of(desk: HasFolder, value: Json) -> Term:
    """A predicate as a person wrote it: a CURIE, or plain words for one of Biolink's.
    Without a label it is called as the project's schemas and lists call it.
    """
    row: Mapping[str, Any] = value if isinstance(value, Mapping) else {"id": value}
    label = _optional(row.get("label"), "label of the predicate")
    name = _optional(row.get("id"), "predicate") or label
    if not name:
        raise InputError("The predicate is missing.", "Give its CURIE, such as biolink:treats.")
    if not is_curie(name):
        predicate = predicate_by_words(name)
        if predicate is None:
            raise InputError(
                f"{name[:60]!r} is not a predicate.", "Give its CURIE, such as biolink:treats."
            )
        return predicate.term
    curie = curie_of(name, "predicate")
    words = label or RelationNames(lambda: loadable_schemas(desk)).name(curie)
    words = words or curie.partition(":")[2].replace("_", " ")
    return Term(curie, words, Category.RELATION)


def qualifier_of(desk: HasVocabularies, row: Json) -> Qualifier:
    if not isinstance(row, Mapping) or "name" not in row:
        raise InputError("A qualifier has a name and a value.")
    value = row.get("value")
    if isinstance(value, str) and not is_curie(value):
        return Qualifier(
            typed_words(row["name"], "qualifier"), Literal(typed_words(value, "qualifier"))
        )
    return Qualifier(typed_words(row["name"], "qualifier"), thing_of(desk, value, "qualifier"))


def typed_words(value: Json, role: str, longest: int = LONGEST_LABEL) -> str:
    """Words that a person gave: no lone surrogates and no NUL, which no database or page can
    show.
    """
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"The {role} is missing.")
    if len(value) > longest:
        raise InputError(f"The {role} has more than {longest:,} characters.")
    return value if role == "quote" else _UNSTORABLE.sub("\ufffd", value).strip()


def _optional(value: Json, role: str) -> str:
    return typed_words(value, role) if value else ""


def curie_of(value: Json, role: str) -> str:
    name = typed_words(value, role)
    if not is_curie(name):
        raise InputError(f"{name[:60]!r} is not a CURIE ({role}).", "Write prefix:id.")
    return normal_curie(name)


def _category(value: Json) -> Category | None:
    if not value:
        return None
    if value not in list(Category):
        raise InputError(
            f"{str(value)[:40]!r} is not a category.", f"One of {', '.join(Category)}."
        )
    return Category(value)


def modality_of(value: Json) -> Modality:
    if value not in list(Modality):
        raise InputError(
            f"{str(value)[:40]!r} is not a modality.", f"One of {', '.join(Modality)}."
        )
    return Modality(value)


def flag_of(value: Json) -> bool:
    if not isinstance(value, bool):
        raise InputError("`negated` is true or false.")
    return value
