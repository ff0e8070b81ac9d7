"""What binds a class or slot to vocabularies: annotators, id prefixes, and value sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from linkml_runtime.linkml_model import meta

from core.curie import preferred
from core.schema.definition import EnumDefinition, PermissibleValue, ValueSet

_ALIASES = {
    "hgnc-nr": "hgnc",
    "hgnc_nr": "hgnc",
    "ncbi_taxon": "ncbitaxon",
    "ncbi_gene": "ncbigene",
    "hpo": "hp",
    "mesh_desc": "mesh",
    "snomed": "snomedct",
}


def annotator_names(annotators: str) -> tuple[str, ...]:
    """Vocabulary names, in order: `sqlite:obo:mesh, bioportal:meddra, gilda:` → mesh, meddra,
    gilda.
    """
    found = (vocabulary_name(item) for item in re.split(r"[,;\n]", annotators))
    return tuple(dict.fromkeys(name for name in found if name))


def vocabulary_name(selector: str) -> str:
    """The vocabulary of an OAK selector (`sqlite:obo:hp`, `bioportal:SNOMEDCT`, `obo:envo`,
    `files/x.obo`).
    """
    last = next(
        (part for part in reversed(selector.strip().strip("\"'").split(":")) if part.strip()), ""
    )
    name = last.strip().rsplit("/", 1)[-1].lower()
    name = re.sub(r"\.(?:db|obo|owl|json|tsv|ttl|gz|sqlite)$", "", re.sub(r"\.gz$", "", name))
    return _ALIASES.get(name, name)


def enum_definition(
    enum: meta.EnumDefinition, enums: Mapping[str, meta.EnumDefinition]
) -> EnumDefinition:
    """The values and value sets of an enum: its own, then what it includes and inherits."""
    values: dict[str, PermissibleValue] = {}
    sets: dict[tuple[object, ...], ValueSet] = {}
    for part in _parts(enum, enums, set()):
        for value in (part.permissible_values or {}).values():
            values.setdefault(str(value.text), _permissible(value))
        for query in _queries(part):
            found = _value_set(str(enum.name), query)
            sets.setdefault((found.vocabulary, found.nodes, found.relations), found)
    return EnumDefinition(
        str(enum.name), tuple(values.values()), tuple(sets.values()), str(enum.description or "")
    )


def prefixes_of(sets: Iterable[ValueSet]) -> tuple[str, ...]:
    """The prefixes of the nodes of value sets, in order."""
    return tuple(
        dict.fromkeys(
            node.split(":", 1)[0] for found in sets for node in found.nodes if ":" in node
        )
    )


def _parts(
    enum: meta.EnumDefinition, enums: Mapping[str, meta.EnumDefinition], seen: set[str]
) -> Iterator[meta.EnumDefinition | meta.AnonymousEnumExpression]:
    if str(enum.name) in seen:
        return
    seen.add(str(enum.name))
    yield enum
    yield from enum.include or ()
    named = [*(enum.inherits or ()), *([enum.is_a] if enum.is_a else ())]
    for expression in enum.include or ():
        named += expression.inherits or ()
    for name in named:
        if str(name) in enums:
            yield from _parts(enums[str(name)], enums, seen)


def _queries(
    part: meta.EnumDefinition | meta.AnonymousEnumExpression,
) -> list[meta.ReachabilityQuery]:
    found = part.reachable_from
    return found if isinstance(found, list) else [found] if found else []


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
    return f"{preferred(prefix)}:{local}" if local else curie
