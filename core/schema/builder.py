"""A schema form as LinkML, and back: what the form shows is written, the rest of a file stays.

The classes that are written build on `core` (NamedEntity, Triple, TextWithTriples), as the app's
own templates do, so every engine, grounding and export know them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from core.curie import PREFIXES
from core.model import Category
from core.schema.importing import OWN
from core.schema.schema_form import (
    RANGES,
    PartForm,
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
    camel_case,
    plural_noun,
    snake_case,
)

BASE = "https://example.org/groundwork/schema/"
ID_PREFIXES = {
    "hgnc": "HGNC", "ncbigene": "NCBIGene", "mondo": "MONDO", "hp": "HP", "chebi": "CHEBI",
    "go": "GO", "mesh": "MESH", "doid": "DOID", "uberon": "UBERON", "cl": "CL",
    "ncbitaxon": "NCBITaxon", "foodon": "FOODON", "envo": "ENVO", "maxo": "MAXO", "so": "SO",
    "pato": "PATO", "uo": "UO", "uniprot": "UniProtKB",
}  # fmt: skip
# The value sets of shipped schemas for a vocabulary that names much besides things of a kind: MeSH
# from drugs to professions, ChEBI the roles of substances.
PARTS = {
    ("mesh", Category.CHEMICAL): "MeshChemical",
    ("mesh", Category.DISEASE): "MeshDisease",
    ("chebi", Category.CHEMICAL): "ChebiChemical",
}
LINE = 110  # characters of a line of YAML

Tree = dict[str, Any]


def to_linkml(form: SchemaForm, prefixes: Mapping[str, str] = {}) -> str:
    """The LinkML of a form, readable and in the order of the form. `prefixes`: vocabulary →
    prefix of its ids, where it is not a well-known one. Raises InputError for a form with a gap.
    """
    return dumped_yaml(form_tree(form.checked(), prefixes))


def dumped_yaml(schema: Tree) -> str:
    text: str = yaml.safe_dump(schema, sort_keys=False, allow_unicode=True, width=LINE)
    return text


def form_tree(form: SchemaForm, prefixes: Mapping[str, str]) -> Tree:
    name = form.name
    classes: Tree = {root_name(form): _root(form)}
    enums: Tree = {}
    for relation in form.relations:
        classes[relation.title] = _relation(relation)
        classes[f"{relation.title}Predicate"] = _predicate_class(relation)
        enums[f"{relation.title}Enum"] = _predicate_enum(relation, name)
    for thing in form.things:
        classes[camel_case(thing.name)] = _thing(thing, prefixes)
        for value_set in _value_sets(thing):
            enums[value_set] = _branch(thing) if thing.branch else _shipped_value_sets()[value_set]
    for part in form.parts:
        classes[camel_case(part.name)] = _part(part)
    schema: Tree = {
        "id": f"{BASE}{name}",
        "name": name,
        "title": form.title.strip(),
        "description": form.description.strip() or form.title.strip(),
        "prefixes": _prefixes(form, prefixes),
        "default_prefix": name,
        "default_range": "string",
        "imports": ["linkml:types", "core"],
        "classes": classes,
    }
    return schema | ({"enums": enums} if enums else {})


def root_name(form: SchemaForm) -> str:
    return f"{camel_case(form.title)}Text"


def _root(form: SchemaForm) -> Tree:
    """The text: its relations, the things that stand in none, and its parts."""
    root: Tree = {"description": form.description.strip() or f"A text on {form.title.strip()}"}
    attributes: Tree = {}
    if form.relations:
        first_relation, *others = form.relations
        root |= {"is_a": "TextWithTriples", "tree_root": True}
        root["slot_usage"] = {
            "triples": {"range": first_relation.title, **_relation_slot(first_relation)}
        }
        for relation in others:
            slot = {"range": relation.title, **_relation_slot(relation)}
            attributes[plural_noun(snake_case(relation.title))] = _listed(slot)
    else:
        root["tree_root"] = True
    related = {
        camel_case(end)
        for relation in form.relations
        for end in (relation.subject, relation.object)
    }
    for thing in form.things:
        if camel_case(thing.name) not in related:
            words = plural_noun(_spoken(thing.name))
            hint = f", e.g. {thing.example}" if thing.example else ""
            attributes[plural_noun(snake_case(thing.name))] = {
                "description": f"semicolon-separated list of the {words} that the text names{hint}",
                "range": camel_case(thing.name),
                "multivalued": True,
            }
    for part in form.parts:
        words = plural_noun(_spoken(part.name))
        attributes[plural_noun(snake_case(part.name))] = {
            "range": camel_case(part.name),
            **_listed({"description": f"semicolon-separated list of the {words}, each with all"
                       " that the text says of it"}),
        }  # fmt: skip
    return root | ({"attributes": attributes} if attributes else {})


def _spoken(name: str) -> str:
    return snake_case(name).replace("_", " ")


def _listed(slot: Tree) -> Tree:
    return slot | {"multivalued": True, "inlined": True, "inlined_as_list": True}


def _relation_slot(relation: RelationForm) -> Tree:
    names = ", ".join(_value_name(predicate) for predicate in relation.predicates)
    return {
        "description": (
            f"semicolon-separated list of statements that relate one {relation.subject.lower()} to"
            f" one {relation.object.lower()}, each with {names}; write NOT before the relation"
            " when the text denies it"
        )
    }


def _relation(relation: RelationForm) -> Tree:
    names = ", ".join(_value_name(predicate) for predicate in relation.predicates)
    definition: Tree = {
        "description": f"How a {relation.subject.lower()} relates to a {relation.object.lower()}",
        "is_a": "Triple",
        "slot_usage": {
            "subject": {"range": camel_case(relation.subject)},
            "predicate": {"range": f"{relation.title}Predicate", "description": f"one of {names}"},
            "object": {"range": camel_case(relation.object)},
            "qualifier": {
                "description": "NOT if the text denies it; MAYBE if it only suspects it; else"
                " nothing"
            },
            "subject_qualifier": {"range": "string"},
            "object_qualifier": {"range": "string"},
        },
    }
    if relation.qualifiers:
        definition["attributes"] = {
            snake_case(name): {"description": name.strip(), "range": "string"}
            for name in relation.qualifiers
        }
    return definition


def _predicate_class(relation: RelationForm) -> Tree:
    values = [f"{relation.title}Enum"]
    return {"is_a": "RelationshipType", "slot_usage": {"id": {"values_from": values}}}


def _predicate_enum(relation: RelationForm, schema: str) -> Tree:
    values: Tree = {}
    for predicate in relation.predicates:
        words = dict.fromkeys([predicate.name.replace("_", " ").lower(), *predicate.words])
        values[_value_name(predicate)] = {
            "description": predicate.name.replace("_", " "),
            "meaning": predicate.curie or f"{schema}:{snake_case(predicate.name)}",
            "aliases": list(words),
        }
    return {"permissible_values": values}


def _value_name(predicate: PredicateForm) -> str:
    return snake_case(predicate.name).upper()


def _thing(thing: ThingForm, prefixes: Mapping[str, str]) -> Tree:
    definition: Tree = {"is_a": "NamedEntity"}
    if thing.example:
        definition["description"] = f"{thing.name.strip()}, e.g. {thing.example}"
    if thing.vocabularies:
        definition["id_prefixes"] = [prefix_of(name, prefixes) for name in thing.vocabularies]
    names = ", ".join(f"sqlite:obo:{name}" for name in thing.vocabularies)
    definition["annotations"] = ({"annotators": names} if names else {}) | {
        "category": str(thing.category)
    }
    if value_sets := _value_sets(thing):
        definition["slot_usage"] = {"id": {"values_from": value_sets}}
    return definition


def _value_sets(thing: ThingForm) -> list[str]:
    """The value sets that narrow a thing's terms: its branch, or of its vocabularies the parts that
    hold its kind.
    """
    if thing.branch:
        return [f"{camel_case(thing.name)}Branch"]
    parts = (PARTS.get((vocabulary, thing.category), "") for vocabulary in thing.vocabularies)
    return list(filter(None, parts))


@cache
def _shipped_value_sets() -> Tree:
    """The value sets of the shipped schema that uses MeSH and ChEBI."""
    text = (OWN / "chemical_disease.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text)["enums"])


def _branch(thing: ThingForm) -> Tree:
    vocabulary = thing.vocabularies[0] if thing.vocabularies else ""
    vocabulary = vocabulary or thing.branch.partition(":")[0].lower()
    reach = {"source_ontology": f"obo:{vocabulary}", "source_nodes": [thing.branch]}
    return {"reachable_from": reach}


def _part(part: PartForm) -> Tree:
    attributes: Tree = {
        snake_case(field.name): {
            "description": field.name.strip(),
            "range": RANGES.get(field.holds) or camel_case(field.holds),
        }
        for field in part.fields
    }
    return {"is_a": "CompoundExpression", "attributes": attributes}


def _prefixes(form: SchemaForm, prefixes: Mapping[str, str]) -> Tree:
    prefix_names = ["linkml", "biolink", "RO"]
    prefix_names += [
        prefix_of(name, prefixes) for thing in form.things for name in thing.vocabularies
    ]
    prefix_names += [
        predicate.curie.partition(":")[0]
        for relation in form.relations
        for predicate in relation.predicates
        if predicate.curie
    ]
    prefix_names += [thing.branch.partition(":")[0] for thing in form.things if thing.branch]
    prefix_iris = {
        name: PREFIXES.get(name) or f"https://bioregistry.io/{name.lower()}:"
        for name in prefix_names
    }
    prefix_iris.pop(form.name, None)
    return {"linkml": prefix_iris.pop("linkml"), form.name: f"{BASE}{form.name}/", **prefix_iris}


def prefix_of(vocabulary: str, prefixes: Mapping[str, str]) -> str:
    """`hgnc` → `HGNC`: how ids of a vocabulary begin."""
    return prefixes.get(vocabulary) or ID_PREFIXES.get(vocabulary.lower()) or vocabulary.upper()
