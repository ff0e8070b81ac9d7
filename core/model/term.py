"""Things with a name: terms, nodes of a document, literal values, and how relations read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.model.value import json_digest


class Category(StrEnum):
    """What kind of thing a term is; decides its colour on screen and its Biolink class in
    exports.
    """

    CHEMICAL = "chemical"
    DISEASE = "disease"
    GENE = "gene"
    VARIANT = "variant"
    PROTEIN = "protein"
    PHENOTYPE = "phenotype"
    ANATOMY = "anatomy"
    CELL = "cell"
    PROCESS = "process"
    PATHWAY = "pathway"
    ORGANISM = "organism"
    FOOD = "food"
    ENVIRONMENT = "environment"
    PROCEDURE = "procedure"
    DEVICE = "device"
    QUALITY = "quality"
    UNIT = "unit"
    RELATION = "relation"
    PUBLICATION = "publication"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Term:
    """A thing with a name. `id` is a CURIE, and empty while the term is ungrounded."""

    id: str
    label: str
    category: Category = Category.THING


@dataclass(frozen=True, slots=True)
class Node:
    """An unnamed thing in a document, such as one ingredient of a recipe. Make its id with
    `node_id`.
    """

    id: str
    cls: str
    label: str
    category: Category = Category.THING


def node_id(document: str, parent: str, slot: str, words: str, *, occurrence: int) -> str:
    """`n1-` + digest of where a node was first extracted; it stays when the node's words are
    edited.

    `parent` is the parent's node id or CURIE ("" at the root), `words` those first extracted
    (case-folded, white space collapsed), `occurrence` counts equal words in one slot of one parent
    from 0.

    >>> first = node_id("PMID:1", "", "ingredients", "wheat flour", occurrence=0)
    >>> first, first == node_id("PMID:1", "", "ingredients", "Wheat  Flour", occurrence=0)
    ('n1-6bb795de74242f875e53dcbb', True)
    """
    return "n1-" + json_digest([document, parent, slot, fold_words(words), occurrence])[:24]


def fold_words(words: str) -> str:
    r"""Case-folded words with single spaces: how ungrounded words are compared.

    >>> fold_words("  Type 2\n Diabetes ")
    'type 2 diabetes'
    """
    return " ".join(words.casefold().split())


def relation_words(relation: Term) -> str:
    """How a relation reads: `HAS_FEATURE` of a schema as `has feature`, any other label as it is,
    else its id.

    >>> relation_words(Term("", "HAS_FEATURE")), relation_words(Term("RO:0002606", ""))
    ('has feature', 'RO:0002606')
    """
    label = relation.label
    return (
        label.replace("_", " ").lower()
        if label.isupper()
        else label.replace("_", " ") or relation.id
    )


@dataclass(frozen=True, slots=True)
class Literal:
    """A value with a datatype (a CURIE such as xsd:decimal) and, of a quantity, a UCUM unit
    code.
    """

    value: str
    datatype: str = "xsd:string"
    unit: str = ""


Thing = Term | Node | Literal


def thing_words(thing: Thing) -> str:
    """A thing's label, else its id; a value with its unit.

    >>> thing_words(Term("", "aspirin")), thing_words(Literal("81", "xsd:decimal", "mg"))
    ('aspirin', '81 mg')
    """
    if isinstance(thing, Literal):
        return f"{thing.value} {thing.unit}".strip()
    return thing.label or thing.id or (thing.cls if isinstance(thing, Node) else "")
