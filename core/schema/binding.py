"""What binds a class or slot to vocabularies: annotators, id prefixes, and value sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from core.curie import preferred_prefix
from core.schema.definition import (
    EnumDefinition,
    PermissibleValue,
    ValueSet,
)

if TYPE_CHECKING:  # a second to import, and names of vocabularies need none of it
    from linkml_runtime.linkml_model import meta

_ALIASES = {
    "hgnc-nr": "hgnc",
    "hgnc_nr": "hgnc",
    "ncbi_taxon": "ncbitaxon",
    "ncbi_gene": "ncbigene",
    "hpo": "hp",
    "mesh_desc": "mesh",
    "snomed": "snomedct",
}
_FILES = ("sqlite", "obo", "pronto", "simpleobo", "sparql", "funowl", "rdflib", "http", "https")


def annotator_names(annotators: str) -> tuple[str, ...]:
    """Vocabulary names, in order: `sqlite:obo:mesh, bioportal:meddra, gilda:` → mesh, meddra,
    gilda.
    """
    names = (vocabulary_name(item) for item in re.split(r"[,;\n]", annotators))
    return tuple(dict.fromkeys(name for name in names if name))


def vocabulary_name(selector: str) -> str:
    """The vocabulary of an OAK selector (`sqlite:obo:hp`, `bioportal:SNOMEDCT`, `obo:envo`,
    `files/x.obo`).
    """
    last_part = next(
        (part for part in reversed(selector.strip().strip("\"'").split(":")) if part.strip()), ""
    )
    name = last_part.strip().rsplit("/", 1)[-1].lower()
    name = re.sub(r"\.(?:db|obo|owl|json|tsv|ttl|gz|sqlite)$", "", re.sub(r"\.gz$", "", name))
    return _ALIASES.get(name, name)


def named_services(annotators: str) -> dict[str, str]:
    """Vocabulary → the service that a selector names for it, the first for each:
    `sqlite:obo:mesh, bioportal:meddra, gilda:` → {meddra: bioportal, gilda: gilda}. What OAK reads
    from a file (`sqlite:`, `obo:`, …) is no service.
    """
    services: dict[str, str] = {}
    for item in re.split(r"[,;\n]", annotators):
        scheme, colon, _ = item.strip().strip("\"'").partition(":")
        name = vocabulary_name(item)
        if colon and name and scheme.lower() not in _FILES:
            services.setdefault(name, scheme.lower())
    return services


def enum_definition(
    enum: meta.EnumDefinition, enums: Mapping[str, meta.EnumDefinition], category: str = ""
) -> EnumDefinition:
    """The values and value sets of an enum: its own, then what it includes and inherits, without
    what `minus` names; `category` is what all its terms are.
    """
    values: dict[str, PermissibleValue] = {}
    sets: dict[tuple[object, ...], ValueSet] = {}
    excluded: set[str] = set()
    for part, minus in _parts(enum, enums, set()):
        for value in (part.permissible_values or {}).values():
            values.setdefault(str(value.text), _permissible(value))
        excluded |= {
            text for subtracted in part.minus or () for text in subtracted.permissible_values or {}
        }
        for value_set in _sets(str(enum.name), part):
            key = (value_set.vocabulary, value_set.nodes, value_set.relations, value_set.concepts)
            sets.setdefault(key, replace(value_set, minus=minus, category=category))
    return EnumDefinition(
        str(enum.name),
        tuple(value for name, value in values.items() if name not in excluded),
        tuple(sets.values()),
        str(enum.description or ""),
    )


def _sets(name: str, part: meta.EnumExpression) -> list[ValueSet]:
    """The branches and single terms that one expression names."""
    value_sets = [_value_set(name, query) for query in _queries(part)]
    concepts = tuple(_node(str(concept)) for concept in part.concepts or ())
    if concepts:
        vocabulary = concepts[0].partition(":")[0].lower()
        value_sets.append(ValueSet(name, vocabulary, (), concepts=concepts))
    return value_sets


def _without(
    name: str, part: meta.EnumExpression, enums: Mapping[str, meta.EnumDefinition]
) -> Iterator[ValueSet]:
    """What an expression's `minus` takes out: branches, single terms, the meanings of values, and
    all of these of enums that it inherits.
    """
    for expression in part.minus or ():
        yield from _sets(name, expression)
        meanings = [value.meaning for value in (expression.permissible_values or {}).values()]
        if concepts := tuple(_node(str(meaning)) for meaning in meanings if meaning):
            yield ValueSet(name, concepts[0].partition(":")[0].lower(), (), concepts=concepts)
        for parent in expression.inherits or ():
            if str(parent) in enums:
                yield from enum_definition(enums[str(parent)], enums).value_sets


def prefixes_of(sets: Iterable[ValueSet]) -> tuple[str, ...]:
    """The prefixes of the nodes of value sets, in order."""
    return tuple(
        dict.fromkeys(
            node.split(":", 1)[0]
            for value_set in sets
            for node in (*value_set.nodes, *value_set.concepts)
            if ":" in node
        )
    )


def _parts(
    enum: meta.EnumDefinition,
    enums: Mapping[str, meta.EnumDefinition],
    visited: set[str],
    above: tuple[ValueSet, ...] = (),
) -> Iterator[tuple[meta.EnumExpression, tuple[ValueSet, ...]]]:
    """The expressions that an enum is made of, each with what is taken out of it: its own `minus`,
    and that of the enums that include or inherit it.
    """
    if str(enum.name) in visited:
        return
    visited.add(str(enum.name))
    name = str(enum.name)
    minus = (*above, *_without(name, enum, enums))
    yield enum, minus
    parents = [(name, minus) for name in (*(enum.inherits or ()), enum.is_a) if name]
    for expression in enum.include or ():
        less = (*minus, *_without(name, expression, enums))
        yield expression, less
        parents += [(parent, less) for parent in expression.inherits or ()]
    for parent, less in parents:
        if str(parent) in enums:
            yield from _parts(enums[str(parent)], enums, visited, less)


def _queries(
    part: meta.EnumExpression,
) -> list[meta.ReachabilityQuery]:
    reachable = part.reachable_from
    return reachable if isinstance(reachable, list) else [reachable] if reachable else []


def _permissible(value: meta.PermissibleValue) -> PermissibleValue:
    aliases = tuple(map(str, value.aliases or ())) + ((str(value.title),) if value.title else ())
    return PermissibleValue(
        str(value.text), aliases, str(value.meaning or ""), str(value.description or "")
    )


def _value_set(name: str, query: meta.ReachabilityQuery) -> ValueSet:
    nodes = tuple(_node(str(node)) for node in query.source_nodes or ())
    vocabulary = vocabulary_name(str(query.source_ontology or "")) or (
        nodes[0].split(":")[0].lower() if nodes else ""
    )
    return ValueSet(
        name,
        vocabulary,
        nodes,
        include_self=bool(query.include_self),
        is_direct=bool(query.is_direct),
        relations=tuple(map(str, query.relationship_types or ())),
        traverse_up=bool(query.traverse_up),
    )


def _node(curie: str) -> str:
    prefix, _, local = curie.partition(":")
    return f"{preferred_prefix(prefix)}:{local}" if local else curie


def annotations_of(
    element: meta.ClassDefinition | meta.SlotDefinition | meta.EnumDefinition,
) -> dict[str, str]:
    """All annotations of an element, as text."""
    annotations = element.annotations
    items = (
        annotations._items() if hasattr(annotations, "_items") else dict(annotations or {}).items()
    )
    return {str(key): _text(getattr(value, "value", value)) for key, value in items}


def _text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
