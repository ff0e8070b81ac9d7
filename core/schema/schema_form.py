"""A schema as a curator thinks of it: things, relations between them, and parts of a text that come
in several. What `builder` turns into LinkML and reads out of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import InputError
from core.model import Category

NAME = re.compile(r"[A-Za-z][A-Za-z0-9 _-]{0,59}")


def checked_name(words: str) -> str:
    """The name of a thing or a part. Raises InputError for what cannot be one."""
    name = words.strip()
    if not NAME.fullmatch(name):
        raise InputError(f"{name[:60]!r} cannot be a name.", "Use letters and digits.")
    return name


LONGEST = 120  # characters of a title
TEXT, NUMBER, TRUTH = "text", "number", "yes or no"
PLAIN = (TEXT, NUMBER, TRUTH)  # what a field of a part may hold beside a thing
RANGES = {TEXT: "string", NUMBER: "decimal", TRUTH: "boolean"}


@dataclass(frozen=True, slots=True)
class ThingForm:
    """A kind of thing that texts name. `vocabularies` are names of installed vocabularies, the
    preferred first; `branch` is the CURIE of a term below which it must lie, or empty.
    """

    name: str
    category: Category = Category.THING
    vocabularies: tuple[str, ...] = ()
    branch: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class PredicateForm:
    """`curie` is empty for a predicate of the schema's own; `words` are how texts say it."""

    name: str
    curie: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationForm:
    """Subject and object are names of things. `qualifiers` are names of what modifies the whole."""

    subject: str
    predicates: tuple[PredicateForm, ...]
    object: str
    qualifiers: tuple[str, ...] = ()
    name: str = ""

    @property
    def title(self) -> str:
        return self.name or f"{camel_case(self.subject)}To{camel_case(self.object)}"


@dataclass(frozen=True, slots=True)
class FieldForm:
    """A field of a part: `holds` is one of PLAIN or the name of a thing."""

    name: str
    holds: str = TEXT


@dataclass(frozen=True, slots=True)
class PartForm:
    """Something that a text may have several of, such as doses or steps, each with its fields."""

    name: str
    fields: tuple[FieldForm, ...]


@dataclass(frozen=True, slots=True)
class SchemaForm:
    title: str = ""
    description: str = ""
    things: tuple[ThingForm, ...] = ()
    relations: tuple[RelationForm, ...] = ()
    parts: tuple[PartForm, ...] = ()

    @property
    def name(self) -> str:
        """The schema's name: small letters and _."""
        return snake_case(self.title)

    def checked(self) -> SchemaForm:
        """This form, or InputError that says what is missing or wrong, the first thing first."""
        if not re.match("[a-z]", self.name) or len(self.title) > LONGEST:
            raise InputError("The schema needs a name that begins with a letter.")
        if not self.things:
            raise InputError(
                "The schema has no thing to find.", "Add what your texts name, such as Gene."
            )
        thing_names = {camel_case(thing.name) for thing in self.things}
        names = [camel_case(thing.name) for thing in self.things]
        names += [relation.title for relation in self.relations]
        names += [camel_case(part.name) for part in self.parts]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"Two of its things are called {name}.", "Rename one.")
        for word in [t.name for t in self.things] + [p.name for p in self.parts]:
            checked_name(word)
        for relation in self.relations:
            for end in (relation.subject, relation.object):
                if camel_case(end) not in thing_names:
                    raise InputError(f"There is no thing called {end[:60]}.", "Add it first.")
            if not relation.predicates:
                raise InputError(f"{relation.title} needs a predicate.", "Choose one or more.")
        for part in self.parts:
            if not part.fields:
                raise InputError(f"{part.name} needs a field.", "Say what each has.")
        return self


def camel_case(words: str) -> str:
    """`Gene product` → `GeneProduct`; what is in camel case stays so."""
    return "".join(
        word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words) if word
    )


def snake_case(words: str) -> str:
    """`GeneProduct` and `Gene product` → `gene_product`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", words.strip())
    return re.sub(r"[^A-Za-z0-9]+", "_", apart).strip("_").lower()


def plural_noun(words: str) -> str:
    """`gene` → `genes`, `therapy` → `therapies`."""
    if re.search(r"[^aeiou]y$", words):
        return f"{words[:-1]}ies"
    return words if words.endswith("s") else f"{words}s"
