"""Relations that a statement may be made with, and what each of them may be called."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property

from core.curie import is_curie, normal_curie
from core.kb.formats import biolink
from core.model import Term, fold_words, relation_words
from core.schema.definition import Schema
from core.schema.schema_form import PredicateForm
from core.settings import CODE

RELATIONS = CODE / "schemas" / "vocabularies" / "relation.tsv"


@cache
def relation_choices() -> tuple[PredicateForm, ...]:
    """Relations of RO and of the Biolink Model that a statement may be made with, by name."""
    predicate_forms: dict[str, PredicateForm] = {}
    lines = RELATIONS.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(
        io.StringIO("\n".join(line for line in lines if not line.startswith("#"))), delimiter="\t"
    )
    for row in rows:
        predicate_form = predicate_forms.get(row["id"]) or PredicateForm(row["label"], row["id"])
        if row["synonym"] != row["label"]:
            predicate_form = replace(predicate_form, words=(*predicate_form.words, row["synonym"]))
        predicate_forms[row["id"]] = predicate_form
    for name in biolink.parent_predicates():
        id = f"biolink:{name}"
        predicate_forms.setdefault(id, PredicateForm(name.replace("_", " "), id))
    return tuple(
        sorted(
            predicate_forms.values(),
            key=lambda predicate_form: (predicate_form.name, predicate_form.curie),
        )
    )


@cache
def predicate_by_curie() -> dict[str, PredicateForm]:
    return {predicate.curie: predicate for predicate in relation_choices()}


class RelationNames:
    """What predicates are called: by the list above, and by `schemas`, whose values mean them and
    whose slots are written as them. The schemas are read only for a name that the list lacks.
    """

    def __init__(self, schemas: Callable[[], Iterable[Schema]]):
        self._schemas = schemas

    def name(self, curie: str) -> str:
        """How a predicate reads; "" for one that nobody names."""
        names = _listed_names().get(_key(curie)) or self._in_schemas.get(_key(curie), {})
        return next(iter(names.values()), "")

    def is_called(self, predicate: Term) -> bool:
        """Whether it goes by that label; true as well of a predicate that nobody names."""
        id, words = _key(predicate.id), fold_words(relation_words(predicate))
        listed = _listed_names().get(id, {})
        if not predicate.label or words in listed:
            return True
        by_schemas = self._in_schemas.get(id, {})
        return words in by_schemas or not (listed or by_schemas)

    @cached_property
    def _in_schemas(self) -> Mapping[str, Mapping[str, str]]:
        return _by_folded_name(pair for schema in self._schemas() for pair in _names_in(schema))


@cache
def _listed_names() -> Mapping[str, Mapping[str, str]]:
    return _by_folded_name(
        (form.curie, name) for form in relation_choices() for name in (form.name, *form.words)
    )


def _by_folded_name(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """CURIE → how each name is compared → how it reads."""
    by_curie: dict[str, dict[str, str]] = {}
    for curie, name in pairs:
        words = relation_words(Term("", name))
        by_curie.setdefault(_key(curie), {}).setdefault(fold_words(words), words)
    return by_curie


def _key(curie: str) -> str:
    return normal_curie(curie) if is_curie(curie) else curie


def _names_in(schema: Schema) -> Iterator[tuple[str, str]]:
    for enum in schema.enums.values():
        for value in enum.values:
            if value.meaning:
                yield from ((value.meaning, name) for name in (value.name, *value.aliases))
    for cls in schema.classes.values():
        yield from ((slot.uri, slot.name) for slot in cls.slots if slot.uri)
