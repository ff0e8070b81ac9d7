"""Which schemas use a vocabulary: those whose classes name it, and, of a vocabulary that the
project's curators added, those with classes of the kind of thing that it is said to contain.

    schemas_using(desk, "lab_drugs")       # [SchemaUse("Chemicals and diseases", ("Chemical",))]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.desk_parts import HasVocabularies
from core.errors import GroundworkError
from core.grounding.constraint.constraint import constraint_of
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.install.catalogue import RELEASES
from core.model import Category
from core.schema.catalogue import all_schemas, schema_named
from core.schema.definition import Schema
from core.schema.load import load_schema
from core.schema.own_vocabulary import OwnVocabulary, text_with, uses_own_vocabulary

SEVERAL = frozenset({str(Category.DISEASE), str(Category.PHENOTYPE)})  # may be said together
SHOWN = 4  # schemas in a sentence


@dataclass(frozen=True, slots=True)
class SchemaUse:
    """A schema that uses a vocabulary, by its title, and for which of its classes."""

    schema: str
    classes: tuple[str, ...]


def own_vocabularies(desk: HasVocabularies) -> tuple[OwnVocabulary, ...]:
    """The project's own vocabularies of which curators said that they contain one kind of thing. Of
    several kinds, terms could not be told apart.
    """
    registry = desk.vocabulary_registry
    own, said = registry.own(), registry.kinds()
    ready = []
    for name, kinds in sorted(said.items()):
        if name not in own or not (len(kinds) == 1 or SEVERAL.issuperset(kinds)):
            continue
        try:
            ready.append(OwnVocabulary(name, kinds, tuple(registry.lexicon(name).prefixes)))
        except GroundworkError:
            continue  # it cannot be read: the page of vocabularies says why
    return tuple(ready)


def with_own_vocabularies(desk: HasVocabularies, schema: Schema, beside: Path) -> Schema:
    """A schema with the project's own vocabularies; `beside`: the folder of its file, where its
    imports are.
    """
    missing = [own for own in own_vocabularies(desk) if not _is_named(desk, schema, own)]
    text = text_with(schema, missing)
    if text == schema.source:
        return schema
    folders = (beside, *desk.schemas)
    return load_schema(text, folder=folders, cache_folder=desk.schema_cache_folder)


def schemas_using(desk: HasVocabularies, name: str) -> list[SchemaUse]:
    """Every schema of the project and of the app that uses a vocabulary, by title."""
    own = next(
        (vocabulary for vocabulary in own_vocabularies(desk) if vocabulary.name == name), None
    )
    return _using(desk.vocabulary_registry.steady(), _loaded(desk), name, own)


def unused_vocabularies(desk: HasVocabularies) -> list[str]:
    """Vocabularies of curators' own making that no schema uses, by name; not those that are
    installed by name, which may be there for their ids alone.
    """
    registry = desk.vocabulary_registry.steady()
    if not registry.own():
        return []
    schemas = _loaded(desk)
    by_kind = {own.name: own for own in own_vocabularies(desk)}
    return [
        name
        for name in sorted(registry.own().keys() - RELEASES.keys())
        if not _using(registry, schemas, name, by_kind.get(name))
    ]


def use_words(desk: HasVocabularies, name: str) -> str:
    """Which schemas use a vocabulary and for what, or what to do where none does, in a sentence."""
    uses = schemas_using(desk, name)
    if uses:
        said = [f"{use.schema} ({', '.join(use.classes)})" for use in uses[:SHOWN]]
        more = len(uses) - SHOWN
        return f"{name} is used by {'; '.join(said)}{f' and {more} more' if more > 0 else ''}."
    if len(desk.vocabulary_registry.kinds().get(name, ())) > 1:
        return (
            f"No schema uses {name}: it contains several kinds of thing, which it does not tell"
            " apart. Name it in a schema."
        )
    return (
        f"No schema uses {name} yet. Say what kind of thing it contains: things of that kind are"
        " then looked for in it too, after the vocabularies that a schema names."
    )


def unused_lines(desk: HasVocabularies, schema: Schema) -> list[str]:
    """What of the project's own vocabularies a text was read without, in a sentence each: those
    that no schema uses, and those that were told their kind since.
    """
    lines = [
        f"{name}, your own vocabulary, is used by no schema: say on the page Vocabularies what"
        " kind of thing it contains."
        for name in unused_vocabularies(desk)
    ]
    later = [
        own.name
        for own in own_vocabularies(desk)
        if not _is_named(desk, schema, own) and text_with(schema, [own]) != schema.source
    ]
    return [
        *lines,
        *(f"{name} was not used when this text was read: run it again." for name in later),
    ]


def kinds_asked(schema: Schema) -> list[Category]:
    """The kinds of thing that a schema looks for in vocabularies, in order."""
    asked = [
        cls.category
        for cls in schema.classes.values()
        if cls.annotators and cls.name not in schema.enums
    ]
    return [
        kind for kind in dict.fromkeys(asked) if kind not in (Category.RELATION, Category.THING)
    ]


def _using(
    registry: VocabularyRegistry, schemas: Sequence[Schema], name: str, own: OwnVocabulary | None
) -> list[SchemaUse]:
    uses = []
    for schema in schemas:
        classes = tuple(
            cls.name
            for cls in schema.classes.values()
            if not (cls.abstract or cls.name in schema.enums)
            and (
                _names(registry, schema, cls.name, name) or (own and uses_own_vocabulary(cls, own))
            )
        )
        if classes:
            uses.append(SchemaUse(schema.title, classes))
    return uses


def _names(registry: VocabularyRegistry, schema: Schema, cls: str, name: str) -> bool:
    return any(name in registry.files_named(n) for n in constraint_of(schema, cls).vocabularies)


def _is_named(desk: HasVocabularies, schema: Schema, own: OwnVocabulary) -> bool:
    """Whether every class that would take a vocabulary names it already."""
    registry = desk.vocabulary_registry.steady()
    return all(
        _names(registry, schema, cls.name, own.name)
        for cls in schema.classes.values()
        if uses_own_vocabulary(cls, own) and cls.name not in schema.enums
    )


def _loaded(desk: HasVocabularies) -> list[Schema]:
    kept, schemas = desk.schema_cache_folder, []
    for entry in all_schemas(desk.schemas, cache_folder=kept):
        if not entry.trouble:
            schemas.append(schema_named(entry.path, desk.schemas, cache_folder=kept))
    return schemas
